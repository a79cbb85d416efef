"""Chores: follow-up work on a memory that a step, an edit or a forget leaves for a later night."""

from collections.abc import Iterable

from reverie.model.base import Instant
from reverie.store.db import Transaction

READ = "read"  # a memory that a night has yet to think about though it did not make it
CORE = "core"  # a promoted memory that no block holds yet
EMBED = "embed"  # a memory that has lost its vector
COMPARE = "contradict"  # a new fact that a night had no room to compare with others
# A memory that has moved to another tier waits for its text in that tier's size under the tier's own name.

PRIORITY = 0.5  # of what nobody gave another one


def put(tx: Transaction, space: str, chores: Iterable[tuple[str, str, float]], now: Instant) -> None:
    """Stores chores given as (memory, chore, priority). One that is there already gets the new priority."""
    tx.many(
        "INSERT INTO chores (space, memory, chore, priority, created_at)"
        " VALUES (:space, :memory, :chore, :priority, :at)"
        " ON CONFLICT (space, memory, chore) DO UPDATE SET priority = excluded.priority",
        [
            {"space": space, "memory": memory, "chore": chore, "priority": priority, "at": now}
            for memory, chore, priority in chores
        ],
    )


def add(tx: Transaction, space: str, memories: Iterable[str], chore: str, now: Instant) -> None:
    """Stores the same chore for several memories. One that is there already stays as it is."""
    tx.many(
        "INSERT INTO chores (space, memory, chore, priority, created_at)"
        " VALUES (:space, :memory, :chore, :priority, :now) ON CONFLICT (space, memory, chore) DO NOTHING",
        [{"space": space, "memory": id, "chore": chore, "priority": PRIORITY, "now": now} for id in memories],
    )


def add_read(tx: Transaction, memory: str, now: Instant) -> None:
    """The next night reads a memory as if it were new. An id that is no memory's (a turn's) is left out."""
    tx.run(
        "INSERT INTO chores (space, memory, chore, priority, created_at)"
        " SELECT space, id, CAST(:chore AS TEXT), 0.5, CAST(:now AS DOUBLE PRECISION) FROM memories WHERE id = :memory"
        " ON CONFLICT (space, memory, chore) DO NOTHING",
        chore=READ,
        now=now,
        memory=memory,
    )


def add_read_of_night(tx: Transaction, night: str) -> None:
    """The next night reads every memory that this one made and did not think about to the end."""
    tx.run(
        "INSERT INTO chores (space, memory, chore, priority, created_at)"
        " SELECT space, id, CAST(:chore AS TEXT), 0.5, created_at FROM memories WHERE night = :night"
        " ON CONFLICT (space, memory, chore) DO NOTHING",
        chore=READ,
        night=night,
    )


def add_read_of_suppressed(tx: Transaction, space: str, night: str, now: Instant) -> None:
    """The next night reads every memory that the undo of this night has suppressed."""
    tx.run(
        "INSERT INTO chores (space, memory, chore, priority, created_at)"
        " SELECT m.space, m.id, CAST(:chore AS TEXT), 0.5, CAST(:now AS DOUBLE PRECISION) FROM suppressed s"
        " JOIN memories m ON m.id = s.ref WHERE s.space = :space AND s.night = :night"
        " ON CONFLICT (space, memory, chore) DO NOTHING",
        chore=READ,
        now=now,
        space=space,
        night=night,
    )


def delete(tx: Transaction, space: str, done: Iterable[tuple[str, str]]) -> None:
    """Deletes chores that are done, given as (memory, chore)."""
    tx.many(
        "DELETE FROM chores WHERE space = :space AND memory = :memory AND chore = :chore",
        [{"space": space, "memory": memory, "chore": chore} for memory, chore in done],
    )


def delete_read(tx: Transaction, space: str, upto: Instant) -> None:
    """Deletes the READ chores that were stored up to this moment."""
    tx.run(
        "DELETE FROM chores WHERE space = :space AND chore = :chore AND created_at <= :upto",
        space=space,
        chore=READ,
        upto=upto,
    )


def delete_of_memory(tx: Transaction, memory: str) -> None:
    """Deletes every chore of a memory that goes away."""
    tx.run("DELETE FROM chores WHERE memory = :id", id=memory)
