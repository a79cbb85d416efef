"""Which budgets a call must fit: its night's, its space's, the day's, and the one for all time."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from reverie.model.base import Instant
from reverie.model.ledger import Purpose, Scope
from reverie.policy.spending import Budget


@dataclass(frozen=True, slots=True)
class Budgets:
    night: Budget = field(default_factory=Budget)
    day: Budget = field(default_factory=Budget)
    space: Budget = field(default_factory=Budget)
    total: Budget = field(default_factory=Budget)
    own: Callable[[str], Budget | None] = lambda _: None  # what a space has instead of `space`

    def over(self, purpose: Purpose, day_start: Instant) -> Iterator[tuple[str, Budget, Scope, Instant]]:
        """Each budget that a call for `purpose` counts against: its name, itself, and whose spending to add up.

        Night and day bind what nobody asked for; a person who asks is bound by the space's budget and the total.
        """
        if purpose.regime == "asleep":
            yield "tonight", self.night, Scope(night=purpose.night), 0.0
            yield "today", self.day, Scope(regime="asleep"), day_start
        yield "this space", self.own(purpose.space) or self.space, Scope(space=purpose.space), 0.0
        yield "in all", self.total, Scope(), 0.0
