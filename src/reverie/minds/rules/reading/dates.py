"""Dates in speech made absolute: patterns find the span, the turn's own time is the base that resolves it."""

import re
from datetime import UTC, date, datetime, timedelta
from functools import lru_cache
from typing import Any, Literal

from reverie.language.calendar import MONTHS, WEEKDAYS, Grain, When
from reverie.minds.rules.reading.date_words import MONTH, NUMBERS, SEASONS, SHORT_DAY, finder
from reverie.minds.rules.reading.tenses import Direction, direction_of, is_told
from reverie.model.base import Instant


@lru_cache(maxsize=4096)
def _parse(text: str, base: date, direction: Direction) -> date | None:
    """`dateparser` reads a calendar date; imported here because it costs a tenth of a second."""
    import dateparser

    settings: Any = {
        "RELATIVE_BASE": datetime(base.year, base.month, base.day),
        "PREFER_DATES_FROM": direction,
        "PREFER_DAY_OF_MONTH": "first",
        "DATE_ORDER": "DMY",
    }
    found = dateparser.parse(text, languages=["en"], settings=settings)
    return found.date() if found else None


def _count(text: str) -> int:
    words = text.lower().replace(" of", "").split()
    number = next((w for w in words if w.isdigit() or (w in NUMBERS and w != "a")), "a")
    return int(number) if number.isdigit() else NUMBERS[number]


