"""Two questions before all guards: the first that objects says why the answer to one is none to the other."""

from collections.abc import Callable
from dataclasses import dataclass

from reverie.policy.guards import (
    comparison,
    content,
    dates,
    entities,
    leaning,
    modality,
    negation,
    numbers,
    order,
    question,
    speaker,
    tense,
    units,
)
from reverie.policy.guards.reading import Question

Guard = Callable[[Question, Question], str]  # "" or why not


@dataclass(frozen=True, slots=True)
class Guarded:
    """`why` is the first objection; `parts` has each guard's own, "" where it had none."""

    ok: bool
    why: str
    parts: dict[str, str]


def _owned(asked: Question, cached: Question) -> str:
    if "manner" in (asked.kind, cached.kind):
        return ""  # how to clean a car is how to clean my car
    return speaker.owned(asked.words, cached.words, cached.persons) or speaker.owned(
        cached.words, asked.words, asked.persons
    )


def _exchanged(asked: Question, cached: Question) -> str:
    if asked.entities and cached.entities:
        return ""  # their own guard knows more of names; this one is for headlines, which have none
    return entities.exchanged(asked.capitals - cached.words, cached.capitals - asked.words)


def _read_apart(asked: Question, cached: Question) -> str:
    if asked.personal and cached.personal and asked.personal != cached.personal:
        return f"asks for {asked.personal}, not {cached.personal}"
    return ""


GUARDS: tuple[tuple[str, Guard], ...] = (
    ("reading", _read_apart),
    ("question", lambda a, c: question.differs(a.kind, c.kind)),
    ("leaning", lambda a, c: leaning.differs(a.leaning, c.leaning)),
    ("also", lambda a, c: question.more(a.also, c.also)),
    ("modality", lambda a, c: modality.differs(a.modality, c.modality)),
    ("order", lambda a, c: order.differs(a.content, c.content, a.words & c.words)),
    ("roles", lambda a, c: order.participants(a.participants, c.participants, a.words | c.words)),
    ("joined", lambda a, c: order.joined(a.words, c.words, a.topics - c.topics, c.topics - a.topics)),
    ("capitals", _exchanged),
    ("numbers", lambda a, c: numbers.differs(a.numbers, c.numbers)),
    ("dates", lambda a, c: dates.differs(a.dates, c.dates)),
    ("units", lambda a, c: units.differs(a.units, c.units)),
    ("negation", lambda a, c: negation.differs(a.negation, c.negation)),
    ("speaker", lambda a, c: speaker.differs(a.persons, c.persons)),
    ("owner", _owned),
    ("owners", lambda a, c: speaker.other_owner(a.owners, c.owners)),
    ("tense", lambda a, c: tense.differs(a.tense, c.tense)),
    ("entities", lambda a, c: entities.differs(a.entities, c.entities, a.words, c.words)),
    ("comparison", lambda a, c: comparison.differs(a.comparison, c.comparison)),
    ("direction", lambda a, c: comparison.turned(a.directions, c.directions, a.stems, c.stems)),
    ("content", lambda a, c: content.differs(a.stems, c.stems)),
)


# Two phrasings of one personal question may differ in all of these: "when was I born", "what is my birthday".
WORDING = frozenset(
    ("question", "tense", "comparison", "content", "order", "roles", "joined", "modality", "direction", "also")
)


def compare(asked: Question, cached: Question) -> Guarded:
    """
    >>> from reverie.policy.guards.reading import read
    >>> compare(read("Where do I live?"), read("Where did I live?")).why
    'tense: present, not past'
    """
    same = bool(asked.personal) and asked.personal == cached.personal
    parts = {name: "" if same and name in WORDING else guard(asked, cached) for name, guard in GUARDS}
    why = next((part for part in parts.values() if part), "")
    return Guarded(not why, why, parts)
