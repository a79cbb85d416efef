"""Which budgets a call must fit: its night's, its space's, the day's, and the one for all time."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from reverie.model.base import Instant
from reverie.model.ledger import Purpose, Scope


@dataclass(frozen=True, slots=True)
class Spent:
    tokens: int = 0
    money: float = 0.0


@dataclass(frozen=True, slots=True)
class Budget:
    """None means no limit; zero means that no model is called at all: rules only."""

    tokens: int | None = None
    money: float | None = None


@dataclass(frozen=True, slots=True)
class Decision:
    allowed: bool
    why: str

    def __bool__(self) -> bool:
        return self.allowed


def allows(budget: Budget, spent: Spent, estimate: Spent) -> Decision:
    if budget.tokens is not None and spent.tokens + estimate.tokens > budget.tokens:
        return Decision(False, f"{spent.tokens} of {budget.tokens} tokens spent, the next call needs {estimate.tokens}")
    if budget.money is not None and spent.money + estimate.money > budget.money:
        return Decision(
            False, f"${spent.money:.4f} of ${budget.money} spent, the next call needs ${estimate.money:.4f}"
        )
    return Decision(True, "within budget")


@dataclass(frozen=True, slots=True)
class Budgets:
    night: Budget = field(default_factory=Budget)
    day: Budget = field(default_factory=Budget)
    space: Budget = field(default_factory=Budget)
    total: Budget = field(default_factory=Budget)

    @classmethod
    def none(cls) -> "Budgets":
        """Rules only."""
        return cls(total=Budget(tokens=0))

    def over(self, purpose: Purpose, day_start: Instant) -> Iterator[tuple[str, Budget, Scope, Instant]]:
        """Each budget that a call for `purpose` counts against: its name, itself, and whose spending to add up."""
        if purpose.night:
            yield "night", self.night, Scope(night=purpose.night), 0.0
        if purpose.space:
            yield "space", self.space, Scope(space=purpose.space), 0.0
        yield "day", self.day, Scope(), day_start
        yield "total", self.total, Scope(), 0.0
