"""A million vectors of one space: what their file costs to make, to keep and to ask, and what it finds."""

import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

from bench import report
from bench.synthetic import DIM, Vectors, unit
from reverie.retrieve import DEPTH
from reverie.store.search.flat import SCANNED, Flat, FlatFile
from reverie.store.search.matrix import Made
from reverie.store.search.space_files import BATCH

TOPICS = 64  # embeddings of talk lie near a plane of few dimensions; evenly spread ones have no neighbours to find
NEAREST = 10


def measure(size: int, queries: int) -> dict[str, Any]:
    made = vectors(size + queries)
    held, asked = made[:size], made[size:]
    with tempfile.TemporaryDirectory(dir=".") as folder:
        began = time.perf_counter()
        file = Flat(DIM, min(SCANNED, size - 1))
        for start in range(0, size, BATCH):
            file.put([(f"mem-{n}", held[n : n + 1]) for n in range(start, min(size, start + BATCH))])
        file.save(Path(folder), "large")
        built = time.perf_counter() - began
        del file
        index = FlatFile.open(Path(folder), Made("large", DIM, 0))
        assert index is not None
        return {
            "vectors": size,
            "build_s": round(built, 1),
            "file_mb": round(sum(path.stat().st_size for path in Path(folder).iterdir()) / 2**20),
            **searched(index, held, asked),
        }


def searched(index: FlatFile, held: Vectors, asked: Vectors) -> dict[str, Any]:
    """Beside the exact scan of the same vectors."""
    quick, cpu, exact, found = [], [], [], []
    for query in asked:
        began, spent = time.perf_counter(), time.thread_time()
        near = {ref for ref, _ in index.search(query, DEPTH)[:NEAREST]}
        quick.append(time.perf_counter() - began)
        cpu.append(time.thread_time() - spent)
        began = time.perf_counter()
        nearest = np.argpartition(held @ query, -NEAREST)[-NEAREST:]
        exact.append(time.perf_counter() - began)
        found.append(len(near & {f"mem-{n}" for n in nearest}) / NEAREST)
    return {
        **{f"search_ms_p{p}": round(1_000 * float(np.percentile(quick, p)), 2) for p in (50, 95, 99)},
        "search_cpu_ms_p50": round(1_000 * float(np.median(cpu)), 2),
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
    print(report.table(["", "by cells"], list(figures.items())[1:]))
    return figures
