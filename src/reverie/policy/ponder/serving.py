"""Whether something worked out ahead answers a question, and what of it is the answer.

A question asks for an operation (a total, a difference, the most, how long) on something that it names. What was
worked out says both in its first words, so the two can be compared by words alone: fast enough for the hot path.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import Literal, NamedTuple, TypeVar

from reverie.language.words import stem, stems, terms, tokens
from reverie.model.hits import Hit

Operation = Literal[
    "total", "average", "highest", "lowest", "difference", "order", "count", "duration", "days", "kin", "date"
]
T = TypeVar("T")
PREFIX = "study:"  # the session of what a document holds and of what was worked out from it

# The first that fits counts: "how many more" is a difference before it is a count.
_ASKING: tuple[tuple[Operation, str], ...] = (
    ("kin", r"grand\w{3,8}|aunts?|uncles?|cousins?|siblings?|nieces?|nephews?"),
    ("days", r"how many (?:days|weeks)|days (?:until|between|from|left|before|are)"),
    ("difference", r"difference|how (?:much|many) (?:more|less|fewer|longer|further|higher|lower|cheaper)"),
    ("difference", r"by how (?:much|many)|(?:more|less|worse|(?!rather|other)\w{2,9}er) (?:[\w'’]{1,20} ){0,4}than"),
    ("difference", r"left over|remain\w{0,5}|over budget|under budget"),
    ("average", r"average|mean|on average"),
    ("total", r"total|altogether|in all|add up to|over the \w{2,9} (?:days|weeks|months|years)"),
    ("duration", r"how (?:long|many (?:minutes|hours|seconds))|duration"),
    ("order", r"ranking|rank|in (?:what|which) order|second|third|fourth|order of|earliest|latest|first|last"),
    ("highest", r"most|highest|largest|biggest|longest|maximum|greatest|heaviest|best|top|dearest|won|wins|winner"),
    ("lowest", r"least|lowest|smallest|shortest|fewest|minimum|cheapest|lightest|worst|soonest"),
    ("total", r"combined|sum|overall|together|all of (?:them|the)|whole|entire"),
    ("count", r"how many|number of"),
    ("date", r"by when|what date|which date|on (?:what|which) day|when|deadline"),
    ("total", r"how much|costs?"),
)
_ASKED = tuple((name, re.compile(rf"\b(?:{shape})\b", re.I)) for name, shape in _ASKING)
_TOLD: tuple[tuple[Operation, re.Pattern[str]], ...] = (
    ("total", re.compile(r"(?:Total|Cost of)\b")),
    ("average", re.compile(r"Average\b")),
    ("highest", re.compile(r"(?:Highest|Longest) ")),
    ("lowest", re.compile(r"(?:Lowest|Shortest) ")),
    ("difference", re.compile(r"Difference\b")),
    ("order", re.compile(r"(?:Ranking|Order) by\b")),
    ("count", re.compile(r"Number of\b|\w{2,20} has \d{1,3} grandchildren\b")),
    ("duration", re.compile(r"(?:Total d|D)uration\b|Longest gap\b")),
    ("days", re.compile(r"Days (?:from|until|between)\b")),
    (
        "kin",
        re.compile(r"\w{2,20}(?:'s| and \w{2,20} are) (?:grand|aunt|uncle|cousin|sibling)|\w{2,20} has \d{1,3} grand"),
    ),
    ("date", re.compile(r".{1,40} (?:before|after|prior to|from|following) .{1,30} is \d{1,2} [A-Z]")),
)
# What one operation may be read off: an order holds the first and the last, a log's gap is a duration.
_SERVES: dict[Operation, frozenset[str]] = {
    "total": frozenset(("total", "duration")),
    "duration": frozenset(("duration", "total")),
    "highest": frozenset(("highest", "order")),
    "lowest": frozenset(("lowest", "order")),
    "order": frozenset(("order", "highest", "lowest")),
    "days": frozenset(("days",)),
    "count": frozenset(("count", "total", "kin")),
    "kin": frozenset(("kin", "count")),
}
_CUE_WORDS = """
    total altogether combined sum overall together average mean difference more less fewer than most least highest
    lowest largest smallest biggest longest shortest maximum minimum cheapest greatest best how much many long what
    which who whom whose when where is are was were do does did will would there all number of cost costs amount money
    spent spend pay paid have has had need takes take item items one ones each every between and in on rank ranking
    order second third first last earliest latest by entire whole left over remain remaining dollars euros get gets
    pounds points kilometres kilograms minutes hours seconds days weeks months years two three four five six seven
    thing things list table dearest soonest expensive often moment now add adds up better worse longer score
    scored scores won wins winner lie lies
