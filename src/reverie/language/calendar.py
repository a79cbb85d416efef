"""Months, weekdays, a day in words; counts and spans of time as a person reads them."""

from datetime import UTC, datetime
from functools import lru_cache

from reverie.model.base import DAY, HOUR, MINUTE, Instant

WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
MONTHS = (
    "january", "february", "march", "april", "may", "june",
    "july", "august", "september", "october", "november", "december",
)  # fmt: skip


def date_words(instant: Instant) -> str:
    """The day in words (UTC), so that "in november" or "on monday" finds it.

    >>> date_words(1_794_182_400.0)
    'monday 9 november 2026'
    """
    return _day_words(int(instant // DAY))


@lru_cache(maxsize=4_096)
def _day_words(day: int) -> str:
    date = datetime.fromtimestamp(day * DAY, UTC)
    return f"{WEEKDAYS[date.weekday()]} {date.day} {MONTHS[date.month - 1]} {date.year}"


def counted(count: int, noun: str) -> str:
    """
    >>> counted(1, "new turn"), counted(1_200, "turn")
    ('1 new turn', '1,200 turns')
    """
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


def span(seconds: float) -> str:
    """A duration in the unit a person would use.

    >>> span(45), span(90), span(5_400), span(200_000)
    ('45 s', '1.5 min', '1.5 h', '2.3 days')
    """
    if seconds < MINUTE:
        return f"{seconds:.0f} s"
    if seconds < HOUR:
        return f"{round(seconds / MINUTE, 1):g} min"
    return f"{round(seconds / HOUR, 1):g} h" if seconds < 2 * DAY else f"{round(seconds / DAY, 1):g} days"
