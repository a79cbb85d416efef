"""Documents that a person gave to be studied, and what thinking ahead came to."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from reverie.model.base import JSON, Instant


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
