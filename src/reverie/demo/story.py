"""The demo's story: four weeks of one person, a night, and what it changed. No key, no network, nothing prepared."""

import json
import time
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import resources

from reverie.model.base import DAY, HOUR
from reverie.reverie import Reverie
from reverie.space import Space

QUESTIONS = (
    "where do I live?",
    "who is my employer?",
    "what am I allergic to?",
    "what is my dog called?",
    "who is my landlord?",
)
LATER = "what's my address again?"
CORRECTION = "I live in Altona now"


@dataclass(frozen=True, slots=True)
class StoryLine:
    day: float
    hour: float
    session: str
    role: str
    text: str


def history() -> list[StoryLine]:
    """A sample history of some weeks, written for this project."""
    lines = (resources.files("reverie.demo") / "history.jsonl").read_text("utf-8").splitlines()
    return [StoryLine(**json.loads(line)) for line in lines]


class StoryClock:
    """Lets the history happen in the past; then it is now."""

    def __init__(self) -> None:
        self.start = time.time() - 28 * DAY
        self.past: float | None = self.start

    def __call__(self) -> float:
        return time.time() if self.past is None else self.past


def tell(space: Space, clock: StoryClock) -> Iterator[StoryLine]:
    """Appends the history turn by turn, each at its own time; at the end the clock runs as usual."""
    for said in history():
        clock.past = clock.start + said.day * DAY + said.hour * HOUR
        space.append(said.role, said.text, session=said.session)
        yield said
    clock.past = None


def ask(space: Space) -> Iterator[tuple[str, list[str], float]]:
    """(question, best hit and, once a night has drawn one, best fact; milliseconds), with a warm embedder."""
    for question in QUESTIONS:
        space.recall(question, 1)
        began = time.perf_counter()
        hits = space.recall(question, 10)
        took = (time.perf_counter() - began) * 1000
        facts = [hit.text for hit in hits if hit.kind == "fact"]
        known = facts[:1] if hits and hits[0].kind != "fact" else []
        yield question, [*(hit.text for hit in hits[:1]), *known], took


def correct_home(space: Space) -> str:
    """Corrects the fact that the prepared answer rests on."""
    source = space.answer(LATER).sources[0]
    return space.correct(source, CORRECTION).id


def open_demo(home: str, clock: StoryClock) -> Reverie:
    """More answers in advance than by default: the story asks for one of them, and four weeks come in one night."""
    return Reverie.open(home, clock=clock, store="", mirror="", anticipate=16)
