"""The names of months and weekdays, and a day in words."""

from datetime import UTC, datetime
from functools import lru_cache

from reverie.language.sentences import sentences as sentences  # offered here beside the other text helpers
from reverie.model.base import DAY, Instant

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
