"""What a step gets to read with: one space, one night, and no way to write."""

from dataclasses import FrozenInstanceError

import pytest

from reverie.errors import StoreError
from reverie.model.changes import Changes
from reverie.store.db import Database, Handle, Transaction
from reverie.store.reader import Reader
from reverie.store.reading import memories
from tests.conftest import BACKENDS
from tests.support.nights import Sleeping, fall_asleep, make_space

pytestmark = pytest.mark.parametrize("location", BACKENDS, indirect=True)

WRITES = (
    "DELETE FROM memories",
    "DELETE FROM memories RETURNING id",
    "UPDATE memories SET text = 'coffee'",
    "INSERT INTO suppressed (space, ref) VALUES ('agent', 'mem')",
    "WITH gone AS (DELETE FROM memories RETURNING id) SELECT id FROM gone",
    "delete from memories",
    " DELETE FROM memories",
    "SELECT 1 AS one; DELETE FROM memories",
    "DROP TABLE memories",
)


@pytest.fixture
def asleep(db: Database) -> Sleeping:
    night = fall_asleep(db, make_space(db))
    night.commit(Changes(memories=(night.memory("I like tea"),)))
    return night


def parts(reader: Reader) -> dict[str, object]:
    """Everything that can be reached from it by name, privately or not, and what its methods are bound to."""
    named = {name: getattr(reader, name) for name in dir(reader)}
    return named | {f"{name}.__self__": getattr(part, "__self__", None) for name, part in named.items()}


def test_nothing_that_a_reader_has_can_write(asleep: Sleeping) -> None:
    able = {
        name
        for name, part in parts(asleep.reader).items()
        if isinstance(part, (Database, Transaction, Handle)) or any(hasattr(part, w) for w in ("write", "alone", "run"))
    }
    assert able == set()


@pytest.mark.parametrize("sql", WRITES)
def test_a_reader_runs_nothing_but_a_select(asleep: Sleeping, sql: str) -> None:
    reader = asleep.reader
    for ask in (reader.rows, reader.row, reader.value):
        with pytest.raises(StoreError):
            ask(sql)
    assert [memory.text for memory in memories.page(reader, after="", limit=9)] == ["I like tea"]


def test_a_reader_that_is_asked_to_write_says_where_writes_go(asleep: Sleeping) -> None:
    with pytest.raises(StoreError, match="reads only") as refused:
        asleep.reader.each("DELETE FROM memories WHERE id IN (:keys)", ["mem"])
    assert "Changes" in refused.value.next_move


def test_a_reader_stays_with_its_night(asleep: Sleeping) -> None:
    with pytest.raises(FrozenInstanceError):
        asleep.reader.night = fall_asleep(asleep.db, make_space(asleep.db, "bob")).night  # type: ignore[misc]


def test_a_reader_sees_its_own_space_only(asleep: Sleeping) -> None:
    bob = fall_asleep(asleep.db, make_space(asleep.db, "bob"))
    assert (memories.count(asleep.reader), memories.count(bob.reader)) == (1, 0)
    assert memories.by_ids(bob.reader, [asleep.memory("I like tea").id]) == {}
