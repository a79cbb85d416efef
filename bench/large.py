"""A million vectors of one space: what their HNSW file costs to make, to keep and to ask, and what it finds."""

import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

from bench import report
from bench.synthetic import DIM, Vectors, unit
from reverie.retrieve import DEPTH
from reverie.store.search.hnsw import Graph, HnswFile
from reverie.store.search.matrix import Made
from reverie.store.search.space_files import BATCH

TOPICS = 64  # embeddings of talk lie near a plane of few dimensions; evenly spread ones have no neighbours to find
NEAREST = 10


def measure(size: int, queries: int) -> dict[str, Any]:
    made = vectors(size + queries)
    held, asked = made[:size], made[size:]
    with tempfile.TemporaryDirectory(dir=".") as folder:
        began = time.perf_counter()
        graph = Graph(DIM)
        for start in range(0, size, BATCH):
            graph.put([(f"mem-{n}", held[n]) for n in range(start, min(size, start + BATCH))])
        graph.save(Path(folder), "large")
        built = time.perf_counter() - began
        del graph
        index = HnswFile.open(Path(folder), Made("large", DIM, 0))
        assert index is not None
        return {
            "vectors": size,
            "build_s": round(built, 1),
            "file_mb": round(sum(path.stat().st_size for path in Path(folder).iterdir()) / 2**20),
            **searched(index, held, asked),
        }


def searched(index: HnswFile, held: Vectors, asked: Vectors) -> dict[str, Any]:
    """Beside the exact scan of the same vectors."""
    quick, exact, found = [], [], []
    for query in asked:
        began = time.perf_counter()
        near = {ref for ref, _ in index.search(query, DEPTH)[:NEAREST]}
        quick.append(time.perf_counter() - began)
        began = time.perf_counter()
        nearest = np.argpartition(held @ query, -NEAREST)[-NEAREST:]
        exact.append(time.perf_counter() - began)
        found.append(len(near & {f"mem-{n}" for n in nearest}) / NEAREST)
    return {
        **{f"search_ms_p{p}": round(1_000 * float(np.percentile(quick, p)), 2) for p in (50, 95, 99)},
        "scan_ms_p50": round(1_000 * float(np.median(exact)), 1),
        f"recall_at_{NEAREST}": round(float(np.mean(found)), 3),
    }


def vectors(size: int, seed: int = 7) -> Vectors:
    random = np.random.default_rng(seed)
    topics = random.standard_normal((TOPICS, DIM), np.float32)
    made = np.empty((size, DIM), np.float32)
    for start in range(0, size, 100_000):
        part = made[start : start + 100_000]
        noise = random.standard_normal(part.shape, np.float32)
        part[:] = unit(random.standard_normal((len(part), TOPICS), np.float32) @ topics + noise)
    return made


def show(figures: dict[str, Any]) -> dict[str, Any]:
    print(f"\n{figures['vectors']:,} vectors of one space")
    print(report.table(["", "HNSW file"], list(figures.items())[1:]))
    return figures
