"""May the next model call be paid for? Asked before a call with an estimate; a budget of zero means rules only."""

from collections.abc import Iterable
from dataclasses import dataclass

from reverie.model.base import DAY, Instant
from reverie.policy.decision import Decision


@dataclass(frozen=True, slots=True)
class Spent:
    tokens: int = 0
    money: float = 0.0  # US dollars; calls whose price is unknown count in tokens only

    def __add__(self, other: "Spent") -> "Spent":
        return Spent(self.tokens + other.tokens, self.money + other.money)


@dataclass(frozen=True, slots=True)
class Budget:
    """None means no limit; zero means that no model is called at all."""

    tokens: int | None = None
    money: float | None = None

    @property
    def rules_only(self) -> bool:
        return self.tokens == 0 or self.money == 0

    @property
    def money_only(self) -> bool:
        """Then a model without a known price passes it unseen."""
        return self.tokens is None and bool(self.money)


NOTHING, NO_LIMIT = Spent(), Budget()


def day_start(now: Instant) -> Instant:
    """When the day of a day's budget began; it is UTC's."""
    return now - now % DAY


def allows(budget: Budget, spent: Spent, estimate: Spent = NOTHING) -> Decision:
    """Does `estimate` still fit? Without one: is anything left at all?

    >>> allows(Budget(tokens=1_000), Spent(tokens=900), Spent(tokens=200)).why
    '900 of 1,000 tokens spent, the next call needs 200'
    """
    if budget.rules_only:
        return Decision(False, "the budget is zero: rules only")
    after = spent + estimate
    if budget.tokens is not None and (after.tokens > budget.tokens or spent.tokens >= budget.tokens):
        why = f"{spent.tokens:,} of {budget.tokens:,} tokens spent"
        return Decision(False, f"{why}, the next call needs {estimate.tokens:,}" if estimate.tokens else why)
    if budget.money is not None and (after.money > budget.money or spent.money >= budget.money):
        why = f"${spent.money:.4f} of ${budget.money:.4f} spent"
        return Decision(False, f"{why}, the next call needs ${estimate.money:.4f}" if estimate.money else why)
    return Decision(True, "within budget")


def allowed_by_all(limits: Iterable[tuple[str, Budget, Spent]], estimate: Spent = NOTHING) -> Decision:
    """The first budget that refuses, named ("tonight", "today", "this space", …); else yes.

    >>> allowed_by_all([("tonight", Budget(), NOTHING), ("today", Budget(tokens=5), Spent(tokens=5))]).why
    'today: 5 of 5 tokens spent'
    """
    for name, budget, spent in limits:
        decision = allows(budget, spent, estimate)
        if not decision:
            return Decision(False, f"{name}: {decision.why}")
    return Decision(True, "within every budget")
