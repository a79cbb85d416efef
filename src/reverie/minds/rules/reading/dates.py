"""Dates in speech made absolute, against the day they were said. A date that may be another one is left out: the reader
sees that day beside the quote, and a wrong date is worse than none."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from functools import cached_property
from typing import Literal

from reverie.language.calendar import Grain, When
from reverie.minds.rules.reading import date_words as words
from reverie.minds.rules.reading.tenses import Direction, direction_of
from reverie.model.base import Instant

SHOWN = 2  # dates beside a quote
FAR, LONG_AGO = 150, 60  # days ahead and back: a day and its month further off need a tense that agrees
SOON = 21  # days in which "the 17th" comes, if its clause says that it comes
AHEAD, BACK = 8, 6  # months that a bare month may lie off
SATURDAY = 5
SMALL_HOURS = 5  # until then a day may be called by the one before it
JUST_BEFORE = 200  # characters of talk to whose date a bare weekday may belong

_SPANS = ("until", "til", "from", "to", "for")  # "he stays until the 17th": of this month or the next

Resolved = tuple[date, Grain] | None
Match = re.Match[str]


@dataclass(frozen=True)
class DatedText:
    """A text with the day it was said, its dates, and what was said just before and behind it."""

    text: str
    base: date
    before: str = ""
    after: str = ""
    late: bool = False
    around: str = ""

    @cached_property
    def matches(self) -> list[Match]:
        return list(words.finder().finditer(self.text))

    @cached_property
    def in_a_year(self) -> bool:
        """Whether the text names a year: "I left in March, back in 2019"."""
        return any(one.lastgroup == "year" for one in self.matches)

    @cached_property
    def several(self) -> bool:
        """Whether weekdays or dates to which one may belong are more than one."""
        hung = [one for one in self.matches if one.lastgroup == "wday" or _anchors(one)]
        return len(hung) > 1 or len(words.WEEKDAY.findall(self.text)) > 1

    def way(self, match: Match) -> Direction | None:
        return direction_of(self.text, match.start(), match.group())

    def elsewhere(self, way: Direction | None) -> bool:
        """Whether a date of another week was named just before, to which a weekday may belong."""
        earlier = DatedText(self.before, self.base)
        told = {when.start: (when.day - self.base).days for when in _dates(earlier)}
        away = [told.get(one.start(), 7 if way == "future" else -7) for one in earlier.matches if _anchors(one)]
        return any(days > 6 if way == "future" else days < -6 for days in away)


def _anchors(match: Match) -> bool:
    """Whether a weekday may hang on this date: "26 June at 11. Saturday is the party"."""
    which = (match["which"] or "").lower()
    return match.lastgroup in ("iso", "range", "full", "monthyear", "ahead", "bare", "dom") or which in ("last", "next")


def find(text: str, said_at: Instant, around: str = "") -> list[When]:
    """Every date that `text` surely names, in order. `around` is the talk in which it was said.

    >>> [when.words for when in find("we met last Friday", 1683547200.0)]
    ['on 5 May 2023']
    """
    if not words.HINT.search(text):
        return []
    said = datetime.fromtimestamp(said_at, UTC)
    place = around.rfind(text)
    before = around[max(0, place - JUST_BEFORE) : place] if place >= 0 else ""
    after = around[place + len(text) :][:JUST_BEFORE] if place >= 0 else ""
    return _dates(DatedText(text, said.date(), before, after, said.hour < SMALL_HOURS, around))


def _dates(scene: DatedText) -> list[When]:
    found: list[When] = []
    for match in scene.matches:
        if resolved := _resolved(match, scene, found):
            day, grain = resolved
            found.append(When(match.start(), match.end(), day, grain, _opens(match, day, scene.base), _end(match, day)))
    return found


def _resolved(match: Match, scene: DatedText, found: list[When]) -> Resolved:
    if scene.text.count('"', 0, match.start()) % 2 and match.lastgroup in ("near", "rel", "wday", "ago", "ahead"):
        return None  # quoted: it may have been said on another day
    before = scene.text[max(0, match.start() - 20) : match.start()]
    if words.NOT_IT.search(before) or (match.lastgroup != "near" and words.VAGUE.search(before)):
        return None
    try:
        if match.lastgroup == "dom":
            return _numbered(match, scene, found)
        return _READERS[match.lastgroup or ""](match, scene)
    except (ValueError, OverflowError):  # "31 February", "999 years ago"
        return None


def _opens(match: Match, day: date, base: date) -> Literal["", "since", "from"]:
    """ "from 1 June" was already if that day lies behind."""
    opening = match.group().lower().split()[0]
    if match.lastgroup == "range" or opening not in ("since", "from"):
        return ""
    if day > base:
        return "from"
    return "" if opening == "from" and match["which"] == "last" else "since"  # "the invoice from last year"


def _end(match: Match, day: date) -> date | None:
    last = int(match["last"] or match["to"]) if match.lastgroup == "range" else 0
    return _day_in(day.year, day.month, last)


# What each kind of date means


def _full(match: Match, scene: DatedText) -> Resolved:
    """ "3 May", or the first day of "3 to 5 May"."""
    day = int(match["day"] or match["day2"] or match["first"] or match["from"])
    month = words.month_number(match["month"] or match["month2"] or match["inmonth"] or match["months"])
    if match["month2"] in ("may", "mar", "march") and not words.STANDS_ALONE.match(scene.text, match.end()):
        return None  # "may 3 people", "we march 5 miles"
    beside = words.years_in(scene.text).get((day, month)) or words.years_in(scene.around).get((day, month))
    named = match["fullyear"] or match["rangeyear"] or str(beside or "")
    found = date(words.year_of(named, scene.base), month, day) if named else _nearest(day, month, match, scene)
    return (found, "day") if found else None


def _nearest(day: int, month: int, match: Match, scene: DatedText) -> date | None:
    """A day and its month in the year in which it is nearest, if the tense agrees and the weekday beside it."""
    if scene.in_a_year:
        return None
    near = min((one for one in _years(day, month, scene.base)), key=lambda one: abs(one - scene.base))
    way, weekday = scene.way(match), words.WEEKDAY.search(match.group())
    wrong = (way == "past" and near > scene.base) or (way == "future" and near < scene.base)
    if wrong or (weekday and words.weekday_number(weekday.group()) != near.weekday()):
        return None
    return near if way or -LONG_AGO <= (near - scene.base).days <= FAR else None


def _years(day: int, month: int, base: date) -> list[date]:
    """The day in the years around; ValueError if none of them has it."""
    found = [_day_in(year, month, day) for year in (base.year - 1, base.year, base.year + 1)]
    if not any(found):
        raise ValueError(f"no day {day} in month {month}")
    return [one for one in found if one]


def _day_in(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None


def _month_of_year(match: Match, scene: DatedText) -> Resolved:
    return date(words.year_of(match["whichyear"], scene.base), words.month_number(match["ofyear"]), 1), "month"


def _ago(match: Match, scene: DatedText) -> Resolved:
    return _shift(scene.base, match["agounit"].lower(), -_count(match["agon"]))


def _ahead(match: Match, scene: DatedText) -> Resolved:
    """ "the rent goes up in a month", but not "6000 more in a year"."""
    comes = scene.way(match) == "future"
    return _shift(scene.base, match["aheadunit"].lower(), _count(match["aheadn"])) if comes else None


_AS_IF = re.compile(r"\blike (?:it (?:was|is) )?(?:only |just )?\Z", re.I)  # "it feels like just yesterday"


def _near(match: Match, scene: DatedText) -> Resolved:
    text = match.group().lower()
    if scene.late or _AS_IF.search(scene.text[max(0, match.start() - 20) : match.start()]):
        return None  # "tomorrow" after midnight may be today
    if "before yesterday" in text or "after tomorrow" in text:
        return scene.base + timedelta(days=2 if "tomorrow" in text else -2), "day"
    if _corrected(match, scene):
        return None
    away = -1 if text.startswith(("yesterday", "yday", "last")) else 1 if text.startswith(("tomorrow", "tm")) else 0
    return scene.base + timedelta(days=away), "day"


def _relative(match: Match, scene: DatedText) -> Resolved:
    """ "last week", "this Friday", "next summer"; not "her last year", and not what two people may read in two ways."""
    if words.WHOSE.search(scene.text[max(0, match.start("which") - 30) : match.start("which")]):
        return None
    which, unit = match["which"].lower().split()[-1], match["unit"].lower()
    if which == "this" and unit in ("may", "mar", "march", "sun", "sat", "wed"):
        return None  # "this may be"
    step = {"last": -1, "past": -1, "next": 1, "coming": 1}.get(which, 0)
    if unit in ("week", "weekend", "month", "year"):
        vague = which in ("past", "coming") and unit != "weekend"
        return None if vague else _calendar_unit(unit, step, scene, match)
    if unit in words.SEASONS:
        return _season(unit, step, scene, match)
    if words.WEEKDAY.fullmatch(unit):
        return _relative_weekday(words.weekday_number(unit), which, scene, match)
    return _relative_month(words.month_number(unit), step, scene)


def _calendar_unit(unit: str, step: int, scene: DatedText, match: Match) -> Resolved:
    """On a weekend nobody knows whether "last week" is the one that just ends, and "next weekend" never says which."""
    base, today = scene.base, scene.base.weekday()
    if unit == "year":
        return date(base.year + step, 1, 1), "year"
    if unit == "month":
        return _shift(base.replace(day=1), "month", step)
    if unit == "week":
        return (base + timedelta(days=7 * step - today), "week") if today < SATURDAY else None
    saturday, coming, way = (
        base + timedelta(days=SATURDAY - today),
        match["which"].lower().endswith("coming"),
        scene.way(match),
    )
    if step < 0 or (step == 0 and way == "past" and today < 2):
        return saturday - timedelta(weeks=1), "weekend"
    return (saturday, "weekend") if (coming or (step == 0 and way != "past")) and 1 < today < SATURDAY else None


def _season(unit: str, step: int, scene: DatedText, match: Match) -> Resolved:
    """ "last summer" is last year's before this year's has begun, "next summer" next year's after that."""
    start = date(scene.base.year, words.SEASONS[unit], 1)
    begun = start <= scene.base
    if step == 0:
        way = scene.way(match)
        return None if way == ("future" if begun else "past") else (start, "season")
    return None if begun == (step < 0) else (start.replace(year=start.year + step), "season")


