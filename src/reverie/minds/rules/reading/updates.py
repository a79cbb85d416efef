"""Whether a later statement brings an earlier one up to date: a sum of marks that read aloud, kept with its parts.

The marks say what both name, which value is another one, which words of change or of an end are there, whose matter
it is, and how near the two are. What each weighs stands in `updates.tsv`, fitted to labelled talk
(`python -m bench.fit_updates --write`): no single mark decides, and none has to be there. Among few statements it takes
less to know what is meant than among many, so each mark has two weights.
"""

import math
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from importlib import resources
from itertools import combinations

from reverie.minds.rules.reading.change_words import ASKS, BEGINS, CHANGES, FROM, LEANS, REASONS, VERB, WHO_ELSE
from reverie.minds.rules.reading.matters import KIN, adds, cue_of, hint_of, plain, unreal
from reverie.minds.rules.reading.values import LONGEST, contrast, names, part_of, slots, things, units, values_of
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
FEW, SOME = 8, 40  # statements
SURE, LIKELY = 0.0, -1.5  # from here it is one; from here it may be one


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
class Update:
    """The sum and its parts; `part` names the words of the older that are overtaken, where only these are."""

    score: float
    parts: Mapping[str, float] = field(default_factory=dict)
    part: str = ""
    hint: bool = False  # nothing links the two but that little else was said

    @property
    def why(self) -> str:
        return ", ".join(sorted(self.parts, key=lambda mark: -self.parts[mark]))


@dataclass(frozen=True, slots=True)
class Surroundings:
    """How much somebody has said, how rare its words are there (1 is rare), and the cosines: of the two sentences and
    of their turns; None where nothing measures them."""

    statements: int = 1
    rarity: Mapping[str, float] = field(default_factory=dict)
    closeness: float | None = None
    of_turns: float | None = None


NONE = Update(-math.inf)
DIFFERS = ("another", "says", "beside", "reply", "asked")  # how marks begin without which nothing is brought up to date
ALONE = Surroundings()


def may_update(newer: Said) -> bool:
    """Whether it is worth looking for what a statement brings up to date."""
    return not unreal(newer.own) and bool(things(newer.own) or values_of(newer.own))


def weigh(older: Said, newer: Said, around: Surroundings = ALONE) -> Update:
    """How surely `newer` brings `older` up to date: from 0 on it does.

    >>> a = Said("standup is 9:15", reply="Noted, 9:15.")
    >>> weigh(a, Said("standup moved to 9:45", at=DAY)).score > 0 > weigh(a, Said("I had 3 eggs", at=DAY)).score
    True
    """
    if around.statements > FEW and around.closeness is None and not _both_name(older, newer):
        return NONE  # nothing could link them: most pairs end here
    found = [] if barred(older, newer) else marks(older, newer, around, only_plausible=True)
    if not plausible(found):
        return NONE
    score, parts = _summed(found, around)
    if is_plain(found) and score < PLAIN:
        score, parts = PLAIN, {**parts, "said plainly": PLAIN - score}
    return Update(round(score, 2), parts, part_of(older.own, newer.own))


def could_update(newer: Said, statements: int) -> bool:
    """Whether it may bring any up to date: it says that something changes, or has a value or a name to be another one.

    >>> could_update(Said("I like hiking in the rain"), 100), could_update(Said("standup is 9:45"), 100)
    (False, True)
    """
    return statements <= FEW or _says_change(newer) or bool(values_of(newer.own)) or bool(names(newer.own))


def may_be_one(older: Said, newer: Said, statements: int) -> bool:
    """Whether the two are worth measuring: if not, `weigh` and `hinted` find nothing, however near they are."""
    if barred(older, newer):
        return False
    return statements <= FEW or _says_change(newer) or any(mark.startswith("another") for mark in _values(older, newer))


def _says_change(newer: Said) -> bool:
    return any(mark.startswith(("says", "beside", "reply", "asked")) for mark in _change(newer))


def hinted(older: Said, newer: Said, around: Surroundings) -> Update:
    """Whether `newer` may well mean `older` though nothing links them, where hardly anything else was said: "ripped it
    out, sqlite now" after "prototype on mongo". Good for an order of hits, not for more.
    """
    found = [] if around.statements > FEW or barred(older, newer) else marks(older, newer, around)
    if not found or "another subject" in found:
        return NONE
    score, parts = _summed(found, around)
    return Update(round(max(score, PLAIN) if is_plain(found) else score, 2), parts, hint=True)


def _summed(found: Collection[str], around: Surroundings) -> tuple[float, dict[str, float]]:
    table = _weights()[around.statements > FEW]
    parts = {mark: table[mark] for mark in found if mark in table}
    return table["bias"] + sum(parts.values()), parts


def is_plain(found: Collection[str]) -> bool:
    """Whether it is said in so many words: of the same thing another value, with a word of change. Among few statements
    a value alone, or an end, is enough where it leans on what was said before: "moved to the 18th", "cancelled it".

    >>> is_plain(marks(Said("standup is 9:15"), Said("standup moved to 9:45", at=DAY)))
    True
    """
    if not {"of another kind", "adds to it", "another subject", "within the hour"}.isdisjoint(found):
        return False
    if {"says so plainly", "another of the same"}.issubset(found):
        return True
    typed = any(f"of the same another {kind}" in found for kind in ("date", "time", "weekday", "measure", "decimal"))
    if typed and not {"says now", "says moves", "says returns"}.isdisjoint(found):
        return True
    elliptic = not {"leans", "names nothing", "begins with it"}.isdisjoint(found)
    changed = {"another value", "hears change"}.issubset(found) or {"another value", "says change"}.issubset(found)
    return elliptic and "few" in found and (changed or {"says ends", "leans"}.issubset(found))


