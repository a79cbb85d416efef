"""A memory is one record of the archival tier, an edge links two, a filter says which a list is about; studies."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Literal, NamedTuple

from reverie.model.base import JSON, Instant, Origin, Trust

Kind = Literal["episode", "fact", "directive", "note", "insight", "profile", "summary"]
KINDS: tuple[Kind, ...] = ("episode", "fact", "directive", "note", "insight", "profile", "summary")
Tier = Literal["hot", "warm", "archive"]
TIERS: tuple[Tier, ...] = ("hot", "warm", "archive")
State = Literal["", "current", "ended", "pinned", "quarantined"]  # as a list of memories is narrowed; empty: any
STATES: tuple[State, ...] = ("current", "ended", "pinned", "quarantined")
Side = Literal["older", "newer", "both"]  # of a contradiction: what holds
Relation = Literal["related", "same_source", "supports", "contradicts", "supersedes", "updates", "derived_from"]


@dataclass(frozen=True, slots=True)
class Memory:
    id: str
    space: str
    kind: Kind
    text: str
    sources: tuple[str, ...]  # ids of turns and memories, always at least one (a remembered text cites itself)
    created_at: Instant
    said_at: Instant | None = None  # when it was said
    happened_at: Instant | None = None  # the event's own date
    valid_from: Instant | None = None
    valid_until: Instant | None = None
    subject: str | None = None
    predicate: str | None = None
    value: str | None = None
    importance: float = 0.5
    confidence: float = 0.85
    tier: Tier = "hot"
    pinned: bool = False
    stale: bool = False
    correction: bool = False  # a person's correction: confidence 1, exempt from decay, always wins
    asked: bool = False  # a person asked for it to be remembered: needs no second witness
    quarantined: bool = False
    auto_tags: tuple[str, ...] = ()
    manual_tags: tuple[str, ...] = ()
    origin: Origin = "user"
    trust: Trust = Trust.USER
    session: str | None = None
    speaker: str | None = None
    night: str | None = None
    version: int = 1
    title: str | None = None
    summary: str | None = None
    metadata: Mapping[str, JSON] = field(default_factory=dict)  # a caller's own; nothing here steers Reverie
    marks: Mapping[str, JSON] = field(default_factory=dict)  # what nights know of it; no caller can set it
    excluded: str | None = None  # why nights conclude nothing from it: the session it comes from is left out
    last_used_at: Instant | None = None
    uses: int = 0
    reinforced_at: Instant | None = None
    corroborations: int = 0  # independent restatements; each closes 10% of the distance to certainty
    base_confidence: float | None = None  # before decay; confidence is a function of this and of time
    surprisal: float | None = None
    last_tagged_at: Instant | None = None
    last_linked_at: Instant | None = None
    relationship_score: float = 0.0
    priority: float = 0.5
    decay: float = 0.0
    block: str | None = None  # the label of the block that a deferred append waits for
    hash: str = ""  # of the normalised text: exact duplicates

    @property
    def tags(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys((*self.manual_tags, *self.auto_tags)))

    @property
    def quote(self) -> str:
        """The speaker's own words that a fact or directive rests on; empty where it has none."""
        return str(self.marks.get("quote") or "")

    @property
    def about(self) -> str:
        """The question that a quote answers, or the thing that it continues."""
        return str(self.marks.get("about") or "")

    @property
    def dated(self) -> Instant:
        """When it was said, or else when it was made."""
        return self.created_at if self.said_at is None else self.said_at

    @property
    def used_at(self) -> Instant:
        return self.last_used_at or self.dated


class Glimpse(NamedTuple):
    """What a recall reads of a memory: what decides its place, and what a hit shows. Fields as a `Memory`'s."""

    id: str
    kind: Kind
    text: str
    sources: tuple[str, ...]
    created_at: Instant
    said_at: Instant | None
    valid_from: Instant | None
    valid_until: Instant | None
    subject: str | None
    predicate: str | None
    value: str | None
    importance: float
    confidence: float
    tier: Tier
    stale: bool
    quarantined: bool
    origin: Origin
    trust: Trust
    session: str | None
    speaker: str | None
    marks: Mapping[str, JSON]
    last_used_at: Instant | None
    relationship_score: float

    @property
    def quote(self) -> str:
        return str(self.marks.get("quote") or "")

    @property
    def dated(self) -> Instant:
        return self.created_at if self.said_at is None else self.said_at

    @property
    def used_at(self) -> Instant:
        return self.last_used_at or self.dated


class Quoted(NamedTuple):
    """Somebody's words, and how a list shows them: with who, when, what they answer, and their dates made plain."""

    quote: str
    text: str


@dataclass(frozen=True, slots=True)
class Edge:
    space: str
    a: str
    b: str
    relation: Relation
    weight: float
    created_at: Instant
    night: str | None = None
    why: str = ""


@dataclass(frozen=True, slots=True)
class MemoryGraph:
    """The best linked memories of a space, and the edges among them."""

    nodes: tuple[Memory, ...]
    edges: tuple[Edge, ...]
    of: int  # from how many they were chosen
    names: tuple[str, ...] = ()  # whom and what they mention, the most mentioned first


@dataclass(frozen=True, slots=True)
class Document:
    """What the search index holds for a turn or a memory: words that weigh 1, and words that weigh less."""

    ref: str  # the memory's id, or the turn's
    body: str
    context: str = ""  # neighbours, date in words: weighs half
    extra: str = ""  # entities and derived facts, added by nights


