"""A clock for tests: it stands still until it is moved, and each look takes a second."""

from tests.support.nights import NOW


class Clock:
    def __init__(self, now: float = NOW) -> None:
        self.now = now

    def __call__(self) -> float:
        self.now += 1.0
        return self.now