def _shift(day: date, unit: str, n: int) -> tuple[date, Grain]:
    if unit == "day":
        return day + timedelta(days=n), "day"
    if unit == "week":
        return day + timedelta(weeks=n), "week" if abs(n) > 1 else "day"
    months = day.year * 12 + day.month - 1 + n * (12 if unit == "year" else 1)
    return date(months // 12, months % 12 + 1, 1), "year" if unit == "year" else "month"


def _named_day(name: str, base: date, direction: Direction) -> date:
    target = next(i for i, day in enumerate(WEEKDAYS) if day.startswith(name[:3].lower()))
    if direction == "past":
        return base - timedelta(days=(base.weekday() - target) % 7 or 7)
    return base + timedelta(days=(target - base.weekday()) % 7 or 7)


def _weekday(text: str, base: date, direction: Direction, *, next_week: bool) -> tuple[date, Grain] | None:
    name = next(name for name in WEEKDAYS if name[:3] in text)
    if next_week:
        return base + timedelta(days=7 - base.weekday() + WEEKDAYS.index(name)), "day"
    if text.startswith("since") and WEEKDAYS[base.weekday()] == name:
        return None  # "since Monday" on a Monday: today or a week ago
    return _named_day(name, base, direction), "day"


def _named_month(name: str, base: date, direction: Direction) -> date:
    month = next(i for i, m in enumerate(MONTHS, 1) if m.startswith(name[:3].lower()))
    year = base.year
    if direction == "past" and month > base.month:
        year -= 1
    if direction == "future" and month < base.month:
        year += 1
    return date(year, month, 1)


def _day_of_month(day: int, base: date, direction: Direction) -> date:
    """ "the 21st": of this month, or of the one before or after it."""
    found = base.replace(day=day)
    if direction == "past" and found > base:
        last = base.replace(day=1) - timedelta(days=1)
        return last.replace(day=day)
    if direction == "future" and found < base:
        return (base.replace(day=28) + timedelta(days=4)).replace(day=day)
    return found


def _day_that_is(text: str, day: int, base: date, direction: Direction) -> tuple[date, Grain] | None:
    """ "Saturday the 12th": of the nearest month in which that day is a Saturday, if there is one near."""
    name = next(name for name in WEEKDAYS if name[:3] in text)
    months = [_shift(base.replace(day=1), "month", n)[0] for n in (-2, -1, 0, 1, 2)]
    days = (month + timedelta(days=day - 1) for month in months)
    fitting = [one for one in days if one.day == day and WEEKDAYS[one.weekday()] == name]
    right = [one for one in fitting if (one >= base) == (direction == "future")]
    found = min(right or fitting, key=lambda one: abs((one - base).days), default=None)
    return (found, "day") if found else None


def _relative(which: str, unit: str, base: date, direction: Direction) -> tuple[date, Grain]:
    """ "last week", "next Friday", "this summer"."""
    step = -1 if which in ("last", "past", "this past") else 1 if which in ("next", "the following") else 0
    way: Direction = "past" if step < 0 else "future" if step > 0 or "coming" in which else direction
    monday = base - timedelta(days=base.weekday())
    if unit == "week":
        return monday + timedelta(weeks=step), "week"
    if unit == "weekend":
        saturday = monday + timedelta(days=5)
        return saturday - timedelta(weeks=1) if way == "past" and saturday + timedelta(1) >= base else (
            saturday + timedelta(weeks=1) if step > 0 and base.weekday() >= 5 else saturday
        ), "weekend"  # fmt: skip
    if unit in ("month", "year"):
        day, _ = _shift(base.replace(day=1), unit, step)
        return (day.replace(month=1) if unit == "year" else day), "year" if unit == "year" else "month"
    if unit in SEASONS:
        start = date(base.year, SEASONS[unit], 1)
        if step < 0 and start + timedelta(days=60) > base:
            start = start.replace(year=base.year - 1)
        if step > 0 and start <= base:
            start = start.replace(year=base.year + 1)
        return start, "season"
    if unit.endswith("day") or re.fullmatch(SHORT_DAY, unit):
        return _named_day(unit, base, way), "day"
    return _named_month(unit, base, way), "month"


def _near(text: str, base: date) -> date:
    if "before yesterday" in text:
        return base - timedelta(days=2)
    if "after tomorrow" in text:
        return base + timedelta(days=2)
    if "yesterday" in text or "last" in text:
        return base - timedelta(days=1)
    return base + timedelta(days=1) if "tomorrow" in text else base


def _resolve(match: re.Match[str], base: date, direction: Direction) -> tuple[date, Grain] | None:
    text = match.group().lower()
    if match["range"]:
        month = _named_month(match["inmonth"] or match["months"], base, direction)
        if year := _YEAR.search(text):
            month = month.replace(year=int(year.group()))
        return month.replace(day=int(match["first"] or match["from"])), "day"
    if match["near"]:
        return _near(text, base), "day"
    if match["rel"]:
        return _relative(match["which"].lower(), match["unit"].lower(), base, direction)
    if match["ago"]:
        return _shift(base, match["agounit"].lower(), -_count(text))
    if match["ahead"]:
        return _shift(base, match["aheadunit"].lower(), _count(match["aheadn"]))
    if match["wday"]:
        if text.endswith("days"):
            return None  # "on Mondays" is a habit
        if match["wdom"]:
            return _day_that_is(text, int(match["wdom"]), base, direction)
        return _weekday(text, base, direction, next_week=bool(match["nextweek"]))
    if match["dom"]:
        return _day_of_month(int(match["domn"]), base, direction), "day"
    if match["year"]:
        return date(int(match["yearn"]), 1, 1), "year"
    if match["month"]:
        if " " not in text and match.group().islower():
            return None  # "march on"
        return _named_month(text.split()[-1].removeprefix("mid-"), base, direction), "month"
    if match["monthyear"] and text.endswith("year"):
        name = next(month for month in MONTHS if re.search(rf"\b{month[:3]}", text))
        return date(base.year + (1 if "next" in text else -1), MONTHS.index(name) + 1, 1), "month"
    bare = re.sub(r"^(?:on|by|until|since|from|in)\s+|\bthe\b|\bof\b|\b(?:early|late|mid-?)\b", " ", text)
    found = _parse(" ".join(bare.split()), base, direction)
    return (found, "month" if match["monthyear"] else "day") if found else None


def find(text: str, said_at: Instant, direction: Direction | None = None, around: str = "") -> list[When]:
    """Every date that `text` names, in order. A bare "Friday" or "3 May" lies where its words say (or `direction`), and
    where they say nothing it is the nearest if that is plain. `around` is the talk in which a day may have its month.

    >>> [when.words for when in find("we met last Friday", 1683547200.0)]
    ['on 5 May 2023']
    """
    if not _may_hold(text):
        return []
    base = datetime.fromtimestamp(said_at, UTC).date()
    found: list[When] = []
    for match in finder().finditer(text):
        way = direction or direction_of(text, match.start())
        resolved = None if _is_span(match, text, way) else _placed(match, base, way)
        if direction is None and resolved and _unsure(match, text, way):
            resolved = None
        if resolved and match["full"] and direction is None and (resolved[0] - base).days > FAR:
            resolved = resolved if _YEAR.search(match.group()) else None
        if match["full"] and resolved and not _YEAR.search(match.group()):
            resolved = _in_month(resolved, _year_named(resolved[0], around, text))
        if match["dom"] and resolved:
            month = _month_named(int(match["domn"]), found, around, base)
            resolved = None if month is None and _other_month(around, resolved[0]) else _in_month(resolved, month)
        if match["full"] and resolved and text[match.end() :].lower().startswith(" next year"):
            resolved = resolved[0].replace(year=base.year + 1), resolved[1]
        if resolved:
            found.append(
                When(match.start(), match.end(), *resolved, _opens(match, resolved[0], base), _end(match, *resolved))
            )
    return found


def _unsure(match: re.Match[str], text: str, way: Direction | None) -> bool:
    """Whether it may as well lie on the other side: "the nine from February", "it lasted from the 23rd to the 26th"."""
    if match["month"]:
        alone = " " not in match.group()
        return alone and (way is None or text[: match.start()].lower().endswith("from "))
    return bool(match["dom"]) and match.group().lower().startswith(("from ", "to ")) and is_told(text, match.start())


def _opens(match: re.Match[str], day: date, base: date) -> Literal["", "since", "from"]:
    """ "from 1 June" was already if that day lies behind."""
    text = match.group().lower()
    if match["range"] or not text.startswith(("since", "from")):
        return ""
    return "from" if day > base else "since"


def _end(match: re.Match[str], day: date, grain: Grain) -> date | None:  # noqa: ARG001
    if not match["range"]:
        return None
    try:
        return day.replace(day=int(match["last"] or match["to"]))
    except ValueError:
        return None


def _is_span(match: re.Match[str], text: str, way: Direction | None) -> bool:
    """Whether "in a year" tells how long something took, and "the March" which one of several."""
    if match["month"] and text[: match.start()].lower().rstrip().endswith(" the"):
        return True
    alone = match["wday"] and (not text[: match.start()].strip() or _is_habit(text, match))
    if alone or _CORRECTED.match(text, match.end()):
        return not (match["wdom"] or match["nextweek"])  # "Saturday is the party": which one, other words say
    return bool(match["ahead"]) and way != "future"


def _is_habit(text: str, match: re.Match[str]) -> bool:
    """Whether a weekday comes again and again: "every Tuesday and Friday", "on Friday nights since August"."""
    before = text[: match.start()]
    own = before[max(before.rfind(end) for end in ".!?\n") + 1 :] + re.split(r"[.!?\n]", text[match.start() :])[0]
    name = next((name for name in WEEKDAYS if name[:3] in match.group().lower()), "day")
    if re.search(rf"\b(?:each|every) {name[:3]}", text, re.I):
        return True
    several = len(_WEEKDAY.findall(own)) > 1 and match["nextweek"] is None
    return several or _HABIT.search(before) is not None or _AGAIN.search(own) is not None


_WEEKDAY = re.compile(
    r"\b(?:(?:mon|tues?|wednes|thurs?|fri|satur|sun)days?|mon|tues?|weds?|thu(?:rs?)?|fri|sat|sun)\b", re.I
)


_AGAIN = re.compile(
    r"\b(?:every|each|weekly|fortnightly|usually|normally|mostly|alternate|per week|a week|nights|mornings|evenings"
    r"|afternoons|(?:mon|tues|wednes|thurs|fri|satur|sun)days|weekdays|weekends)\b",
    re.I,
)
_HABIT = re.compile(r"\b(?:day|days|night|class|practice|club|market|shift|training) (?:is|are) ?$", re.I)
_CORRECTED = re.compile(r"[ .,…-]{0,4}(?:\w{1,30} ){0,2}(?:i mean|no wait|sorry)\b", re.I)


def _month_named(day: int, found: list[When], around: str, base: date) -> date | None:
    """The month that was just named, or in which the talk around put that day: "the 4th" after "the 4th of March"."""
    if found and (found[-1].grain == "month" or (found[-1].grain == "day" and found[-1].day.day < day)):
        return found[-1].day
    named = [m["a"] or m["b"] for m in _DAY_AND_MONTH.finditer(around) if int(m["day"] or m["day2"]) == day]
    return _named_month(named[-1], base, "future") if named else None


def _year_named(day: date, around: str, text: str) -> date | None:
    """The month in the year that the talk gives to this day: "22 May" beside "Saturday 22 May 2027"."""
    named = (day.day, MONTHS[day.month - 1][:3])
    year = _years_in(text).get(named) or _years_in(around).get(named)
    return date(year, day.month, 1) if year else None


@lru_cache(maxsize=16)
def _years_in(text: str) -> dict[tuple[int, str], int]:
    """By day and month the year that stands beside them."""
    return {
        (int(m["day"] or m["day2"]), (m["a"] or m["b"])[:3].lower()): int(m["year"])
        for m in _DAY_MONTH_YEAR.finditer(text)
    }


def _other_month(around: str, day: date) -> bool:
    """Whether the talk is of another month, so that nobody knows of which "the 17th" is."""
    found = (match.group().lower() for match in _MONTH_NAMED.finditer(around))
    named = {"may" if "may" in words else words[:3] for words in found}
    return bool(named) and MONTHS[day.month - 1][:3] not in named


_DAY_MONTH_YEAR = re.compile(
    rf"\b(?:(?P<day>\d{{1,2}})(?:st|nd|rd|th)?(?: of)? (?P<a>{MONTH})|(?P<b>{MONTH})\.? (?P<day2>\d{{1,2}})(?:st"
    rf"|nd|rd|th)?),? (?P<year>(?:19|20)\d\d)\b",
    re.I,
)
_MONTH_NAMED = re.compile(
    rf"\b{MONTH.replace('|may|', '|')}\b|\b(?:in|still|\d{{1,2}}(?:st|nd|rd|th)?(?: of)?) may\b|\bmay \d", re.I
)
_DAY_AND_MONTH = re.compile(
    rf"\b(?P<day>\d{{1,2}})(?:st|nd|rd|th)?(?: of)? (?P<a>{MONTH})\b|\b(?P<b>{MONTH})\.? (?P<day2>\d{{1,2}})(?:st"
    rf"|nd|rd|th)?\b",
    re.I,
)


def _in_month(resolved: tuple[date, Grain], month: date | None) -> tuple[date, Grain]:
    """ "in September, on the 13th": the day is of the month that was just named."""
    if month is None:
        return resolved
    try:
        return month.replace(day=resolved[0].day), "day"
    except ValueError:
        return resolved


def _placed(match: re.Match[str], base: date, way: Direction | None) -> tuple[date, Grain] | None:
    """The date as its words say where it lies; the nearest if they do not, and it is plainly nearer."""
    if match["wday"] and not (match["wdom"] or match["nextweek"]) and way is None:
        return None  # last Monday or the next, nobody knows
    told = _safe(match, base, way) if way else None
    if told and match["dom"] and way == "past" and not _nearest(told, _safe(match, base, "future"), base):
        return None  # the tense may be of another verb: "they have a power cut on the 19th so I was moved"
    # A day of months ago: the tense was of another verb ("she told me it changes from March 1st").
    if told and not (way == "past" and told[1] == "day" and (base - told[0]).days > LONG_AGO):
        return told
    both = [one for one in (_safe(match, base, "future"), _safe(match, base, "past")) if one]
    if match["dom"] and both:
        return both[0]
    near = sorted(both, key=lambda one: abs((one[0] - base).days))
    away = [abs((one[0] - base).days) for one in near]
    return near[0] if near and (len(near) == 1 or near[0] == near[1] or away[0] * 3 <= away[1] * 2) else None


def _nearest(one: tuple[date, Grain], other: tuple[date, Grain] | None, base: date) -> bool:
    return other is None or abs((one[0] - base).days) <= abs((other[0] - base).days)


_YEAR = re.compile(r"\b(?:19|20)\d{2}\b")
LONG_AGO = 100  # days: further back a day has its year or its "last"
FAR = 270  # days: whoever says "due 15 December" in March may mean the last one
SHOWN = 2  # dates beside a quote


def made_plain(quote: str, found: list[When], said_at: Instant) -> str:
    """The dates of a quote that only its day makes clear, but not that day itself: "tomorrow", not "in 2019".

    >>> said = 1683547200.0
    >>> made_plain("I left in May, back in 2019", find("I left in May, back in 2019", said), said)
    'May 2023'
    """
    today = datetime.fromtimestamp(said_at, UTC).date()
    if _left_open(quote, found):
        return ""  # of "not the 14th but the 21st" only one: nobody would know which one holds
    unclear = (when for when in found if not _YEAR.search(quote[when.start : when.end]))
    other = [when for when in unclear if not _says_the_same(when, quote, today)]
    return "; ".join(dict.fromkeys(when.words.removeprefix("on ").removeprefix("in ") for when in other[:SHOWN]))


_NTH = re.compile(r"\b\d{1,2}(?:st|nd|rd|th)\b", re.I)


def _left_open(quote: str, found: list[When]) -> bool:
    """Whether a quote names a day by its number that could not be placed, beside a date that could."""
    numbered = (match.start() for match in _NTH.finditer(quote))
    return bool(found) and any(not any(when.start <= place < when.end for when in found) for place in numbered)


def _says_the_same(when: When, quote: str, today: date) -> bool:
    """Whether the day on which it was said says as much: "today", "this year"."""
    named = quote[when.start : when.end].lower()
    after = quote[: when.start].rstrip()[-4:]
    return (
        (when.day == today and when.grain == "day")
        or named in ("this year", "this month")
        or (named == "next year" and after[-1:].isalpha() and after[-3:].lower() in {m[-3:] for m in MONTHS})
    )


def _safe(match: re.Match[str], base: date, direction: Direction) -> tuple[date, Grain] | None:
    try:
        return _resolve(match, base, direction)
    except (ValueError, OverflowError):  # "31 February", "999 years ago"
        return None


_HINT = re.compile(
    r"\d|day|night|\blast\b|\bnext\b|morning|week|month|year|ago|spring|summer|autumn|fall|winter|tomorrow|\b(?:jan|"
    r"feb|mar|apr|may|jun|"
    r"jul|aug|sep|oct|nov|dec)|\b(?:tues|weds|thurs)\b|\bon (?:mon|tue|wed|thu|fri|sat|sun)",
    re.I,
)


def _may_hold(text: str) -> bool:
    return bool(_HINT.search(text))
