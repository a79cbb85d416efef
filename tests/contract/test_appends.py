"""Turns of many clients share a transaction; one that cannot be stored does not take the others with it."""

import threading
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from reverie import Reverie
from reverie.errors import BadInput, KeyReused, NotFound, StoreBroken
from reverie.model.turns import Appended, Draft
from reverie.server.errors import Overloaded
from reverie.server.gateway.group_append import Appends
from reverie.space import Space
from tests.conftest import BACKENDS

pytestmark = pytest.mark.parametrize("location", BACKENDS, indirect=True)


@pytest.fixture
def appends(memory: Reverie, opened: Callable[[Any], Any]) -> Appends:
    found: Appends = opened(Appends(memory))
    return found


def held_back(appends: Appends) -> Callable[[], None]:
    """Keeps the writer busy, so that what follows waits together; answers how to let it go."""
    go = threading.Event()

    def nobody() -> Space:
        go.wait(10)
        raise NotFound("space", "nobody")

    appends.put(nobody, Draft("user", "never"))
    return go.set


def test_turns_that_wait_together_are_stored_in_order_a_space(memory: Reverie, appends: Appends) -> None:
    spaces = [memory.space("alice"), memory.space("bob")]
    let_go = held_back(appends)
    futures = [
        appends.put(lambda n=n: spaces[n % 2], Draft("user", f"turn {n}"))  # type: ignore[misc]
        for n in range(10)
    ]
    let_go()
    assert [future.result(10)[0].seq for future in futures] == [1, 1, 2, 2, 3, 3, 4, 4, 5, 5]
    assert [turn.text for turn in spaces[0].turns()] == [f"turn {n}" for n in range(0, 10, 2)]


def test_one_that_cannot_be_stored_is_told_so_and_the_others_are_stored_once(memory: Reverie, appends: Appends) -> None:
    alice = memory.space("alice")
    alice.append("user", "first", key="k")
    let_go = held_back(appends)
    texts = {"good": None, "other": "k", " ": None, "also good": None}
    futures = {text: appends.put(lambda: alice, Draft("user", text, key=key)) for text, key in texts.items()}
    let_go()
    assert isinstance(futures["other"].exception(10), KeyReused)
    assert isinstance(futures[" "].exception(10), BadInput)
    assert {futures[text].result(10)[0].seq for text in ("good", "also good")} == {2, 3}
    assert [turn.text for turn in alice.turns()] == ["first", "good", "also good"]


def test_what_waits_is_stored_before_it_closes_and_nothing_is_taken_after(memory: Reverie) -> None:
    alice = memory.space("alice")
    appends = Appends(memory)
    let_go = held_back(appends)
    waiting = appends.put(lambda: alice, Draft("user", "last"))
    let_go()
    appends.close()
    assert waiting.result(0)[0].seq == 1
    late = appends.put(lambda: alice, Draft("user", "late"))
    assert isinstance(late.exception(0), Overloaded)


def test_a_turn_that_nobody_waits_for_any_more_is_not_stored(memory: Reverie, appends: Appends) -> None:
    alice = memory.space("alice")
    let_go = held_back(appends)
    gone = appends.put(lambda: alice, Draft("user", "gone"))
    stays = appends.put(lambda: alice, Draft("user", "stays"))
    assert gone.cancel()
    let_go()
    stays.result(10)
    assert [turn.text for turn in alice.turns()] == ["stays"]


def test_a_store_that_refuses_refuses_all_at_once(
    memory: Reverie, appends: Appends, monkeypatch: pytest.MonkeyPatch
) -> None:
    alice = memory.space("alice")
    asked: list[int] = []

    def broken(_memory: Reverie, drafts: Sequence[tuple[Space, Draft]]) -> list[Appended]:
        asked.append(len(drafts))
        raise StoreBroken("the disk is full")

    let_go = held_back(appends)
    monkeypatch.setattr(Reverie, "append_all", broken)
    futures = [appends.put(lambda: alice, Draft("user", "x")) for _ in range(3)]
    let_go()
    assert all(isinstance(future.exception(10), StoreBroken) for future in futures)
    assert [n for n in asked if n] == [3]
