"""What a forget leaves: the id of a turn, a memory or a whole space, without content.

The log is cleaned after memory, in transactions of its own; a tombstone says what has still to go after a crash.
"""

from collections.abc import Iterable

from reverie.model.base import Instant
from reverie.model.turns import is_turn
from reverie.store.db import Database, Transaction

SPACE = "space"  # the `what` of a deleted space that may still have rows in the log


def put(tx: Transaction, space: str, refs: Iterable[str], now: Instant) -> None:
    """A tombstone for each of these turns and memories."""
    tx.many(
        "INSERT INTO tombstones (space, ref, what, at) VALUES (:space, :ref, :what, :at)"
        " ON CONFLICT (space, ref) DO NOTHING",
        [{"space": space, "ref": ref, "what": "turn" if is_turn(ref) else "memory", "at": now} for ref in refs],
    )


def put_space(tx: Transaction, space: str) -> None:
    """A tombstone for a whole space, until its rows are out of the log too."""
    tx.run(f"INSERT INTO tombstones (space, ref, what, at) VALUES (:space, :space, '{SPACE}', 0)", space=space)


def deleted_spaces(db: Database) -> list[str]:
    """Spaces that were deleted and may still have rows in the log."""
    return [row["ref"] for row in db.rows(f"SELECT ref FROM tombstones WHERE what = '{SPACE}'")]


def count(rows: Database | Transaction, space: str) -> int:
    """How many turns and memories of a space were forgotten so far."""
    return int(rows.rows("SELECT count(*) AS n FROM tombstones WHERE space = :space", space=space)[0]["n"])


def delete_of_space(tx: Transaction, space: str) -> None:
    """Deletes every tombstone of a space that is gone from memory and log."""
    tx.run("DELETE FROM tombstones WHERE space = :space", space=space)
