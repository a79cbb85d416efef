"""How long to wait for a model, and when to stop asking. Decisions only: `now` is an argument."""

from collections import deque
from dataclasses import dataclass, field

FIRST_WAIT = 0.5  # seconds; doubles with every attempt
MINUTE = 60.0


def wait_before(attempt: int, retry_after: float | None) -> float:
    """Seconds before attempt number `attempt` (the first retry is 1). The server's own word wins.

    >>> [wait_before(n, None) for n in (1, 2, 3)], wait_before(1, 7.0)
    ([0.5, 1.0, 2.0], 7.0)
    """
    return retry_after if retry_after is not None else FIRST_WAIT * 2.0 ** (attempt - 1)


@dataclass(slots=True)
class Breaker:
    """After `threshold` outages in a row nobody is asked for `rest` seconds; then one call tries, alone."""

    threshold: int = 4
    rest: float = 60.0
    failures: int = 0
    open_until: float = 0.0

    def allows(self, now: float) -> bool:
        return now >= self.open_until

    def room(self, at_most: int) -> int:
        """How many calls may go at once: while in doubt, one."""
        return 1 if self.failures >= self.threshold else at_most

    def succeeded(self) -> None:
        self.failures = 0
        self.open_until = 0.0

    def failed(self, now: float, rest: float | None = None) -> None:
        self.failures += 1
        if self.failures >= self.threshold or rest is not None:
            self.open_until = max(self.open_until, now + (self.rest if rest is None else rest))


@dataclass(slots=True)
class Pacer:
    """At most `per_minute` calls start in any minute; 0 means no limit."""

    per_minute: int = 0
    started: deque[float] = field(default_factory=deque)

    def wait(self, now: float) -> float:
        """Seconds until one more call may start."""
        while self.started and self.started[0] <= now - MINUTE:
            self.started.popleft()
        if not self.per_minute or len(self.started) < self.per_minute:
            return 0.0
        return self.started[0] + MINUTE - now

    def room(self, now: float, at_most: int) -> int:
        """How many may start now."""
        if not self.per_minute:
            return at_most
        self.wait(now)
        return min(at_most, self.per_minute - len(self.started))

    def start(self, now: float, calls: int) -> None:
        if self.per_minute:
            self.started.extend([now] * calls)
