"""Vectors of turns and memories, as BLOBs in an ordinary table: a row has all vectors of one, one after the other.

A number takes one byte, and each vector has a scale of its own (`policy/care/quantize.py`). Rows of older stores may
still be in single or half precision.
"""

from collections.abc import Iterable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from reverie.model.changes import Vector
from reverie.model.turns import TURN
from reverie.policy.care.quantize import SCALE, quantize_all, restored
from reverie.store.db import Database, Row, Transaction

Vectors = NDArray[np.float32]
SCAN_LIMIT = 50_000  # in one space; a larger one is not scanned in memory
WHOLE, QUANTIZED, HALF = 0, 1, 2  # how `vec` holds its numbers, in the column `quantized`
TURNS = f"{TURN}%"  # refs of turns: no index holds them, they are soon episodes


def put_vectors(tx: Transaction, space: str, vectors: Iterable[Vector], changed: int) -> None:
    """Stores vectors, replacing those with the same `ref`; `changed` is from `spaces.next_change`."""
    tx.many(
        "INSERT INTO vectors (ref, space, embedder, vec, parts, quantized, changed)"
        " VALUES (:ref, :space, :embedder, :vec, :parts, :quantized, :changed) ON CONFLICT (ref) DO UPDATE SET"
        " embedder = excluded.embedder, vec = excluded.vec, parts = excluded.parts, quantized = excluded.quantized,"
        " changed = excluded.changed",
        [
            {
                "ref": vector.ref,
                "space": space,
                "embedder": vector.embedder,
                "vec": quantize_all(np.frombuffer(vector.vec, np.float32).reshape(vector.parts, -1)),
                "parts": vector.parts,
                "quantized": QUANTIZED,
                "changed": changed,
            }
            for vector in vectors
        ],
    )


def drop_vectors(tx: Transaction, space: str, refs: Iterable[str], changed: int) -> None:
    """Deletes the numbers of vectors; a row stays as a mark until every process's matrix has seen that it is gone."""
    tx.many(
        "UPDATE vectors SET vec = NULL, parts = 0, changed = :changed WHERE space = :space AND ref = :ref",
        [{"space": space, "ref": ref, "changed": changed} for ref in refs],
    )


def purge(tx: Transaction, space: str, seen: int) -> int:
    """Deletes the marks of gone vectors up to a place of the change sequence; answers how many."""
    return tx.run(
        "DELETE FROM vectors WHERE space = :space AND vec IS NULL AND changed <= :seen", space=space, seen=seen
    )


def changed_between(
    db: Database, space: str, embedder: str, seen: int, upto: int
) -> Iterator[tuple[str, Vectors | None]]:
    """Refs whose vectors were written after `seen` in the change sequence, not after `upto`; None for one without any.

    Vectors of another embedder count as gone: those of different embedders do not compare.
    """
    rows = db.rows(
        "SELECT ref, embedder, vec, parts, quantized FROM vectors"
        " WHERE space = :space AND changed > :seen AND changed <= :upto ORDER BY changed",
        space=space,
        seen=seen,
        upto=upto,
    )
    return usable(rows, embedder)


def usable(rows: Iterable[Row], embedder: str) -> Iterator[tuple[str, Vectors | None]]:
    """(ref, its vectors) of rows; None where they are gone or another embedder's."""
    for row in rows:
        found = row["vec"] is not None and row["embedder"] == embedder
        yield row["ref"], values(row) if found else None


def kept(rows: Iterable[Row], embedder: str, dim: int) -> tuple[list[str], list[bytes], list[Row]]:
    """Refs and bytes of the rows that hold vectors of this embedder with one byte a number, and all other rows."""
    refs, blobs, others = [], [], []
    for row in rows:
        blob = row["vec"]
        whole = (
            row["quantized"] == QUANTIZED and blob is not None and len(blob) == row["parts"] * (dim + SCALE.itemsize)
        )
        if whole and row["embedder"] == embedder:
            refs.append(row["ref"])
            blobs.append(blob)
        else:
            others.append(row)
    return refs, blobs, others


def of_tail(db: Database, space: str, embedder: str) -> Iterator[tuple[str, Vectors | None]]:
    """Vectors of turns that no night has read yet."""
    rows = db.rows(
        "SELECT v.ref, v.embedder, v.vec, v.parts, v.quantized FROM turns t JOIN spaces s ON s.id = t.space"
        " JOIN vectors v ON v.ref = t.id WHERE t.space = :space AND t.seq > s.watermark",
        space=space,
    )
    return usable(rows, embedder)


def after(rows: Database | Transaction, space: str, place: tuple[int, str], n: int, lock: str = "") -> Sequence[Row]:
    """Memories' vectors past a place, (change, ref), in the order in which they changed; also those that are gone."""
    return rows.rows(
        "SELECT ref, embedder, vec, parts, quantized, changed FROM vectors"
        " WHERE space = :space AND ref NOT LIKE :turns AND (changed, ref) > (:changed, :ref)"
        f" ORDER BY changed, ref LIMIT :n{lock}",
        space=space,
        changed=place[0],
        ref=place[1],
        turns=TURNS,
        n=n,
    )


def many(db: Database, space: str, than: int) -> bool:
    """Whether a space has vectors of more turns and memories."""
    sql = "SELECT 1 FROM vectors WHERE space = :space LIMIT 1 OFFSET :than"
    return db.value(sql, space=space, than=than) is not None


def changes(db: Database, space: str, embedder: str) -> dict[str, int]:
    """The refs that have vectors of this embedder, with the place of the change sequence where each was written."""
    rows = db.rows(
        "SELECT ref, changed FROM vectors WHERE space = :space AND embedder = :embedder AND vec IS NOT NULL",
        space=space,
        embedder=embedder,
    )
    return {row["ref"]: row["changed"] for row in rows}


def changed_since(db: Database, space: str, seen: int) -> int:
    """How many were written after a place of the change sequence."""
    sql = "SELECT count(*) AS n FROM vectors WHERE space = :space AND changed > :seen"
    return int(db.value(sql, space=space, seen=seen))


def an_embedder(db: Database, space: str) -> str:
    """An embedder that a space has vectors of; empty where it has none."""
    sql = "SELECT embedder FROM vectors WHERE space = :space AND vec IS NOT NULL LIMIT 1"
    return str(db.value(sql, space=space) or "")


def dim(db: Database, space: str, embedder: str) -> int | None:
    """How many numbers a vector of this embedder has here."""
    row = db.row(
        "SELECT embedder, ref, vec, parts, quantized FROM vectors WHERE space = :space AND embedder = :embedder"
        " AND vec IS NOT NULL LIMIT 1",
        space=space,
        embedder=embedder,
    )
    return None if row is None else values(row).shape[1]


def values(row: Row) -> Vectors:
    """The vectors in a row's `vec`, one below the other."""
    blob, parts = bytes(row["vec"]), int(row["parts"])
    if row["quantized"] == QUANTIZED:
        return restored(blob, parts)
    return (
        np.frombuffer(blob, np.float16 if row["quantized"] == HALF else np.float32)
        .astype(np.float32)
        .reshape(parts, -1)
    )
