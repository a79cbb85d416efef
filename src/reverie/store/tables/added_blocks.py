"""What proxies have added to the turns of a session, so that the same turn is sent with the same bytes again."""

from collections.abc import Mapping

from reverie.model.base import Instant
from reverie.model.turns import AddedBlock
from reverie.store.db import Reads, Transaction


def of_session(db: Reads, space: str, session: str) -> dict[str, AddedBlock]:
    """By the digest of the turn."""
    rows = db.rows(
        "SELECT turn, text, seen, at FROM added_blocks WHERE space = :space AND session = :session",
        space=space,
        session=session,
    )
    return {row["turn"]: AddedBlock(row["text"], row["at"], tuple(row["seen"].split())) for row in rows}


def put(tx: Transaction, space: str, session: str, made: Mapping[str, AddedBlock]) -> None:
    """Keeps them; a newer one takes the place of an older."""
    tx.many(
        "INSERT INTO added_blocks (space, session, turn, text, seen, at)"
        " VALUES (:space, :session, :turn, :text, :seen, :at)"
        " ON CONFLICT (space, session, turn) DO UPDATE SET text = excluded.text, seen = excluded.seen,"
        " at = excluded.at",
        [
            {
                "space": space,
                "session": session,
                "turn": turn,
                "text": one.text,
                "seen": " ".join(one.seen),
                "at": one.at,
            }
            for turn, one in made.items()
        ],
    )


def clear(tx: Transaction, space: str) -> int:
    """Deletes all of a space; answers how many."""
    return tx.run("DELETE FROM added_blocks WHERE space = :space", space=space)


def delete_before(tx: Transaction, space: str, before: Instant) -> int:
    """Deletes those that were made before a moment; answers how many."""
    return tx.run("DELETE FROM added_blocks WHERE space = :space AND at < :before", space=space, before=before)