def _relative_weekday(target: int, which: str, scene: DatedText, match: Match) -> Resolved:
    """ "next Friday" said on a Monday is this week's or the next one's; said on a Thursday "next Monday" is plain."""
    base = scene.base
    away = (target - base.weekday()) % 7
    back = away - 7
    if which in ("last", "past"):
        return (base + timedelta(days=back), "day") if back < -2 else None
    if which == "next":
        plain = target <= base.weekday() < 6
        return (base + timedelta(days=away or 7), "day") if plain else None
    if away == 0:
        return None
    way = scene.way(match)
    if which == "coming" or way == "future" or (way is None and target > base.weekday()):
        return base + timedelta(days=away), "day"
    return (base + timedelta(days=back), "day") if way == "past" and target < base.weekday() else None


def _relative_month(month: int, step: int, scene: DatedText) -> Resolved:
    """ "last March" said in October may be this year's; said in February it is not."""
    base = scene.base
    if step == 0:
        return (date(base.year, month, 1), "month") if abs(month - base.month) <= BACK else None
    plain = month >= base.month if step < 0 else month <= base.month
    return (date(base.year + step, month, 1), "month") if plain else None


def _weekday(match: Match, scene: DatedText) -> Resolved:
    """A weekday with a sign of its own: "I fly on Friday", "we met on Friday", "due by Friday"."""
    base, target = scene.base, words.weekday_number(match["wname"])
    if match["wdom"]:
        return _weekday_with_number(target, int(match["wdom"]), scene, match)
    if match["nextweek"]:
        return (base + timedelta(days=7 - base.weekday() + target), "day") if base.weekday() < 6 else None
    away = (target - base.weekday()) % 7
    if away == 0 or not words.STANDS_ALONE.match(scene.text, match.end()) or scene.several:
        return None
    way, prep = scene.way(match), (match["prep"] or "").strip().lower()
    before = scene.text[max(0, match.start() - 30) : match.start()].rstrip()
    if _corrected(match, scene) or words.WHICH_ONE.search(before) or (prep != "since" and scene.elsewhere(way)):
        return None
    told = prep in ("on", "since") or words.WAS_BEFORE.search(before) or words.WAS_AFTER.match(scene.text, match.end())
    if way == "past" and told:
        return base + timedelta(days=away - 7), "day"
    return (base + timedelta(days=away), "day") if way == "future" else None


