"""Contradictions, reviews, edges and the diary: small records that people read and decide on."""

from collections.abc import Sequence

from reverie.errors import NotFound
from reverie.model.base import Instant
from reverie.model.blocks import Review
from reverie.model.memories import Contradiction, Edge
from reverie.store.db import Database, Row, Transaction
from reverie.store.rows import contradiction_of, contradiction_row, edge_row, insertion, review_of


def put_contradiction(tx: Transaction, record: Contradiction) -> bool:
    return _put(tx, "contradictions", contradiction_row(record), "id")


def put_edge(tx: Transaction, edge: Edge) -> bool:
    return _put(tx, "edges", edge_row(edge), "a, b, relation")


def _put(tx: Transaction, relation: str, row: dict[str, object], key: str) -> bool:
    return bool(tx.run(f"{insertion(relation, row)} ON CONFLICT ({key}) DO NOTHING", **row))


def contradiction(db: Database, space: str, id: str) -> Contradiction:
    row = db.row("SELECT * FROM contradictions WHERE space = :space AND id = :id", space=space, id=id)
    if row is None:
        raise NotFound("contradiction", id)
    return contradiction_of(row)


def contradictions(
    db: Database, space: str, *, status: str | None = None, limit: int = 50, after: str | None = None
) -> list[Contradiction]:
    return [contradiction_of(row) for row in _page(db, "contradictions", space, status, limit, after)]


def settle(
    tx: Transaction, record: Contradiction, *, status: str, winner: str | None, by: str | None, now: Instant | None
) -> None:
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


def review(db: Database, space: str, id: str) -> Review:
    row = db.row("SELECT * FROM reviews WHERE space = :space AND id = :id", space=space, id=id)
    if row is None:
        raise NotFound("review", id)
    return review_of(row)


def reviews(
    db: Database, space: str, *, status: str | None = None, limit: int = 50, after: str | None = None
) -> list[Review]:
    return [review_of(row) for row in _page(db, "reviews", space, status, limit, after)]


def decide(tx: Transaction, space: str, review: str, *, status: str, by: str, now: Instant) -> bool:
    """False if somebody decided it before."""
    done = tx.run(
        "UPDATE reviews SET status = :status, decided_by = :by, decided_at = :now"
        " WHERE space = :space AND id = :id AND status = 'open'",
        status=status,
        by=by,
        now=now,
        space=space,
        id=review,
    )
    return bool(done)


def diary(
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


def _page(db: Database, relation: str, space: str, status: str | None, limit: int, after: str | None) -> Sequence[Row]:
    start = db.row(
        f"SELECT created_at, id FROM {relation} WHERE space = :space AND id = :id", space=space, id=after or ""
    )
    return db.rows(
        f"SELECT * FROM {relation} WHERE space = :space AND (created_at > :at OR (created_at = :at AND id > :last))"
        + (" AND status = :status" if status is not None else "")
        + " ORDER BY created_at, id LIMIT :limit",
        space=space,
        at=start["created_at"] if start else -1e18,
        last=start["id"] if start else "",
        limit=limit,
        **({} if status is None else {"status": status}),
    )
