"""An index in memory sees a person's change at once, and what a running night changes a piece at a time."""

import pytest

from reverie.model.changes import Changes
from reverie.model.memories import Document, Memory
from reverie.store.db import Database
from reverie.store.search.index import IndexLimits
from reverie.store.tables import nights
from tests.conftest import BACKENDS
from tests.support.nights import NOW, Sleeping, fall_asleep
from tests.support.searching import Place

pytestmark = pytest.mark.parametrize("location", BACKENDS, indirect=True)
PATIENT = IndexLimits(moment=3_600.0)
AT_ONCE_IN_PIECES = IndexLimits(moment=0.0, piece=2)


def awake(db: Database, limits: IndexLimits) -> Place:
    """A place whose index has been made."""
    place = Place(db, limits=limits, patient=True)
    place.ids("anything")
    return place


def learn(asleep: Sleeping, text: str, **more: object) -> str:
    memory: Memory = asleep.memory(text)
    asleep.commit(Changes(memories=(memory,), documents=(Document(memory.id, text),), **more))  # type: ignore[arg-type]
    return memory.id


def end(asleep: Sleeping) -> None:
    with asleep.db.write("memory") as tx:
        nights.finish(tx, asleep.night, NOW, tokens=0, cost=0.0)


def test_what_a_running_night_learns_is_found_when_it_ends(db: Database) -> None:
    alice = awake(db, PATIENT)
    asleep = fall_asleep(db, alice.id)
    fact = learn(asleep, "likes tea")
    assert alice.ids("tea") == []
    end(asleep)
    assert alice.ids("tea") == [fact]


def test_a_persons_change_is_seen_at_once_and_brings_the_nights_with_it(db: Database) -> None:
    alice = awake(db, PATIENT)
    fact = learn(fall_asleep(db, alice.id), "likes green tea")
    alice.know("mem-mine", "likes black tea", vector=False)
    assert sorted(alice.ids("tea")) == sorted(["mem-mine", fact])


def test_a_running_night_is_taken_up_in_pieces(db: Database) -> None:
    alice = awake(db, AT_ONCE_IN_PIECES)
    asleep = fall_asleep(db, alice.id)
    for colour in ("green", "black", "white", "red", "blue"):
        learn(asleep, f"likes {colour} tea")
    assert [len(alice.ids("tea")) for _ in range(3)] == [3, 5, 5]


def test_a_turn_stands_in_until_its_episode_is_taken_up(db: Database) -> None:
    alice = awake(db, PATIENT)
    turn = alice.say("I like tea")
    asleep = fall_asleep(db, alice.id)
    episode = learn(asleep, "I like tea", watermark=1)
    assert alice.ids("tea") == [turn]
    end(asleep)
    assert alice.ids("tea") == [episode]


def test_who_is_not_patient_sees_all_of_a_running_night(db: Database) -> None:
    alice = Place(db, limits=PATIENT)
    alice.ids("anything")
    fact = learn(fall_asleep(db, alice.id), "likes tea")
    assert alice.ids("tea") == [fact]
