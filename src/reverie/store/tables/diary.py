"""The diary: one readable text a night."""

from reverie.model.base import Instant
from reverie.model.night import Night
from reverie.store.db import Database, Transaction


def put(tx: Transaction, night: Night, text: str) -> None:
    """Stores a night's text in place of the one it had."""
    tx.run(
        "INSERT INTO diary (night, space, text, at) VALUES (:night, :space, :text, :at)"
        " ON CONFLICT (night) DO UPDATE SET text = excluded.text",
        night=night.id,
        space=night.space,
        text=tx.clean(text),
        at=night.now,
    )


def update(tx: Transaction, night: str, text: str) -> None:
    """Another text for a night that has one: what a person forgot is taken out of it."""
    tx.run("UPDATE diary SET text = :text WHERE night = :night", text=text, night=night)


def listed(
    db: Database, space: str, *, limit: int = 30, before: Instant | None = None
) -> list[tuple[str, Instant, str]]:
    """(night, when, text), newest first."""
    rows = db.rows(
        "SELECT night, at, text FROM diary WHERE space = :space AND at < :before ORDER BY at DESC LIMIT :limit",
        space=space,
        before=1e18 if before is None else before,
        limit=limit,
    )
    return [(row["night"], row["at"], row["text"]) for row in rows]
