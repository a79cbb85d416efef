"""Two questions before all guards: the first that objects says why the answer to one is none to the other."""

from collections.abc import Callable
from dataclasses import dataclass

from reverie.policy.answers.guards import comparison, content, kind, mood, names, persons, quantities
from reverie.policy.answers.guards import comparison as order
from reverie.policy.answers.guards.reading import ReadQuestion

Guard = Callable[[ReadQuestion, ReadQuestion], str]  # "" or why not


@dataclass(frozen=True, slots=True)
class Guarded:
    """`why` is the first objection; `parts` has each guard's own, "" where it had none."""

    ok: bool
    why: str
    parts: dict[str, str]


def _owned(asked: ReadQuestion, cached: ReadQuestion) -> str:
    if "manner" in (asked.kind, cached.kind):
        return ""  # how to clean a car is how to clean my car
    return persons.owned(asked.words, cached.words, cached.persons) or persons.owned(
        cached.words, asked.words, asked.persons
    )


def _exchanged(asked: ReadQuestion, cached: ReadQuestion) -> str:
    if asked.entities and cached.entities:
        return ""  # their own guard knows more of names; this one is for headlines, which have none
    return names.exchanged(asked.capitals - cached.words, cached.capitals - asked.words)


def _read_apart(asked: ReadQuestion, cached: ReadQuestion) -> str:
    if asked.personal and cached.personal and asked.personal != cached.personal:
        return f"asks for {asked.personal}, not {cached.personal}"
    return ""


GUARDS: tuple[tuple[str, Guard], ...] = (
    ("reading", _read_apart),
    ("question", lambda a, c: kind.differs(a.kind, c.kind)),
    ("leaning", lambda a, c: persons.leanings_differ(a.leaning, c.leaning)),
    ("also", lambda a, c: kind.more(a.also, c.also)),
    ("modality", lambda a, c: mood.modality_differs(a.modality, c.modality)),
    ("order", lambda a, c: order.order_differs(a.content, c.content, a.words & c.words)),
    ("roles", lambda a, c: order.roles_differ(a.participants, c.participants, a.words | c.words)),
    ("joined", lambda a, c: order.joined_differently(a.words, c.words, a.topics - c.topics, c.topics - a.topics)),
    ("capitals", _exchanged),
    ("numbers", lambda a, c: quantities.numbers_differ(a.numbers, c.numbers)),
    ("dates", lambda a, c: quantities.dates_differ(a.dates, c.dates)),
    ("units", lambda a, c: quantities.units_differ(a.units, c.units)),
    ("negation", lambda a, c: mood.negations_differ(a.negation, c.negation)),
    ("speaker", lambda a, c: persons.persons_differ(a.persons, c.persons)),
    ("owner", _owned),
    ("owners", lambda a, c: persons.other_owner(a.owners, c.owners)),
    ("tense", lambda a, c: mood.tense_differs(a.tense, c.tense)),
    ("entities", lambda a, c: names.differs(a.entities, c.entities, a.words, c.words)),
    ("comparison", lambda a, c: comparison.degrees_differ(a.comparison, c.comparison)),
    ("direction", lambda a, c: comparison.turned(a.directions, c.directions, a.stems, c.stems)),
    ("content", lambda a, c: content.differs(a.stems, c.stems)),
)


# Two phrasings of one personal question may differ in all of these: "when was I born", "what is my birthday".
WORDING = frozenset(
    ("question", "tense", "comparison", "content", "order", "roles", "joined", "modality", "direction", "also")
)


def compare(asked: ReadQuestion, cached: ReadQuestion) -> Guarded:
    """
    >>> from reverie.policy.answers.guards.reading import read
    >>> compare(read("Where do I live?"), read("Where did I live?")).why
    'tense: present, not past'
    """
    same = bool(asked.personal) and asked.personal == cached.personal
    parts = {name: "" if same and name in WORDING else guard(asked, cached) for name, guard in GUARDS}
    why = next((part for part in parts.values() if part), "")
    return Guarded(not why, why, parts)
