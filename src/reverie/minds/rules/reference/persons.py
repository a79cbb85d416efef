"""Whom a sentence speaks of: by a role ("my sister Ada", "a man in Borth"), or by a name that does what persons do."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from reverie.language.vocabulary import STOP_WORDS, word_set
from reverie.minds.dictionary import is_ordinary
from reverie.minds.rules.reference.leaning import is_capital, is_deed, is_verb
from reverie.minds.rules.reference.words import MEN, PERSONS, PLACES, WOMEN

_CAPITAL = re.compile(r"(?:(?<=[\w,;:)’'] )|(?<=Dr\. )|(?<=Mr\. )|(?<=Mrs\. )|(?<=Ms\. ))[A-ZÀ-Þ][\w-]*[a-zà-ÿ][\w-]*")


@lru_cache(maxsize=512)
def _capitals(text: str) -> frozenset[str]:
    return frozenset(
        word.lower() for word in _CAPITAL.findall(text) if is_capital(word) and word.lower() not in STOP_WORDS
    )


def names_in(texts: Iterable[str]) -> frozenset[str]:
    """The words that somebody wrote with a capital within a sentence, or that do what persons do, in small letters: who
    types "joojo" means Joojo.
    """
    return frozenset().union(*(_capitals(text) | _doers(text) for text in texts))


_DOES = re.compile(
    r"(?:^|[.!?,:;] |\b(?:also|and|but|so|btw|because|that|if|when) )([^\W\d_]{3,})(?:'s (?:retiring|pregnant"
    r"|allergic|moving|leaving|coming)|"
    r" (?:is (?:\d+ (?:years?|months?|now)\b|allergic|pregnant|ill|sick|away)|turns \d|said|says|wants|thinks|told"
    r"|asked|loves|likes|hates"
    r"|wrote"
    r"|texted|cried|called|plays|knows|asks|teaches|drives|works at|refuses|promised|can't eat|has a fever))\b",
)
_KIN_NAMED = re.compile(
    r"\b(?:my|our) (?:wife|husband|sister|brother|son|daughter|mother|father|girlfriend|boyfriend|partner|dog|cat|boss"
    r"|manager|flatmate|roommate|tutor|supervisor|co-?founder|colleague) ([^\W\d_]{3,})"
    r"(?= (?:is|has|was|works|lives|does|will)\b|,|'s\b)"
)
_WITH = re.compile(r"\b(?:with|ask|asked|told|met) ([^\W\d_]{3,}), (?:he|she)\b")


_IS_KIN = re.compile(
    r"\b([^\W\d_]{3,})(?:'s| is) (?:my|our) (?:wife|husband|sister|brother|son|daughter|mother|father|girlfriend"
    r"|boyfriend|partner|boss|manager|flatmate|tutor|supervisor|co-?founder|colleague|childminder|eldest|youngest)\b"
)
# Who begins with themselves; what is an ordinary word is none: "i'm tired, i slept badly".
_ONESELF = re.compile(r"\bi'?m ([^\W\d_]{3,})(?=[,.(]| and i\b)|(?:^|[.!,] )([^\W\d_]{3,}) here,")


@lru_cache(maxsize=512)
def _doers(text: str) -> frozenset[str]:
    """Words that do what only persons do, though nobody wrote them with a capital.

    >>> sorted(_doers("i'm ilka, i write code. oddvar's my husband")), sorted(_doers("i'm tired, this is my boss"))
    (['ilka', 'oddvar'], [])
    """
    found = {word.lower() for one in (_DOES, _WITH, _KIN_NAMED, _IS_KIN) for word in one.findall(text)}
    found |= {word for pair in _ONESELF.findall(text) for word in pair if word and not is_ordinary(word)}
    return frozenset(word for word in found if word not in STOP_WORDS and word not in PERSONS and word not in _NOBODY)


_NOBODY = word_set(
    "which that everyone everybody nobody one each also and but who people mum mom dad school it she he they this there"
)


_TOKEN = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*|[.!?,;:()\"]")
_OWN = word_set("my our the a an new another old this that your")
_GREETS = word_set("hello hi hey morning afternoon evening thanks welcome dear bye goodbye night sorry")
_MINE = word_set("my our your")
_ARTICLES = word_set("the a an this that these those")
_TO_PERSONS = word_set("with ask asked tell told met meet thank mr mrs ms dr")


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody that a sentence speaks of, in its words."""

    shown: str
    key: str
    named: bool = False
    sure: bool = True  # a role, a title or a deed shows that it is somebody


