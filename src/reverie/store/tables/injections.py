"""What proxies have added to the turns of a session, so that the same turn is sent with the same bytes again."""

from collections.abc import Mapping

from reverie.model.base import Instant
from reverie.model.turns import Injection
from reverie.store.db import Reads, Transaction


def of_session(db: Reads, space: str, session: str) -> dict[str, Injection]:
    """By the digest of the turn."""
    rows = db.rows(
        "SELECT turn, text, at FROM injections WHERE space = :space AND session = :session",
        space=space,
        session=session,
    )
    return {row["turn"]: Injection(row["text"], row["at"]) for row in rows}


def put(tx: Transaction, space: str, session: str, made: Mapping[str, Injection]) -> None:
    """Keeps them; a newer one takes the place of an older."""
    tx.many(
        "INSERT INTO injections (space, session, turn, text, at) VALUES (:space, :session, :turn, :text, :at)"
        " ON CONFLICT (space, session, turn) DO UPDATE SET text = excluded.text, at = excluded.at",
        [
            {"space": space, "session": session, "turn": turn, "text": one.text, "at": one.at}
            for turn, one in made.items()
        ],
    )


def clear(tx: Transaction, space: str) -> int:
    """Deletes all of a space; answers how many."""
    return tx.run("DELETE FROM injections WHERE space = :space", space=space)


def delete_before(tx: Transaction, space: str, before: Instant) -> int:
    """Deletes those that were made before a moment; answers how many."""
    return tx.run("DELETE FROM injections WHERE space = :space AND at < :before", space=space, before=before)
