"""Whether a later statement brings an earlier one up to date: a sum of marks that read aloud, kept with its parts.

The marks say what both name, which value is another one, which words of change or of an end are there, whose matter
it is, and how near the two are. What each weighs stands in `updates.tsv`, fitted to labelled talk
(`python -m bench.fit_updates --write`): no single mark decides, and none has to be there. Among few statements it takes
less to know what is meant than among many, so each mark has two weights.
"""

import math
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from importlib import resources

from reverie.minds.rules.reading.change_words import FROM, WHO_ELSE
from reverie.minds.rules.reading.matters import KIN, cue_of, plain, unreal
from reverie.minds.rules.reading.update_marks import (
    ALONE,
    FEW,
    Said,
    Surroundings,
    by_nearness,
    marks,
    named_around,
    plausible,
    values_compared,
    words_of_change,
)
from reverie.minds.rules.reading.values import names, part_of, things, values_of
from reverie.model.base import HOUR

SURE, LIKELY = 0.0, -1.5  # from here it is one; from here it may be one
ROUNDING = 0.01


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


NONE = Update(-math.inf)


def may_update(newer: Said) -> bool:
    """Whether it is worth looking for what a statement brings up to date."""
    return not unreal(newer.own) and bool(things(newer.own) or values_of(newer.own))


def weigh(older: Said, newer: Said, around: Surroundings = ALONE) -> Update:
    """How surely `newer` brings `older` up to date: from 0 on it does.

    >>> a, DAY = Said("standup is 9:15", reply="Noted, 9:15."), 24 * HOUR
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
    if statements <= FEW or _says_change(newer):
        return True
    return any(mark.startswith("another") for mark in values_compared(older, newer))


def likely_if_near(older: Said, newer: Said, around: Surroundings) -> bool:
    """Whether `weigh` may come to LIKELY were the two as near as can be: if not, nobody has to measure it. All marks
    of nearness are seen then, and those that speak against it are left out of the sum."""
    found = marks(older, newer, replace(around, closeness=1.0, of_turns=1.0), only_plausible=True)
    if not plausible(found):
        return False
    table = _at_best()[around.statements > FEW]
    return is_plain(found) or table["bias"] + sum(table.get(mark, 0.0) for mark in found) >= LIKELY - ROUNDING


def _says_change(newer: Said) -> bool:
    return any(mark.startswith(("says", "beside", "reply", "asked")) for mark in words_of_change(newer))


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

    >>> is_plain(marks(Said("standup is 9:15"), Said("standup moved to 9:45", at=24 * HOUR)))
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


@lru_cache(maxsize=1)
def _weights() -> tuple[dict[str, float], dict[str, float]]:
    """What each mark weighs among few statements, and among many."""
    lines = resources.files(__package__).joinpath("updates.tsv").read_text("utf-8").splitlines()
    rows = [line.split("\t") for line in lines]
    return {row[0]: float(row[1]) for row in rows if row[1]}, {row[0]: float(row[2]) for row in rows if row[2]}


@lru_cache(maxsize=1)
def _at_best() -> tuple[dict[str, float], ...]:
    """The same, with nothing for what speaks against it and is there at some distances alone."""
    return tuple({mark: max(0.0, w) if by_nearness(mark) else w for mark, w in table.items()} for table in _weights())


def _both_name(older: Said, newer: Said) -> bool:
    """Whether the two statements, or their turns, name something in common."""
    a = things(older.told) | things(older.turn) if older.turn else things(older.told)
    b = things(newer.told) | things(newer.turn) if newer.turn else things(newer.told)
    return not a.isdisjoint(b)


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
    return things(old).isdisjoint(named_around(older)) and told.isdisjoint(w for w in old.lower().split() if len(w) > 1)
