"""The pattern tables applied to a clause: which predicate with which value it states."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from reverie.minds.rules.lexicon import compiled, words
from reverie.minds.rules.parse import Clause
from reverie.minds.rules.people import is_name
from reverie.minds.rules.tables import RULES
from reverie.minds.rules.tables.body import NEVER
from reverie.minds.rules.tables.rule import Rule
from reverie.minds.rules.values import clean, items, place


@dataclass(frozen=True, slots=True)
class RuleMatch:
    """What a clause states, before it is written out as a fact."""

    predicate: str
    value: str
    negated: bool = False
    cue: str = ""
    replaces: str = ""
    text: str = ""  # the sentence, where the predicate's own would read badly
    past: bool = False  # told as past: "used to live in …"


@dataclass(frozen=True, slots=True)
class _Compiled:
    rule: Rule
    rest: re.Pattern[str]
    noun: re.Pattern[str] | None


@lru_cache(maxsize=4)
def _index(never: bool = False) -> dict[str, tuple[_Compiled, ...]]:
    """Rules by verb, compiled on first use: importing this module costs nothing."""
    index: dict[str, list[_Compiled]] = {}
    for rule in NEVER if never else RULES:
        noun = compiled(rf"(?:{rule.noun})\Z", re.I) if rule.noun else None
        row = _Compiled(rule, compiled(rule.rest), noun)
        for verb in rule.verbs.split():
            index.setdefault(verb, []).append(row)
    return {verb: tuple(rules) for verb, rules in index.items()}


def _holds(rule: Rule, clause: Clause) -> bool | None:
    """Whether the clause states the rule's value as true (True), as over (False), or not at all (None)."""
    if rule.needs and clause.modal != rule.needs:
        return None
    if (clause.tense == "future" and "will" not in rule.modals) or (
        clause.modal and clause.modal not in rule.modals.split()
    ):
        return None
    if clause.progressive and not rule.happening and clause.cue != "started":
        return None
    if clause.ended:
        return rule.over if clause.cue != "used to" or not clause.negated else None
    if clause.negated:
        return True if rule.negation else None
    if clause.tense == "past" and rule.past != "holds":
        return None if rule.past == "skip" else False
    return not rule.over


def _values(rule: Rule, match: re.Match[str], noun: re.Match[str] | None) -> list[str]:
    groups = match.groupdict()
    raw = groups.get("v") or groups.get("w") or ""
    if rule.shape == "raw":
        values = [raw.strip(" ,.")]
    elif rule.shape == "place":
        values = [place(raw) or (clean(raw) if re.search(r"[A-ZÀ-Þ]", clean(raw)) else "")]
    elif rule.shape == "name":
        values = [raw.strip(" ,.")] if is_name(raw.split()[0]) else []
    elif rule.shape == "one":
        values = [clean(raw, rule.keep_head)]
    else:
        values = items(raw, rule.keep_head)
    names = noun.groupdict() if noun else {}
    if "{v}" not in rule.value:  # the words of the rule itself, or the noun's
        return [rule.value.format(n=clean(names.get("n") or ""))]
    return [rule.value.format(v=v, n=names.get("n") or "") for v in values if _worth(v)]


_EMPTY = words("empty_value")


def _worth(value: str) -> bool:
    words = value.split()
    return bool(words) and len(words) <= 12 and not all(word.lower() in _EMPTY for word in words)


_ASIDE = {"at": "works_at", "as": "job", "school": "studies"}


def _stated(
    rule: Rule, clause: Clause, match: re.Match[str], noun: re.Match[str] | None, holds: bool
) -> Iterator[RuleMatch]:
    predicate = rule.negation if clause.negated and rule.negation and not clause.ended else rule.predicate
    groups = match.groupdict()
    old = clean(groups.get("old") or "")
    if predicate == "uses" and old and not _tool(old, groups.get("v") or ""):
        predicate = "prefers"
    cue = clause.cue or rule.cue or _adverbial(clause)
    past = not holds and (clause.cue == "used to" or (clause.tense == "past" and not rule.over))
    for value in _values(rule, match, noun):
        yield RuleMatch(predicate, value, negated=not holds, cue=cue, replaces=old if holds else "", past=past)
    if old and holds and _worth(old) and predicate != "decided":  # what was not chosen was perhaps never used
        yield RuleMatch(predicate, old, negated=True, cue=cue)
    for group, aside in _ASIDE.items():
        value = clean(groups.get(group) or "")
        if value and _worth(value):
            yield RuleMatch(aside, value, negated=not holds, cue=cue, past=past)


_NOW = re.compile(r"\b(?:now|nowadays|these days|instead|by now|as of|from now on|at the moment|right now)\b", re.I)
_ALSO = re.compile(r"\b(?:too|on the side|as a second|in addition|besides)\b", re.I)
_NEW = re.compile(r"\bnew\b", re.I)


def _adverbial(clause: Clause) -> str:
    """The word beside the verb that tells of a change, or that something is added."""
    if "also" in clause.adverbs or _ALSO.search(clause.rest):
        return "also"
    if clause.adverbs & {"now", "currently", "finally"} or _NOW.search(clause.rest) or _NOW.search(clause.front):
        return "now"
    return "new" if _NEW.search(clause.who.noun) else ""


def _tool(old: str, new: str) -> bool:
    return old[:1].isupper() or new[:1].isupper() or bool(re.search(r"[A-Z\d]", old + new))


def _try(row: _Compiled, clause: Clause) -> list[RuleMatch]:
    rule = row.rule
    noun = row.noun.match(clause.who.noun) if row.noun else None
    if bool(clause.who.noun) != bool(row.noun) or (row.noun and not noun):
        return []
    match = row.rest.match(clause.rest)
    holds = _holds(rule, clause) if match else None
    return list(_stated(rule, clause, match, noun, holds)) if match and holds is not None else []


def matches(clause: Clause) -> list[RuleMatch]:
    """What the first fitting row states; nothing when none fits."""
    if clause.negated and clause.verb in _index(True) and (found := _never(clause)):
        return found
    if clause.verb in ("stand", "bear") and not clause.negated:
        return []
    for row in _index().get(clause.verb, ()):
        if found := _try(row, clause):
            return found
    return []


def _never(clause: Clause) -> list[RuleMatch]:
    """ "I do not eat meat", also "I stopped eating meat": a diet without it."""
    for row in _index(True)[clause.verb]:
        match = row.rest.match(clause.rest)
        if (
            match
            and not clause.who.noun
            and clause.tense != "past"
            and (not clause.modal or clause.modal in row.rule.modals)
        ):
            return [RuleMatch(row.rule.predicate, v, cue=clause.cue) for v in _values(row.rule, match, None)]
    return []
