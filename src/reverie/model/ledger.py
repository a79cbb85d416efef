"""The ledger's nouns: one entry per model call, with what it was for and what it cost."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from reverie.model.base import Instant

Regime = Literal["awake", "asleep"]
EntryStatus = Literal["open", "done", "failed"]


@dataclass(frozen=True, slots=True)
class Purpose:
    """Whom a model call is charged to. An empty `night` or `step` means: not part of one."""

    regime: Regime = "asleep"
    space: str = ""
    night: str = ""
    step: str = ""
    role: str = "sleeper"
    awaited: bool = True  # somebody waits for it: it is not handed in as part of a provider batch


@dataclass(frozen=True, slots=True)
class Entry:
    """One model call. While `open` its tokens are the estimate, so a crash leaves a cautious figure, never a zero."""

    id: str
    purpose: Purpose
    model: str
    prompt_hash: str
    at: Instant
    tokens_in: int = 0  # cached ones included
    tokens_out: int = 0
    tokens_cached: int = 0
    tokens_thinking: int = 0  # of those written: native reasoning
    batch: str = ""  # the provider batch that it went out in
    cost: float | None = None  # US dollars; None: no price is known for this model
    status: EntryStatus = "open"
    fault: str = ""  # the kind, when it failed
    response: str | None = None  # JSON, for replay; set when `done`
    settled_at: Instant | None = None

    @property
    def tokens(self) -> int:
        return self.tokens_in + self.tokens_out


@dataclass(frozen=True, slots=True)
class Scope:
    """Which entries to add up: all of them, or only those of a space, a night, a regime."""

    space: str | None = None
    night: str | None = None
    regime: Regime | None = None


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the ledger's report: what was spent under one heading in one regime."""

    key: str
    regime: Regime
    calls: int = 0
    failed: int = 0
    unpriced: int = 0  # calls whose price is not known: their tokens count, their cost does not
    tokens_in: int = 0
    tokens_out: int = 0
    tokens_cached: int = 0
    tokens_thinking: int = 0
    cost: float = 0.0


def cost_per_question(lines: Sequence[Line], asked: int) -> float | None:
    """What one question has cost, nights included; None before the first."""
    return sum(line.cost for line in lines) / asked if asked else None