def persons_in(sentence: str, names: frozenset[str]) -> list[Person]:
    """Whom a sentence speaks of, in order.

    >>> [one.shown for one in persons_in("My sister Ada met a man in Borth, and Bela rang.", frozenset({"bela"}))]
    ['My sister Ada', 'a man in Borth', 'Bela']
    """
    spans = [(match.group(), match.start(), match.end()) for match in _TOKEN.finditer(sentence)]
    found: list[Person] = []
    i = 0
    while i < len(spans):
        first, last, sure = _person_at(spans, i, names)
        if last > i:
            shown = sentence[spans[first][1] : spans[last - 1][2]]
            shown = re.sub(r"['’]s$", "", re.sub(r"^[Yy]our ", "", shown))
            found.append(
                Person(
                    shown,
                    shown.split()[-1].lower(),
                    any(_bare(word) in names or is_capital(word) for word in shown.split()),
                    sure,
                )
            )
        i = max(last, i + 1)
    return found


Spans = Sequence[tuple[str, int, int]]


def _person_at(spans: Spans, i: int, names: frozenset[str]) -> tuple[int, int, bool]:
    """The span of a person whose role or name begins at `i`: first, one past the last (`i` if nobody), and whether
    it is surely a person."""
    low = _bare(spans[i][0])
    if low in PERSONS:
        last = start = _in_law(spans, i + 1)
        if low in _TITLES:
            last = start = i + 1 + (start < len(spans) and spans[start][0] == ".")
            last = min(last + 1, len(spans))
        while last < len(spans) and _is_name(spans, last, names):
            last += 1
        if last == start:
            last = _where_from(spans, start)
        first = _owner(spans, i)
        if first == i and last == start and low not in _KIN:
            return i, i, False  # "medical officer": anybody
        certain = spans[first][0].lower() in _MINE or last > start or (first == i and low in _KIN)
        return first, last, certain
    if _is_name(spans, i, names) and _is_somebody(spans, i, names):
        last = i + 1
        while last < len(spans) and _is_name(spans, last, names) and spans[last][0][:1].isupper():
            last += 1
        return i, last, _does_something(spans, i, last)
    return i, i, False


_KIN = (WOMEN | MEN) - word_set("girl woman lady boy man guy bloke lad chap dude king queen priest bride groom")
_TITLES = ("mr", "mrs", "ms", "dr")


def _in_law(spans: Spans, i: int) -> int:
    return i + 2 if [span[0].lower() for span in spans[i : i + 2]] == ["in", "law"] else i


def _bare(word: str) -> str:
    """A word in small letters, without what marks an owner."""
    return re.sub(r"['’]s$", "", word.lower())


def _is_name(spans: Spans, i: int, names: frozenset[str]) -> bool:
    word = spans[i][0]
    if i and word[:1].isupper() and spans[i - 1][0] not in '.!?"' and is_capital(word):
        return _bare(word) not in STOP_WORDS
    return _bare(word) in names


def _is_somebody(spans: Spans, i: int, names: frozenset[str]) -> bool:
    """Whether a name is used as persons' names are: they act, own, or somebody does something with them."""
    before = spans[i - 1][0].lower() if i else "."
    after = next((spans[k][0].lower() for k in range(i + 1, len(spans)) if not _is_name(spans, k, names)), ".")
    if before in PLACES or before in _GREETS or before in _ARTICLES or (before == "," and after in ".!?"):
        return False
    return is_verb(after) or spans[i][0].endswith(("'s", "’s")) or before in _TO_PERSONS or after == "("


def _does_something(spans: Spans, first: int, last: int) -> bool:
    before = spans[first - 1][0].lower() if first else "."
    return before in _TO_PERSONS or (last < len(spans) and is_deed(spans[last][0].lower()))


def _owner(spans: Spans, i: int) -> int:
    """Where "my older sister" begins."""
    for back in (1, 2, 3):
        if i - back < 0:
            break
        word = spans[i - back][0].lower()
        if word in _OWN or word.endswith(("'s", "’s")):
            return i - back
        if not word.isalpha() or word in STOP_WORDS or is_verb(word):
            break
    return i


def _where_from(spans: Spans, i: int) -> int:
    """One past "called Macsen", "in Borth", "from the clinic"."""
    if i + 1 < len(spans) and spans[i][0].lower() in ("called", "named"):
        return i + 2
    if i + 1 < len(spans) and spans[i][0].lower() in ("in", "from", "at") and spans[i + 1][0][:1].isupper():
        return i + 2
    return i
