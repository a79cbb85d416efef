"""What prose states in a plain enough way to be worked with: stretches of time, terms before and after a date,
so many at a price each, and the same thing counted for several people."""

import re
from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from fractions import Fraction

from reverie.language.sentences import sentences
from reverie.model.thinking import Thought
from reverie.policy.ponder import days
from reverie.policy.ponder.amounts import amounts, number, with_unit
from reverie.policy.ponder.figures import Column, RowValue, of_column

_TERM = re.compile(
    r"\b(\d{1,3}|one|two|three|four|six)\s(day|week|month|year)s?'?\s(?:\w{2,12}\s)?"
    r"(before|after|prior to|from|following)\s",
    re.I,
)
_WORDS = {"one": 1, "two": 2, "three": 3, "four": 4, "six": 6}
_EACH = re.compile(
    r"(?<![\w.])(\d{1,6}|two|three|four|five|six|seven|eight|nine|ten|twelve)\s((?:[a-z][a-z-]{1,20}\s){1,3}?)"
    r"(?:at|for|costing|priced at|that cost)\s([$€£])(\d{1,6}(?:\.\d{2})?)\s(?:each|apiece|per \w{2,12}|a piece)\b",
    re.I,
)
_SMALL = dict(
    zip(["two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"], range(2, 11), strict=True)
) | {"twelve": 12}
_COUNTED = re.compile(
    r"\b([A-Z][a-zà-ÿ]{1,20})\s((?:has|had|sold|scored|earned|earns|ran|walked|read|baked|bought|paid|spent|worked|saved"
    r"|collected|picked|won|wrote|drove|owns|owned|made|donated|raised|swam|cycled|planted|caught|completed|fixed|reviewed"
    r"|closed|merged|found|ate|drank|brought|gets|got|received|lost|weighs)\s)?"
    r"([$€£]?\d{1,3}(?:,\d{3})*(?:\.\d{1,2})?)(?:\s([a-z]{2,20}))?(?=[\s,.;]|$)"
)
_HEDGED = re.compile(r"\b(?:about|around|approximately|roughly|almost|nearly|over|more than|less than|at least|at most"
                     r"|up to|if|would|could|might|should|not|never|each|per|every)\b|\?|%", re.I)  # fmt: skip


def spans(lines: Sequence[str], years: frozenset[int] = frozenset()) -> Iterator[Thought]:
    """Durations of the stretches of time that single lines name, and days from one date to another.

    >>> [thought.text for thought in spans(["The clinic opens from 9:00 to 12:30."])]
    ['Duration 09:00 to 12:30: 3 h 30 min (210 min, 3.5 h) (The clinic opens from 9:00 to 12:30.)']
    """
    for n, line in _said(lines):
        hours = days.span(line)
        if hours is not None and len(line) <= 300:
            told = days.duration(hours[1] - hours[0])
            text = f"Duration {days.clock(hours[0])} to {days.clock(hours[1])}: {told} ({_short(line)})"
            yield Thought("computation", text, (n,), told, f"{days.clock(hours[1])} - {days.clock(hours[0])}")
        found = None if line.rstrip().endswith("?") else days.stretch(line, years)
        between = days.days_between(*found) if found else None
        if found and between is not None and between > 0:
            a, b = (days.told(one.day, one.sure) for one in found)
            text = f"Days from {a} to {b}: {between:,} days ({_short(line)})"
            yield Thought("computation", text, (n,), f"{between:,} days", f"{b} - {a}")


def terms(lines: Sequence[str], years: frozenset[int] = frozenset()) -> Iterator[Thought]:
    """The day that a term before or after a date comes to.

    >>> [thought.text for thought in terms(["Notice: 30 days before 31 December 2026."])]
    ['30 days before 31 December 2026 is 1 December 2026 (Notice: 30 days before 31 December 2026.)']
    """
    for n, line in _said(lines):
        found = [one for one in days.days(line, years) if one.sure]
        for match in _TERM.finditer(line):
            later = [one for one in found if 0 <= one.begin - match.end() <= 12]
            count = int(_WORDS.get(match[1].lower(), 0) or match[1])
            if later:
                back = match[3].lower() in ("before", "prior to")
                day = _moved(later[0].day, -count if back else count, match[2].lower())
                if day is None:
                    continue
                told = f"{match[0].strip()} {days.told(later[0].day)}"
                yield Thought("computation", f"{told} is {days.told(day)} ({_short(line)})", (n,), days.told(day), told)


