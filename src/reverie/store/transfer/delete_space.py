"""The end of a space: gone for every reader in one short transaction, and then row by row, a part at a time.

A tombstone stays until the last row is gone, and a lease says that somebody is at it: after a kill, the next open of
the store goes on.
"""

import time
from contextlib import suppress
from dataclasses import dataclass, field

from reverie.errors import LeaseLost, ReverieError
from reverie.model.base import Instant, new_id
from reverie.model.night import Lease
from reverie.store.catalog import TABLES
from reverie.store.db import Database
from reverie.store.parts import delete_rows
from reverie.store.tables import blocks, leases, memory_words, nights, replies, rhythm, spaces, tombstones

RENEWED = 10.0  # seconds after which the lease is renewed


def delete_space(db: Database, space: str, now: Instant) -> None:
    """Deletes everything of a space, and blocks that no other space shares."""
    delete_withdrawn(db, withdraw(db, space, now))


def withdraw(db: Database, space: str, now: Instant) -> "Deletion":
    """Takes a space away from every reader, writer and night; its rows are for `delete_withdrawn`."""
    with db.write("memory") as tx:
        blocks.disown_shared(tx, space)
        blocks.withdraw_own(tx, space)
        db.dialect.index.drop(db, tx, space)
        replies.forget_space(tx, space)
        rhythm.delete(tx, space)
        nights.delete_unfinished(tx, space)
        spaces.delete(tx, space)
        tombstones.put_space(tx, space)
        leases.delete(tx, space)  # whoever held it has lost it
        lease = leases.acquire_in(tx, space, new_id("delete"), now)
    assert lease is not None
    return Deletion(lease, now)


def delete_half_made(db: Database, now: Instant) -> None:
    """Deletes spaces that a killed restore has left: those that nobody restores any more."""
    for space in half_made(db, now):
        delete_space(db, space, now)


def half_made(db: Database, now: Instant) -> list[str]:
    """Spaces whose restore was cut off."""
    return [space for space in tombstones.restoring(db) if leases.held(db, space, now) is None]


def half_deleted(db: Database, now: Instant) -> list[str]:
    """Spaces whose deletion was cut off."""
    return [space for space in tombstones.deleted_spaces(db) if leases.held(db, space, now) is None]


def finish_deleting(db: Database, now: Instant) -> None:
    """Goes on with deletions that were cut off."""
    for space in half_deleted(db, now):
        lease = leases.acquire(db, space, new_id("delete"), now)
        if lease is not None:
            delete_withdrawn(db, Deletion(lease, now))


@dataclass
class Deletion:
    """A space that is being deleted, and the lease by which others know that somebody does it."""

    lease: Lease
    now: Instant
    began: float = field(default_factory=time.monotonic)
    renewed: float = field(default_factory=time.monotonic)

    @property
    def space(self) -> str:
        return self.lease.space

    def renew(self, db: Database) -> None:
        """Keeps the lease while the deletion takes long. Raises LeaseLost when somebody else has gone on with it."""
        if time.monotonic() - self.renewed > RENEWED:
            self.renewed = time.monotonic()
            leases.renew(db, self.lease, self.now + self.renewed - self.began)


def delete_withdrawn(db: Database, deletion: Deletion) -> None:
    """Deletes the rows of a withdrawn space, memory first, and its tombstone last; or stops if somebody took over."""
    try:
        _delete_all(db, deletion)
        db.dialect.purge(db)
    except LeaseLost:
        return
    except BaseException:
        with suppress(ReverieError):  # so that the next open need not wait for the lease to end
            leases.release(db, deletion.lease)
        raise
    with db.write("memory") as tx:
        tombstones.delete_of_space(tx, deletion.space)
        leases.delete(tx, deletion.space)
    db.dialect.advance(db)


def _delete_all(db: Database, deletion: Deletion) -> None:
    for side in ("memory", "log"):
        for table in reversed(TABLES):
            if table.name == "memory_words":
                memory_words.delete_of_space(db, deletion.space, lambda: deletion.renew(db))
            elif table.side == side:
                own = " AND ref <> :space" if table.name == "tombstones" else ""  # the space's own one goes last
                delete_rows(db, table, deletion.space, where=own, after=lambda: deletion.renew(db))
