"""Numbers as people write them: 1,200.50, $3, 2 kg, 09:30, 1h 20m, three dozen; read exactly, never guessed."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

_DIGITS = r"\d{1,3}(?:,\d{3}){1,4}(?:\.\d{1,6})?|\d{1,15}(?:\.\d{1,6})?"
_PLAIN = re.compile(rf"(?<![\w.,:/-])(?:{_DIGITS})(?![\d:/]|[.,]\d)")
_ANY = re.compile(rf"(?<![\d.])(?:{_DIGITS})")
_SIGNS = {"$": "$", "€": "€", "£": "£", "¥": "¥", "usd": "$", "eur": "€", "gbp": "£", "dollars": "$", "dollar": "$",
          "euros": "€", "euro": "€", "pounds sterling": "£"}  # fmt: skip
# One spelling a unit, so that "2 hours" and "1 h" are told apart from "2 kg".
_UNITS = {
    "kg": "kg", "kilogram": "kg", "kilograms": "kg", "kilos": "kg", "g": "g", "gram": "g", "grams": "g", "mg": "mg",
    "lb": "lb", "lbs": "lb", "oz": "oz", "l": "l", "liter": "l", "liters": "l", "litre": "l", "litres": "l",
    "ml": "ml", "cl": "cl", "cup": "cups", "cups": "cups", "tbsp": "tbsp", "tsp": "tsp",
    "km": "km", "kilometers": "km", "kilometres": "km", "m": "m", "meters": "m", "metres": "m", "cm": "cm", "mm": "mm",
    "mile": "miles", "miles": "miles", "ft": "ft", "feet": "ft",
    "s": "s", "sec": "s", "secs": "s", "second": "s", "seconds": "s", "ms": "ms", "milliseconds": "ms",
    "min": "min", "mins": "min", "minute": "min", "minutes": "min", "h": "h", "hr": "h", "hrs": "h", "hour": "h",
    "hours": "h", "day": "days", "days": "days", "week": "weeks", "weeks": "weeks", "month": "months",
    "months": "months", "year": "years", "years": "years", "kb": "kB", "mb": "MB", "gb": "GB", "tb": "TB",
    "point": "points", "points": "points", "pts": "points", "goal": "goals", "goals": "goals", "%": "%",
    "percent": "%", "kcal": "kcal", "calories": "kcal",
}  # fmt: skip
_UNIT_AFTER = re.compile(r"\s?([a-zA-Z]{1,12}|%)\b|\s?(%)")
_HOURS = re.compile(
    r"(?<![\w.:])(\d{1,3})\s?h(?:ours?|rs?)?\.?\s{0,2}(?:and )?(\d{1,2})\s?m(?:in(?:utes?|s)?)?\b", re.I
)
_COUNTS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen"
    " eighteen nineteen twenty"
)
_WORDS = {word: Fraction(n) for n, word in enumerate(_COUNTS.split())} | {
    "thirty": Fraction(30), "forty": Fraction(40), "fifty": Fraction(50), "sixty": Fraction(60),
    "seventy": Fraction(70), "eighty": Fraction(80), "ninety": Fraction(90), "hundred": Fraction(100),
    "thousand": Fraction(1000), "dozen": Fraction(12), "half": Fraction(1, 2), "quarter": Fraction(1, 4),
    "third": Fraction(1, 3), "twice": Fraction(2), "double": Fraction(2), "doubles": Fraction(2),
    "doubled": Fraction(2), "triple": Fraction(3), "triples": Fraction(3), "thrice": Fraction(3),
}  # fmt: skip
MONEY = frozenset("$€£¥")


@dataclass(frozen=True, slots=True)
class Amount:
    """A number with its unit as it stands in a text."""

    value: Fraction
    unit: str = ""
    begin: int = 0
    end: int = 0

    @property
    def shown(self) -> str:
        return with_unit(self.value, self.unit)


def amounts(text: str) -> list[Amount]:
    """Every plain number of a text with its unit, in order; parts of dates, clocks and codes are left out.

    >>> [amount.shown for amount in amounts("3 pens at $2.50 each, 1,200 g in 1h 20m, 5%")]
    ['3', '$2.50', '1,200 g', '80 min', '5%']
    """
    found: list[Amount] = []
    taken = 0
    for match in sorted((*_HOURS.finditer(text), *_PLAIN.finditer(text)), key=lambda one: (one.start(), -one.end())):
        if match.start() >= taken:
            found.append(_hours(match) if match.re is _HOURS else _amount(text, match))
            taken = found[-1].end
    return found


def number(written: str) -> Fraction:
    """
    >>> number("1,200.50")
    Fraction(2401, 2)
    """
    return Fraction(written.replace(",", ""))


def stated(text: str) -> frozenset[Fraction]:
    """Every value that a text can be said to state: in digits, as a share of a percent, in words, as a clock's minutes.

    >>> Fraction(3) in stated("three pens"), Fraction(1, 4) in stated("25% off"), Fraction(7) in stated("three pens")
    (True, True, False)
    """
    values = {number(match[0]) for match in _ANY.finditer(text)}
    values |= {value / 100 for value in values if "%" in text or "percent" in text.lower()}
    values |= {amount.value for amount in amounts(text)}
    values |= set(_spoken(text))
    return frozenset(values | {Fraction(a) / Fraction(b) for a, b in _ratios(text)})


def with_unit(value: Fraction, unit: str) -> str:
    """
    >>> with_unit(Fraction(5, 2), "$"), with_unit(Fraction(1200), "g"), with_unit(Fraction(1, 3), "")
    ('$2.50', '1,200 g', '0.3333')
    """
    if unit in MONEY:
        return f"-{unit}{plain(-value, 2)}" if value < 0 else f"{unit}{plain(value, 2)}"
    if unit == "%":
        return f"{plain(value)}%"
    return f"{plain(value)} {unit}".strip()


def plain(value: Fraction, places: int = 0) -> str:
    """Whole where it is whole; else two places for money, at most four for others.

    >>> plain(Fraction(25)), plain(Fraction(5, 2)), plain(Fraction(5, 2), 2), plain(Fraction(-1, 3))
    ('25', '2.5', '2.50', '-0.3333')
    """
    if value.denominator == 1:
        return f"{value.numerator:,}"
    digits = f"{float(round(value, places or 4)):,.{places or 4}f}"
    return digits if places else digits.rstrip("0").rstrip(".")


def exact(value: Fraction, places: int = 4) -> bool:
    """Whether `plain` loses nothing of it."""
    return round(value, places) == value


def _hours(match: re.Match[str]) -> Amount:
    return Amount(Fraction(int(match[1]) * 60 + int(match[2])), "min", match.start(), match.end())


def _amount(text: str, match: re.Match[str]) -> Amount:
    value, before = number(match[0]), text[max(0, match.start() - 2) : match.start()].strip()
    if before[-1:] in MONEY:
        negative = before[-2:-1] in ("-", "−")
        return Amount(-value if negative else value, before[-1], match.start(), match.end())
    unit, end = _unit(text, match.end())
    return Amount(value, unit, match.start(), end)


def _unit(text: str, at: int) -> tuple[str, int]:
    after = _UNIT_AFTER.match(text, at)
    if after is None:
        return "", at
    word = (after[1] or after[2]).lower()
    unit = _SIGNS.get(word) or _UNITS.get(word, "")
    return unit, after.end() if unit else at


def _spoken(text: str) -> Iterator[Fraction]:
    words = re.findall(r"[a-z]{3,10}", text.lower().replace("-", " "))
    for before, word in zip(["", *words], words, strict=False):
        value = _WORDS.get(word)
        if value is None:
            continue
        yield value
        tens = _WORDS.get(before)
        if tens is not None:
            yield tens * value if value >= 12 else tens + value


def _ratios(text: str) -> list[tuple[str, str]]:
    return [(a, b) for a, b in re.findall(r"(?<![\d/])(\d{1,3})/(\d{1,3})(?![\d/])", text) if int(b)]
