"""How two facts stand to each other. Wrong retirement is the worst error, so doubt answers "conflict" or "none"."""

import re
from functools import lru_cache

from reverie.language.words import stems, tokens
from reverie.minds.rules.regions import is_region
from reverie.model.base import DAY
from reverie.model.memories import Memory
from reverie.model.thinking import Clash

_OPPOSED = {frozenset(("likes", "dislikes")), frozenset(("favorite", "dislikes")), frozenset(("prefers", "dislikes"))}
_ALIKE = (
    {"likes", "favorite", "prefers"},
    {"owns", "drives", "has_pet"},
    {"spouse", "partner"},
    {"uses", "prefers", "decided"},
    {"friend", "colleague", "relation"},
    {"habit", "plays", "likes"},
    {"plans", "goal", "event"},
)
# With these a later statement of the same speaker replaces the earlier one even without a word like "now".
_MOVES_ON = {
    "lives_in": 1 * DAY,
    "works_at": 1 * DAY,
    "job": 30 * DAY,
    "age": 30 * DAY,
    "favorite": 1 * DAY,
    "phone": 7 * DAY,
    "drives": 30 * DAY,
}
_FIXED = {"birthday", "from"}  # nobody changes these: two values are a mistake somewhere
_ADDS = {"also", "too", "second", "another"}
_DIETS = {
    "vegetarian",
    "vegan",
    "pescatarian",
    "omnivore",
    "keto",
    "paleo",
    "carnivore",
    "flexitarian",
    "meat eater",
    "low carb",
}


def rivals(predicate: str) -> frozenset[str]:
    """The predicates whose facts may clash with one of this predicate, itself included.

    >>> sorted(rivals("dislikes"))
    ['dislikes', 'favorite', 'likes', 'prefers']
    """
    found = {predicate}
    for pair in _OPPOSED:
        if predicate in pair:
            found |= pair
    for group in _ALIKE:
        if predicate in group:
            found |= group
    if predicate == "job":
        found.add("works_at")
    return frozenset(found)


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
    if _negated(newer) or _negated(older):
        return _with_negation(older, newer)
    if frozenset((older.predicate, newer.predicate)) in _OPPOSED:
        return _opposed(older, newer)
    if older.predicate != newer.predicate:
        return _across(older, newer)
    return _same_predicate(older, newer)


def _comparable(older: Memory, newer: Memory) -> bool:
    if not (older.subject and newer.subject and older.predicate and newer.predicate and older.value and newer.value):
        return False
    if older.subject.casefold() != newer.subject.casefold():
        return False
    first, second = _relation(older), _relation(newer)
    return not (first and second and first != second)  # two persons of one name


def _relation(memory: Memory) -> str:
    """The aside that tells persons of one name apart: "Anna (the user's cousin) lives in Kiel"."""
    match = re.match(r"[^()]{1,60} \((?P<relation>[^()]+)\) ", memory.text)
    return match["relation"] if match else ""


def _negated(memory: Memory) -> bool:
    return bool(memory.metadata.get("negated"))


def _cue(memory: Memory) -> str:
    return str(memory.metadata.get("cue") or "")


@lru_cache(maxsize=4096)
def _bag(value: str) -> frozenset[str]:
    dropped = {"a", "an", "the", "my", "our", "new", "old", "to", "of", "no", "name", "call", "some", "this", "that"}
    told = (re.sub(r"^(\d+)(?:st|nd|rd|th)$", r"\1", word) for word in tokens(value) if word not in dropped)
    return frozenset(stems(told))


def same_value(a: str, b: str) -> bool:
    """Whether two values mean the same thing, one perhaps said more fully.

    >>> same_value("a dog named Rex", "dog Rex"), same_value("tea", "green tea ice cream")
    (True, False)
    """
    first, second = _bag(a), _bag(b)
    if not first or not second:
        return a.casefold() == b.casefold()
    small, large = sorted((first, second), key=len)
    return small <= large and len(large) - len(small) <= 1


def _gap(older: Memory, newer: Memory) -> float:
    return newer.dated - older.dated


def _arrow(older: Memory, newer: Memory) -> str:
    return f"{older.value} -> {newer.value}"


