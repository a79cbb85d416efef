"""An answer is computed before the question comes, with everything that it rests on."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from reverie.model.base import JSON, Instant, Trust


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
    parsed: JSON = field(default_factory=dict)  # the question as the guards read it
    vec: bytes = b""
    tokens: int = 0
    model: str = "rules"
    dropped: str | None = None
    accepted: int = 0
    rejected: int = 0
    hits: int = 0
    night: str | None = None
    last_hit_at: Instant | None = None
    probed_at: Instant | None = None


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

    def __bool__(self) -> bool:
        return self.text is not None
