"""A block is a labelled, limited, versioned section of core memory: always in the prompt."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from reverie.model.base import JSON, Instant

DEFAULT_LIMIT = 5_000
NEAR_LIMIT = 0.8
PROTECTED_LABELS = ("persona", "safety")
DIRECTIVES = "directives"  # made with the first one
DIRECTIVES_DESCRIPTION = (
    "How the user wants to be served, in their words. Written by nights; agents may propose changes."
)
DEFAULT_BLOCKS: Mapping[str, str] = {
    "human": "The person: identity, home, work, preferences. Edit when they say something lasting.",
    "persona": "Who the agent is and how it speaks. Protected: changes need an approval.",
    "learned_context": "What the agent has learned that helps with the next task. Written by nights.",
}


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
class NewBlock:
    """A block that is yet to be made."""

    label: str
    value: str = ""
    limit: int = DEFAULT_LIMIT
    description: str = ""
    read_only: bool = False
    protected: bool | None = None  # None: as its label says
    tags: tuple[str, ...] = ()
    metadata: Mapping[str, JSON] = field(default_factory=dict)
    session: str | None = None
    ref: str | None = None  # new spaces that name the same one share one block

    def made(self, id: str, org: str, owner: str | None) -> Block:
        """The block under its id; its space, if any, owns it."""
        return Block(
            id=id,
            org=org,
            label=self.label,
            value=self.value,
            limit=self.limit,
            description=self.description,
            read_only=self.read_only,
            protected=self.label in PROTECTED_LABELS if self.protected is None else self.protected,
            tags=self.tags,
            metadata=self.metadata,
            owner=owner,
            session=self.session,
        )


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
    """What a block edit answers.

    `deferred`: kept in the log for the next night, because the limit holds. `proposed`: a review waits for a person.
    """

    label: str
    status: Literal["written", "deferred", "unchanged", "proposed"]
    version: int
    value: str
    why: str = ""
    turn: str | None = None
    review: str | None = None


@dataclass(frozen=True, slots=True)
class Review:
    """A proposed change that waits for an approval."""

    id: str
    space: str
    kind: Literal["block", "quarantine", "forget"]
    target: str  # the block's id, the memory's, or the first of those to forget
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
