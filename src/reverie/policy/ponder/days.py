"""Days and clocks in a text, read only where there is one way to read them."""

import re
from dataclasses import dataclass
from datetime import date

from reverie.language.calendar import MONTHS

_NAMES = {name[:length]: n for n, name in enumerate(MONTHS, 1) for length in {3, len(name)}} | {"sept": 9}
_MONTH = "(" + "|".join(sorted(_NAMES, key=len, reverse=True)) + r")\.?"
_SHAPES = (
    re.compile(r"(?<![\d-])(?P<y>\d{4})-(?P<m>\d{2})-(?P<d>\d{2})(?![\d-])"),
    re.compile(rf"(?<!\d)(?P<d>\d{{1,2}})(?:st|nd|rd|th)?\s(?:of )?(?P<m>{_MONTH})(?:,?\s(?P<y>\d{{4}}))?(?!\w)", re.I),
    re.compile(rf"\b(?P<m>{_MONTH})\s(?P<d>\d{{1,2}})(?:st|nd|rd|th)?(?:,?\s(?P<y>\d{{4}}))?(?![\d:]|\w)", re.I),
)
_CLOCK = re.compile(r"(?<![\d:.])(\d{1,2})(?::(\d{2}))(?::(\d{2}))?(?![\d:])\s?([ap]\.?m\b\.?)?", re.I)
_BARE = re.compile(r"(?<![\d:.])(\d{1,2})\s?([ap]\.?m\b\.?)", re.I)
_RANGE = re.compile(r"\s{0,2}(?:-|–|—|to|until|till|and)\s{0,2}", re.I)
_FROM_TO = re.compile(
    r"\s{0,2}(?:-|–|—|to|until|till|through|and"
    r"|,?(?: and)? (?:ends|ending|expires|finishes|runs until|until)(?: on| by)?)"
    r"(?: the)?\s{0,2}",
    re.I,
)
ANY_YEAR = 2001  # stands for a year that nobody named, where it does not matter which


@dataclass(frozen=True, slots=True)
class FoundDay:
    day: date
    begin: int
    end: int
    sure: bool  # its year is named, or the only one in the text


def days(text: str, years: frozenset[int] = frozenset()) -> list[FoundDay]:
    """Every date, in order. One without a year takes the only year that the context names, or is not sure of it.

    >>> [(one.day.isoformat(), one.sure) for one in days("from 3 May 2026 to June 2nd", frozenset({2026}))]
    [('2026-05-03', True), ('2026-06-02', True)]
    """
    found = [one for shape in _SHAPES for match in shape.finditer(text) if (one := _day(match, years)) is not None]
    found.sort(key=lambda one: (one.begin, -one.end))
    kept: list[FoundDay] = []
    for one in found:
        if not kept or one.begin >= kept[-1].end:
            kept.append(one)
    return kept


def years(text: str) -> frozenset[int]:
    """The years of the dates that a text names in full; a bare number is no year.

    >>> years("from 3 May 2026 to 2 June, in 1999 words")
    frozenset({2026})
    """
    return frozenset(one.day.year for one in days(text) if one.sure)


def days_between(a: FoundDay, b: FoundDay) -> int | None:
    """Whole days from one to the other; None where a leap year would make a difference that nobody can know.

    >>> found = days("1 May, 15 May, 1 February, 1 March")
    >>> days_between(found[0], found[1]), days_between(found[2], found[3])
    (14, None)
    """
    if a.sure and b.sure:
        return (b.day - a.day).days
    if a.sure or b.sure or (a.day.month <= 2) != (b.day.month <= 2) or b.day < a.day:
        return None
    return (b.day - a.day).days


def stretch(text: str, years: frozenset[int]) -> tuple[FoundDay, FoundDay] | None:
    """The one stretch of days that a sentence names; two dates that only stand in one sentence are none.

    >>> stretch("by 31 May 2026 to be out on 30 June 2026", frozenset())
    """
    found = days(text, years)
    if len(found) != 2 or not _FROM_TO.fullmatch(text[found[0].end : found[1].begin]):
        return None
    return found[0], found[1]


def clocks(text: str) -> list[tuple[int, int, int]]:
    """(minutes since midnight, begin, end) of every time of day.

    >>> [minutes for minutes, *_ in clocks("9:30 to 5 pm, 12:15 am")]
    [570, 1020, 15]
    """
    found = []
    for match in (*_CLOCK.finditer(text), *_BARE.finditer(text)):
        hour, minute = int(match[1]), int(match[2]) if match.re is _CLOCK else 0
        half = (match[match.re.groups] or "").lower()[:1]
        if half and not 1 <= hour <= 12:
            continue
        hour = hour % 12 + (12 if half == "p" else 0) if half else hour
        if hour < 24 and minute < 60:
            found.append((60 * hour + minute, match.start(), match.end()))
    return sorted(found, key=lambda one: one[1])


def span(text: str) -> tuple[int, int] | None:
    """The one stretch of time that a text names, as minutes of its beginning and end; None if there is not just one.

    >>> span("Mon 9:00-17:30"), span("9:00, 10:00")
    ((540, 1050), None)
    """
    found = clocks(text)
    if len(found) != 2:
        return None
    (begin, _, end_of_first), (end, start_of_second, _) = found
    between = text[end_of_first:start_of_second]
    return (begin, end) if _RANGE.fullmatch(between) and begin < end else None


def clock(minutes: int) -> str:
    """
    >>> clock(570)
    '09:30'
    """
    return f"{minutes // 60 % 24:02d}:{minutes % 60:02d}"


def duration(minutes: int) -> str:
    """
    >>> duration(90), duration(120), duration(45)
    ('1 h 30 min (90 min, 1.5 h)', '2 h (120 min, 2 h)', '45 min')
    """
    if minutes < 60:
        return f"{minutes} min"
    hours, rest = divmod(minutes, 60)
    return f"{hours} h{f' {rest} min' if rest else ''} ({minutes:,} min, {round(minutes / 60, 2):g} h)"


def told(day: date, sure: bool = True) -> str:
    """
    >>> told(date(2026, 5, 3)), told(date(2001, 5, 3), False)
    ('3 May 2026', '3 May')
    """
    name = f"{day.day} {MONTHS[day.month - 1].capitalize()}"
    return f"{name} {day.year}" if sure else name


def _day(match: re.Match[str], years: frozenset[int]) -> FoundDay | None:
    month = match["m"].rstrip(".").lower()
    number = int(month) if month.isdigit() else _NAMES[month]
    named = match["y"] or (next(iter(years)) if len(years) == 1 else None)
    try:
        return FoundDay(date(int(named or ANY_YEAR), number, int(match["d"])), *match.span(), named is not None)
    except ValueError:
        return None
