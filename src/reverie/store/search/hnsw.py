"""A large space on SQLite: its vectors as an HNSW graph in a file of its own, made and caught up by nights."""

import hashlib
import os
from collections.abc import Iterable, Sequence
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from reverie.errors import extra_needed
from reverie.files import close_to_others, make_directory
from reverie.language.calendar import counted
from reverie.native import usearch
from reverie.store.db import Database, Transaction
from reverie.store.dialect.dialect import Finding, VectorIndex, Writes
from reverie.store.search import large_spaces
from reverie.store.search.matrix import Layered, Made, Vectors
from reverie.store.tables import vectors

# Neighbours that a search looks at: of the ten nearest of 40,000 it then finds 98%, with 200 it finds 95%.
SEARCH_EXPANSION = 400
Refs = NDArray[np.bytes_]
ADD_EXPANSION = 64  # neighbours that a new vector looks at; with 128 making the graph takes twice as long
BATCH = 1_000  # vectors that are read and added at a time
WORTH_IT = 10  # a file is written again once a tenth of it has changed: until then that is held in memory
WORN = 4  # and made from nothing once a quarter of it is gone


@cache
def available() -> bool:
    """Whether usearch is installed."""
    return find_spec("usearch") is not None


def graph_file(folder: Path, relation: str) -> Path:
    return folder / f"{relation}.usearch"


def refs_file(folder: Path, relation: str) -> Path:
    """The refs in the order of the graph's keys; empty for one that is gone."""
    return folder / f"{relation}.npy"


class HnswFile(Layered):
    """Searches a graph file. It is mapped, not read: a million vectors open at once, and processes share the pages."""

    most = 10_000

    def __init__(self, made: Made, graph: Any, refs: Refs) -> None:
        super().__init__(made)
        self._graph = graph
        self._graph.expansion_search = SEARCH_EXPANSION
        self._refs = refs

    @classmethod
    def open(cls, folder: Path, made: Made) -> Self | None:
        """The file, ready to be searched; None if it is gone, after a forget or in a store restored from a backup."""
        try:
            graph = usearch().Index.restore(str(graph_file(folder, made.relation)), view=True)
            refs: Refs = np.load(refs_file(folder, made.relation), mmap_mode="r")
        except (OSError, ValueError, RuntimeError):
            return None
        return None if graph is None or graph.ndim != made.dim else cls(made, graph, refs)

    def __len__(self) -> int:
        return len(self._graph)

    def _by_index(self, query: Vectors, n: int) -> list[tuple[str, float]]:
        return self._hits(self._graph.search(query, n, threads=1))

    def _by_scan(self, query: Vectors) -> list[tuple[str, float]]:
        return self._hits(self._graph.search(query, len(self._graph), exact=True, threads=1))

    def _hits(self, found: Any) -> list[tuple[str, float]]:
        named: Iterable[bytes] = self._refs[found.keys].tolist()
        return [(ref.decode(), 1.0 - cosine) for ref, cosine in zip(named, found.distances.tolist(), strict=True)]


class Graph:
    """The content of a file while it is made."""

    def __init__(self, dim: int) -> None:
        # Half precision: the graph's own error is larger than what it costs.
        self.index: Any = usearch().Index(ndim=dim, metric="ip", dtype="f16", expansion_add=ADD_EXPANSION)
        self.refs: list[str] = []
        self._keys: dict[str, list[int]] = {}
        self._gone = 0

    def __len__(self) -> int:
        return len(self.refs) - self._gone

    def __contains__(self, ref: str) -> bool:
        return ref in self._keys

    @property
    def worn(self) -> bool:
        return self._gone > len(self.refs) // WORN

    def load(self, folder: Path, made: Made) -> bool:
        """Goes on from a file; False if it cannot be read."""
        try:
            self.index.load(str(graph_file(folder, made.relation)))
            held: Refs = np.load(refs_file(folder, made.relation))
        except (OSError, ValueError, RuntimeError):
            self.index.reset()
            return False
        for ref in held.tolist():
            self._name(ref.decode())
        return True

    def put(self, found: list[tuple[str, Vectors | None]]) -> None:
        """Adds or replaces the vectors of refs; None removes them."""
        for ref, _ in found:
            self._remove(ref)
        fresh = [(ref, rows) for ref, rows in found if rows is not None]
        if fresh:
            first = len(self.refs)
            for ref, rows in fresh:
                for _ in rows:
                    self._name(ref)
            # One core: the other is for whoever is awake.
            keys = np.arange(first, len(self.refs))
            self.index.add(keys, np.concatenate([rows for _, rows in fresh]), threads=1)

    def _name(self, ref: str) -> None:
        """The next key is this ref's; an empty one is nobody's."""
        if ref:
            self._keys.setdefault(ref, []).append(len(self.refs))
        else:
            self._gone += 1
        self.refs.append(ref)

    def _remove(self, ref: str) -> None:
        for key in self._keys.pop(ref, ()):
            self.refs[key] = ""
            self._gone += 1
            self.index.remove(key)

    def save(self, folder: Path, relation: str) -> None:
        """Writes and syncs both files, before `near` names them: a torn file that is mapped would kill its reader."""
        make_directory(folder)
        unlink(folder, relation)
        self.index.save(str(graph_file(folder, relation)))
        np.save(refs_file(folder, relation), np.array(self.refs, np.bytes_))
        for path in folder.glob(f"{relation}.*"):
            close_to_others(path)
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
        return Finding("vectors", "warning", said, extra_needed("index"))


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
