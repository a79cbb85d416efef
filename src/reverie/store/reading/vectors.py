"""Vectors of memories as nights read them."""

from collections.abc import Iterable

from reverie.model.memories import Memory
from reverie.store.reader import Reader
from reverie.store.reading.memories import in_order
from reverie.store.tables.vectors import Vectors, values


def by_refs(reader: Reader, refs: Iterable[str], embedder: str) -> dict[str, Vectors]:
    """Those that this embedder made; what has none is missing."""
    rows = reader.each(
        "SELECT ref, vec, quantized FROM vectors WHERE space = :space AND embedder = :embedder"
        " AND vec IS NOT NULL AND ref IN (:keys)",
        refs,
        space=reader.space,
        embedder=embedder,
    )
    return {row["ref"]: values(row) for row in rows}


def latest(reader: Reader, embedder: str, limit: int) -> dict[str, Vectors]:
    """The vectors that were written last."""
    rows = reader.rows(
        "SELECT ref, vec, quantized FROM vectors WHERE space = :space AND embedder = :embedder"
        " AND vec IS NOT NULL ORDER BY changed DESC, ref LIMIT :limit",
        space=reader.space,
        embedder=embedder,
        limit=limit,
    )
    return {row["ref"]: values(row) for row in rows}


def quantized(reader: Reader, refs: Iterable[str]) -> set[str]:
    """Those of these whose vector is kept small."""
    sql = "SELECT ref FROM vectors WHERE space = :space AND quantized = 1 AND vec IS NOT NULL AND ref IN (:keys)"
    return {row["ref"] for row in reader.each(sql, refs, space=reader.space)}


def of_other_embedders(reader: Reader, embedder: str, *, after: str, limit: int) -> list[Memory]:
    """Memories whose vector is another embedder's, by id."""
    known = reader.rows("SELECT DISTINCT embedder FROM vectors WHERE space = :space", space=reader.space)
    found: set[str] = set()
    for other in (row["embedder"] for row in known if row["embedder"] != embedder):
        rows = reader.rows(
            "SELECT ref FROM vectors WHERE space = :space AND embedder = :other AND ref > :after"
            " AND vec IS NOT NULL ORDER BY ref LIMIT :limit",
            space=reader.space,
            other=other,
            after=after,
            limit=limit,
        )
        found |= {row["ref"] for row in rows}
    return in_order(reader, sorted(found)[:limit])
