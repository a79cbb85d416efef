"""Edges: typed, weighted links between two memories."""

from collections.abc import Iterable

from reverie.model.memories import Edge
from reverie.store.db import Reads, Transaction
from reverie.store.rows import edge_of, edge_row, insertion


def put(tx: Transaction, edge: Edge) -> bool:
    """Stores an edge; False if these two have one of that relation already."""
    row = edge_row(edge)
    return bool(tx.run(f"{insertion('edges', row)} ON CONFLICT (a, b, relation) DO NOTHING", **row))


def of_memories(db: Reads, space: str, ids: Iterable[str]) -> list[Edge]:
    """Edges that start or end at one of these memories."""
    keys = list(dict.fromkeys(ids))
    out = db.each("SELECT * FROM edges WHERE space = :space AND a IN (:keys)", keys, space=space)
    into = db.each("SELECT * FROM edges WHERE space = :space AND b IN (:keys)", keys, space=space)
    unique = {(row["a"], row["b"], row["relation"]): row for row in (*out, *into)}
    return [edge_of(row) for row in unique.values()]


def delete_of_memory(tx: Transaction, memory: str) -> int:
    """Deletes every edge of a memory that goes away; answers how many."""
    return tx.run("DELETE FROM edges WHERE a = :id OR b = :id", id=memory)