PLAIN = 0.5


def barred(older: Said, newer: Said) -> bool:
    """Whether it cannot be one: only imagined or asked, of somebody else, or in the place of something else."""
    if newer.at - older.at < HOUR and not cue_of(newer.own):
        return True  # what follows so soon is more of the same, unless it says otherwise
    return unreal(newer.own) or unreal(older.own) or _elsewhere(older, newer) or _replaces_another(older, newer)


def plausible(found: Collection[str]) -> bool:
    """Whether there is anything to weigh: something differs, and something links the two. Among few statements one that
    names nothing of its own, or begins with its change ("moved to the 18th, she is ill"), may mean any of them."""
    differs = "another value" in found or "says change" in found or "hears change" in found
    linked = "shares" in found or "close" in found or ("shares beside" in found and "another value" in found)
    moved = "names nothing" in found or {"begins with it", "another value"}.issubset(found)
    return differs and (linked or ("few" in found and moved))


@lru_cache(maxsize=1)
def _weights() -> tuple[dict[str, float], dict[str, float]]:
    """What each mark weighs among few statements, and among many."""
    lines = resources.files(__package__).joinpath("updates.tsv").read_text("utf-8").splitlines()
    rows = [line.split("\t") for line in lines]
    return {row[0]: float(row[1]) for row in rows if row[1]}, {row[0]: float(row[2]) for row in rows if row[2]}


def marks(older: Said, newer: Said, around: Surroundings = ALONE, *, only_plausible: bool = False) -> list[str]:
    """What is to be seen in two statements, as marks: single ones, and pairs of those that say more together.
    `only_plausible`: none, where there is nothing to weigh.
    """
    values = list(_values(older, newer))
    change = list(_change(newer))
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
    seen = sorted(mark for mark, there in broad.items() if there)
    if only_plausible and not plausible([*seen, *shape]):
        return []
    together = [f"{a} + {b}" for a, b in combinations(seen, 2)]
    whole = [" + ".join(some) for some in TOGETHER if all(broad[mark] for mark in some)]
    return [*values, *linked, *change, *near, *shape, *seen, *together, *whole]


def _levels(name: str, value: float | None, levels: Iterable[float]) -> Iterator[str]:
    yield from (f"{name} {level}" for level in levels if value is not None and value >= level)


def _values(older: Said, newer: Said) -> Iterator[str]:
    """Types of which both have a value: another one, or the same."""
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


def _both_name(older: Said, newer: Said) -> bool:
    """Whether the two statements, or their turns, name something in common."""
    a = things(older.told) | things(older.turn) if older.turn else things(older.told)
    b = things(newer.told) | things(newer.turn) if newer.turn else things(newer.told)
    return not a.isdisjoint(b)


def _count(words: Iterable[str], rarity: Mapping[str, float]) -> float:
    return sum(rarity.get(word, 1.0) for word in words)


@lru_cache(maxsize=1024)  # a statement is weighed against many
def _change(newer: Said) -> tuple[str, ...]:
    return tuple(_words_of_change(newer))


def _words_of_change(newer: Said) -> Iterator[str]:
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
    yield from _levels("things of its own", len(things(newer.own) - _around(older)), (1, 2, 4, 6))
    subject = _subject(newer.own)
    if subject and subject & things(older.own):
        yield "the same subject"
    elif subject and subject.isdisjoint(_around(older)):
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


def _around(said: Said) -> frozenset[str]:
    return things(said.own) | things(said.turn) | things(said.before) | things(said.reply)


def _elsewhere(older: Said, newer: Said) -> bool:
    """The newer is on somebody of whom the older does not speak."""
    others = _others(newer.own)
    if not others:
        return False
    before = plain(f"{older.own} {older.turn}").lower()
    return any(who not in before for who in others)


@lru_cache(maxsize=1024)
def _others(text: str) -> tuple[str, ...]:
    """Whom a statement is on, where it says so: "my sister", "his"."""
    found = WHO_ELSE.finditer(plain(text))
    named = ((match, (match["kin"] or match["of"] or match["pronoun"] or match["bare"]).lower()) for match in found)
    return tuple(who for match, who in named if match["kin"] is None or who in KIN)


@lru_cache(maxsize=1024)
def _replaced(text: str) -> str:
    """What a statement says that it takes the place of: "from 9:15 to 9:45"; empty if it does not say."""
    match = FROM.search(plain(text))
    return "" if match is None else next(value for value in match.groups() if value is not None)


def _replaces_another(older: Said, newer: Said) -> bool:
    """The newer names what it takes the place of, and the older does not speak of it."""
    old = _replaced(newer.own)
    if not old:
        return False
    told = set(re.findall(r"[\w.:]*\w", plain(f"{older.own} {older.turn}").lower()))
    return things(old).isdisjoint(_around(older)) and told.isdisjoint(w for w in old.lower().split() if len(w) > 1)
