"""Whom "she" means: the person whom the talk before spoke of last, where that is certain."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache

from reverie.language.vocabulary import STOP_WORDS
from reverie.minds.rules.reading.salience import is_question
from reverie.minds.rules.reference.earlier import LONGEST_LEAD, LONGEST_TURN, Earlier
from reverie.minds.rules.reference.leaning import is_act, is_capital, is_verb, needs_of
from reverie.minds.rules.reference.persons import NEAR, TOKEN, Person, bare, persons_in
from reverie.minds.rules.reference.words import HE, PERSONS, SHE

LONG = 90  # words of a turn after which nobody knows who was spoken of before it


def person_before(pronoun: str, turns: Sequence[Earlier], names: frozenset[str], speakers: frozenset[str]) -> str:
    """Whom "he" or "she" means: the only one whom the nearest sentence with somebody in it can mean. If there are
    several, that sentence; nothing if there is nobody.
    """
    sex = "m" if pronoun in HE else "f" if pronoun in SHE else ""
    votes = _votes(turns, names)
    for back, turn in enumerate(reversed(turns)):
        for one in reversed(turn.said):
            head = _before_pronoun(one.text, sex)
            here = [
                person
                for person in persons_in(head, names)
                if _agrees(person, sex, votes) and person.key not in speakers and person.holds(back)
            ]
            keys = {person.key for person in here}
            if len(keys) == 1 and all(person.sure for person in here) and not _maybe_name(one.text, names, keys):
                return max((person.shown for person in here), key=len)
            if keys or (back < NEAR and (_maybe_name(one.text, names, keys) or _somebody_acts(head, keys))):
                told = back < NEAR and len(one.text) <= LONGEST_LEAD and not is_question(one.text)
                return one.text if told and not needs_of(one.text, names).person else ""
        if len(turn.text.split()) > LONG:
            return ""  # a letter or a lecture lies between: nobody knows who was last spoken of
    return ""


LATELY = 5  # turns in which nobody else may be meant


def is_certain(
    found: str, pronoun: str, turns: Sequence[Earlier], names: frozenset[str], speakers: frozenset[str]
) -> bool:
    """Whether a person is the only one of the last turns whom the pronoun can mean; a sentence shows whom it names."""
    if len(found.split()) > MOST_OF_A_NAME:
        return True
    sex = "m" if pronoun in HE else "f" if pronoun in SHE else ""
    votes = _votes(turns, names)
    near = {
        person.key
        for turn in turns[-LATELY:]
        for one in turn.said
        for person in persons_in(one.text, names)
        if _agrees(person, sex, votes) and person.key not in speakers
    }
    return near <= {found.split()[-1].lower()}


MOST_OF_A_NAME = 5  # words
_ACTS = re.compile(r"\b([^\W\d_]{3,}) ([a-z']+)\b")


def _somebody_acts(text: str, keys: set[str]) -> bool:
    """Whether somebody does something whose name is typed like any word: "jakob wipf told us"."""
    return (
        any(
            is_act(m[2])
            and not m[1].endswith("s")
            and m[1].lower() not in STOP_WORDS
            and m[1].lower() not in PERSONS
            and not is_verb(m[1].lower())
            for m in _ACTS.finditer(text)
        )
        and not keys
    )


def _before_pronoun(sentence: str, sex: str) -> str:
    """What stands before "she" in a sentence that has one: whoever is named after it is somebody else."""
    words = HE if sex == "m" else SHE
    place = next((m.start() for m in TOKEN.finditer(sentence) if m.group().lower() in words), len(sentence))
    return sentence[:place]


_BEGINS = re.compile(r"([A-ZÀ-Þ][^\W\d_]{2,}) ([a-z']+)")


def _maybe_name(sentence: str, names: frozenset[str], keys: set[str]) -> bool:
    """Whether the first word may be a name that nobody wrote elsewhere: "Senator will get a seat"."""
    found = _BEGINS.match(sentence)
    if found is None or not is_verb(found[2]) or found[1].endswith(("ing", "s", "ed")):
        return False
    word = found[1].lower()
    return (
        word not in STOP_WORDS
        and word not in names
        and word not in keys
        and word not in PERSONS
        and is_capital(found[1])
    )


def _agrees(person: Person, sex: str, votes: dict[str, Counter[str]]) -> bool:
    if person.sex:
        return person.sex == sex
    heard = votes.get(person.key)
    return heard is None or heard[sex] >= max(heard.values())


def _votes(turns: Sequence[Earlier], names: frozenset[str]) -> dict[str, Counter[str]]:
    """By name how often "he" and "she" follow it, with nobody else between."""
    found: dict[str, Counter[str]] = {}
    for turn in turns:
        for key, sex in _heard(turn.text[:LONGEST_TURN], names):
            found.setdefault(key, Counter())[sex] += 1
    return found


@lru_cache(maxsize=1024)
def _heard(text: str, names: frozenset[str]) -> tuple[tuple[str, str], ...]:
    return tuple(_pronouns_after(text, names))


def _pronouns_after(text: str, names: frozenset[str]) -> Iterator[tuple[str, str]]:
    last = ""
    for match in TOKEN.finditer(text):
        low = bare(match.group())
        if low in names:
            last = low
        elif low in PERSONS:
            last = ""
        elif last and low in ("he", "him", "his", "she", "her", "hers"):
            yield last, "m" if low in HE else "f"


def speakers_of(turns: Sequence[Earlier], speaker: str) -> frozenset[str]:
    """The names of those who talk with each other, as far as they call each other by name."""
    found = {speaker.lower(), *(turn.speaker.lower() for turn in turns)}
    for turn in turns:
        found.update(match.lower() for match in _CALLED.findall(turn.text[:LONGEST_TURN]))
    return frozenset(word for name in found for word in name.split())


_CALLED = re.compile(
    r"(?:\b(?:[Hh]ello|[Hh]i|[Hh]ey|[Mm]orning|[Aa]fternoon|[Ee]vening|[Tt]hanks|[Ww]elcome|[Nn]ight|[Bb]ye"
    r"|meet you),? "
    r"|\b(?:[Ii]'?m|my name is|call me|this is) )([A-ZÀ-Þ][\w-]+)(?=[.!?,:]|$)"
)