@dataclass(frozen=True, slots=True)
class Contradiction:
    id: str
    space: str
    older: str
    newer: str
    kind: Literal["update", "conflict", "extends"]
    status: Literal["open", "auto", "resolved", "dismissed"]
    winner: str | None
    evidence: str
    resolved_by: str | None
    created_at: Instant
    resolved_at: Instant | None = None
    night: str | None = None


@dataclass(frozen=True, slots=True)
class Filter:
    """Everything that is set must hold. Tags: all of them. Metadata: equal values."""

    kinds: tuple[Kind, ...] = ()
    tags: tuple[str, ...] = ()
    metadata: Mapping[str, JSON] = field(default_factory=dict)
    tiers: tuple[Tier, ...] = ()
    session: str | None = None
    subject: str | None = None
    speaker: str | None = None
    state: State = ""
    after: Instant | None = None  # said at or after
    before: Instant | None = None  # said before
    min_confidence: float = 0.0
    include_stale: bool = True
    include_quarantined: bool = False

    def accepts(self, memory: Memory | Glimpse) -> bool:
        """A glimpse says enough where no tags, metadata or state are asked for."""
        if not (self._kind_and_place(memory) and self._time(memory)):
            return False
        if not (self.tags or self.metadata or self.state):
            return True
        if isinstance(memory, Glimpse):
            raise TypeError("a glimpse does not say whether a filter lets it through")
        return self._labels(memory) and self._state(memory)

    def _kind_and_place(self, memory: Memory | Glimpse) -> bool:
        return (
            (not self.kinds or memory.kind in self.kinds)
            and (not self.tiers or memory.tier in self.tiers)
            and (self.session is None or memory.session == self.session)
            and (self.subject is None or memory.subject == self.subject)
            and (self.speaker is None or memory.speaker == self.speaker)
            and memory.confidence >= self.min_confidence
            and (self.include_stale or not memory.stale)
            and (self.include_quarantined or not memory.quarantined)
        )

    def _state(self, memory: Memory) -> bool:
        ended = memory.stale or memory.valid_until is not None
        states = {"current": not ended, "ended": ended, "pinned": memory.pinned, "quarantined": memory.quarantined}
        return not self.state or states[self.state]

    def _time(self, memory: Memory | Glimpse) -> bool:
        said = memory.dated
        return (self.after is None or said >= self.after) and (self.before is None or said < self.before)

    def _labels(self, memory: Memory) -> bool:
        return set(self.tags) <= set(memory.tags) and all(
            memory.metadata.get(key) == value for key, value in self.metadata.items()
        )


@dataclass(frozen=True, slots=True)
class Purge:
    """Where bytes of deleted rows may still lie."""

    thorough: bool = False
    left: tuple[str, ...] = ()  # plain sentences; empty: nowhere in the store's own files
    out_of_reach: tuple[str, ...] = ()  # what no program of ours can clean


@dataclass(frozen=True, slots=True)
class Receipt:
    """What went, without a word of it: ids, and of each text a digest that only whoever has the text can make."""

    id: str
    space: str
    at: Instant
    turns: Mapping[str, str]  # id -> digest
    memories: Mapping[str, str]
    counts: Mapping[str, int]
    purge: Purge

    def as_json(self) -> str:
        return json.dumps(asdict(self), indent=2)


@dataclass(frozen=True, slots=True)
class Forgetting:
    """A dry run has texts and no receipt; a forget has counts, a receipt and no text; one that waits has a review."""

    turns: tuple[str, ...]
    memories: tuple[str, ...]  # with those derived from them alone
    counts: dict[str, int]  # rows that went, by what they were
    texts: dict[str, str] = field(default_factory=dict)  # of the first thousand that would go
    receipt: Receipt | None = None
    held: str | None = None  # the review by which a person decides: nothing has gone yet

    @property
    def left(self) -> tuple[str, ...]:
        """What may still be found in files, and how it goes."""
        return () if self.receipt is None else (*self.receipt.purge.left, *self.receipt.purge.out_of_reach)


def digest(receipt: str, text: str) -> str:
    """A text's digest on one receipt: the same text has another on the next.

    >>> digest("receipt-1", "tea") == digest("receipt-2", "tea")
    False
    """
    return hashlib.sha256(f"{receipt}\n{text}".encode("utf-8", "surrogatepass")).hexdigest()


@dataclass(frozen=True, slots=True)
class Study:
    """A document that a person gave to be studied. Its text is kept in passages, which are memories."""

    id: str
    space: str
    name: str
    digest: str  # of its text as it stands
    lines: int
    tokens: int
    created_at: Instant
    updated_at: Instant
    path: str | None = None
    pondered: str = ""  # the digest that a night last thought about: how far it has been read
    pondered_at: Instant | None = None

    @property
    def waits(self) -> bool:
        """Whether a night has yet to think about it as it stands."""
        return self.pondered != self.digest


@dataclass(frozen=True, slots=True)
class Studied:
    """What `study` answers: the document as it is kept now, and what the call changed."""

    study: Study
    added: int = 0  # passages
    gone: int = 0
    stale: int = 0  # insights that rested on lines that are gone


@dataclass(frozen=True, slots=True)
class PonderReport:
    """What thinking ahead came to in a space."""

    studies: int
    contexts: int  # that have insights
    insights: int
    by_kind: Mapping[str, int]
    questions: int  # that an insight was served for
    tokens_asleep: int
    cost_asleep: float
    tokens_saved: int
    off: str | None  # why a model no longer ponders here
    state: Mapping[str, JSON] = field(default_factory=dict)

    @property
    def questions_a_context(self) -> float:
        return self.questions / self.contexts if self.contexts else 0.0
