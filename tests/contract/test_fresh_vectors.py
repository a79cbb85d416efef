"""Fresh turns are found by meaning before any night: embedded behind their appends, in memory, and never in the way."""

import threading
import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest

from reverie import Reverie
from reverie.awake import tail_vectors
from reverie.minds.embed import FromFunction, Vectors
from reverie.model.turns import Draft
from reverie.store.search.fresh import FreshTurn, FreshVectors
from tests.conftest import BACKENDS
from tests.support.searching import DIM, EMBEDDER, bag

Keep = Callable[[Any], Any]
pytestmark = pytest.mark.parametrize("location", BACKENDS, indirect=True)


@pytest.fixture
def memory(location: str, opened: Keep) -> Reverie:
    made: Reverie = opened(Reverie.open(location, embedder=EMBEDDER, durable=False))
    return made


def settled(memory: Reverie) -> None:
    assert memory.parts.tail is not None
    assert memory.parts.tail.settle(60)


def by_meaning(memory: Reverie, query: str) -> list[str]:
    hits = memory.space("alice").recall(query, explain=True)
    return [hit.text for hit in hits if "meaning" in hit.parts]


def test_a_turn_is_found_by_meaning_without_a_night_and_nothing_is_written(memory: Reverie) -> None:
    alice = memory.space("alice")
    alice.append("user", "The harbour is frozen")
    memory.append_all([(alice, Draft("user", "Petra sold her violin", "other"))])
    settled(memory)
    assert by_meaning(memory, "frozen harbour")[0] == "The harbour is frozen"
    assert by_meaning(memory, "violin")[0] == "Petra sold her violin"
    assert memory.parts.db.rows("SELECT ref FROM vectors") == []


def test_what_another_process_appends_is_embedded_after_the_first_question(
    memory: Reverie, location: str, opened: Keep
) -> None:
    other = opened(Reverie.open(location, embedder="none", durable=False))
    other.space("alice").append("user", "The harbour is frozen")
    memory.space("alice").recall("frozen harbour")
    settled(memory)
    assert by_meaning(memory, "frozen harbour") == ["The harbour is frozen"]


def test_a_night_takes_the_turn_and_an_undo_gives_it_back(memory: Reverie) -> None:
    alice = memory.space("alice")
    turn = alice.append("user", "The harbour is frozen").id
    settled(memory)
    assert [hit.id for hit in alice.recall("frozen harbour")] == [turn]
    night = alice.sleep()
    assert turn not in [hit.id for hit in alice.recall("frozen harbour")]
    settled(memory)
    assert not memory.parts.fresh.of(alice.id, EMBEDDER.id)
    alice.undo(night.id)
    alice.recall("frozen harbour")
    settled(memory)
    assert by_meaning(memory, "frozen harbour") == ["The harbour is frozen"]


def test_a_forgotten_turn_leaves_no_vector_in_memory(memory: Reverie) -> None:
    alice = memory.space("alice")
    turn = alice.append("user", "My pin is kept under the violin").id
    alice.append("user", "The harbour is frozen")
    settled(memory)
    alice.recall("violin")
    alice.forget(turn)
    assert not memory.parts.fresh.of(alice.id, EMBEDDER.id)
    alice.recall("violin")
    settled(memory)
    (left,) = memory.parts.fresh.of(alice.id, EMBEDDER.id)
    assert np.allclose(left.vectors, EMBEDDER.embed(["user: The harbour is frozen"]))
    with memory.parts.retriever.indexes.searched(alice.id, EMBEDDER.id, DIM, lambda index: index) as index:
        assert turn not in [ref for ref, _ in index.nearest(EMBEDDER.embed_one("pin violin"), 10, None)]


def test_an_append_never_waits_for_an_embedder(location: str, opened: Keep) -> None:
    gate, began = threading.Event(), threading.Event()

    def slow(texts: Sequence[str]) -> Vectors:
        began.set()
        gate.wait(60)
        return bag(texts)

    memory = opened(Reverie.open(location, embedder=FromFunction(slow, "slow", DIM), durable=False))
    alice = memory.space("alice")
    alice.append("user", "The harbour is frozen")
    assert began.wait(5)
    before = time.perf_counter()
    for n in range(20):
        alice.append("user", f"Petra sold violin {n}")
    assert time.perf_counter() - before < 30
    gate.set()
    assert memory.parts.tail.settle(60)


def test_while_turns_come_without_a_pause_only_a_few_are_embedded(
    memory: Reverie, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tail_vectors, "PATIENCE", 0.2)
    monkeypatch.setattr(tail_vectors, "QUIET", 60.0)  # no stall of the machine is taken for a pause
    alice = memory.space("alice")
    began, said = time.monotonic(), 0
    while time.monotonic() < began + 0.7:
        alice.append("user", f"Petra sold violin {said}")
        said += 1
    embedded = len(memory.parts.fresh.of(alice.id, EMBEDDER.id))
    assert embedded <= tail_vectors.A_FEW * (1 + (time.monotonic() - began) / 0.2)
    monkeypatch.setattr(tail_vectors, "QUIET", 0.05)
    settled(memory)
    assert len(memory.parts.fresh.of(alice.id, EMBEDDER.id)) >= min(said, tail_vectors.WINDOW)


def test_an_embedder_that_fails_is_counted_and_words_still_find(location: str, opened: Keep) -> None:
    broken = FromFunction(lambda texts: [[float("nan")] * DIM for _ in texts], "broken", DIM)
    memory = opened(Reverie.open(location, embedder=broken, durable=False))
    memory.space("alice").append("user", "The harbour is frozen")
    assert memory.parts.tail.settle(60)
    assert memory.parts.tail.failed == 1


def test_what_was_embedded_while_somebody_forgot_is_not_held(location: str) -> None:
    fresh = FreshVectors()
    cleared = fresh.cleared("a")
    fresh.clear("a")
    fresh.put("a", "bag", [FreshTurn("turn-1", 1, np.zeros((1, DIM), np.float32))], cleared)
    assert not fresh.of("a", "bag")


def test_memory_is_bounded_and_the_space_written_to_longest_ago_goes_first(location: str) -> None:
    fresh = FreshVectors(most=3)
    for space, ref in (("a", "turn-1"), ("a", "turn-2"), ("b", "turn-3"), ("b", "turn-4")):
        fresh.put(space, "bag", [FreshTurn(ref, 1, np.zeros((1, DIM), np.float32))])
    assert not fresh.of("a", "bag")
    fresh.put("b", "bag", [FreshTurn(f"turn-{n}", n, np.zeros((1, DIM), np.float32)) for n in range(5, 8)])
    assert [turn.ref for turn in fresh.of("b", "bag")] == ["turn-5", "turn-6", "turn-7"]


def test_an_embedder_that_raises_anything_costs_a_round_and_not_the_thread(location: str, opened: Keep) -> None:
    def once_broken(texts: Sequence[str]) -> Vectors:
        if any("harbour" in text for text in texts):
            raise ZeroDivisionError
        return bag(texts)

    memory = opened(Reverie.open(location, embedder=FromFunction(once_broken, "once-broken", DIM), durable=False))
    memory.space("alice").append("user", "The harbour is frozen")
    assert memory.parts.tail.settle(60)
    assert memory.parts.tail.failed == 1
    memory.space("bob").append("user", "Petra sold her violin")
    assert memory.parts.tail.settle(60)
    assert len(memory.parts.fresh.of(memory.space("bob").id, "once-broken")) == 1
