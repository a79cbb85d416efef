"""What the primary agent needs of a space, and nothing more: `reverie.Space` has all of it."""

from collections.abc import Sequence
from typing import Any, Literal, Protocol

from reverie.model.blocks import BlockWrite
from reverie.model.hits import Hit
from reverie.policy.safety.channels import Surface


class BlockPort(Protocol):
    @property
    def value(self) -> str: ...

    def append(self, text: str) -> BlockWrite: ...

    def replace(self, old: str, new: str) -> BlockWrite: ...


class AgentBlocks(Protocol):
    """Core memory as an agent may touch it: with an agent's trust, never a protected block."""

    def __getitem__(self, label: str) -> BlockPort: ...


class BlocksPort(Protocol):
    def as_agent(self, session: str | None = None) -> AgentBlocks: ...


class ContextPort(Protocol):
    """The prompt section: blocks, memories found for the query, recent turns."""

    @property
    def text(self) -> str: ...

    @property
    def hits(self) -> Sequence[Hit]: ...


class AgentSpace(Protocol):
    @property
    def id(self) -> str: ...

    @property
    def blocks(self) -> BlocksPort: ...

    def append(self, role: str, text: str, session: str = "default", key: str | None = None) -> Any: ...

    def context(self, query: str, budget: int, *, session: str | None = None) -> ContextPort: ...

    def recall(self, query: str, k: int = 10, *, mode: Literal["all", "raw"] = "all") -> Sequence[Hit]: ...

    def remember(self, text: str, *, session: str | None = None, surface: Surface = "library") -> Any: ...
