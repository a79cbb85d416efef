"""Who a phrase means: "I" is whoever spoke, "my sister Anna" is Anna, "she" is whoever was named just before."""

import re
from dataclasses import dataclass
from functools import lru_cache

from reverie.language.calendar import MONTHS, WEEKDAYS
from reverie.language.vocabulary import STOP_WORDS
from reverie.minds.rules.lexicon import pattern, words
from reverie.minds.rules.verbs import reading

USER = "user"
ROLES = {"user", "assistant", "tool", "system", "human", "ai", "bot"}

PLURAL_OF = {
    "kids": "has_child",
    "children": "has_child",
    "sons": "has_child",
    "daughters": "has_child",
    "twins": "has_child",
    "boys": "has_child",
    "girls": "has_child",
    "parents": "parent",
    "sisters": "sibling",
    "brothers": "sibling",
    "siblings": "sibling",
    "friends": "friend",
    "colleagues": "colleague",
    "coworkers": "colleague",
    "neighbours": "relation",
    "neighbors": "relation",
    "cousins": "relation",
    "grandparents": "relation",
    "in-laws": "relation",
    "roommates": "relation",
    "flatmates": "relation",
}
_TIES = ("spouse", "partner", "sibling", "parent", "has_child", "friend", "colleague", "relation")
# How each relation is called: "wife" tells a spouse. The lexicon has a list for each.
PREDICATE_OF = {word: predicate for predicate in _TIES for word in words(f"kin_{predicate}")}
PET_WORDS = words("pet")
_NOT_NAMES = words("not_a_name") | set(MONTHS) | set(WEEKDAYS) | STOP_WORDS
NAME = pattern("<name>")
ADJECTIVES = pattern("<adjectives>")


@lru_cache(maxsize=1)
def kin_pattern() -> str:
    ordered = sorted((*PREDICATE_OF, *PLURAL_OF), key=len, reverse=True)
    return "|".join(re.escape(word) for word in ordered)


@lru_cache(maxsize=1)
def pet_pattern() -> str:
    return "|".join(re.escape(word) for word in sorted(PET_WORDS, key=len, reverse=True))


@lru_cache(maxsize=1)
def mention() -> re.Pattern[str]:
    """ "my sister Anna", "Anna, my sister", "my friend from work, Tom"."""
    kin = rf"(?P<kin>{kin_pattern()}|{pet_pattern()})"
    return re.compile(
        rf"\b(?P<owner>[Mm]y|[Oo]ur|[Hh]is|[Hh]er) {ADJECTIVES}{kin}(?: (?:from|at) \w+)?"
        rf"(?:,? (?:is |was )?(?:named|called|by the name of)|,)? (?P<name>{NAME})"
        rf"(?= *(?:[,.;!?)']|$| (?!and I\b)))"
        rf"|\b(?P<name2>{NAME})(?:, | is |, who is | who is )(?P<owner2>my|our) {ADJECTIVES}(?P<kin2>{kin_pattern()}|"
        rf"{pet_pattern()})\b"
        r"(?!'s| (?:of|in)\b)"
    )


@dataclass(frozen=True, slots=True)
class Person:
    name: str  # "user", "Anna", "user's sister"
    relation: str = ""  # the word that told who it is: "sister"

    def fits(self, pronoun: str) -> bool:
        if pronoun in ("she", "her"):
            return self.relation not in words("male")
        if pronoun in ("he", "his", "him"):
            return self.relation not in words("female")
        return False  # "they" is too often somebody else


@dataclass(frozen=True, slots=True)
class Who:
    """The subject of a clause: a person, or something of theirs (`noun`: "favourite colour")."""

    name: str
    noun: str = ""
    relation: str = ""
    named: bool = False  # given by name in this clause


@dataclass(frozen=True, slots=True)
class Tie:
    """A relation that a mention tells in passing: my sister Anna."""

    owner: str
    relation: str
    name: str


def is_name(word: str) -> bool:
    return (bool(word) and word[0].isupper() and word.lower() not in _NOT_NAMES and not word.isupper()) or word in (
        "JD",
        "AJ",
        "TJ",
    )


def is_pet(word: str) -> bool:
    return word.lower() in PET_WORDS


def speaker_name(speaker: str) -> str:
    """
    >>> speaker_name("user"), speaker_name("Maya")
    ('user', 'Maya')
    """
    return USER if speaker.strip().lower() in ROLES or not speaker.strip() else speaker.strip()


def _further(text: str) -> list[str]:
    """The names after the first: "my kids Tom, Ida and Ben"."""
    match = re.match(rf"(?:, {NAME})*,? and {NAME}", text)
    return re.findall(NAME, match.group()) if match else []


