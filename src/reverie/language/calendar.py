"""Months, weekdays, a day or a date in words; counts and spans of time as a person reads them."""

from dataclasses import dataclass
from datetime import UTC, date, datetime
from functools import lru_cache
from typing import Literal

from reverie.model.base import DAY, HOUR, MINUTE, Instant

WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
MONTHS = (
    "january", "february", "march", "april", "may", "june",
    "july", "august", "september", "october", "november", "december",
)  # fmt: skip

Grain = Literal["day", "week", "weekend", "month", "season", "year"]
_SEASON_OF = {3: "spring", 6: "summer", 9: "autumn", 12: "winter"}


def date_words(instant: Instant) -> str:
    """The day in words (UTC), so that "in november" or "on monday" finds it.

    >>> date_words(1_794_182_400.0)
    'monday 9 november 2026'
    """
    return _day_words(int(instant // DAY))


@lru_cache(maxsize=4_096)
def _day_words(day: int) -> str:
    at = datetime.fromtimestamp(day * DAY, UTC)
    return f"{WEEKDAYS[at.weekday()]} {at.day} {MONTHS[at.month - 1]} {at.year}"


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


@dataclass(frozen=True, slots=True)
class When:
    """A date found in a text: where it stands, what day it means (its first), how exact it is."""

    start: int
    end: int
    day: date
    grain: Grain
    opens: Literal["", "since", "from"] = ""  # "since 2019": a beginning, not the day itself
    last: date | None = None  # of a range: "12 to 15 May"

    @property
    def instant(self) -> Instant:
        return datetime(self.day.year, self.day.month, self.day.day, tzinfo=UTC).timestamp()

    @property
    def words(self) -> str:
        """
        >>> When(0, 0, date(2023, 5, 7), "day").words, When(0, 0, date(2023, 5, 1), "month").words
        ('on 7 May 2023', 'in May 2023')
        """
        month = MONTHS[self.day.month - 1].title()
        if self.opens:
            return f"{self.opens} {self._bare}"
        if self.last:
            first = f"{self.day.day}" if self.last.month == self.day.month else f"{self.day.day} {month}"
            return f"on {first} to {self.last.day} {MONTHS[self.last.month - 1].title()} {self.last.year}"
        return {
            "day": f"on {self.day.day} {month} {self.day.year}",
            "week": f"in the week of {self.day.day} {month} {self.day.year}",
            "weekend": f"on the weekend of {self.day.day} {month} {self.day.year}",
            "month": f"in {month} {self.day.year}",
            "season": f"in the {_SEASON_OF.get(self.day.month, '')} of {self.day.year}",
            "year": f"in {self.day.year}",
        }[self.grain]

    @property
    def _bare(self) -> str:
        month = MONTHS[self.day.month - 1].title()
        years = {
            "year": f"{self.day.year}",
            "month": f"{month} {self.day.year}",
            "season": f"the {_SEASON_OF.get(self.day.month, '')} of {self.day.year}",
            "week": f"the week of {self.day.day} {month} {self.day.year}",
        }
        return years.get(self.grain, f"{self.day.day} {month} {self.day.year}")
