"""What recall is asked, and what it finds: each hit with where it comes from and how its score came about."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from reverie.model.base import JSON, Instant, Origin, Trust
from reverie.model.memories import KINDS, Tier

HitKind = Literal["turn", "episode", "fact", "directive", "note", "insight", "profile", "summary"]
# earlier: there is a later statement on the same matter, and it stands before this one
Flag = Literal["conflict", "superseded", "earlier", "stale"]
HIT_KINDS: tuple[HitKind, ...] = ("turn", *KINDS)
Mode = Literal["all", "raw"]
MODES: tuple[Mode, ...] = ("all", "raw")
RAW_KINDS: tuple[HitKind, ...] = ("turn", "episode")
DEFAULT_BUDGET = 4_000  # tokens of a context


@dataclass(frozen=True, slots=True)
class Asking:
    """The options of a recall. Times bound what was said; `as_of` asks what was believed at that moment."""

    k: int = 10
    session: str | None = None
    after: Instant | None = None
    before: Instant | None = None
    as_of: Instant | None = None
    kinds: tuple[HitKind, ...] = ()  # empty: all
    tags: tuple[str, ...] = ()  # all of them
    metadata: Mapping[str, JSON] = field(default_factory=dict)  # all of these pairs
    tiers: tuple[Tier, ...] = ()  # empty: hot and warm, and archive when they hold too little
    min_confidence: float = 0.0
    include_stale: bool = False  # stale and superseded memories too, marked and ranked low
    mode: Mode = "all"  # raw: turns and episodes only, word for word
    explain: bool = False
    quiet: bool = False  # a person looks on: no evidence is left, nothing is noted as seen


@dataclass(frozen=True, slots=True)
class Hit:
    id: str
    kind: HitKind
    text: str
    score: float
    relevance: float  # 0-1: the score as it is shown, never less than that of a hit below
    sources: tuple[str, ...]
    said_at: Instant | None
    valid_from: Instant | None = None
    valid_until: Instant | None = None
    origin: Origin = "user"  # by which channel it came
    trust: Trust = Trust.USER
    speaker: str | None = None
    session: str | None = None
    flags: tuple[Flag, ...] = ()
    quote: str = ""  # the speaker's own words in it, where it is a fact or directive
    matter: str = ""  # what it is about: of several hits on one matter, the newest counts
    matched: float = 0.0  # 0-1: how well it fits the query by itself, before it is weighed; promotion counts this
    parts: Mapping[str, float] = field(default_factory=dict)  # with `explain`: what the score is made of

    @property
    def turns(self) -> tuple[str, ...]:
        """The turns that this hit stands for."""
        return (self.id,) if self.kind == "turn" else self.sources


@dataclass(frozen=True, slots=True)
class Context:
    """The prompt section: stable parts first. What did not fit is named."""

    text: str
    tokens: int
    hits: tuple[Hit, ...]  # those that are in it
    left_out: tuple[str, ...]  # one line each: what, how long, why
    changed_blocks: tuple[str, ...]  # labels that changed since this session last saw them
    tokens_of: Mapping[str, int] = field(default_factory=dict)  # each part, in the order of the text


@dataclass(frozen=True, slots=True)
class Injection:
    """`seen` names what the text shows, by ids and by what was said: the next call is asked to leave it out."""

    text: str = ""
    seen: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SessionFigures:
    """What a status line shows: what is remembered, how much of this session is kept, the last night, the cost."""

    memories: int
    captured: int
    last_night_at: Instant | None
    spent: float  # dollars that models have cost this space, ever


NOTHING_INJECTED = Injection()