def _corrected(match: Match, scene: DatedText) -> bool:
    """Whether the next words take it back: "from Saturday. No, Sunday"."""
    return words.CORRECTED.match(scene.text[match.end() : match.end() + 80] + scene.after) is not None


def _weekday_with_number(target: int, day: int, scene: DatedText, match: Match) -> Resolved:
    """ "Saturday the 12th": of the nearest month in which that day is a Saturday, if there is one near."""
    months = (_shift(scene.base.replace(day=1), "month", n) for n in (-2, -1, 0, 1, 2))
    days = (_day_in(month.year, month.month, day) for month, _ in months)
    fitting = [one for one in days if one and one.weekday() == target]
    way = scene.way(match)
    right = [one for one in fitting if (one >= scene.base) == (way != "past")]
    return (min(right, key=lambda one: abs(one - scene.base)), "day") if right else None


def _bare_month(match: Match, scene: DatedText) -> Resolved:
    """ "in April" with a tense: the nearest one on that side, if it is not far."""
    month, base, way = words.month_number(match["mname"]), scene.base, scene.way(match)
    away = (month - base.month) % 12
    since = match.group().lower().startswith("since")
    if away == 0 or way is None or scene.in_a_year:
        return None
    if way == "future":
        return _shift(base.replace(day=1), "month", away) if away <= AHEAD else None
    return _shift(base.replace(day=1), "month", away - 12) if since or 12 - away <= BACK else None


