"""Vectors in memory follow the table: new ones, changed ones, gone ones, within one byte cap."""

from collections.abc import Sequence

import numpy as np
import pytest

from reverie.model.changes import Vector
from reverie.store.db import Database
from reverie.store.search.index import Indexes, IndexLimits
from reverie.store.search.matrix import Matrix
from reverie.store.tables import spaces, vectors
from tests.conftest import BACKENDS
from tests.support.searching import DIM, Place

both = pytest.mark.parametrize("location", BACKENDS, indirect=True)
AXES = np.eye(DIM, dtype=np.float32)


def put(db: Database, space: str, ref: str, axis: int, *, embedder: str = "bag") -> None:
    with db.write("memory") as tx:
        made = Vector(ref, embedder, AXES[axis].tobytes())
        vectors.put_vectors(tx, space, [made], spaces.next_change(tx, space))


def put_several(db: Database, space: str, ref: str, axes: Sequence[int]) -> None:
    made = Vector(ref, "bag", AXES[list(axes)].tobytes(), parts=len(axes))
    with db.write("memory") as tx:
        vectors.put_vectors(tx, space, [made], spaces.next_change(tx, space))


def nearest(indexes: Indexes, space: str, axis: int) -> list[str]:
    with indexes.searched(space, "bag", DIM, lambda index: index) as index:
        return [ref for ref, cosine in index.nearest(AXES[axis], 10, None) if cosine > 0.5]


@both
def test_the_matrix_catches_up_with_what_other_processes_write(db: Database) -> None:
    alice, here, there = Place(db), Indexes(db), Indexes(db)
    put(db, alice.id, "mem-1", 1)
    assert nearest(here, alice.id, 1) == nearest(there, alice.id, 1) == ["mem-1"]
    put(db, alice.id, "mem-1", 2)
    put(db, alice.id, "mem-2", 1)
    for indexes in (here, there):
        assert nearest(indexes, alice.id, 1) == ["mem-2"]
        assert nearest(indexes, alice.id, 2) == ["mem-1"]
    with db.write("memory") as tx:
        vectors.drop_vectors(tx, alice.id, ["mem-2"], spaces.next_change(tx, alice.id))
    assert nearest(here, alice.id, 1) == []
    assert db.value("SELECT vec FROM vectors WHERE ref = 'mem-2'") is None


@both
@pytest.mark.parametrize(("precision", "kept"), [(np.float32, vectors.WHOLE), (np.float16, vectors.HALF)])
def test_vectors_of_older_stores_are_searched_beside_new_ones(db: Database, precision: type, kept: int) -> None:
    alice, indexes = Place(db), Indexes(db)
    put(db, alice.id, "mem-1", 1)
    put(db, alice.id, "mem-2", 2)
    with db.write("memory") as tx:
        old = {"vec": AXES[1].astype(precision).tobytes(), "kept": kept}
        tx.run("UPDATE vectors SET vec = :vec, quantized = :kept WHERE ref = 'mem-1'", **old)
    assert nearest(indexes, alice.id, 1) == ["mem-1"]


@both
def test_a_memory_is_as_near_as_the_nearest_of_its_vectors(db: Database) -> None:
    alice, here = Place(db), Indexes(db)
    put_several(db, alice.id, "mem-long", [1, 2, 3])
    put(db, alice.id, "mem-short", 4)
    for indexes in (here, Indexes(db)):
        assert [nearest(indexes, alice.id, axis) for axis in (1, 2, 3, 4)] == [["mem-long"]] * 3 + [["mem-short"]]
    put_several(db, alice.id, "mem-long", [5, 3])
    for indexes in (here, Indexes(db)):
        assert [nearest(indexes, alice.id, axis) for axis in (1, 2, 3, 5)] == [[], [], ["mem-long"], ["mem-long"]]
    with db.write("memory") as tx:
        vectors.drop_vectors(tx, alice.id, ["mem-long"], spaces.next_change(tx, alice.id))
    assert [nearest(here, alice.id, axis) for axis in (3, 4, 5)] == [[], ["mem-short"], []]


@both
def test_vectors_of_another_embedder_are_never_compared(db: Database) -> None:
    alice, indexes = Place(db), Indexes(db)
    put(db, alice.id, "mem-1", 1)
    assert nearest(indexes, alice.id, 1) == ["mem-1"]
    put(db, alice.id, "mem-1", 1, embedder="other")
    assert nearest(indexes, alice.id, 1) == []


def test_the_least_recently_used_space_leaves_when_the_cap_is_reached(db: Database) -> None:
    a, b = Place(db, "a"), Place(db, "b")
    put(db, a.id, "mem-a", 1)
    put(db, b.id, "mem-b", 2)
    indexes = Indexes(db, IndexLimits(bytes=10_000))
    assert nearest(indexes, a.id, 1) == ["mem-a"]
    alone = indexes.bytes
    assert nearest(indexes, b.id, 2) == ["mem-b"]
    assert 0 < indexes.bytes < 2 * alone
    assert nearest(indexes, a.id, 1) == ["mem-a"]


def test_a_matrix_keeps_its_rows_together_when_one_leaves() -> None:
    matrix = Matrix(DIM)
    for axis in range(DIM):
        matrix.put(f"mem-{axis:02}", AXES[axis])
    for axis in range(0, DIM, 2):
        matrix.remove(f"mem-{axis:02}")
    assert len(matrix) == DIM // 2
    for axis in range(DIM):
        found = [ref for ref, cosine in matrix.search(AXES[axis], 3) if cosine > 0.5]
        assert found == ([f"mem-{axis:02}"] if axis % 2 else [])


def test_as_many_memories_as_asked_are_found_where_each_has_many_vectors() -> None:
    matrix = Matrix(DIM)
    for n in range(30):
        matrix.put(f"mem-{n:02}", np.stack([AXES[n], *(AXES[0] + AXES[n] * 0.01 * part for part in range(9))]))
    found = [ref for ref, _ in matrix.search(AXES[0], 10)]
    assert len(found) == len(set(found)) == 10
    assert len(matrix.search(AXES[0], 100)) == 30
    for n in range(0, 30, 2):
        matrix.remove(f"mem-{n:02}")
    assert len(matrix) == 150
    for n in range(1, 30):
        assert (matrix.search(AXES[n], 1)[0][0] == f"mem-{n:02}") == bool(n % 2)


def test_a_filtered_scan_still_answers_as_many_as_asked() -> None:
    matrix = Matrix(DIM)
    for axis in range(DIM):
        matrix.put(f"mem-{axis:02}", AXES[axis])
    found = matrix.search(AXES[3], 5, lambda refs: [int(ref[4:]) % 2 == 0 for ref in refs])
    assert len(found) == 5
    assert all(int(ref[4:]) % 2 == 0 for ref, _ in found)
