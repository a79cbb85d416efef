"""Contradictions: two memories that cannot both hold, and who has decided between them."""

from collections.abc import Iterable

from reverie.errors import NotFound
from reverie.model.base import Instant
from reverie.model.memories import Contradiction
from reverie.store.db import Database, Reads, Transaction
from reverie.store.rows import contradiction_of, contradiction_row, insertion
from reverie.store.tables.page import page


def put(tx: Transaction, record: Contradiction) -> bool:
    """Stores a contradiction; False if it is there already."""
    row = contradiction_row(record)
    return bool(tx.run(f"{insertion('contradictions', row)} ON CONFLICT (id) DO NOTHING", **row))


def by_id(db: Database, space: str, id: str) -> Contradiction:
    row = db.row("SELECT * FROM contradictions WHERE space = :space AND id = :id", space=space, id=id)
    if row is None:
        raise NotFound("contradiction", id)
    return contradiction_of(row)


def listed(
    db: Database, space: str, *, status: str | None = None, limit: int = 50, after: str | None = None
) -> list[Contradiction]:
    """In the order they were made; `after` is the id of the last one seen."""
    rows = page(db, "contradictions", "space", space, limit=limit, after=after, status=status)
    return [contradiction_of(row) for row in rows]


def of_memories(db: Reads, space: str, ids: Iterable[str]) -> list[Contradiction]:
    """Records that have one of these memories on a side."""
    rows = db.each(
        "SELECT * FROM contradictions WHERE space = :space AND older IN (:keys)"
        " UNION ALL SELECT * FROM contradictions WHERE space = :space AND newer IN (:keys)",
        ids,
        space=space,
    )
    return [contradiction_of(row) for row in {row["id"]: row for row in rows}.values()]


def settle(
    tx: Transaction, record: Contradiction, *, status: str, winner: str | None, by: str | None, now: Instant | None
) -> None:
    """Writes a person's decision, or takes it back (status "open")."""
    tx.run(
        "UPDATE contradictions SET status = :status, winner = :winner, resolved_by = :by, resolved_at = :now"
        " WHERE space = :space AND id = :id",
        status=status,
        winner=winner,
        by=by,
        now=now,
        space=record.space,
        id=record.id,
    )


def delete_of_memory(tx: Transaction, memory: str) -> int:
    """Deletes every record of a memory that goes away; answers how many."""
    return tx.run("DELETE FROM contradictions WHERE older=:id OR newer=:id", id=memory)