def _numbered(match: Match, scene: DatedText, found: list[When]) -> Resolved:
    """ "the 17th": of the month just named, of the one in which the talk put it, or the one that is soon."""
    day, base, way = int(match["domn"]), scene.base, scene.way(match)
    before = found[-1] if found else None
    by = match.group().lower().startswith("by")
    if before and (before.grain == "month" or (before.grain == "day" and before.day.day < day and not by)):
        return before.day.replace(day=day), "day"
    named = [m for m in words.DATED.finditer(scene.around) if int(m["day"] or m["day2"]) == day]
    if named:
        month = words.month_number(named[-1]["month"] or named[-1]["month2"])
        return min(_years(day, month, base), key=lambda one: abs(one - base)), "day"
    if way is None or day == base.day:
        return None
    first = base.replace(day=1)
    if (day < base.day) == (way == "future"):
        first, _ = _shift(first, "month", 1 if way == "future" else -1)
    one = first.replace(day=day)
    months = words.months_in(scene.around)
    sure = one.month in months or not (months or match.group().lower().startswith(_SPANS))
    return (one, "day") if sure and abs(one - base).days <= SOON else None


_READERS: Mapping[str, Callable[[Match, DatedText], Resolved]] = {
    "iso": lambda match, _: (date.fromisoformat(match.group()), "day"),
    "year": lambda match, _: (date(int(match["yearn"]), 1, 1), "year"),
    "range": _full, "full": _full, "monthyear": _month_of_year, "ago": _ago, "ahead": _ahead,
    "near": _near, "rel": _relative, "wday": _weekday, "bare": _bare_month,
}  # fmt: skip


# Numbers and the talk around


def _count(word: str) -> int:
    return int(word) if word.isdigit() else words.NUMBERS[word.lower()]


def _shift(day: date, unit: str, n: int) -> tuple[date, Grain]:
    if unit in ("day", "week"):
        return day + timedelta(days=n * (7 if unit == "week" else 1)), "week" if unit == "week" else "day"
    months = day.year * 12 + day.month - 1 + n * (12 if unit == "year" else 1)
    return date(months // 12, months % 12 + 1, 1), "year" if unit == "year" else "month"


def made_plain(quote: str, found: list[When], said_at: Instant) -> str:
    """The dates of a quote that only its day makes clear, but not that day itself: "tomorrow", not "in 2019".

    >>> said = 1683547200.0
    >>> made_plain("I left in March and was back yesterday", find("I left in March and was back yesterday", said), said)
    'March 2023; 7 May 2023'
    """
    today = datetime.fromtimestamp(said_at, UTC).date()
    if _left_open(quote, found):
        return ""  # of "not the 14th but the 21st" only one: nobody would know which one holds
    unclear = (when for when in found if not words.A_YEAR.search(quote[when.start : when.end]))
    other = [when for when in unclear if not _says_the_same(when, quote, today)]
    return "; ".join(dict.fromkeys(when.words.removeprefix("on ").removeprefix("in ") for when in other[:SHOWN]))


def _left_open(quote: str, found: list[When]) -> bool:
    """Whether a quote names a day by its number that could not be placed, beside a date that could."""
    numbered = (match.start() for match in words.A_NUMBER.finditer(quote))
    return bool(found) and any(not any(when.start <= place < when.end for when in found) for place in numbered)


def _says_the_same(when: When, quote: str, today: date) -> bool:
    """Whether the day on which it was said says as much: "today", "this year"."""
    named = quote[when.start : when.end].lower()
    return (when.day == today and when.grain == "day") or named.endswith(("this year", "this month"))
