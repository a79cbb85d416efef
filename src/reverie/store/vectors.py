"""Vectors by what they stand for: BLOBs in an ordinary table."""

from collections.abc import Iterable

from reverie.model.changes import Vector
from reverie.store.db import Transaction


def put_vectors(tx: Transaction, space: str, vectors: Iterable[Vector], changed: int) -> None:
    """Stores vectors, replacing those with the same `ref`; `changed` is from `spaces.next_change`."""
    tx.many(
        "INSERT INTO vectors (ref, space, embedder, vec, quantized, changed)"
        " VALUES (:ref, :space, :embedder, :vec, :quantized, :changed) ON CONFLICT (ref) DO UPDATE SET"
        " embedder = excluded.embedder, vec = excluded.vec, quantized = excluded.quantized, changed = excluded.changed",
        [
            {
                "ref": vector.ref,
                "space": space,
                "embedder": vector.embedder,
                "vec": vector.vec,
                "quantized": int(vector.quantized),
                "changed": changed,
            }
            for vector in vectors
        ],
    )


def drop_vectors(tx: Transaction, space: str, refs: Iterable[str], changed: int) -> None:
    """The bytes go at once; the row stays as a mark until every process's matrix has seen it."""
    tx.many(
        "UPDATE vectors SET vec = NULL, changed = :changed WHERE space = :space AND ref = :ref",
        [{"space": space, "ref": ref, "changed": changed} for ref in refs],
    )
