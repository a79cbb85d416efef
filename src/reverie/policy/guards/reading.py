"""A question read once, for all guards: plain values, cheap to make, to keep beside an answer and to compare."""

from dataclasses import dataclass

from reverie.policy.guards import comparison, content, dates, entities, leaning, modality, negation, numbers, personal, question, speaker, tense, units
from reverie.policy.guards.comparison import Directed
from reverie.policy.guards.tokens import words
from reverie.policy.words import stem


@dataclass(frozen=True, slots=True)
class Question:
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
    topics: frozenset[str] = frozenset()  # the content words, without order


def read(text: str) -> Question:
    """
    >>> read("Where did Anna live in 2019?").kind, read("Where did Anna live in 2019?").numbers
    ('place', ('2019',))
    """
    spoken = words(text)
    kind = question.find(spoken)
    time = tense.find(spoken)
    carrying = content.find(spoken)
    return Question(
        text=text,
        kind=kind,
        words=frozenset(spoken.low),
        content=carrying,
        entities=entities.find(spoken),
        numbers=numbers.find(spoken),
        dates=dates.find(spoken),
        units=units.find(spoken),
        negation=negation.find(spoken),
        comparison=comparison.find(spoken),
        directions=comparison.directions(spoken),
        tense=time,
        personal=personal.find(spoken, kind, time),
        modality=modality.find(spoken, kind),
        also=(*question.also(spoken), *leaning.reflexive(spoken)),
        leaning=leaning.find(spoken),
        persons=speaker.find(spoken, kind),
        topics=frozenset(carrying),
        capitals=entities.capitals(spoken),
        stems=frozenset(spoken.low) | frozenset(map(stem, spoken.low)),
    )
