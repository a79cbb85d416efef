"""An answer is computed before the question comes, with everything that it rests on."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from reverie.model.base import JSON, Instant, Trust

BY_A_PERSON = "dropped by a person"
OF_SPACE = "_space"  # the record of the space itself: how far its log has been read, whether anticipation is off


@dataclass(frozen=True, slots=True)
class Answer:
    id: str
    space: str
    question: str
    answer: str
    embedder: str
    confidence: float
    threshold: float  # its own bar of similarity, learned from accepted and rejected hits
    predictor: str
    sources: tuple[str, ...]
    rests_on: Mapping[str, int]  # id of a memory or block -> its version
    trust: Trust
    created_at: Instant
    expires_at: Instant
    parsed: JSON = field(default_factory=dict, repr=False)  # the question as the guards read it
    vec: bytes = field(default=b"", repr=False)
    tokens: int = 0
    model: str = "rules"
    dropped: str | None = None
    accepted: int = 0
    rejected: int = 0
    hits: int = 0
    night: str | None = None
    last_hit_at: Instant | None = None
    probed_at: Instant | None = None

    @property
    def refused(self) -> bool:
        """A person does not want it given, whatever a night thinks."""
        return (self.dropped or "").startswith(BY_A_PERSON)


@dataclass(frozen=True, slots=True)
class Answered:
    """What `answer()` gives: the text with its sources and age, or nothing with the reason."""

    text: str | None
    why: str
    id: str | None = None
    question: str | None = None
    sources: tuple[str, ...] = ()
    age: float | None = None
    confidence: float = 0.0
    similarity: float = 0.0
    kind: Literal["hit", "near", "miss"] = "miss"
    prepared: str | None = None  # of a near miss: not to be given, but worth showing to the model that answers
    tokens: int = 0  # that answering live would have taken

    def __bool__(self) -> bool:
        return self.text is not None


@dataclass(frozen=True, slots=True)
class Serving:
    """What came of one question: which entry was nearest, whether it was given, and why or why not."""

    asked: str
    answer: str | None
    similarity: float
    served: bool
    why: str
    tokens: int = 0  # that answering live would have taken
    at: Instant = 0.0
    row: int = 0


@dataclass(frozen=True, slots=True)
class TrackRecord:
    """What came of a predictor's questions in one space."""

    predictor: str
    made: int = 0
    hits: int = 0
    probes: int = 0
    wrong: int = 0
    tokens: int = 0  # spent asleep
    saved: int = 0  # that hits saved awake
    state: Mapping[str, JSON] = field(default_factory=dict)

    @property
    def wrong_share(self) -> float:
        return self.wrong / self.probes if self.probes else 0.0


@dataclass(frozen=True, slots=True)
class AnswersReport:
    """What anticipation came to in a space."""

    live: int
    asked: int
    hits: int
    probes: int
    wrong: int
    tokens_asleep: int
    cost_asleep: float
    tokens_saved: int
    predictors: tuple[TrackRecord, ...]
    off: str | None  # why anticipation is off here

    @property
    def hit_rate(self) -> float:
        return self.hits / self.asked if self.asked else 0.0

    @property
    def wrong_hit_rate(self) -> float:
        return self.wrong / self.probes if self.probes else 0.0

    @property
    def tokens_per_query(self) -> float:
        """What anticipation costs, spread over the questions asked; below zero where hits saved more."""
        return (self.tokens_asleep - self.tokens_saved) / self.asked if self.asked else 0.0


@dataclass(frozen=True, slots=True)
class Anticipating:
    """How far a space looks ahead."""

    questions: int = 8  # a night; 0: off
    max_wrong_hits: float = 0.02
    hours: float = 24.0  # that an answer lives
    probed: float = 0.2  # of the hits, computed again asleep and compared
