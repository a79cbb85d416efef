"""A question read once, for all guards: plain values, cheap to make, to keep beside an answer and to compare."""

from collections.abc import Mapping
from dataclasses import dataclass, fields

from reverie.language.words import stem
from reverie.model.base import JSON
from reverie.policy.answers.guards import comparison, content, mood, names, personal, quantities
from reverie.policy.answers.guards import kind as question
from reverie.policy.answers.guards import persons as leaning
from reverie.policy.answers.guards import persons as speaker
from reverie.policy.answers.guards.comparison import Directed
from reverie.policy.answers.guards.tokens import words


@dataclass(frozen=True, slots=True)
class ReadQuestion:
    text: str
    kind: str  # what is asked for: person, time, place, reason, manner, count, yes, thing, …
    words: frozenset[str]  # in lower case, as written
    content: tuple[str, ...]  # stems that carry meaning, synonyms made one
    entities: tuple[str, ...] = ()
    numbers: tuple[str, ...] = ()
    dates: tuple[str, ...] = ()
    units: tuple[str, ...] = ()
    negation: tuple[str, ...] = ()
    comparison: tuple[str, ...] = ()
    directions: Directed = ()
    tense: str = ""
    modality: str = ""
    persons: tuple[str, ...] = ()
    also: tuple[str, ...] = ()  # further question words, and whom it turns back on
    leaning: tuple[str, ...] = ()  # words that point out of the question
    stems: frozenset[str] = frozenset()  # the words and their stems together
    capitals: frozenset[str] = frozenset()
    personal: str = ""  # "me.lives_in": what it asks about whom, where that is known
    owners: frozenset[str] = frozenset()  # people who own what it asks about
    participants: tuple[str, ...] = ()  # who takes part, in order
    topics: frozenset[str] = frozenset()  # the content words, without order


VERSION = 1  # of what is read; a form of another version is read again from its text
_SETS = frozenset(f.name for f in fields(ReadQuestion) if "frozenset" in str(f.type))


def pack(question: ReadQuestion) -> dict[str, JSON]:
    """As JSON, to be kept beside an answer."""
    values = {f.name: getattr(question, f.name) for f in fields(question)}
    plain = {name: sorted(value) if name in _SETS else value for name, value in values.items() if value}
    return {"version": VERSION, **plain}


def unpack(packed: Mapping[str, JSON], text: str) -> ReadQuestion:
    """
    >>> unpack(pack(read("Where do I live?")), "Where do I live?") == read("Where do I live?")
    True
    """
    if packed.get("version") != VERSION:
        return read(text)
    values = {name: _plain(name, value) for name, value in packed.items() if name != "version"}
    return ReadQuestion(**{"text": text, "kind": "", "words": frozenset(), "content": (), **values})


def _plain(name: str, value: JSON) -> JSON:
    if name in _SETS:
        return frozenset(value)
    if name == "directions":
        return tuple((sign, target) for sign, target in value)
    return tuple(value) if isinstance(value, list) else value


def personal_reading(text: str) -> str:
    """What is asked about whom, alone: `read(text).personal` for a third of its cost.

    >>> personal_reading("Where do I live?"), personal_reading("Who won the cup?")
    ('me.lives_in', '')
    """
    spoken = words(text)
    if not personal.is_about_somebody(spoken):
        return ""
    kind = question.find(spoken)
    return personal.find(spoken, kind, personal.mood(spoken, mood.tense_of(spoken), mood.modality_of(spoken, kind)))


def read(text: str) -> ReadQuestion:
    """
    >>> read("Where did Anna live in 2019?").kind, read("Where did Anna live in 2019?").numbers
    ('place', ('2019',))
    """
    spoken = words(text)
    kind = question.find(spoken)
    time = mood.tense_of(spoken)
    may = mood.modality_of(spoken, kind)
    carrying = content.find(spoken, kind)
    return ReadQuestion(
        text=text,
        kind=kind,
        words=frozenset(spoken.low),
        content=carrying,
        entities=names.find(spoken),
        numbers=quantities.numbers_in(spoken),
        dates=quantities.dates_in(spoken),
        units=quantities.units_in(spoken),
        negation=mood.negations(spoken),
        comparison=comparison.degrees(spoken),
        directions=comparison.directions(spoken),
        tense=time,
        personal=personal.find(spoken, kind, personal.mood(spoken, time, may)),
        modality=may,
        also=(*question.also(spoken), *leaning.reflexive(spoken)),
        leaning=leaning.leanings(spoken),
        persons=speaker.persons_in(spoken, kind),
        owners=speaker.owners(spoken),
        participants=speaker.participants(spoken),
        topics=frozenset(carrying),
        capitals=names.capitals(spoken),
        stems=frozenset(spoken.low) | frozenset(map(stem, spoken.low)),
    )
