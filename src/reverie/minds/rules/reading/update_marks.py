"""What is to be seen in two statements of which the later may bring the earlier up to date, as marks that read aloud.

What both name, which value is another one, which words of change or of an end are there, whose matter it is, and how
near the two are. `updates.py` weighs them.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import combinations

from reverie.minds.rules.reading.change_words import ASKS, BEGINS, CHANGES, LEANS, REASONS, VERB
from reverie.minds.rules.reading.matters import adds, cue_of, hint_of, plain
from reverie.minds.rules.reading.values import LONGEST, contrast, names, slots, things, units, values_of
from reverie.model.base import DAY, HOUR, Instant

# Marks that say most when all of them are there.
TOGETHER = (
    ("another of the same", "says change", "many"),
    ("another of the same", "says change", "close"),
    ("another value", "shares", "says change"),
    ("another value", "leans", "says change"),
    ("another value", "leans", "hears change"),
    ("another value", "leans", "few"),
    ("another value", "shares beside", "hears change"),
    ("ends it", "shares", "close"),
    ("ends it", "shares", "few"),
    ("shares", "says change", "very close"),
    ("shares", "says change", "few"),
    ("leans", "shares beside", "few"),
)
NEAR = (0.25, 0.35, 0.45, 0.55, 0.65, 0.75)  # levels of a cosine
SHARED = (0.3, 0.8, 1.3, 2.0, 3.0)  # levels of how many words both have, the rare ones counted whole
CLOSE = ("close", "very close", "close turns")
FEW, SOME = 8, 40  # statements


@dataclass(frozen=True, slots=True)
class Said:
    """A statement as the weighing reads it: the sentence, its whole turn, what was said before, the reply after."""

    own: str
    turn: str = ""
    before: str = ""
    reply: str = ""
    at: Instant = 0.0
    asked: str = ""  # the question that it answers

    @property
    def told(self) -> str:
        """The statement behind what it answers: "When is the party: on the 12th"."""
        return f"{self.asked.rstrip(' ?')}: {self.own}" if self.asked else self.own


@dataclass(frozen=True, slots=True)
class Surroundings:
    """How much somebody has said, how rare its words are there (1 is rare), and the cosines: of the two sentences and
    of their turns; None where nothing measures them."""

    statements: int = 1
    rarity: Mapping[str, float] = field(default_factory=dict)
    closeness: float | None = None
    of_turns: float | None = None


DIFFERS = ("another", "says", "beside", "reply", "asked")  # how marks begin without which nothing is brought up to date
ALONE = Surroundings()


def plausible(found: Collection[str]) -> bool:
    """Whether there is anything to weigh: something differs, and something links the two. Among few statements one that
    names nothing of its own, or begins with its change ("moved to the 18th, she is ill"), may mean any of them."""
    differs = "another value" in found or "says change" in found or "hears change" in found
    linked = "shares" in found or "close" in found or ("shares beside" in found and "another value" in found)
    moved = "names nothing" in found or {"begins with it", "another value"}.issubset(found)
    return differs and (linked or ("few" in found and moved))


def marks(older: Said, newer: Said, around: Surroundings = ALONE, *, only_plausible: bool = False) -> list[str]:
    """What is to be seen in two statements, as marks: single ones, and pairs of those that say more together.
    `only_plausible`: none, where there is nothing to weigh.
    """
    values = values_compared(older, newer)
    change = words_of_change(newer)
    if only_plausible and not any(mark.startswith(DIFFERS) for mark in (*values, *change)):
        return []
    linked = list(_link(older, newer, around.rarity))
    near = [*_levels("near", around.closeness, NEAR), *_levels("turns near", around.of_turns, NEAR)]
    shape = list(_shape(older, newer))
    size = "few" if around.statements <= FEW else "some" if around.statements <= SOME else "many"
    broad = {
        "another value": any(mark.startswith("another") for mark in values),
        "another of the same": "another of the same" in values,
        "shares": any(mark.startswith("both say") for mark in linked),
        "shares much": any(mark.startswith("both say") and float(mark.split()[-1]) > 1 for mark in linked),
        "shares beside": any(mark.startswith(("beside", "around")) for mark in linked),
        "says change": any(mark.startswith("says") for mark in change),
        "hears change": any(mark.startswith(("beside", "reply", "asked")) for mark in change),
        "ends it": "says ends" in change,
        "close": (around.closeness or 0.0) >= 0.4,
        "very close": (around.closeness or 0.0) >= 0.6,
        "close turns": (around.of_turns or 0.0) >= 0.5,
        "leans": "leans" in shape or "names nothing" in shape,
        "other subject": "another subject" in shape,
        "unmeasured": around.closeness is None,
        "few": size == "few",
        "some": size == "some",
        "many": size == "many",
    }
    seen = tuple(sorted(mark for mark, there in broad.items() if there))
    if only_plausible and not plausible([*seen, *shape]):
        return []
    return [*values, *linked, *change, *near, *shape, *seen, *_together(seen)]


@lru_cache(maxsize=512)
def _together(seen: tuple[str, ...]) -> tuple[str, ...]:
    pairs = (f"{a} + {b}" for a, b in combinations(seen, 2))
    return (*pairs, *(" + ".join(some) for some in TOGETHER if set(some).issubset(seen)))


def by_nearness(mark: str) -> bool:
    """Whether a mark is there or not by how near the two are; the nearer, the more of these are there.

    >>> [by_nearness(mark) for mark in ("near 0.35", "close + shares", "says change + shares")]
    [True, True, False]
    """
    return any(one in CLOSE or one.startswith(("near ", "turns near ")) for one in mark.split(" + "))


def _levels(name: str, value: float | None, levels: Iterable[float]) -> Iterator[str]:
    yield from (f"{name} {level}" for level in levels if value is not None and value >= level)


@lru_cache(maxsize=1024)  # asked for twice: before the two are measured, and when they are weighed
def values_compared(older: Said, newer: Said) -> tuple[str, ...]:
    """Types of which both have a value: another one, or the same."""
    return tuple(_values(older, newer))


def _values(older: Said, newer: Said) -> Iterator[str]:
    a, b = values_of(older.own), values_of(newer.own)
    for kind in sorted(a.keys() & b.keys()):
        if kind == "measure" and not units(a[kind]) & units(b[kind]):
            continue
        if b[kind] - a[kind]:
            yield f"another {kind}"
        if a[kind] & b[kind]:
            yield f"the same {kind}"
        if b[kind] - a[kind] and a[kind] & b[kind]:
            yield "names the old value"
    if "number" in b and "measure" in a and "measure" not in b:
        yield "another amount"
    of_the_same = {
        old.kind
        for old in slots(older.told)
        for new in slots(newer.told)
        if old.kind == new.kind
        and new.value in b.get(old.kind, ())
        and new.value not in a.get(old.kind, ())
        and old.of & new.of
    }
    if of_the_same:
        yield "another of the same"
        yield from (f"of the same another {kind}" for kind in sorted(of_the_same))
    if (b.keys() - a.keys()) and not a.keys() & b.keys():
        yield "a value of its own"
    for kind in sorted(a.keys() & values_of(newer.reply).keys()):
        if values_of(newer.reply)[kind] - a[kind] and values_of(newer.reply)[kind] & b.get(kind, frozenset()):
            yield "the reply takes the value"
    if (mine := names(newer.own)) and (theirs := names(older.own)) and mine - theirs:
        yield "another name"


def _link(older: Said, newer: Said, rarity: Mapping[str, float]) -> Iterator[str]:
    """What both name: in the two sentences, in their turns, in the talk around them."""
    a, b = things(older.told), things(newer.told)
    own = a & b
    beside = ((a | things(older.turn)) & (b | things(newer.turn))) - own
    before = newer.before if newer.before != older.reply else ""  # one turn between them links nothing
    near = things(older.reply) | things(older.before) | a | things(older.turn)
    around = (near & (b | things(newer.turn) | things(newer.reply) | things(before))) - own - beside
    yield from _levels("both say", _count(own, rarity), SHARED)
    yield from _levels("beside both", _count(beside, rarity), SHARED[:4])
    yield from _levels("around both", _count(around, rarity), SHARED[:4])
    if a and own:
        yield from _levels("of the older", len(own) / len(a), (0.3, 0.6, 0.9))
    if own & names(older.own) & names(newer.own):
        yield "both name somebody"


def _count(words: Iterable[str], rarity: Mapping[str, float]) -> float:
    return sum(rarity.get(word, 1.0) for word in words)


@lru_cache(maxsize=1024)  # a statement is weighed against many
def words_of_change(newer: Said) -> tuple[str, ...]:
    return tuple(_said_of_change(newer))


def _said_of_change(newer: Said) -> Iterator[str]:
    """The words that say that something changed: in the statement, beside it, in what it answers, in the reply."""
    own, beside, reply = plain(newer.own), plain(newer.turn.replace(newer.own, " ")), plain(newer.reply)
    for name, words in CHANGES.items():
        if words.search(own):
            yield f"says {name}"
        elif words.search(beside):
            yield f"beside it {name}"
        if words.search(reply):
            yield f"reply {name}"
    if cue_of(own):
        yield "says so plainly"
    elif hint_of(own):
        yield "hints at it"
    if REASONS.search(plain(newer.turn or newer.own)):
        yield "gives a reason"
    if ASKS.search(plain(newer.before)):
        yield "asked for it"


def _shape(older: Said, newer: Said) -> Iterator[str]:
    """How the newer stands to the older: whose it is, whether it leans on something, how soon it follows."""
    yield from _own_shape(newer.own)
    yield from _levels("things of its own", len(things(newer.own) - named_around(older)), (1, 2, 4, 6))
    subject = _subject(newer.own)
    if subject and subject & things(older.own):
        yield "the same subject"
    elif subject and subject.isdisjoint(named_around(older)):
        yield "another subject"
    if contrast(older.own, newer.own):
        yield "of another kind"
    gap = newer.at - older.at
    yield "within the hour" if gap < HOUR else "the same day" if gap < DAY else "days later"
    if not values_of(older.own):
        yield "the older has no value"


@lru_cache(maxsize=1024)
def _own_shape(text: str) -> tuple[str, ...]:
    """What is to be seen of this in the newer statement alone."""
    own = plain(text)[:LONGEST]
    told = {
        "leans": LEANS.search(own) is not None,
        "begins with it": BEGINS.match(own) is not None,
        "names nothing": not things(text),
        **{f"at most {n} words": len(text.split()) <= n for n in (2, 4, 7, 12)},
        "adds to it": bool(adds(text)),
    }
    return tuple(mark for mark, so in told.items() if so)


@lru_cache(maxsize=1024)
def _subject(text: str) -> frozenset[str]:
    """What is named before the first verb or preposition."""
    own = plain(text)[:LONGEST]
    found = VERB.search(own)
    return things(own[: found.start()]) if found else frozenset()


def named_around(said: Said) -> frozenset[str]:
    return things(said.own) | things(said.turn) | things(said.before) | things(said.reply)
