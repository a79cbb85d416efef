"""The table `intents`, on the log's side: they are made, shown and cancelled awake."""

from collections.abc import Iterable

from reverie.errors import NotFound
from reverie.model.base import Instant
from reverie.model.turns import MOST_LIVE, MOST_TIMES, Intent
from reverie.store.db import Database, Reads, Row, Transaction


def put(tx: Transaction, intent: Intent) -> None:
    """Stores an intent. One that is asked for again begins anew."""
    tx.run(
        "INSERT INTO intents (id, space, turn, remind, trigger_text, session, scope, made_at, expires_at)"
        " VALUES (:id, :space, :turn, :remind, :trigger, :session, :scope, :made_at, :expires_at)"
        " ON CONFLICT (id) DO UPDATE SET turn = excluded.turn, session = excluded.session, scope = excluded.scope,"
        " made_at = excluded.made_at, expires_at = excluded.expires_at, cancelled_at = NULL, fired = 0,"
        " fired_at = NULL",
        id=intent.id,
        space=intent.space,
        turn=intent.turn,
        remind=intent.remind,
        trigger=intent.trigger,
        session=intent.session,
        scope=intent.scope,
        made_at=intent.made_at,
        expires_at=intent.expires_at,
    )


def live(db: Reads | Transaction, space: str, now: Instant) -> list[Intent]:
    """Those that may still remind, oldest first; of very many the newest."""
    rows = db.rows(
        "SELECT * FROM intents WHERE space = :space AND expires_at > :now AND cancelled_at IS NULL AND fired < :most"
        " ORDER BY made_at DESC, id LIMIT :limit",
        space=space,
        now=now,
        most=MOST_TIMES,
        limit=MOST_LIVE,
    )
    return [_intent(row) for row in reversed(rows)]


def listed(db: Reads, space: str, *, limit: int, after: str | None = None) -> list[Intent]:
    """All of a space, newest first, also those that are over; `after` is the id of the last one seen."""
    last = by_id(db, space, after) if after is not None else None
    rows = db.rows(
        "SELECT * FROM intents WHERE space = :space AND (made_at < :at OR (made_at = :at AND id > :id))"
        " ORDER BY made_at DESC, id LIMIT :limit",
        space=space,
        at=last.made_at if last else 1e18,
        id=last.id if last else "",
        limit=limit,
    )
    return [_intent(row) for row in rows]


def by_id(db: Reads, space: str, id: str) -> Intent:
    rows = db.rows("SELECT * FROM intents WHERE space = :space AND id = :id", space=space, id=id)
    if not rows:
        raise NotFound("intent", id)
    return _intent(rows[0])


def cancel(tx: Transaction, id: str, now: Instant) -> bool:
    """False if it was cancelled before."""
    return bool(
        tx.run("UPDATE intents SET cancelled_at = :now WHERE id = :id AND cancelled_at IS NULL", id=id, now=now)
    )


def fire(tx: Transaction, id: str, now: Instant) -> None:
    """Counts that it was shown."""
    tx.run("UPDATE intents SET fired = fired + 1, fired_at = :now WHERE id = :id", id=id, now=now)


def delete_of_turns(tx: Transaction, turns: Iterable[str]) -> None:
    """Deletes what was asked for in turns that are forgotten."""
    tx.many("DELETE FROM intents WHERE turn = :turn", [{"turn": turn} for turn in turns])


def delete_quoting(db: Database, space: str, texts: Iterable[str]) -> int:
    """Deletes those that hold one of these texts, or are held by one; answers how many."""
    folded = [" ".join(text.split()).casefold() for text in texts]
    rows = db.rows("SELECT id, remind, trigger_text FROM intents WHERE space = :space", space=space)
    gone = [
        {"id": row["id"]}
        for row in rows
        if any(part.casefold() in text for text in folded for part in (row["remind"], row["trigger_text"]))
    ]
    if gone:
        with db.write("log") as tx:
            tx.many("DELETE FROM intents WHERE id = :id", gone)
    return len(gone)


def _intent(row: Row) -> Intent:
    names = ("id", "space", "remind", "made_at", "expires_at", "turn", "session", "scope", "cancelled_at", "fired")
    return Intent(**{name: row[name] for name in names}, trigger=row["trigger_text"], fired_at=row["fired_at"])