def until(lines: Sequence[str], today: date, years: frozenset[int] = frozenset(), most: int = 20) -> Iterator[Thought]:
    """How many days it is from today to the dates ahead.

    >>> [thought.text for thought in until(["The lease ends on 30 November 2026."], date(2026, 11, 17))]
    ['Days until 30 November 2026, counted on 17 November 2026: 13 days (The lease ends on 30 November 2026.)']
    """
    told = 0
    for n, line in _said(lines):
        for found in days.days(line, years):
            ahead = (found.day - today).days
            if found.sure and 0 < ahead <= 3_660 and told < most:
                told += 1
                text = (
                    f"Days until {days.told(found.day)}, counted on {days.told(today)}: {ahead:,} days ({_short(line)})"
                )
                yield Thought("computation", text, (n,), f"{ahead:,} days", f"{found.day} - {today}", days=True)


def prices(lines: Sequence[str]) -> Iterator[Thought]:
    """So many at a price each.

    >>> [thought.text for thought in prices(["Mia buys 3 red pens at $2.50 each."])]
    ['Cost of 3 red pens: 3 x $2.50 = $7.50 (Mia buys 3 red pens at $2.50 each.)']
    """
    for n, line in _said(lines):
        for match in _EACH.finditer(line):
            count = Fraction(_SMALL.get(match[1].lower(), 0) or int(match[1]))
            cost, each = count * number(match[4]), with_unit(number(match[4]), match[3])
            worked = f"{with_unit(count, '')} x {each}"
            shown = with_unit(cost, match[3])
            text = f"Cost of {with_unit(count, '')} {match[2].strip()}: {worked} = {shown} ({_short(line)})"
            yield Thought("computation", text, (n,), shown, worked)


def tallies(lines: Sequence[str]) -> Iterator[Thought]:
    """One thing counted for several people, in one sentence or in sentences of the same words.

    >>> [thought.text for thought in tallies(["Ann sold 12 tickets, Bo 9 and Cy 3."])][0]
    'Total tickets sold: Ann 12 + Bo 9 + Cy 3 = 24'
    """
    found: dict[tuple[str, str, str], list[RowValue]] = {}
    for n, line in enumerate(lines, 1):
        for sentence in sentences(line):
            if not _HEDGED.search(sentence):
                for key, entry in _counted(sentence, n):
                    found.setdefault(key, []).append(entry)
    for (verb, noun, unit), entries in found.items():
        if len(entries) > 1 and len({entry.label for entry in entries}) == len(entries):
            yield from of_column(Column(f"{noun} {verb}".strip(), unit, tuple(entries)))


def _counted(sentence: str, line: int) -> Iterator[tuple[tuple[str, str, str], RowValue]]:
    """What is left out in a row of names is taken from the first of them: "Ann sold 12 tickets, Bo 9"."""
    verb = noun = ""
    for match in _COUNTED.finditer(sentence):
        verb = (match[2] or "").strip().lower() or verb
        own = (match[4] or "").lower()
        noun = own if own not in ("and", "but", "while", "in", "on", "for", "from", "at", "of", "to", "") else noun
        (amount,) = amounts(match[3]) or (None,)
        if verb and amount is not None and (noun or amount.unit):
            yield (verb, noun if not amount.unit else "money", amount.unit), RowValue(match[1], amount.value, line)


def _said(lines: Sequence[str]) -> Iterator[tuple[int, str]]:
    """Every sentence with the number of its line."""
    for n, line in enumerate(lines, 1):
        for sentence in sentences(line):
            yield n, sentence


def _moved(day: date, count: int, unit: str) -> date | None:
    """A day so many units on; None where the month has no such day."""
    try:
        if unit in ("day", "week"):
            return day + timedelta(days=count * (7 if unit == "week" else 1))
        months = day.month - 1 + count * (12 if unit == "year" else 1)
        return day.replace(year=day.year + months // 12, month=months % 12 + 1)
    except (ValueError, OverflowError):
        return None


def _short(line: str) -> str:
    line = " ".join(line.split()).lstrip("-*• ")
    return line if len(line) <= 100 else f"{line[:99]}…"
