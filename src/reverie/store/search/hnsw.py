"""A very large space on SQLite: its vectors as an HNSW graph in a file of its own, made and caught up by nights."""

import os
from collections.abc import Iterable
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from reverie.files import close_to_others, make_directory
from reverie.native import usearch
from reverie.store.search.matrix import Layered, Made, Vectors

# Neighbours that a search looks at: of the ten nearest of 40,000 it then finds 98%, with 200 it finds 95%.
SEARCH_EXPANSION = 400
Refs = NDArray[np.bytes_]
ADD_EXPANSION = 64  # neighbours that a new vector looks at; with 128 making the graph takes twice as long
WORN = 4  # a graph is made from nothing once a quarter of it is gone


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
        self.index.save(str(graph_file(folder, relation)))
        np.save(refs_file(folder, relation), np.array(self.refs, np.bytes_))
        for path in folder.glob(f"{relation}.*"):
            close_to_others(path)
            with path.open("rb") as file:
                os.fsync(file.fileno())
