"""A large space on SQLite: its vectors as an HNSW graph in a file of its own, made by nights (`hnsw_build.py`)."""

from collections.abc import Iterable
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from reverie.native import usearch
from reverie.store.search.layered import Layered, Made
from reverie.store.search.matrix import Vectors

# Neighbours that a search looks at: of the ten nearest of 40,000 it then finds 98%, with 200 it finds 95%.
SEARCH_EXPANSION = 400
Refs = NDArray[np.bytes_]


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
