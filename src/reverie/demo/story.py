"""The demo's story: four weeks of one person, a night, and what it changed. No key, no network, nothing prepared."""

import json
import time
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib import resources

from reverie.model.base import DAY, HOUR
from reverie.model.hits import Hit
from reverie.model.memories import Filter, Memory
from reverie.reverie import Reverie
from reverie.space import Space

BEGAN = datetime(2026, 10, 5, tzinfo=UTC).timestamp()  # a Monday; fixed, so that every run tells the same days
NIGHT_AT = 28 * DAY + 3 * HOUR  # after the last Sunday
QUESTIONS = (
    "where do I live?",
    "what am I allergic to?",
    "what is my dog called?",
    "when is the audit deadline?",
    "who is my landlord?",
)
MOVED = ("when is the audit deadline?", "where do I live?")
LATER = "what's my diet again?"
UNPREPARED = "where do I live?"
CORRECTION = "I'm vegan, not vegetarian"


@dataclass(frozen=True, slots=True)
class StoryLine:
    day: float
    hour: float
    session: str
    role: str
    text: str
    trap: str = ""  # what could be taken for Mara's own word, and is none: code, sarcasm, mail

    @property
    def tempting(self) -> str:
        """Its line that speaks in the first person."""
        return next(line.strip() for line in self.text.splitlines() if " I " in f" {line}")


def history() -> list[StoryLine]:
    """A sample history of some weeks, written for this project."""
    lines = (resources.files("reverie.demo") / "history.jsonl").read_text("utf-8").splitlines()
    return [StoryLine(**json.loads(line)) for line in lines]


class StoryClock:
    """Stands at each turn's own time while the history is told; then it runs on from the night after it."""

    def __init__(self) -> None:
        self.past: float | None = BEGAN
        self._resumed = 0.0

    def __call__(self) -> float:
        return BEGAN + NIGHT_AT + time.time() - self._resumed if self.past is None else self.past

    def run_on(self) -> None:
        self.past, self._resumed = None, time.time()


def tell(space: Space, clock: StoryClock) -> Iterator[StoryLine]:
    """Appends the history turn by turn, each at its own time; at the end the clock runs as usual."""
    for said in history():
        clock.past = BEGAN + said.day * DAY + said.hour * HOUR
        space.append(said.role, said.text, session=said.session)
        yield said
    clock.run_on()


def ask(space: Space) -> Iterator[tuple[str, str, float]]:
    """(question, the best hit's words, milliseconds), with a warm embedder."""
    for question in QUESTIONS:
        space.recall(question, 1)
        began = time.perf_counter()
        hits = space.recall(question, 10)
        took = (time.perf_counter() - began) * 1000
        yield question, hits[0].text if hits else "(nothing)", took


def moved(space: Space) -> Iterator[tuple[str, list[Hit]]]:
    """(question, its first hits) about what has changed, in the order in which recall gives them."""
    for question in MOVED:
        yield question, space.recall(question, 2)


def traps(space: Space) -> Iterator[tuple[StoryLine, list[Memory], bool]]:
    """(what is easily taken for Mara's word, the facts that the night drew from it, whether a search finds it)."""
    facts = space.all(Filter(kinds=("fact", "directive")), limit=500)
    turns = {turn.text: turn.id for turn in space.turns(limit=500)}
    for line in history():
        if line.trap:
            id = turns[line.text]
            found = any(id in hit.turns for hit in space.recall(line.text[:400], 5, mode="raw"))
            yield line, [fact for fact in facts if id in fact.sources], found


def correct_diet(space: Space) -> str:
    """Corrects the fact that the prepared answer rests on."""
    source = space.answer(LATER).sources[0]
    return space.correct(source, CORRECTION).id


def open_demo(home: str, clock: StoryClock) -> Reverie:
    """More answers in advance than by default: the story asks for one of them, and four weeks come in one night."""
    return Reverie.open(home, clock=clock, store="", mirror="", anticipate=16)
