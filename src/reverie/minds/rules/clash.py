"""How two facts on one matter stand to each other. Wrong retirement is the worst error: doubt marks, it never ends.

An update of confidence 0.95 ends the older one; one of 0.4 only puts the newer first.
"""

import re
from functools import lru_cache

from reverie.language.words import stems, tokens
from reverie.minds.rules.reading.matters import adds
from reverie.model.base import DAY
from reverie.model.memories import Memory
from reverie.model.thinking import Clash

SAID, LATER = 0.95, 0.4  # how sure an update is: said in so many words, or only later
LONG_BEFORE = 30 * DAY  # what happened so long before the older was said is a story, not news
_OPPOSED = frozenset(("likes", "dislikes"))
_FIXED = frozenset(("birthday", "name"))  # hardly anybody changes these: two values are a mistake somewhere

_COUNTRIES = frozenset(
    "Germany Austria Switzerland France Spain Portugal Italy Greece Turkey Poland Czechia Hungary Romania Ukraine "
    "Russia Sweden Norway "
    "Denmark Finland Iceland Ireland England Scotland Wales Britain UK Netherlands Holland Belgium Canada USA "
    "America Mexico Brazil "
    "Argentina Chile Peru Colombia India China Japan Korea Thailand Vietnam Indonesia Australia Nigeria Kenya Ghana "
    "Egypt Morocco Israel "
    "Europe Asia Africa California Texas Florida".split()
)


def rivals(predicate: str) -> frozenset[str]:
    """The predicates whose facts may clash with one of this predicate, itself included.

    >>> sorted(rivals("dislikes")), sorted(rivals("lives_in"))
    (['dislikes', 'likes'], ['lives_in'])
    """
    return _OPPOSED if predicate in _OPPOSED else frozenset((predicate,))


def clash(older: Memory, newer: Memory) -> Clash:
    """
    >>> from reverie.model.memories import Memory
    >>> a = Memory("a", "s", "fact", "", ("t",), 0.0, 0.0, subject="user", predicate="likes", value="tea")
    >>> b = Memory("b", "s", "fact", "", ("t",), 1.0, 1.0, subject="user", predicate="likes", value="coffee")
    >>> clash(a, b).kind
    'none'
    """
    if not _comparable(older, newer):
        return Clash("none", "different persons or subjects")
    if newer.happened_at is not None and newer.happened_at < older.dated - LONG_BEFORE:
        return Clash("none", "told of a time before the other was said")
    if _says(newer, "negated") or _says(older, "negated"):
        return _with_negation(older, newer)
    if older.predicate != newer.predicate:
        return _opposed(older, newer)
    if same_value(older.value or "", newer.value or ""):
        return Clash("none", "the same statement again")
    if not (_says(older, "exclusive") and _says(newer, "exclusive")):
        return Clash("none", f"{older.predicate} may hold several values")
    return _exclusive(older, newer)


def _comparable(older: Memory, newer: Memory) -> bool:
    if not (older.subject and newer.subject and older.predicate and newer.predicate and older.value and newer.value):
        return False
    return older.subject.casefold() == newer.subject.casefold() and newer.predicate in rivals(older.predicate)


def _says(memory: Memory, name: str) -> str:
    return str(memory.marks.get(name) or "")


@lru_cache(maxsize=4096)
def _bag(value: str) -> frozenset[str]:
    dropped = {"a", "an", "the", "my", "our", "new", "old", "to", "of", "no", "some", "this", "that", "on", "at", "by"}
    told = (re.sub(r"^(\d+)(?:st|nd|rd|th)$", r"\1", word) for word in tokens(value) if word not in dropped)
    return frozenset(stems(told))


def same_value(a: str, b: str) -> bool:
    """Whether two values mean the same thing, one perhaps said more fully.

    >>> same_value("18 March", "the 18th of march"), same_value("40", "80")
    (True, False)
    """
    first, second = _bag(a), _bag(b)
    if not first or not second:
        return a.casefold() == b.casefold()
    small, large = sorted((first, second), key=len)
    return small <= large and len(large) - len(small) <= 1


def _arrow(older: Memory, newer: Memory) -> str:
    return f"{older.value} -> {newer.value}"


def _with_negation(older: Memory, newer: Memory) -> Clash:
    if older.predicate != newer.predicate or not same_value(older.value or "", newer.value or ""):
        return Clash("none", "the ending concerns another value")
    if _says(newer, "negated") and not _says(older, "negated"):
        sure = LATER if says_more(older) else SAID
        return Clash("update", f"said to be over ({_says(newer, 'cue') or 'ended'}): {older.value}", sure)
    return Clash("none", "both say the same, or one tells of the past")


def _opposed(older: Memory, newer: Memory) -> Clash:
    if _bag(older.value or "") != _bag(newer.value or ""):
        return Clash("none", "likes one thing, dislikes another")
    if cue := _says(newer, "cue"):
        sure = LATER if says_more(older) else SAID
        return Clash("update", f"changed their mind ({cue}): {newer.predicate} {newer.value}", sure)
    return Clash("conflict", f"both {older.predicate} and {newer.predicate} {newer.value}, no word of a change", 0.6)


def _exclusive(older: Memory, newer: Memory) -> Clash:
    cue, replaces = _says(newer, "cue"), _says(newer, "replaces")
    if adds(newer.quote or newer.text):
        return Clash("none", "said to hold beside the other")
    if not same_speaker(older, newer):
        return Clash("conflict", f"two people say so: {_arrow(older, newer)}", 0.6)
    if replaces and not same_value(replaces, older.value or ""):
        return Clash("update", f"replaces {replaces}, not {older.value}", LATER)
    if cue:
        return Clash("update", f"{cue}: {_arrow(older, newer)}", LATER if says_more(older) else SAID)
    if newer.value in _COUNTRIES or older.value in _COUNTRIES:
        return Clash("none", f"a place within a country: {_arrow(older, newer)}")
    if older.predicate in _FIXED:
        return Clash("conflict", f"cannot both be: {_arrow(older, newer)}", 0.6)
    return Clash("update", f"later, no word of a change: {_arrow(older, newer)}", LATER)


def doubtful(older: Memory, newer: Memory) -> bool:
    """Whether the rules let both stand although the newer one has a word of change, which may mean the older.

    A model may say that it does; then the newer comes first, and nothing ends.
    """
    several = _comparable(older, newer) and not same_value(older.value or "", newer.value or "")
    if not several or older.predicate != newer.predicate or not same_speaker(older, newer):
        return False
    return bool(_says(newer, "cue")) and not adds(newer.quote or newer.text) and clash(older, newer).kind == "none"


_CLAUSES = re.compile(r"(?<!\s)\s+(?:and|but|because|so|while|where)\s+|[,;.!]\s+")


def clause_of(fact: Memory) -> str:
    """The part of a quote that holds the fact's value.

    >>> said = {"quote": "I live in Kiel and I work at Acme"}
    >>> clause_of(Memory("a", "s", "fact", "", ("t",), 0.0, value="Kiel", marks=said))
    'I live in Kiel'
    """
    return next((clause for clause in _CLAUSES.split(fact.quote) if fact.value and fact.value in clause), fact.quote)


def says_more(fact: Memory) -> bool:
    """Whether a quote would lose more than its value if it were ended."""
    return len(clause_of(fact)) < len(fact.quote.rstrip(" .!"))


def same_speaker(older: Memory, newer: Memory) -> bool:
    return (older.speaker or "user") == (newer.speaker or "user")
