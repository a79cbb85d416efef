"""The index of large spaces on SQLite: HNSW files, which nights make and bring up to date, never half-written."""

import hashlib
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from reverie.language.figures import counted
from reverie.native import usearch
from reverie.store.db import Database, Transaction
from reverie.store.dialect.dialect import Finding, VectorIndex, Writes
from reverie.store.search import large_spaces
from reverie.store.search.hnsw import HnswFile, Refs, available, graph_file, refs_file
from reverie.store.search.layered import Made
from reverie.store.search.matrix import Vectors
from reverie.store.tables import vectors

ADD_EXPANSION = 64  # neighbours that a new vector looks at; with 128 making the graph takes twice as long
BATCH = 1_000  # vectors that are read and added at a time
WORTH_IT = 10  # a file is written again once a tenth of it has changed: until then that is held in memory
WORN = 4  # and made from nothing once a quarter of it is gone


class Graph:
    """The content of a file while it is made."""

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
        """Goes on from a file; False if it cannot be read."""
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
        """Adds or replaces vectors; None removes one."""
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
        """Writes and syncs both files, before `near` names them: a torn file that is mapped would kill its reader."""
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        unlink(folder, relation)
        self.index.save(str(graph_file(folder, relation)))
        np.save(refs_file(folder, relation), np.array(self.refs, np.bytes_))
        for path in folder.glob(f"{relation}.*"):
            with path.open("rb") as file:
                os.fsync(file.fileno())


class HnswFiles(VectorIndex[Database]):
    """A file for each large space and embedder. Without usearch none is made, and large spaces are scanned."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def open(self, _db: Database, made: Made) -> HnswFile | None:
        return HnswFile.open(self.folder, made) if available() else None

    def tend(self, db: Database, space: str, limit: int) -> int:
        if not available() or db.inside("memory"):
            return 0
        known = large_spaces.made_for(db, space)
        wanted = dict.fromkeys([*known, *(embedder for _, embedder in large_spaces.large(db, limit, space))])
        return sum(_tend(db, self.folder, space, embedder, known.get(embedder)) for embedder in wanted)

    def forget(self, db: Database, tx: Writes, space: str, refs: Sequence[str]) -> None:
        """A vector cannot be erased from a file, so the whole file goes."""
        if refs:
            self.drop(db, tx, space)

    def drop(self, _db: Database, tx: Writes, space: str) -> None:
        large_spaces.unmark(tx, space)
        unlink(self.folder, space)

    def check(self, db: Database) -> Finding:
        waiting = large_spaces.unserved(db)
        if available() or not waiting:
            said = "searched by a scan, and large spaces by a file that nights keep"
            return Finding(
                "vectors", "ok", said + (f"; the next night makes it: {counted(waiting, 'space')}" if waiting else "")
            )
        said = f"every search scans its space's vectors in memory; too large for that: {counted(waiting, 'space')}"
        return Finding("vectors", "warning", said, "pip install 'reverie[index]'")


def unlink(folder: Path, prefix: str, *, keep: str | None = None) -> None:
    """Deletes the files whose name begins so, but `keep`: those of earlier nights, and what a killed one has left."""
    for path in folder.glob(f"{prefix}.*"):
        if keep is None or not path.name.startswith(f"{keep}."):
            path.unlink(missing_ok=True)


def _tend(db: Database, folder: Path, space: str, embedder: str, made: Made | None) -> int:
    """Makes the file, or writes it again if enough has changed; answers how many vectors were taken up."""
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
    unlink(folder, prefix, keep=now and now.relation)
    return taken


def _size(folder: Path, made: Made) -> int:
    """How many vectors a file holds; 0 if a part of it is missing or torn."""
    opened = HnswFile.open(folder, made)
    return 0 if opened is None else len(opened)


def _follow(db: Database, space: str, embedder: str, graph: Graph, seen: int) -> int:
    """Adds what has changed after the place `seen`, without turns: a night soon makes episodes of them."""
    taken, place = 0, (seen + 1, "")
    while rows := vectors.after(db, space, place, BATCH):
        graph.put(list(vectors.usable(rows, embedder)))
        taken, place = taken + len(rows), (rows[-1]["changed"], rows[-1]["ref"])
    return taken


def _publish(db: Database, folder: Path, space: str, embedder: str, graph: Graph, made: Made) -> None:
    """Saves the graph and names it in `near`; not if the space, or a vector in it, was deleted meanwhile."""
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