def _with_negation(older: Memory, newer: Memory) -> Clash:
    if not _close(older, newer) or not (same_value(_thing(older), _thing(newer)) or _cancels(older, newer)):
        return Clash("none", "the ending concerns another value")
    if _negated(newer) and not _negated(older):
        return Clash("update", f"said to be over ({_cue(newer) or 'ended'}): {older.value}", 0.95)
    if _negated(older) and not _negated(newer) and _cue(newer) and _gap(older, newer) > 0:
        return Clash("update", f"begun again ({_cue(newer)}): {newer.value}", 0.8)
    return Clash("none", "both say the same, or one tells of the past")


def _close(older: Memory, newer: Memory) -> bool:
    return older.predicate == newer.predicate or any({older.predicate, newer.predicate} <= group for group in _ALIKE)


_ACT = re.compile(
    r"^(?:use|go with|adopt|switch to|move to|stick with|(?:build|write|host|run|deploy) (?:it |this |everything )?"
    r"(?:with|on|in))\s+|\s+(?:for|as|in) .+$"
)


def _thing(memory: Memory) -> str:
    """What a fact is about: of the decision "use MySQL for the shop" it is MySQL."""
    value = memory.value or ""
    return _ACT.sub("", value) if memory.predicate == "decided" else value


def _cancels(older: Memory, newer: Memory) -> bool:
    """ "I cancelled my trip to Japan" ends the plan to visit Japan in spring."""
    small, large = _bag(newer.value or ""), _bag(older.value or "")
    return older.predicate == "plans" and _cue(newer) == "cancelled" and bool(small) and small <= large


def _opposed(older: Memory, newer: Memory) -> Clash:
    a, b = ((m.value or "").rpartition(": ")[2] for m in (older, newer))
    if not same_value(a, b) or len(_bag(a)) != len(_bag(b)):
        return Clash("none", "likes one thing, dislikes another")
    if _cue(newer):
        return Clash("update", f"changed their mind ({_cue(newer)}): {older.predicate} -> {newer.predicate} {b}", 0.9)
    return Clash("conflict", f"both {older.predicate} and {newer.predicate} {b}, no word of a change", 0.6)


def _across(older: Memory, newer: Memory) -> Clash:
    pair = {older.predicate, newer.predicate}
    if _replaced(older, newer):
        return Clash("update", f"{_cue(newer) or 'replaced'}: {_arrow(older, newer)}", 0.9)
    if newer.predicate == "job" and newer.value == "retired" and older.predicate == "works_at":
        return Clash("update", f"retired from {older.value}", 0.85)
    if pair <= {"spouse", "partner"}:
        if same_value(older.value or "", newer.value or ""):
            return Clash("extends", f"the same person, now {newer.predicate}")
        return Clash("update" if _cue(newer) in ("now", "actually") else "conflict", _arrow(older, newer), 0.7)
    return Clash("none", "different predicates")


def _same_predicate(older: Memory, newer: Memory) -> Clash:
    a, b = older.value or "", newer.value or ""
    if _replaced(older, newer):
        return Clash("update", f"{_cue(newer) or 'replaced'}: {_arrow(older, newer)}", 0.95)
    if older.predicate == "deadline":
        return _deadline(older, newer)
    if older.predicate == "decided":
        return _decision(older, newer)
    if same_value(a, b):
        return _said_again(older, newer)
    if older.predicate == "diet":
        return _diet(older, newer)
    if not (older.metadata.get("exclusive") or newer.metadata.get("exclusive")):
        return Clash("none", f"{older.predicate} may hold several values")
    return _exclusive(older, newer)


def _replaced(older: Memory, newer: Memory) -> bool:
    """Whether the newer fact names the older one's value as what it takes the place of."""
    replaces = str(newer.metadata.get("replaces") or "")
    if not replaces or not _close(older, newer) or not same_value(replaces, _thing(older)):
        return False
    if older.predicate == "deadline" and not _due_together(older, newer):
        return False
    return not same_value(_thing(older), _thing(newer))


def _due_together(older: Memory, newer: Memory) -> bool:
    """Two deadlines of one thing, perhaps named more briefly: "the billing pipeline", then "the billing"."""
    first, second = (_bag(m.text.rpartition(" is ")[0]) for m in (older, newer))
    return first <= second or second <= first


