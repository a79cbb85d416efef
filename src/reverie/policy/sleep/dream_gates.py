"""The four gates in front of a dream over a directory, cheapest first: time, throttle, sessions, lock."""

from dataclasses import dataclass

from reverie.model.base import HOUR, MINUTE, Instant
from reverie.policy.decision import Decision


@dataclass(frozen=True, slots=True)
class DreamWeights:
    hours: float = 24.0  # since the last dream that succeeded
    throttle_minutes: float = 10.0  # between two looks at the transcripts
    sessions: int = 5  # new ones


WEIGHTS = DreamWeights()


@dataclass(frozen=True, slots=True)
class DreamClock:
    """What the lock file of a directory tells: 0 for never."""

    dreamt_at: Instant = 0.0
    scanned_at: Instant = 0.0


def rested(clock: DreamClock, now: Instant, w: DreamWeights = WEIGHTS) -> Decision:
    """
    >>> rested(DreamClock(dreamt_at=0.0), 30 * HOUR).why, rested(DreamClock(dreamt_at=20 * HOUR), 30 * HOUR).why
    ('never dreamt', '10.0 h since the last dream, needs 24')
    """
    if not clock.dreamt_at:
        return Decision(True, "never dreamt")
    hours = (now - clock.dreamt_at) / HOUR
    return Decision(hours >= w.hours, f"{hours:.1f} h since the last dream, needs {w.hours:g}")


def may_scan(clock: DreamClock, now: Instant, w: DreamWeights = WEIGHTS) -> Decision:
    """Counting sessions means reading a directory; a hook that fires at every prompt must not do so each time."""
    minutes = (now - clock.scanned_at) / MINUTE
    if not clock.scanned_at or minutes >= w.throttle_minutes:
        return Decision(True, "the transcripts may be looked at")
    return Decision(False, f"looked {minutes:.0f} min ago, again after {w.throttle_minutes:g}")


def enough(sessions: int, w: DreamWeights = WEIGHTS) -> Decision:
    """
    >>> enough(3).why
    '3 new sessions, needs 5'
    """
    return Decision(sessions >= w.sessions, f"{sessions} new sessions, needs {w.sessions}")
