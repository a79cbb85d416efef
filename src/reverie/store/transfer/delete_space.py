"""The end of a space: everything of it goes, from memory first and then, a part at a time, from the log."""

import time

from reverie.model.base import Instant
from reverie.store.catalog import TABLES, Table
from reverie.store.db import Database
from reverie.store.tables import blocks, leases, replies, spaces, tombstones

PART = 200  # rows of the log a transaction


def delete_space(db: Database, space: str) -> None:
    """Deletes everything of a space, and blocks that no other space shares.

    Memory first: a space that lost its turns and stayed would give new ones places that it believes to have read.
    """
    with db.write("memory") as tx:
        blocks.disown_shared(tx, space)
        for table in reversed(TABLES):
            if table.side == "memory":
                tx.run(f"DELETE FROM {table.name} WHERE {table.where}", space=space)
        db.dialect.index.drop(db, tx, space)
        leases.delete(tx, space)
        replies.forget_space(tx, space)
        spaces.delete(tx, space)
        tombstones.put_space(tx, space)
    finish_deleting(db)


def delete_half_made(db: Database, now: Instant) -> None:
    """Deletes spaces that a killed restore has left: those that nobody restores any more."""
    for space in half_made(db, now):
        delete_space(db, space)


def half_made(db: Database, now: Instant) -> list[str]:
    """Spaces whose restore was cut off."""
    return [space for space in tombstones.restoring(db) if leases.held(db, space, now) is None]


def finish_deleting(db: Database) -> None:
    """Takes deleted spaces out of the log: the second half of a deletion, also after a crash."""
    gone = tombstones.deleted_spaces(db)
    for space in gone:
        for table in TABLES:
            if table.side == "log":
                _delete_from_log(db, table, space)
        with db.write("memory") as tx:
            tombstones.delete_of_space(tx, space)
    if gone:
        db.dialect.purge(db)
        db.dialect.advance(db)


def _delete_from_log(db: Database, table: Table, space: str) -> None:
    """Deletes a space's rows, a part a transaction: an append to another space waits for no more than that."""
    part = f"SELECT {table.key} FROM {table.name} WHERE {table.where} LIMIT {PART}"
    taken = PART
    while taken >= PART:  # an `asked` hash may stand for several days
        with db.write("log") as tx:
            taken = tx.run(f"DELETE FROM {table.name} WHERE {table.where} AND {table.key} IN ({part})", space=space)
        time.sleep(tx.held_ms / 1000)  # as long as it was held, the lock is free for whoever waits
