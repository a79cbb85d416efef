"""Which two facts are worth asking about: the same subject, something new, and a reason to think they may clash."""

from collections.abc import Iterable

from reverie.model.memories import Memory
from reverie.policy.statements import statement_key
from reverie.policy.words import terms

# One may have many of these at once, so a second value alone is no reason to ask.
MANY = frozenset(
    {"likes", "dislikes", "favorite", "prefers", "owns", "has_pet", "has_child", "sibling", "parent", "friend"}
    | {"colleague", "relation", "speaks", "uses", "plays", "habit", "plans", "visited", "event", "remember", "goal"}
    | {"studies", "allergic_to", "health"}
)
OPPOSITES = (frozenset(("likes", "dislikes")), frozenset(("prefers", "dislikes")), frozenset(("favorite", "dislikes")))


def worth_asking(older: Memory, newer: Memory) -> bool:
    """
    >>> def says(predicate, value):
    ...     said = {"subject": "user", "predicate": predicate, "value": value}
    ...     return Memory(predicate + value, "s", "fact", "", ("t",), 0.0, **said)
    >>> tea, coffee, no_tea = says("likes", "tea"), says("likes", "coffee"), says("dislikes", "tea")
    >>> worth_asking(tea, coffee), worth_asking(tea, no_tea), worth_asking(says("lives_in", "A"), says("lives_in", "B"))
    (False, True, True)
    """
    if older.id == newer.id or statement_key(older) == statement_key(newer):
        return False
    if _says(newer, "replaces") or _says(newer, "negated") or _says(older, "negated"):
        return True
    if frozenset((older.predicate, newer.predicate)) in OPPOSITES:
        return _overlap(older, newer)
    if older.predicate != newer.predicate:
        return older.predicate not in MANY and newer.predicate not in MANY
    if _says(older, "exclusive") or _says(newer, "exclusive"):
        return True
    return older.predicate not in MANY or bool(_says(newer, "cue") and _overlap(older, newer))


def in_order(a: Memory, b: Memory) -> tuple[Memory, Memory]:
    """The one that was said first, first."""
    first, second = sorted((a, b), key=lambda fact: (fact.dated, fact.id))
    return first, second


def came_back(older: Memory, newer: Memory, stated: Iterable[Memory]) -> bool:
    """Lisbon, Oslo, Lisbon: whoever says the first again has left the second, with or without a word of it.

    >>> def says(place, at):
    ...     return Memory(f"{at}", "s", "fact", "", ("t",), at, at, subject="user", predicate="lives_in", value=place)
    >>> lisbon, oslo, again = says("Lisbon", 1.0), says("Oslo", 2.0), says("Lisbon", 3.0)
    >>> came_back(lisbon, oslo, [again]), came_back(oslo, again, [lisbon]), came_back(lisbon, oslo, [])
    (True, True, False)
    """
    if older.speaker != newer.speaker:
        return False
    same = [fact for fact in stated if fact.speaker == newer.speaker and fact.id not in (older.id, newer.id)]
    first, second = statement_key(older), statement_key(newer)
    return any(
        (statement_key(fact) == first and fact.dated > newer.dated)
        or (statement_key(fact) == second and fact.dated < older.dated)
        for fact in same
    )


def _says(fact: Memory, name: str) -> bool:
    return bool(fact.metadata.get(name))


def _overlap(older: Memory, newer: Memory) -> bool:
    return not set(terms(older.value or older.text)).isdisjoint(terms(newer.value or newer.text))
