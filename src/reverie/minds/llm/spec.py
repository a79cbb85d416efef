"""Which model plays which role, and how it is reached."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, get_args

from reverie.errors import ConfigError

ModelRole = Literal["sleeper", "primary", "reviewer"]
ROLES: tuple[ModelRole, ...] = get_args(ModelRole)
KEY_OF = {"openai": "OPENAI_API_KEY", "anthropic": "ANTHROPIC_API_KEY"}
BatchMode = Literal["off", "unattended", "all"]  # none, those that nobody waits for, all nights


@dataclass(frozen=True, slots=True)
class ModelSpec:
    """`name` is "provider:model"; with a `base_url` any OpenAI-compatible server serves (Ollama, vLLM, llama.cpp).

    The key itself is never kept here: `api_key_env` names the environment variable that holds it.
    """

    name: str
    role: ModelRole = "sleeper"
    base_url: str | None = None
    api_key_env: str | None = None
    timeout: float = 60.0  # seconds for one whole call
    concurrency: int = 4  # calls under way at once
    calls_per_minute: int = 0  # that start in any minute; 0: no limit
    batch_tokens: int = 6_000  # of data in one call
    answer_tokens: int = 2_000  # the most that one call may write, native reasoning included
    effort: str = ""  # how much it reasons: low, medium, high; empty: as the provider has it
    tier: str = ""  # the provider's service tier
    batches: BatchMode = "off"  # which nights go out as provider batches
    retries: int = 2  # after a fault that may pass
    max_wait: float = 30.0  # a longer retry-after is not waited for: the rules go on

    def __post_init__(self) -> None:
        provider, colon, model = self.name.partition(":")
        if not (provider and colon and model):
            raise ConfigError(
                f"{self.name!r} is not a model name", next_move='Write "provider:model", like "openai:gpt-5-mini".'
            )
        if self.base_url is not None and not self.base_url.startswith(("http://", "https://")):
            raise ConfigError(
                f"model_base_url {self.base_url!r} is not an address",
                next_move='Write it whole, like "http://127.0.0.1:11434/v1".',
            )

    @property
    def provider(self) -> str:
        return self.name.partition(":")[0]

    @property
    def model(self) -> str:
        return self.name.partition(":")[2]

    def api_key(self, environ: Mapping[str, str]) -> str | None:
        return environ.get(self.api_key_env or KEY_OF.get(self.provider, ""), "").strip() or None
