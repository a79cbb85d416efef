"""Which model plays which role, and how it is reached.

MERGED: From model settings to a reasoner: clients, meters and ladders for each role that is set.
"""

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from reverie.errors import ConfigError, ModelUnavailable
from reverie.minds.llm.backoff import Pacer
from reverie.minds.llm.client import Call, Client, Completion, Delta, Failure
from reverie.minds.llm.faults import FaultCounts
from reverie.minds.llm.ladder import Ladder
from reverie.minds.llm.provider import ProviderClient
from reverie.minds.llm.reasoner import LlmReasoner
from reverie.minds.meter import Budgets, Ledger, Meter
from reverie.minds.prices import Price, Prices
from reverie.minds.reasoner import Reasoner

ModelRole = Literal["sleeper", "primary", "reviewer"]
ROLES: tuple[ModelRole, ...] = get_args(ModelRole)
KEY_OF = {"openai": "OPENAI_API_KEY", "anthropic": "ANTHROPIC_API_KEY"}


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


@dataclass(frozen=True, slots=True)
class Absent:
    """A model that is set but cannot be used: every call says why, so the rules go on and the night tells of it."""

    name: str
    why: ModelUnavailable

    def complete_all(self, calls: Sequence[Call]) -> list[Completion | Failure]:
        return [self.why for _ in calls]

    def stream(self, call: Call) -> Iterator[Delta]:  # noqa: ARG002
        raise self.why

    def close(self) -> None:
        pass


@dataclass(frozen=True, slots=True)
class Models:
    """The models of one process, each behind its meter. Close it when done."""

    meters: Mapping[ModelRole, Client]  # a model that cannot be called has nothing to count
    specs: Mapping[ModelRole, ModelSpec]
    clients: Sequence[ProviderClient | Absent] = ()

    def reasoner(self, fallback: Reasoner | None) -> LlmReasoner | None:
        """Who thinks in nights; None when no sleeper is set. The roles share one count of faults."""
        ladders = self.ladders(FaultCounts())
        if "sleeper" not in ladders:
            return None
        return LlmReasoner(ladders["sleeper"], fallback, ladders.get("primary"), ladders.get("reviewer"))

    def ladders(self, faults: FaultCounts) -> dict[ModelRole, Ladder]:
        """A ladder for each role; those of one model share its rate, because a server counts by model."""
        pacers = {spec.name: Pacer(spec.calls_per_minute) for spec in self.specs.values()}
        return {
            role: Ladder(self.meters[role], spec, faults, pacer=pacers[spec.name]) for role, spec in self.specs.items()
        }

    def primary(self) -> Client | None:
        """Whom `chat` talks through; None: it answers from memory alone."""
        return self.meters.get("primary")

    def close(self) -> None:
        for client in self.clients:
            client.close()


def open_models(
    specs: Sequence[ModelSpec],
    ledger: Ledger,
    budgets: Budgets | None = None,
    prices: Mapping[str, Price] | None = None,
    environ: Mapping[str, str] = os.environ,
) -> Models:
    """A missing key or package raises nothing here: each call says so, and `check` names it beforehand."""
    known = prices_for(specs, prices or {})
    clients = {spec.role: _open(spec, environ) for spec in specs}
    meters: dict[ModelRole, Client] = {
        role: client if isinstance(client, Absent) else Meter(client, ledger, budgets or Budgets(), known, role)
        for role, client in clients.items()
    }
    return Models(meters, {spec.role: spec for spec in specs}, tuple(clients.values()))


def prices_for(specs: Sequence[ModelSpec], own: Mapping[str, Price]) -> Prices:
    return Prices(own, frozenset(spec.name for spec in specs if spec.base_url))


def _open(spec: ModelSpec, environ: Mapping[str, str]) -> ProviderClient | Absent:
    try:
        return ProviderClient(spec, environ)
    except ModelUnavailable as why:
        return Absent(spec.name, why)
