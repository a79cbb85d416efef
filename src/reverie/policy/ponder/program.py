"""A little language of assignments, read and evaluated here: no `eval`, no calls but a few of arithmetic.

    price_of_a_pen = 2.50                      # 1
    price_of_twelve_pens = price_of_a_pen * 12 # 1, 2

A line that does not parse, names what was never assigned, or brings a number that the text does not state is dropped;
the others stand. Values are exact fractions, dates or truths.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from fractions import Fraction
from math import ceil, floor
from typing import TypeVar

from reverie.language.words import terms
from reverie.policy.ponder import days
from reverie.policy.ponder.amounts import number, plain, stated

Value = Fraction | bool | date
T = TypeVar("T")

MOST_LINES = 200
LONGEST = 400  # characters of one line
DEEPEST = 20
LARGEST = Fraction(10**15)
# What turns one unit into another, or counts: allowed beside what the text states, never as a quantity of its own.
CONSTANTS = frozenset(map(Fraction, (1, 2, 7, 12, 24, 52, 60, 100, 365, 1000)))
_LINE = re.compile(r"^\s{0,20}([a-zA-Z_]\w{0,119})\s{0,5}=(?!=)([^#]{1,300})(?:#(.{0,80}))?$")
_TOKEN = re.compile(
    r"\s{0,20}(?:(?P<number>\d{1,15}(?:\.\d{1,6})?(?![\w.]))|(?P<name>[a-zA-Z_]\w{0,119})"
    r"|(?P<quoted>\"[^\"]{1,20}\"|'[^']{1,20}')|(?P<mark>\*\*|//|<=|>=|==|!=|[-+*/%()<>,\[\]]))"
)
_SAID_BY_NAME = tuple(
    (frozenset(said.split()), frozenset(marks.split()))
    for said, marks in (
        ("total sum altogether combined overall", "+ * sum"),
        ("left remaining remain difference more less fewer saved change older younger", "- + abs % days"),
        ("average mean", "/ mean"),
        ("share percent percentage ratio fraction", "/ *"),
        ("most highest maximum largest", "max + - * /"),
        ("least lowest minimum smallest", "min + - * /"),
    )
)
_OPERATIONS = frozenset(["+", "-", "*", "/", "//", "%", "**", "sum", "min", "max", "mean", "abs", "days"])
_DAY = re.compile(r"(\d{4})-(\d{1,2})-(\d{1,2})")
_CLOCK = re.compile(r"(\d{1,2}):(\d{2})")


class Refused(ValueError):
    """Why a line of a program is dropped."""


MOST_PARTS = (2, 4)  # fewest and most names that say what a quantity is of, where its own does not


@dataclass(frozen=True, slots=True)
class Quantity:
    """One assignment that holds: its value, how it came about, and the lines of the text that it rests on."""

    name: str
    value: Value
    expression: str
    worked: str  # the expression with every name's value in its place
    lines: tuple[int, ...]
    given: bool = False  # it stands in the text as it is; nothing was worked out
    label: str = ""  # what it is of, where its name says nothing of the text

    @property
    def words(self) -> str:
        return self.label or " ".join(self.name.split("_")).strip()

    @property
    def shown(self) -> str:
        return shown(self.value)


@dataclass(slots=True)
class Worked:
    """What came of a program: the quantities that hold, and why each other line was dropped."""

    quantities: dict[str, Quantity] = field(default_factory=dict)
    dropped: list[str] = field(default_factory=list)

    @property
    def derived(self) -> list[Quantity]:
        return [one for one in self.quantities.values() if not one.given]


@dataclass(frozen=True, slots=True)
class _Source:
    """A text in lines: what each of them states, and which of them a number is taken from."""

    stated: Sequence[frozenset[Fraction]]
    moments: Sequence[frozenset[Value]]
    words: Sequence[frozenset[str]]

    @classmethod
    def of(cls, lines: Sequence[str]) -> "_Source":
        whole = days.years("\n".join(lines))
        return cls(
            [stated(line) for line in lines],
            [_moments(line, whole) for line in lines],
            [frozenset(terms(line)) for line in lines],
        )

    def line(self, value: Value, name: str, cited: Sequence[int]) -> int | None:
        """The line that states a value: a cited one if it does, else the one that shares most words with the name."""
        found = [
            n for n in range(1, len(self.stated) + 1) if value in self.moments[n - 1] or value in self.stated[n - 1]
        ]
        named = frozenset(terms(name.replace("_", " ")))
        return max(found, key=lambda n: (n in cited, len(named & self.words[n - 1]), -n), default=None)

    def knows(self, name: str) -> bool:
        """Whether a name speaks of what the text speaks of."""
        named = frozenset(terms(name.replace("_", " ")))
        return any(not named.isdisjoint(words) for words in self.words)


def run(program: Sequence[str], text: Sequence[str]) -> Worked:
    """Evaluates a program over the lines of a text.

    >>> done = run(["pens = 12 # 1", "cost_of_pens = pens * 2.5 # 1", "tax_on_pens = pens * 0.19"], ["12 pens, 2.5"])
    >>> [(one.words, one.shown, one.worked, one.lines) for one in done.derived], done.dropped
    ([('cost of pens', '30', '12 * 2.5', (1,))], ['tax_on_pens: 0.19 is not in the text'])
    """
    worked, source = Worked(), _Source.of(text)
    for line in program[:MOST_LINES]:
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        try:
            quantity = _assigned(line, worked.quantities, source)
        except (Refused, ArithmeticError, ValueError, LookupError) as refused:
            worked.dropped.append(str(refused)[:200])
        else:
            worked.quantities[quantity.name] = quantity
    return worked


def _moments(line: str, years: frozenset[int]) -> frozenset[Value]:
    """The days that a line names, and its times of day in minutes since midnight."""
    named = days.days(line, years)
    return frozenset((*(one.day for one in named), *(Fraction(minutes) for minutes, *_ in days.clocks(line))))


def shown(value: Value) -> str:
    """
    >>> shown(Fraction(5, 2)), shown(date(2026, 11, 3)), shown(True)
    ('2.5', '2026-11-03', 'yes')
    """
    if isinstance(value, bool):
        return "yes" if value else "no"
    return value.isoformat() if isinstance(value, date) else plain(value)


def _assigned(line: str, known: Mapping[str, Quantity], source: _Source) -> Quantity:
    match = _LINE.match(line) if len(line) <= LONGEST else None
    if match is None:
        raise Refused(f"{line.strip()[:60]}: no assignment")
    name, expression = match[1].strip(), " ".join(match[2].split())
    if name in known:
        raise Refused(f"{name}: assigned twice")
    parser = _Parser(name, expression, known)
    value = parser.whole()
    label = "" if source.knows(name) else _of_its_parts(parser, expression, known)
    if not label and not source.knows(name):
        raise Refused(f"{name}: of nothing in the text")
    if not _named_rightly(name, parser.tokens):
        raise Refused(f"{name}: its name says another operation")
    cited = [int(n) for n in re.findall(r"\d{1,5}", match[3] or "")]
    lines = {n for used in parser.used for n in known[used].lines}
    for literal in (*parser.moments, *parser.literals):
        found = source.line(literal, name, cited)
        if found is not None:
            lines.add(found)
        elif literal not in CONSTANTS or not parser.used:
            raise Refused(f"{name}: {shown(literal)} is not in the text")
    return Quantity(name, value, expression, parser.worked, tuple(sorted(lines)), given=parser.bare, label=label)


def _of_its_parts(parser: "_Parser", expression: str, known: Mapping[str, Quantity]) -> str:
    """What a quantity is of whose name says nothing of the text: its parts, if all of them are named by the text."""
    parts = dict.fromkeys(parser.used)
    if (
        len(parts) < MOST_PARTS[0]
        or len(parts) > MOST_PARTS[1]
        or parser.literals
        or any(known[n].label for n in parts)
    ):
        return ""
    said = re.sub(r"[A-Za-z_]\w*", lambda found: known[found[0]].words if found[0] in known else found[0], expression)
    return f"Total of {said}" if set(re.findall(r"[-+*/%(),]", expression)) == {"+"} else said


def _named_rightly(name: str, tokens: Sequence[tuple[str, str]]) -> bool:
    """Whether a name that says an operation (total, left, average, share) is worked out by such a one.

    >>> plus, minus = ("mark", "+"), ("mark", "-")
    >>> _named_rightly("total_cost", [plus]), _named_rightly("total_cost", [minus]), _named_rightly("cost", [minus])
    (True, False, True)
    """
    words = set(name.lower().split("_"))
    meant = [marks for said, marks in _SAID_BY_NAME if said & words]
    used = {word for kind, word in tokens if kind == "mark" or word in FUNCTIONS}
    return not meant or not used & _OPERATIONS or any(marks & used for marks in meant)


class _Parser:
    """Reads one expression from left to right and evaluates it on the way."""

    def __init__(self, name: str, text: str, known: Mapping[str, Quantity]) -> None:
        self.name, self.known = name, known
        self.tokens = self._tokens(text)
        self.at = self.depth = 0
        self.literals: list[Fraction] = []
        self.moments: list[Value] = []
        self.used: list[str] = []

    def _tokens(self, text: str) -> list[tuple[str, str]]:
        found, at = list[tuple[str, str]](), 0
        while at < len(text):
            match = _TOKEN.match(text, at)
            if match is None or match.lastgroup is None:
                raise Refused(f"{self.name}: {text[at : at + 20]!r} cannot be read")
            found.append((match.lastgroup, match[match.lastgroup]))
            at = match.end()
        return found

    @property
    def bare(self) -> bool:
        """Whether it is a number or a date of the text and nothing else."""
        return len(self.tokens) == 1 and self.tokens[0][0] != "name"

    @property
    def worked(self) -> str:
        told = (self._told(kind, word) for kind, word in self.tokens)
        return re.sub(r"(?<=\() | (?=[,)])", "", " ".join(told))

    def _told(self, kind: str, word: str) -> str:
        return self.known[word].shown if kind == "name" and word in self.known else word

    def whole(self) -> Value:
        value = self._comparison()
        if self.at < len(self.tokens):
            raise Refused(f"{self.name}: {self.tokens[self.at][1]!r} is out of place")
        if isinstance(value, Fraction) and abs(value) > LARGEST:
            raise Refused(f"{self.name}: too large")
        return value

    def _next(self, *marks: str) -> str:
        if self.at < len(self.tokens) and self.tokens[self.at] in [("mark", mark) for mark in marks]:
            self.at += 1
            return self.tokens[self.at - 1][1]
        return ""

    def _comparison(self) -> Value:
        left = self._sum()
        mark = self._next("<=", ">=", "==", "!=", "<", ">")
        return _COMPARED[mark](left, self._sum()) if mark else left

    def _sum(self) -> Value:
        value = self._product()
        while mark := self._next("+", "-"):
            value = _added(value, self._product(), 1 if mark == "+" else -1)
        return value

    def _product(self) -> Value:
        value = self._signed()
        while mark := self._next("*", "//", "/", "%"):
            value = _MULTIPLIED[mark](_plain(value), _plain(self._signed()))
        return value

    def _signed(self) -> Value:
        if self._next("-"):
            return -_plain(self._signed())
        value = self._atom()
        if self._next("**"):
            power = _plain(self._atom())
            if power.denominator != 1 or not 0 <= power <= 10:
                raise Refused(f"{self.name}: a power is a whole number up to ten")
            value = Fraction(_plain(value) ** int(power))
        return value

    def _atom(self) -> Value:
        if self._next("("):
            return self._closed(self._comparison, ")")
        if self.at >= len(self.tokens):
            raise Refused(f"{self.name}: ends too early")
        kind, word = self.tokens[self.at]
        self.at += 1
        if kind == "number":
            self.literals.append(number(word))
            return self.literals[-1]
        if kind == "quoted":
            self.moments.append(_moment(word[1:-1]))
            return self.moments[-1]
        if kind == "name" and word in FUNCTIONS and self._next("("):
            return FUNCTIONS[word](self._closed(self._arguments, ")"))
        if kind == "name" and word in self.known:
            self.used.append(word)
            return self.known[word].value
        raise Refused(f"{self.name}: {word!r} is not known")

    def _closed(self, read: Callable[[], T], mark: str) -> T:
        self.depth += 1
        if self.depth > DEEPEST:
            raise Refused(f"{self.name}: nested too deep")
        value = read()
        if not self._next(mark):
            raise Refused(f"{self.name}: a bracket is not closed")
        self.depth -= 1
        return value

    def _arguments(self) -> list[Value]:
        if self._next("["):
            return self._closed(self._arguments, "]")
        values = [self._comparison()]
        while self._next(","):
            values.append(self._comparison())
        return values


def _moment(written: str) -> Value:
    """A day, or a clock as minutes since midnight."""
    if day := _DAY.fullmatch(written):
        return date(*map(int, day.groups()))
    clock = _CLOCK.fullmatch(written)
    if clock is None:
        raise Refused(f"{written!r} is no date and no time")
    return Fraction(int(clock[1]) * 60 + int(clock[2]))


def _plain(value: Value) -> Fraction:
    if isinstance(value, bool) or not isinstance(value, Fraction):
        raise Refused("arithmetic needs numbers")
    return value


def _added(left: Value, right: Value, sign: int) -> Value:
    if isinstance(left, date) and isinstance(right, date):
        if sign > 0:
            raise Refused("two dates cannot be added")
        return Fraction((left - right).days)
    if isinstance(left, date):
        return left + timedelta(days=sign * int(_plain(right)))
    return _plain(left) + sign * _plain(right)


def _divided(left: Fraction, right: Fraction) -> Fraction:
    if not right:
        raise Refused("division by zero")
    return left / right


def _compared(test: Callable[[Fraction | int, Fraction | int], bool]) -> Callable[[Value, Value], bool]:
    def compare(left: Value, right: Value) -> bool:
        if isinstance(left, date) and isinstance(right, date):
            return test(left.toordinal(), right.toordinal())
        return test(_plain(left), _plain(right))

    return compare


def _numbers(values: Sequence[Value]) -> list[Fraction]:
    return [_plain(value) for value in values]


def _places(given: Sequence[Value]) -> int:
    return min(6, max(0, int(_plain(given[0])))) if given else 0


_COMPARED = {
    "<": _compared(lambda a, b: a < b),
    ">": _compared(lambda a, b: a > b),
    "<=": _compared(lambda a, b: a <= b),
    ">=": _compared(lambda a, b: a >= b),
    "==": _compared(lambda a, b: a == b),
    "!=": _compared(lambda a, b: a != b),
}
_MULTIPLIED: Mapping[str, Callable[[Fraction, Fraction], Fraction]] = {
    "*": lambda a, b: a * b,
    "/": _divided,
    "//": lambda a, b: Fraction(floor(_divided(a, b))),
    "%": lambda a, b: a - b * floor(_divided(a, b)),
}
FUNCTIONS: Mapping[str, Callable[[list[Value]], Value]] = {
    "sum": lambda values: sum(_numbers(values), Fraction(0)),
    "min": lambda values: min(_numbers(values)),
    "max": lambda values: max(_numbers(values)),
    "abs": lambda values: abs(_plain(values[0])),
    "mean": lambda values: sum(_numbers(values), Fraction(0)) / len(values),
    "floor": lambda values: Fraction(floor(_plain(values[0]))),
    "ceil": lambda values: Fraction(ceil(_plain(values[0]))),
    "round": lambda values: Fraction(round(_plain(values[0]), _places(values[1:]))),
    "days": lambda values: _added(values[1], values[0], -1),
}
