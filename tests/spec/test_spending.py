"""Budgets in tokens and money: refused before the call, with the figures."""

import pytest

from reverie.policy.spending import Budget, Spent, allowed_by_all, allows


@pytest.mark.parametrize(
    ("budget", "spent", "estimate", "allowed", "why"),
    [
        (Budget(), Spent(10**9, 10**6), Spent(10**9, 10**6), True, "within budget"),
        (Budget(tokens=0), Spent(), Spent(), False, "the budget is zero: rules only"),
        (Budget(money=0.0), Spent(), Spent(), False, "the budget is zero: rules only"),
        (Budget(tokens=100), Spent(60), Spent(40), True, "within budget"),  # to the last token
        (Budget(tokens=100), Spent(60), Spent(41), False, "60 of 100 tokens spent, the next call needs 41"),
        (Budget(tokens=100), Spent(99), Spent(), True, "within budget"),
        (Budget(tokens=100), Spent(100), Spent(), False, "100 of 100 tokens spent"),
        (Budget(money=1.0), Spent(0, 0.5), Spent(0, 0.5), True, "within budget"),
        (
            Budget(money=1.0),
            Spent(0, 0.9),
            Spent(0, 0.2),
            False,
            "$0.9000 of $1.0000 spent, the next call needs $0.2000",
        ),
        (Budget(money=1.0), Spent(0, 1.0), Spent(), False, "$1.0000 of $1.0000 spent"),
        (Budget(tokens=9, money=1.0), Spent(1, 2.0), Spent(), False, "$2.0000 of $1.0000 spent"),
    ],
)
def test_what_a_budget_allows(budget: Budget, spent: Spent, estimate: Spent, allowed: bool, why: str) -> None:
    decision = allows(budget, spent, estimate)
    assert (decision.allowed, decision.why) == (allowed, why)


def test_every_budget_must_allow_it() -> None:
    limits = [("tonight", Budget(tokens=50), Spent(10)), ("today", Budget(money=1.0), Spent(0, 0.2))]
    assert allowed_by_all(limits, Spent(40, 0.8))
    assert allowed_by_all(limits, Spent(41, 0.1)).why.startswith("tonight: ")
    assert allowed_by_all(limits, Spent(1, 0.9)).why.startswith("today: ")
    assert allowed_by_all([])


def test_what_was_spent_adds_up() -> None:
    assert Spent(1, 0.5) + Spent(2, 0.25) == Spent(3, 0.75)
