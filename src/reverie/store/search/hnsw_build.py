"""The HNSW files of large spaces: made and caught up asleep, when nobody waits, and whole whenever they can be seen."""

import hashlib
import os
from pathlib import Path
from typing import Any

import numpy as np

from reverie.native import usearch
from reverie.store.db import Database, Transaction
from reverie.store.search import large_spaces
from reverie.store.search.hnsw import HnswFile, Refs, available, graph_file, refs_file
from reverie.store.search.large_spaces import Made
from reverie.store.tables import vectors
from reverie.store.tables.vectors import SCAN_LIMIT, Vectors

ADD_EXPANSION = 64  # neighbours that a new vector looks at; with 128 making the graph takes twice as long
BATCH = 1_000  # vectors that are read and added at a time
WORTH_IT = 10  # a file is written again once a tenth of it has changed: until then that is held in memory
WORN = 4  # and made from nothing once a quarter of it is gone


class Graph:
    """What a file will hold."""

    def __init__(self, dim: int) -> None:
        # Half precision: the graph's own error is larger than what it costs.
        self.index: Any = usearch().Index(ndim=dim, metric="ip", dtype="f16", expansion_add=ADD_EXPANSION)
        self.refs: list[str] = []
        self._key: dict[str, int] = {}

    def __len__(self) -> int:
        return len(self._key)

    def __contains__(self, ref: str) -> bool:
        return ref in self._key

    @property
    def worn(self) -> bool:
        return len(self.refs) - len(self._key) > len(self.refs) // WORN

    def load(self, folder: Path, made: Made) -> bool:
        """Goes on from a file, if it can be read."""
        try:
            self.index.load(str(graph_file(folder, made.relation)))
            held: Refs = np.load(refs_file(folder, made.relation))
        except (OSError, ValueError, RuntimeError):
            self.index.reset()
            return False
        self.refs = [ref.decode() for ref in held.tolist()]
        self._key = {ref: key for key, ref in enumerate(self.refs) if ref}
        return True

    def put(self, found: list[tuple[str, Vectors | None]]) -> None:
        """Takes up vectors, in the place of older ones; None for one that is gone."""
        for ref, _ in found:
            self._remove(ref)
        fresh = [(ref, vector) for ref, vector in found if vector is not None]
        if fresh:
            first = len(self.refs)
            self.refs += [ref for ref, _ in fresh]
            self._key.update({ref: key for key, (ref, _) in enumerate(fresh, first)})
            # One core: the other is for whoever is awake.
            keys = np.arange(first, len(self.refs))
            self.index.add(keys, np.stack([vector for _, vector in fresh]), threads=1)

    def _remove(self, ref: str) -> None:
        key = self._key.pop(ref, None)
        if key is not None:
            self.refs[key] = ""
            self.index.remove(key)

    def save(self, folder: Path, relation: str) -> None:
        """On the disk before anybody is told: a torn file that is mapped would end its reader."""
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        large_spaces.unlink(folder, relation)
        self.index.save(str(graph_file(folder, relation)))
        np.save(refs_file(folder, relation), np.array(self.refs, np.bytes_))
        for path in folder.glob(f"{relation}.*"):
            with path.open("rb") as file:
                os.fsync(file.fileno())


def tend(db: Database, space: str, limit: int = SCAN_LIMIT) -> int:
    """Makes the file of a space that has become large and catches up those that there are; answers how many vectors.

    Not inside a transaction: a dry run is one, and it must leave nothing behind.
    """
    if db.folder is None or not available() or db.inside("memory"):
        return 0
    known = large_spaces.made_for(db, space)
    wanted = dict.fromkeys([*known, *(embedder for _, embedder in large_spaces.large(db, limit, space))])
    return sum(_tend(db, db.folder, space, embedder, known.get(embedder)) for embedder in wanted)


def _tend(db: Database, folder: Path, space: str, embedder: str, made: Made | None) -> int:
    dim = vectors.dim(db, space, embedder)
    if dim is None:
        return 0
    if made is not None and vectors.changed_since(db, space, made.seen) * WORTH_IT < _size(folder, made):
        return 0
    graph, seen = Graph(dim), -1
    if made is not None and made.dim == dim and graph.load(folder, made):
        seen = made.seen
    changes = _changes(db, space)
    taken = _follow(db, space, embedder, graph, seen)
    if graph.worn:
        graph = Graph(dim)
        taken = _follow(db, space, embedder, graph, -1)
    prefix = f"{space}.{hashlib.blake2b(embedder.encode(), digest_size=6).hexdigest()}"
    _publish(db, folder, space, embedder, graph, Made(f"{prefix}.{changes}", dim, changes))
    now = large_spaces.made_for(db, space).get(embedder)
    large_spaces.unlink(folder, prefix, keep=now and now.relation)
    return taken


def _size(folder: Path, made: Made) -> int:
    """Of the file, without reading it; 0 if a part of it is missing or torn."""
    opened = HnswFile.open(folder, made)
    return 0 if opened is None else len(opened)


def _follow(db: Database, space: str, embedder: str, graph: Graph, seen: int) -> int:
    """Brings over what has changed, a part at a time. Turns stay out: they are soon episodes."""
    taken, place = 0, (seen + 1, "")
    while rows := vectors.after(db, space, place, BATCH):
        graph.put(list(vectors.usable(rows, embedder)))
        taken, place = taken + len(rows), (rows[-1]["changed"], rows[-1]["ref"])
    return taken


def _publish(db: Database, folder: Path, space: str, embedder: str, graph: Graph, made: Made) -> None:
    """Unless a vector that it holds, or the space, has gone since: what was forgotten must not come back in a file."""
    graph.save(folder, made.relation)
    with db.write("memory") as tx:
        there = tx.rows("SELECT 1 AS yes FROM spaces WHERE id = :space", space=space)
        if there and not any(ref in graph for ref in _gone_since(tx, space, made.seen)):
            large_spaces.mark(tx, space, embedder, made)


def _gone_since(tx: Transaction, space: str, seen: int) -> list[str]:
    rows = tx.rows(
        "SELECT ref FROM vectors WHERE space = :space AND changed > :seen AND vec IS NULL", space=space, seen=seen
    )
    return [row["ref"] for row in rows]


def _changes(db: Database, space: str) -> int:
    return int(db.value("SELECT changes FROM spaces WHERE id = :space", space=space))