"""
_CUES = frozenset(stem(word) for word in _CUE_WORDS.split())
_MONEY = re.compile(r"[$€£¥]")
_HOW_MUCH = re.compile(
    r"\b(?:how much|costs?|price|pay|paid|spend|dollars|euros|revenue|bill|cheap\w{0,3}|expensive|dearest)\b", re.I
)
_HOW_MANY = re.compile(r"\bhow many\b", re.I)
LEAST = 0.6  # of the words that a question names


class Covered(NamedTuple):
    """How well a thought covers a question: compared from left to right."""

    score: float  # of the question's own words, how many the thought holds
    same: bool  # it is the very operation that was asked for
    fits: bool  # an amount of money where one is asked for, and none where a number is
    head: int  # words of its first part that the question has, small ones too


def operation(question: str) -> Operation | None:
    """
    >>> operation("How many more tickets did Ann sell than Bo?"), operation("Who is Ann's boss?")
    ('difference', None)
    """
    return next((name for name, shape in _ASKED if shape.search(question)), None)


def told(text: str) -> Operation | None:
    """The operation that a thought is the result of.

    >>> told("Total rent (2026): $3 + $4 = $7"), told("Ann lives in Rome")
    ('total', None)
    """
    return next((name for name, shape in _TOLD if shape.match(text)), None)


def covers(question: str, text: str) -> Covered | None:
    """How well a thought covers a question; None if it is not what was asked for.

    >>> covers("What is the total rent?", "Total rent (2026): $3 + $4 = $7")
    Covered(score=1.0, same=True, fits=True, head=2)
    >>> covers("What is the average rent?", "Total rent (2026): $3 + $4 = $7")
    """
    asked, wanted, words = _read(question)
    result = told(text)
    if result is not None and (asked is None or result not in _SERVES.get(asked, frozenset((asked,)))):
        return None
    held = wanted.intersection(terms(text))
    if result is None and len(held) < (1 if asked else 2):
        return None
    score = len(held) / len(wanted) if wanted else float(result == asked)
    if score < LEAST:
        return None
    head = words.intersection(stems(tokens(text.partition(": ")[0])))
    return Covered(round(score, 3), result == asked, _fits(question, text), len(head))


@lru_cache(maxsize=64)
def _read(question: str) -> tuple[Operation | None, frozenset[str], frozenset[str]]:
    """What a question asks for, the words that it names, and all its words: read once, compared with many thoughts."""
    return operation(question), frozenset(terms(question)) - _CUES, frozenset(stems(tokens(question)))


def _fits(question: str, text: str) -> bool:
    money = bool(_MONEY.search(text))
    return money if _HOW_MUCH.search(question) else not money if _HOW_MANY.search(question) else True


def instead(hits: Sequence[Hit], question: str) -> list[Hit]:
    """The hits as a context shows them: of what was worked out ahead, the few that answer the question, and of the
    documents that those come from nothing else: what they rest on is one lookup away.
    """
    pondered = {hit.id for hit in hits if hit.kind == "insight" and hit.session is not None}
    if not pondered:
        return list(hits)
    kept = {hit.id: hit for hit in best(question, (hit for hit in hits if hit.id in pondered), lambda hit: hit.text)}
    served = {hit.session for hit in kept.values() if (hit.session or "").startswith(PREFIX)}
    shown = (hit for hit in hits if hit.id in kept or hit.id not in pondered)
    return [hit for hit in shown if hit.id in kept or hit.session not in served]


def best(question: str, thoughts: Iterable[T], text: Callable[[T], str], most: int = 3) -> list[T]:
    """The few that cover a question best, the best first; of equal ones the shortest."""
    scored = [(found, one) for one in thoughts if (found := covers(question, text(one))) is not None]
    scored.sort(key=lambda pair: (*(-float(part) for part in pair[0]), len(text(pair[1]))))
    return [one for _, one in scored[:most]]


def answer(question: str, thoughts: Sequence[tuple[str, str]]) -> str | None:
    """The value that answers a question, from (text, value) pairs; None where none does, or two do and disagree.

    >>> said = [("Difference in rent: Ann - Bo = $3; Ann - Cy = $5", "Ann - Bo = $3; Ann - Cy = $5")]
    >>> answer("How much more rent does Ann pay than Cy?", said)
    '$5'
    """
    known = [pair for pair in thoughts if pair[1]]
    found = [pair for pair in best(question, known, lambda pair: pair[0], most=12) if not _is_part(question, pair)]
    if not found:
        return None
    parts = ((text, _sized(question, text, _part(question, value))) for text, value in found)
    named = [(text, part) for text, part in parts if part is not None]
    top = covers(question, named[0][0]) if named else None
    if top is None or top[:3] != (covers(question, found[0][0]) or ())[:3]:
        return None  # what covers it better has no part that it names
    rivals = {part for text, part in named if covers(question, text) == top}
    given = _in_unit(question, rivals.pop()) if len(rivals) == 1 else None
    return given if given is not None and _of_kind(question, given) else None


def _of_kind(question: str, value: str) -> bool:
    """Whether a value is of the kind that is asked for: no number says who, and no name how many.

    >>> _of_kind("Who is Ann's cousin?", "9"), _of_kind("How many cousins?", "9"), _of_kind("How much?", "Ann")
    (False, True, False)
    """
    if _WHO.search(question):
        return any(letter.isalpha() for letter in value)
    return not _HOW.search(question) or any(letter.isdigit() for letter in value)


def _is_part(question: str, pair: tuple[str, str]) -> bool:
    """Whether the question is about one of the rows that a total sums up: then the total is not its answer."""
    text, value = pair
    if ";" in value or told(text) not in ("total", "average") or " + " not in text:
        return False
    asked = set(terms(question))
    head = set(terms(text.partition(": ")[0]))
    rows = text.partition(": ")[2].rpartition(" = ")[0].split(" + ")
    return any(asked & (set(terms(_ROW_VALUE.split(row)[0])) - head - _CUES) for row in rows)


def _part(question: str, value: str) -> str | None:
    """The part of a list of results that the question names; None if it names none of several."""
    parts = [part.strip() for part in value.split(";")]
    if len(parts) == 1:
        return value.rpartition(" = ")[2] or value
    asked = set(terms(question))
    named = [(len(asked & set(terms(part.partition(" = ")[0]))), n) for n, part in enumerate(parts)]
    named.sort(key=lambda one: (-one[0], one[1]))
    if not named[0][0] or (len(named) > 1 and named[1][0] == named[0][0]):
        return None
    return parts[named[0][1]].rpartition(" = ")[2]


def _sized(question: str, text: str, part: str | None) -> str | None:
    """How far over plan something is, as a size; None if it is not over at all.

    >>> _sized("By how much were meals over plan?", "Difference planned - spent: Meals = -56", "-56")
    '56'
    """
    if part is None or not _OVER.search(question) or not _TWO_COLUMNS.match(text):
        return part
    return part[1:] if part.startswith("-") else None


def _in_unit(question: str, value: str | None) -> str | None:
    """A stretch of time in the unit that the question names.

    >>> _in_unit("How many minutes is it open?", "1 h 30 min (90 min, 1.5 h)")
    '90 min'
    >>> _in_unit("How long did it take, in minutes?", "900 s")
    '15 min'
    """
    seconds = _SECONDS.fullmatch(value or "")
    if seconds and re.search(r"\bminutes?\b", question, re.I):
        minutes, rest = divmod(int(seconds[1].replace(",", "")), 60)
        return f"{minutes} min" if not rest else None
    found = _STRETCH.search(value or "") if _HOW.search(question) else None
    if found is None:
        return value
    if re.search(r"\bminutes?\b", question, re.I):
        return found[1]
    return found[2] if re.search(r"\bhours?\b", question, re.I) else value


_ROW_VALUE = re.compile(r"(?<![\w.,])[$€£¥]?\d[\d,.]{0,19}")
_HOW = re.compile(r"\bhow (?:many|much|long)\b|\bin (?:minutes|hours)\b", re.I)
_OVER = re.compile(r"\bover (?:the )?(?:plan|budget)\b|\bexceed\w{0,3}\b|\boverspen\w{1,3}\b", re.I)
_TWO_COLUMNS = re.compile(r"Difference [^:]{1,60} - ")
_WHO = re.compile(r"\b(?:who|whom|whose)\b", re.I)
_SECONDS = re.compile(r"([\d,]{1,9}) s")
_STRETCH = re.compile(r"\(([\d,]{1,9} min), ([\d.,]{1,9} h)\)")
