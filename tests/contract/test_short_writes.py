"""No embedder and no model is called inside a write transaction: nobody waits for somebody else's network."""

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np
import pytest

from reverie import Reverie
from reverie.errors import NotFound
from reverie.minds.embed import FromFunction
from reverie.space import Space
from tests.conftest import BACKENDS

pytestmark = pytest.mark.parametrize("location", BACKENDS, indirect=True)
SLOW = 1.0  # seconds that a text takes
SOON = 0.2  # seconds that another writer may wait

Open = Callable[[Any], Any]


class SlowEmbedder(FromFunction):
    """As slow as a server far away, from the moment it is told to be."""

    def __init__(self) -> None:
        super().__init__(self._slowly, "slow", dim=4)
        self.seconds = 0.0
        self.called = threading.Event()
        self.meanwhile: Callable[[], object] = lambda: None

    def _slowly(self, texts: Sequence[str]) -> list[Any]:
        if self.seconds:
            self.called.set()
            time.sleep(self.seconds)
            self.meanwhile()
        return [np.ones(4, np.float32) / 2 for _ in texts]


@pytest.fixture
def slow() -> SlowEmbedder:
    return SlowEmbedder()


@pytest.fixture
def waiting(location: str, slow: SlowEmbedder, opened: Open) -> Space:
    memory: Reverie = opened(Reverie.open(location, embedder=slow, durable=False))
    return memory.space("alice")


@contextmanager
def in_the_background(work: Callable[[], object]) -> Iterator[list[BaseException]]:
    """Runs `work` in a thread; the list holds what it raised, once the block has ended."""
    raised: list[BaseException] = []

    def run() -> None:
        try:
            work()
        except BaseException as error:
            raised.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    try:
        yield raised
    finally:
        thread.join(30)


@pytest.mark.parametrize("verb", ["remember", "correct"])
def test_another_writer_does_not_wait_for_the_embedder(
    location: str, waiting: Space, slow: SlowEmbedder, opened: Open, verb: str
) -> None:
    wrong = waiting.remember("I live in Lisbon")
    other = opened(Reverie.open(location, embedder="none", durable=False)).space("alice")
    other.remember("All is loaded")
    slow.seconds = SLOW
    act = {
        "remember": lambda: waiting.remember("The door code is on the fridge"),
        "correct": lambda: waiting.correct(wrong.id, "I live in Porto"),
    }[verb]
    with in_the_background(act) as raised:
        assert slow.called.wait(10)
        began = time.perf_counter()
        other.remember("I like tea")
        other.blocks["human"].append("Likes tea.")
        waited = time.perf_counter() - began
    assert raised == []
    assert waited < SOON
    assert len(waiting.all()) == 4


def test_what_was_forgotten_while_its_correction_was_embedded_is_not_corrected(
    location: str, waiting: Space, slow: SlowEmbedder, opened: Open
) -> None:
    wrong = waiting.remember("I live in Lisbon")
    other = opened(Reverie.open(location, embedder="none", durable=False)).space("alice")
    slow.seconds, slow.meanwhile = 0.01, lambda: other.forget(wrong.id)
    with pytest.raises(NotFound):
        waiting.correct(wrong.id, "I live in Porto")
    assert waiting.all() == []


def test_what_an_importer_keeps_twice_at_once_is_stored_once(waiting: Space, slow: SlowEmbedder) -> None:
    slow.seconds = 0.05
    with in_the_background(lambda: waiting.remember("one", id="mem-x")) as raised:
        waiting.remember("one", id="mem-x")
    assert raised == []
    assert waiting.count() == {"episode": 1}