def _said_again(older: Memory, newer: Memory) -> Clash:
    a, b = older.value or "", newer.value or ""
    if _bag(a) == _bag(b):
        return Clash("none", "the same statement again")
    if older.predicate == "job" and _cue(newer) in ("promoted", "became", "now"):
        return Clash("update", f"{_cue(newer)}: {_arrow(older, newer)}", 0.9)
    if older.predicate in ("age", "name", "phone", "email", "birthday"):
        return _exclusive(older, newer) if older.predicate == "age" else Clash("extends", _arrow(older, newer), 0.7)
    return Clash("extends", f"says more: {_arrow(older, newer)}" if len(b) > len(a) else "said before in more words")


def _exclusive(older: Memory, newer: Memory) -> Clash:
    predicate, cue, gap = older.predicate or "", _cue(newer), _gap(older, newer)
    a, b = older.value or "", newer.value or ""
    if predicate == "favorite" and a.partition(": ")[0] != b.partition(": ")[0]:
        return Clash("none", "favourites of different things")
    if cue in _ADDS:
        return Clash("none", "said to hold beside the other")
    if predicate == "lives_in" and is_region(a) != is_region(b) and cue not in ("moved", "no longer"):
        return Clash("extends", f"a place within a region: {_arrow(older, newer)}", 0.7)
    if predicate in _FIXED:
        return Clash("update" if cue == "actually" else "conflict", f"cannot both be: {_arrow(older, newer)}", 0.8)
    if gap < 0:
        return Clash("conflict", f"said out of order: {_arrow(older, newer)}", 0.5)
    if cue:
        return Clash("update", f"{cue}: {_arrow(older, newer)}", 0.95)
    if predicate == "age":
        return _age(older, newer)
    if same_speaker(older, newer) and gap >= _MOVES_ON.get(predicate, float("inf")):
        return Clash("update", f"the same speaker, {gap / DAY:.0f} days later: {_arrow(older, newer)}", 0.8)
    return Clash("conflict", f"no word of a change: {_arrow(older, newer)}", 0.6)


def same_speaker(older: Memory, newer: Memory) -> bool:
    return (older.speaker or "user") == (newer.speaker or "user")


def _age(older: Memory, newer: Memory) -> Clash:
    try:
        grown = int(newer.value or "") - int(older.value or "")
    except ValueError:
        return Clash("conflict", _arrow(older, newer), 0.5)
    years = _gap(older, newer) / (365 * DAY)
    fits = 0 < grown <= years + 1
    return Clash("update" if fits else "conflict", f"{_arrow(older, newer)} after {years:.1f} years", 0.8)


def _diet(older: Memory, newer: Memory) -> Clash:
    a, b = (m.value or "" for m in (older, newer))
    labels = [next((d for d in _DIETS if d in v.casefold().replace("-", " ")), "") for v in (a, b)]
    if not all(labels) or labels[0] == labels[1] or (labels == ["vegetarian", "vegan"] and not _cue(newer)):
        return Clash("none", "diets that may go together")
    if _cue(newer):
        return Clash("update", f"{_cue(newer)}: {_arrow(older, newer)}", 0.9)
    return Clash("conflict", f"no word of a change: {_arrow(older, newer)}", 0.6)


def _decision(older: Memory, newer: Memory) -> Clash:
    a, b = (m.value or "" for m in (older, newer))
    if b.startswith("not ") and same_value(b[4:], a):
        return Clash("update", f"decided against it: {a}", 0.85)
    same_act = a.split()[:1] == b.split()[:1]
    if same_act and _cue(newer) in ("actually", "instead", "now", "no longer"):
        return Clash("update", f"{_cue(newer)}: {_arrow(older, newer)}", 0.8)
    return Clash("none", "two decisions")


def _deadline(older: Memory, newer: Memory) -> Clash:
    first, second = (m.text.rpartition(" is ")[0] for m in (older, newer))
    if first != second or (older.value or "").casefold() == (newer.value or "").casefold():
        return Clash("none", "deadlines of different things")
    if _cue(newer) or _gap(older, newer) >= DAY:
        return Clash("update", f"{_cue(newer) or 'later'}: {_arrow(older, newer)}", 0.8)
    return Clash("conflict", _arrow(older, newer), 0.6)
