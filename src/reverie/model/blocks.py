"""A block is a labelled, limited, versioned section of core memory: always in the prompt."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from reverie.model.base import JSON, Instant

DEFAULT_LIMIT = 5_000
NEAR_LIMIT = 0.8


@dataclass(frozen=True, slots=True)
class Block:
    id: str
    org: str
    label: str
    value: str
    limit: int = DEFAULT_LIMIT
    description: str = ""
    read_only: bool = False
    protected: bool = False
    tags: tuple[str, ...] = ()
    metadata: Mapping[str, JSON] = field(default_factory=dict)
    version: int = 1
    owner: str | None = None  # the one space whose nights may write it
    session: str | None = None  # bound to one session: a task block that swaps with it
    created_at: Instant = 0.0
    updated_at: Instant = 0.0

    @property
    def near_limit(self) -> bool:
        return len(self.value) >= NEAR_LIMIT * self.limit


@dataclass(frozen=True, slots=True)
class BlockVersion:
    block: str
    version: int
    value: str
    actor: str  # person, agent, night, operator
    reason: str
    night: str | None
    at: Instant
    diff: str = ""


@dataclass(frozen=True, slots=True)
class BlockWrite:
    """What a block edit answers. `deferred`: kept in the log for the next night, because the limit holds."""

    label: str
    status: Literal["written", "deferred", "unchanged"]
    version: int
    value: str
    why: str = ""
    turn: str | None = None


@dataclass(frozen=True, slots=True)
class Review:
    """A proposed change that waits for an approval."""

    id: str
    space: str
    kind: Literal["block", "quarantine"]
    target: str  # the block's id, or the memory's
    label: str
    proposal: str
    diff: str
    why: str
    evidence: tuple[str, ...]
    status: Literal["open", "approved", "rejected", "superseded"]
    base_version: int
    created_at: Instant
    decided_at: Instant | None = None
    decided_by: str | None = None
    night: str | None = None
