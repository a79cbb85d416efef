"""A space that is too large to be scanned, with what a night makes of it."""

from collections.abc import Sequence

import numpy as np

from reverie.model.changes import Vector
from reverie.store import upkeep
from reverie.store.db import Database
from reverie.store.search.index import Indexes, IndexLimits, Near
from reverie.store.tables import spaces, vectors
from tests.support.searching import DIM, EMBEDDER, Place

SIZE = 1_200
LARGE = IndexLimits(scan=SIZE - 1)
RANDOM = np.random.default_rng(7)
MADE: vectors.Vectors = RANDOM.standard_normal((SIZE + 40, DIM), np.float32)
MADE /= np.linalg.norm(MADE, axis=1, keepdims=True)
ASKED = MADE[SIZE:]


def large_space(db: Database, name: str = "alice", prefix: str = "mem") -> Place:
    place = Place(db, name)
    put(place, [f"{prefix}-{n}" for n in range(SIZE)], MADE[:SIZE])
    if db.dialect.name == "postgres":
        db.value("SELECT set_config('enable_seqscan', 'off', false)")  # as if there were too many rows to sort
    return place


def put(place: Place, refs: Sequence[str], made: vectors.Vectors) -> None:
    with place.db.write("memory") as tx:
        rows = [Vector(ref, EMBEDDER.id, row.tobytes()) for ref, row in zip(refs, made, strict=True)]
        vectors.put_vectors(tx, place.id, rows, spaces.next_change(tx, place.id))


def put_several(place: Place, ref: str, made: vectors.Vectors) -> None:
    with place.db.write("memory") as tx:
        several = Vector(ref, EMBEDDER.id, made.tobytes(), parts=len(made))
        vectors.put_vectors(tx, place.id, [several], spaces.next_change(tx, place.id))


def drop(place: Place, refs: Sequence[str]) -> None:
    with place.db.write("memory") as tx:
        vectors.drop_vectors(tx, place.id, refs, spaces.next_change(tx, place.id))


def tend(place: Place) -> int:
    return upkeep.index_vectors(place.db, place.id, LARGE.scan)


def nearest(indexes: Indexes, place: Place, query: vectors.Vectors, n: int = 10) -> list[tuple[str, float]]:
    with indexes.searched(place.id, EMBEDDER.id, DIM, lambda index: index.nearest(query, n, None)) as found:
        return found


def near_of(indexes: Indexes, place: Place) -> Near:
    with indexes.searched(place.id, EMBEDDER.id, DIM, lambda index: index.near) as near:
        return near
