"""What a night thinks ahead over: a context in numbered lines, and what follows from it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from reverie.model.base import JSON, Instant

Reasoning = Literal["computation", "relation", "consequence", "comparison", "open question"]
REASONINGS: tuple[Reasoning, ...] = ("computation", "relation", "consequence", "comparison", "open question")


@dataclass(frozen=True, slots=True)
class ContextLine:
    """One line of a context, and the memory that holds it."""

    text: str
    source: str = ""


@dataclass(frozen=True, slots=True)
class Material:
    """A whole context as a reasoner ponders it: data, never instruction. Lines are counted from 1."""

    name: str
    lines: tuple[ContextLine, ...]
    now: Instant | None = None

    @property
    def text(self) -> str:
        return "\n".join(line.text for line in self.lines)

    def sources(self, lines: tuple[int, ...]) -> tuple[str, ...]:
        """The memories that hold these lines."""
        held = (self.lines[n - 1].source for n in lines if 1 <= n <= len(self.lines))
        return tuple(dict.fromkeys(source for source in held if source))


@dataclass(frozen=True, slots=True)
class Thought:
    """One thing that follows from a context, in a sentence that stands alone, with the lines that it rests on."""

    kind: Reasoning
    text: str
    lines: tuple[int, ...]
    value: str = ""  # what was worked out, as it is shown
    expression: str = ""  # how, in numbers of the text
    by_code: bool = True  # False: a model's own words, grounded in the lines
    days: bool = False  # counted from today: it holds for a day


@dataclass(frozen=True, slots=True)
class Pondered:
    """What came of thinking about one context."""

    thoughts: tuple[Thought, ...]
    counts: Mapping[str, int] = field(default_factory=dict)  # quantities kept and dropped, disagreements


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
