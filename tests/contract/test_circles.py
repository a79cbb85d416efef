"""Writers of one space on Postgres at the same moment: they wait for each other in one order, never in a circle."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import psycopg
import pytest

from reverie import Reverie
from reverie.model.turns import Draft
from reverie.space import Space

pytestmark = pytest.mark.parametrize("location", ["postgres"], indirect=True)
WAITS = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"


@contextmanager
def beside(location: str, space: Space, write: Callable[[], Any]) -> Iterator[tuple[psycopg.Connection, list[Any]]]:
    """An append to a space that has only begun, and a write that has come to wait for it; then what it answered."""
    answered: list[Any] = []
    with psycopg.connect(location) as begun, psycopg.connect(location, autocommit=True) as looking:
        begun.execute("UPDATE activity SET last_seq = last_seq WHERE space = %s", (space.id,))
        writer = threading.Thread(target=lambda: answered.append(write()))
        writer.start()
        while not looking.execute(WAITS).fetchall()[0][0]:
            assert writer.is_alive()
        yield begun, answered
        begun.commit()
        writer.join()


def test_a_session_ends_beside_an_append_to_it(location: str, memory: Reverie, alice: Space) -> None:
    alice.append("user", "Good night.", session="s")
    with beside(location, alice, lambda: alice.end_session("s")) as (begun, answered):
        begun.execute("UPDATE sessions SET turns = turns WHERE space = %s", (alice.id,))
    assert answered == [True]


def test_batches_of_several_spaces_wait_in_one_order(location: str, memory: Reverie) -> None:
    first, second = sorted((memory.space("alice"), memory.space("bob")), key=lambda space: space.id)
    for space in (first, second):
        space.append("user", "Hello.")
    drafts = [(second, Draft("user", "One.")), (first, Draft("user", "Two.")), (second, Draft("user", "Three."))]
    with beside(location, first, lambda: memory.append_all(drafts)) as (begun, answered):
        begun.execute("UPDATE activity SET last_seq = last_seq WHERE space = %s", (second.id,))
    (stored,) = answered
    assert [turn.seq for turn in stored] == [2, 2, 3]
    assert [turn.text for turn in second.turns()] == ["Hello.", "One.", "Three."]
