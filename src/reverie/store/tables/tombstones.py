"""What a forget leaves: the id of a turn, a memory or a whole space, without content.

The log is cleaned after memory, in transactions of its own; a tombstone says what has still to go after a crash.
"""

from collections.abc import Iterable

from reverie.model.base import Instant
from reverie.model.turns import is_turn
from reverie.store.db import Database, Transaction

SPACE = "space"  # the `what` of a deleted space that may still have rows in the log
RESTORING = "restoring"  # and of one that is being made of an export
FORGETTING = "forgetting"  # and of a forget after which files are still to be cleaned; it has no space


def put(tx: Transaction, space: str, refs: Iterable[str], now: Instant) -> None:
    """A tombstone for each of these turns and memories."""
    tx.many(
        "INSERT INTO tombstones (space, ref, what, at) VALUES (:space, :ref, :what, :at)"
        " ON CONFLICT (space, ref) DO NOTHING",
        [{"space": space, "ref": ref, "what": "turn" if is_turn(ref) else "memory", "at": now} for ref in refs],
    )


def put_space(tx: Transaction, space: str) -> None:
    """A tombstone for a whole space, until its rows are out of the log too."""
    _put_whole(tx, space, SPACE)


def put_restoring(tx: Transaction, space: str) -> None:
    """Marks a space that is being made of an export: if that is cut off, the next open deletes it."""
    _put_whole(tx, space, RESTORING)


def _put_whole(tx: Transaction, space: str, what: str) -> None:
    tx.run(
        "INSERT INTO tombstones (space, ref, what, at) VALUES (:space, :space, :what, 0)"
        " ON CONFLICT (space, ref) DO UPDATE SET what = excluded.what",
        space=space,
        what=what,
    )


def put_forgetting(tx: Transaction, id: str) -> None:
    """Marks that a forget has begun: if it is cut off, the next open cleans the files of what it deleted."""
    tx.run(f"INSERT INTO tombstones (space, ref, what, at) VALUES ('', :id, '{FORGETTING}', 0)", id=id)


def forgetting(db: Database) -> list[str]:
    """The ids of forgets that have begun, and not ended well."""
    return [row["ref"] for row in db.rows(f"SELECT ref FROM tombstones WHERE what = '{FORGETTING}'")]


def delete_forgetting(tx: Transaction, id: str) -> None:
    """A forget has ended: no byte of what it deleted is left."""
    tx.run("DELETE FROM tombstones WHERE space = '' AND ref = :id", id=id)


def restored(tx: Transaction, space: str) -> None:
    """A space that was being restored is whole."""
    tx.run(f"DELETE FROM tombstones WHERE space = :space AND ref = :space AND what = '{RESTORING}'", space=space)


def restoring(db: Database) -> list[str]:
    """Spaces that are being made of an export, or were when that was cut off."""
    return [row["ref"] for row in db.rows(f"SELECT ref FROM tombstones WHERE what = '{RESTORING}'")]


def deleted_spaces(db: Database) -> list[str]:
    """Spaces that were deleted and may still have rows in the log."""
    return [row["ref"] for row in db.rows(f"SELECT ref FROM tombstones WHERE what = '{SPACE}'")]


def any_left(db: Database) -> bool:
    """Whether a deletion, a forget or a restore was cut off, or is under way: then something is left to do."""
    left = db.rows(
        f"SELECT 1 AS one FROM tombstones g WHERE g.what IN ('{SPACE}', '{RESTORING}', '{FORGETTING}')"
        " OR (g.what = 'turn' AND EXISTS (SELECT 1 FROM turns t WHERE t.id = g.ref)) LIMIT 1"
    )
    return bool(left)


def count(rows: Database | Transaction, space: str) -> int:
    """How many turns and memories of a space were forgotten so far."""
    return int(rows.rows("SELECT count(*) AS n FROM tombstones WHERE space = :space", space=space)[0]["n"])


def delete_of_space(tx: Transaction, space: str) -> None:
    """Deletes every tombstone of a space that is gone from memory and log."""
    tx.run("DELETE FROM tombstones WHERE space = :space", space=space)
