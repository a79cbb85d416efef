"""Which models are there to be chosen: keys in the environment, servers on this machine. No model is asked anything."""

import json
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from urllib.error import URLError
from urllib.request import ProxyHandler, build_opener

from reverie.minds.llm.spec import KEY_OF

# What a provider's own key gives; the cheap model is enough, for nights choose among people's words.
HOSTED = {"openai": "gpt-5-mini", "anthropic": "claude-haiku-4-5"}
SERVERS = {
    "Ollama": "http://127.0.0.1:11434/v1",
    "llama.cpp": "http://127.0.0.1:8080/v1",
    "vLLM": "http://127.0.0.1:8000/v1",
    "LM Studio": "http://127.0.0.1:1234/v1",
}
PATIENCE = 1.0  # seconds for a server on this machine
MOST_MODELS = 5  # of one server


@dataclass(frozen=True, slots=True)
class FoundModel:
    """A model that could be used, and where it was found."""

    name: str  # "provider:model"
    where: str
    base_url: str = ""  # of a server on this machine; empty for a provider


def find(environ: Mapping[str, str], more_urls: Iterable[str] = ()) -> list[FoundModel]:
    """Providers whose keys are set, then what the servers on this machine list, in the order of the tables."""
    hosted = [
        FoundModel(f"{provider}:{model}", f"{KEY_OF[provider]} is set")
        for provider, model in HOSTED.items()
        if environ.get(KEY_OF[provider], "").strip()
    ]
    places = [*((name, url) for name, url in SERVERS.items()), *(("a server", url) for url in more_urls)]
    with ThreadPoolExecutor(len(places)) as pool:
        listed = pool.map(lambda place: _served(*place), places)
        return [*hosted, *(model for models in listed for model in models)]


def _served(name: str, url: str) -> Sequence[FoundModel]:
    """What answers there in the protocol of OpenAI; nothing where nobody does."""
    try:
        with build_opener(ProxyHandler({})).open(f"{url.rstrip('/')}/models", timeout=PATIENCE) as reply:
            known = json.loads(reply.read(1_000_000))["data"]
        ids = [str(one["id"]) for one in known][:MOST_MODELS]
    except (URLError, OSError, ValueError, KeyError, TypeError):
        return ()
    return [FoundModel(f"openai:{id}", f"{name} at {url}", url.rstrip("/")) for id in ids]
