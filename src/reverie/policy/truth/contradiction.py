"""Which two facts may clash, and what follows if they do. Better an open record than a wrong retirement."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from reverie.language.words import terms
from reverie.model.base import Instant, Trust
from reverie.model.memories import Memory
from reverie.model.thinking import Clash
from reverie.policy.truth.statements import statement_key


@dataclass(frozen=True, slots=True)
class ContradictionWeights:
    margin: float = 0.3  # one side of a conflict must be surer by more than this
    sure: float = 0.5  # below this, the reasoner's own word that it is an update is not enough


WEIGHTS = ContradictionWeights()


@dataclass(frozen=True, slots=True)
class Resolution:
    """`none`: nothing to record. `open`: both stay, marked. `auto`: `loser`, if any, holds until `valid_until`.

    A winner without a loser ends nothing: it only comes first.
    """

    status: Literal["none", "open", "auto"]
    why: str
    winner: str | None = None
    loser: str | None = None
    valid_until: Instant | None = None


def resolve(older: Memory, newer: Memory, clash: Clash, w: ContradictionWeights = WEIGHTS) -> Resolution:
    """What to do about `clash`, the reasoner's reading of the two."""
    if clash.kind == "none":
        return Resolution("none", clash.why)
    if clash.kind == "extends":
        return Resolution("auto", f"both hold: {clash.why}")
    if corrected := _correction(older, newer):
        return corrected
    if newer.trust < older.trust:
        # A page cannot end what the user said, however sure it sounds.
        return Resolution("open", f"{newer.origin} contradicts {older.origin}, which is more trusted")
    if clash.kind == "update":
        if clash.confidence < w.sure:
            return Resolution("auto", f"both stay, the newer first: {clash.why}", newer.id)
        return _retire(older, newer, since(newer), f"update: {clash.why}")
    return _conflict(older, newer, clash, w)


def since(memory: Memory) -> Instant:
    """From when a fact holds: where it says so, else when it was said."""
    return memory.dated if memory.valid_from is None else memory.valid_from


def _correction(older: Memory, newer: Memory) -> Resolution | None:
    """A person's correction always wins; of two, the later."""
    if _is_correction(newer):
        return _retire(older, newer, since(newer), "a person's correction")
    if _is_correction(older):
        return _retire(newer, older, since(newer), "a person's correction stands")
    return None


def _is_correction(memory: Memory) -> bool:
    return memory.correction and memory.trust >= Trust.USER


def _conflict(older: Memory, newer: Memory, clash: Clash, w: ContradictionWeights) -> Resolution:
    """In favour of the surer side, whichever is newer; never on a narrow margin."""
    margin = newer.confidence - older.confidence
    if abs(margin) <= w.margin + 1e-9:
        return Resolution("open", f"confidence {older.confidence:.2f} against {newer.confidence:.2f}: {clash.why}")
    winner, loser = (newer, older) if margin > 0 else (older, newer)
    why = f"confidence {winner.confidence:.2f} against {loser.confidence:.2f}: {clash.why}"
    return _retire(loser, winner, since(newer), why)


def _retire(loser: Memory, winner: Memory, at: Instant, why: str) -> Resolution:
    # A fact that ends before it began never held; it must not come back `as_of` some moment in between.
    until = max(at, loser.valid_from) if loser.valid_from is not None else at
    return Resolution("auto", why, winner.id, loser.id, until)


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
    return bool(fact.marks.get(name))


def _overlap(older: Memory, newer: Memory) -> bool:
    return not set(terms(older.value or older.text)).isdisjoint(terms(newer.value or newer.text))
