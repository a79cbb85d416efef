"""Whether something worked out ahead answers a question, and what of it is the answer.

A question asks for an operation (a total, a difference, the most, how long) on something that it names. What was
worked out says both in its first words, so the two can be compared by words alone: fast enough for the hot path.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Literal, NamedTuple, TypeVar

from reverie.language.words import stem, terms
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
    ("difference", r"by how (?:much|many)|(?:more|less|fewer|longer|cheaper) (?:\w{1,20} ){0,4}than"),
    ("difference", r"left over|remain\w{0,5}|over budget|under budget"),
    ("average", r"average|mean|on average"),
    ("order", r"ranking|rank|in (?:what|which) order|second|third|fourth|order of|earliest|latest|first|last"),
    ("highest", r"most|highest|largest|biggest|longest|maximum|greatest|heaviest|best|top|winner|won"),
    ("lowest", r"least|lowest|smallest|shortest|fewest|minimum|cheapest|lightest|worst"),
    ("total", r"total|altogether|in all|combined|sum|overall|together|all of (?:them|the)|whole|entire"),
    ("duration", r"how (?:long|many (?:minutes|hours|seconds))|duration"),
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
    ("days", re.compile(r"Days (?:from|until)\b")),
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
"""
_CUES = frozenset(stem(word) for word in _CUE_WORDS.split())
LEAST = 0.6  # of the words that a question names


class Covered(NamedTuple):
    score: float  # of the question's own words, how many the thought holds
    named: int


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
    Covered(score=1.0, named=1)
    >>> covers("What is the average rent?", "Total rent (2026): $3 + $4 = $7")
    """
    asked, result = operation(question), told(text)
    if asked is None or (result is not None and result not in _SERVES.get(asked, frozenset((asked,)))):
        return None
    wanted = set(terms(question)) - _CUES
    held = wanted & set(terms(text))
    if result is None and not held:
        return None
    score = len(held) / len(wanted) if wanted else (1.0 if result == asked else 0.0)
    bonus = 0.05 if result == asked else 0.0
    return Covered(min(1.0, score + bonus) if score < 1 else 1.0, len(held)) if score >= LEAST else None


def instead(hits: Sequence[Hit], question: str) -> list[Hit]:
    """The hits without raw passages of a document where something worked out from them answers the question.

    The passages stay one lookup away: the insight names its sources.
    """
    pondered = [hit for hit in hits if hit.kind == "insight" and (hit.session or "").startswith(PREFIX)]
    answering = [hit for hit in pondered if covers(question, hit.text)]
    if not answering:
        return list(hits)
    served = {hit.session for hit in answering}
    kept = {hit.id for hit in best(question, answering, lambda hit: hit.text)}
    return [hit for hit in hits if hit.session not in served or hit.id in kept]


def best(question: str, thoughts: Iterable[T], text: Callable[[T], str], most: int = 3) -> list[T]:
    """The few that cover a question best, the best first; of equal ones the shortest."""
    scored = [(found, one) for one in thoughts if (found := covers(question, text(one))) is not None]
    scored.sort(key=lambda pair: (-pair[0].score, -pair[0].named, len(text(pair[1]))))
    return [one for _, one in scored[:most]]


def answer(question: str, thoughts: Sequence[tuple[str, str]]) -> str | None:
    """The value that answers a question, from (text, value) pairs; None where none does, or two do and disagree.

    >>> said = [("Difference in rent: Ann - Bo = $3; Ann - Cy = $5", "Ann - Bo = $3; Ann - Cy = $5")]
    >>> answer("How much more rent does Ann pay than Cy?", said)
    '$5'
    """
    found = best(question, thoughts, lambda pair: pair[0], most=6)
    if not found:
        return None
    top = covers(question, found[0][0])
    rivals = [pair for pair in found if covers(question, pair[0]) == top]
    values = {_part(question, value) for _, value in rivals}
    return values.pop() if len(values) == 1 else None


def _part(question: str, value: str) -> str | None:
    """The part of a list of results that the question names; None if it names none of several."""
    parts = [part.strip() for part in value.split(";")]
    if len(parts) == 1:
        return value.rpartition(" = ")[2] or value
    asked = set(terms(question))
    scored = sorted(
        ((len(asked & set(terms(part.partition(" = ")[0]))), n) for n, part in enumerate(parts)), reverse=True
    )
    if not scored[0][0] or (len(scored) > 1 and scored[1][0] == scored[0][0]):
        return None
    return parts[scored[0][1]].rpartition(" = ")[2]