class Cast:
    """The persons of one turn, in the order they came up."""

    def __init__(self, speaker: str) -> None:
        self.speaker = speaker_name(speaker)
        self.people: list[Person] = []
        self.ties: list[Tie] = []
        self._names: dict[str, str] = {}  # "sister" -> "Anna", so that "my sister" later means her

    def see(self, sentence: str) -> list[Tie]:
        """Take in the persons that a sentence names; returns the relations it tells."""
        ties = []
        for match in mention().finditer(sentence):
            name, kin = match["name"] or match["name2"], (match["kin"] or match["kin2"]).lower()
            if not is_name(name.split()[0]) or reading(name.split()[0], "ing"):
                continue
            owner = match["owner"] or match["owner2"]
            who = self.resolve(owner) if owner.lower() in ("his", "her") else Who(self.speaker)
            if who is None:
                continue
            further = _further(sentence[match.end() :]) if kin in PLURAL_OF and match["name"] else []
            ties += [Tie(who.name, kin, each) for each in (name, *further)]
            if not is_pet(kin):
                self.people += [Person(each, kin) for each in (name, *further)]
            if who.name == self.speaker and kin not in PLURAL_OF:
                self._names[kin] = name
        self.ties += ties
        return ties

    def aside(self, name: str) -> str:
        """How a named person belongs to somebody, where that was said: tells two of one name apart."""
        tie = next((t for t in reversed(self.ties) if t.name == name and not is_pet(t.relation)), None)
        return "" if tie is None else f"{'the ' if tie.owner.startswith(USER) else ''}{tie.owner}'s {tie.relation}"

    def met(self, who: Who) -> None:
        if who.name != self.speaker and not who.noun:
            self.people.append(Person(who.name, who.relation))

    def _pronoun(self, word: str) -> Who | None:
        fitting = {p.name: p for p in self.people if p.fits(word)}
        if len(fitting) != 1:  # nobody, or two who could be meant
            return None
        person = next(iter(fitting.values()))
        return Who(person.name, relation=person.relation)

    def resolve(self, phrase: str) -> Who | None:
        """Who or what a subject phrase means; None when nobody can tell.

        >>> Cast("user").resolve("my sister"), Cast("Maya").resolve("I").name
        (Who(name="user's sister", noun='', relation='sister', named=False), 'Maya')
        """
        words = phrase.strip(" ,").split()
        if not words:
            return None
        first = words[0].lower()
        if first in ("i", "we") or phrase.lower().endswith((" and i", " and me")) or (first == "me" and "and" in words):
            return Who(self.speaker)
        if first in ("he", "she") and len(words) == 1:
            return self._pronoun(first)
        if first in ("my", "our"):
            return self._owned(self.speaker, words[1:])
        if first in ("his", "her"):
            owner = self._pronoun(first)
            return self._owned(owner.name, words[1:]) if owner else None
        if words[0].endswith("'s") and is_name(words[0][:-2]) and len(words) > 1:
            return self._owned(words[0][:-2], words[1:])
        if first in ("the", "this") and len(words) > 1:
            return Who("", noun=" ".join(words[1:]))
        return self._named(phrase.strip(" ,"))

    def _named(self, phrase: str) -> Who | None:
        if re.fullmatch(NAME, phrase) and is_name(phrase.split()[0].removesuffix("'s")):
            return Who(phrase, named=True)
        return None

    def _owned(self, owner: str, words: list[str]) -> Who | None:
        """ "sister Anna", "sister's husband", "favourite colour" of an owner."""
        text = re.sub(rf"^{ADJECTIVES}(?=(?:{kin_pattern()}|{pet_pattern()})\b)", "", " ".join(words), flags=re.I)
        match = re.match(rf"(?P<kin>(?i:{kin_pattern()}))(?P<own>'s)?(?:,? (?P<name>{NAME}),?)?(?P<tail> .*)?$", text)
        if not match or (match["tail"] and not match["own"]):
            return Who(owner, noun=text) if text else None
        kin = match["kin"].lower()
        name = match["name"] or ""
        if match["own"] and (match["tail"] or name):  # "sister's dog", "sister's Anna" is no name
            person = self._names.get(kin) if owner == self.speaker else None
            tail = f"{name or ''}{match['tail'] or ''}".strip().split()
            if tail == ["name"]:
                return Who(owner, noun=f"{kin}'s name")
            return self._owned(person or f"{owner}'s {kin}", tail)
        if name:
            return Who(name, relation=kin, named=True)
        return Who((self._names.get(kin) if owner == self.speaker else None) or f"{owner}'s {kin}", relation=kin)
