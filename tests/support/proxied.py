"""A server with the proxies, a provider behind it that keeps what it was sent, and the SDKs' clients in front."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import anthropic
import openai

from reverie import Reverie, Space
from tests.support.live import live
from tests.support.provider import FakeProvider, provider
from tests.support.serving import TOKEN
from tests.support.waiting import until

PROVIDER_KEY = "sk-provider-7f3a91c2d4e5"
KEY = "The spare key is with Ana."


@dataclass
class World:
    memory: Reverie
    provider: FakeProvider
    address: str
    clients: ExitStack = field(default_factory=ExitStack)

    def space(self, name: str) -> Space:
        """A space that knows where the key is."""
        made = self.memory.space(name)
        made.remember(KEY)
        made.blocks["human"].set("Name: Mara. Lives in Hamburg.")
        return made

    def openai(self, space: str, **headers: str) -> Any:
        """OpenAI's client; not typed here: what it is given is data."""
        own = {"x-reverie-key": TOKEN, "x-reverie-space": space, **headers}
        made = openai.OpenAI(base_url=f"{self.address}/openai/v1", api_key=PROVIDER_KEY, default_headers=own)
        return self.clients.enter_context(made)

    def anthropic(self, space: str, **headers: str) -> Any:
        """Anthropic's client, with the token in the address: its own header has the provider's key."""
        own = {"x-reverie-space": space, **headers}
        base = f"{self.address}/t/{TOKEN}/anthropic"
        return self.clients.enter_context(anthropic.Anthropic(base_url=base, api_key=PROVIDER_KEY, default_headers=own))

    def kept(self, space: Space, least: int) -> list[tuple[str, str]]:
        """What the log holds, once so many turns are there."""
        until(lambda: len(space.turns(limit=200)) >= least, 10)
        return [(turn.role, turn.text) for turn in space.turns(limit=200)]


@contextmanager
def proxied(home: Path, upstream: FakeProvider | None = None) -> Iterator[World]:
    """All that is opened is closed again, clients first: a socket that is left open fails whichever test comes next."""
    with ExitStack() as stack:
        memory = stack.enter_context(Reverie.open(home, embedder="none", durable=False))
        behind = upstream or stack.enter_context(provider())
        memory.warm()
        memory.space("warm").for_prompt("where is the spare key?", session="s")
        urls = {"/openai/v1": f"{behind.url}/v1", "/anthropic": behind.url}
        address = stack.enter_context(live(memory, providers=urls))
        world = World(memory, behind, address)
        stack.enter_context(world.clients)
        yield world
