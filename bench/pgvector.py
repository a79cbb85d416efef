"""A large space on Postgres, searched by pgvector beside the same space scanned in memory: time, memory, what is found.

python -m bench.pgvector --location postgresql://… [--size 60000] [--queries 100]
"""

import argparse
import time
from typing import Any

import numpy as np

from bench import report
from bench.large import NEAREST, vectors
from bench.synthetic import DIM, Vectors
from reverie.model.changes import Vector
from reverie.retrieve import DEPTH
from reverie.reverie import Reverie
from reverie.store.db import Database, batches
from reverie.store.search.index import Indexes
from reverie.store.tables import spaces
from reverie.store.tables.vectors import put_vectors

EMBEDDER = "synthetic"
Found = tuple[dict[str, Any], list[list[str]]]  # figures, and what each question found


def fill(db: Database, space: str, made: Vectors) -> None:
    for part in batches(range(len(made)), 1_000):
        with db.write("memory", durable=False) as tx:
            rows = [Vector(f"mem-{n}", EMBEDDER, made[n].tobytes()) for n in part]
            put_vectors(tx, space, rows, spaces.next_change(tx, space))


def ask(db: Database, space: str, asked: Vectors) -> Found:
    """As a process that has just been started: what it must read first is a figure of its own."""
    indexes, seconds, found = Indexes(db), [], []
    for query in [asked[0], *asked]:
        began = time.perf_counter()
        with indexes.searched(space, EMBEDDER, DIM, lambda index: index) as index:
            near = index.nearest(query, DEPTH, None)
        seconds.append(time.perf_counter() - began)
        found.append([ref for ref, _ in near[:NEAREST]])
    figures = {
        "first_ms": round(1_000 * seconds[0], 1),
        **{f"p{p}_ms": round(1_000 * float(np.percentile(seconds[1:], p)), 2) for p in (50, 95, 99)},
        "memory_mb": round(indexes.bytes / 2**20, 1),
    }
    return figures, found[1:]


def measure(location: str, size: int, queries: int) -> dict[str, Any]:
    made = vectors(size + queries)
    with Reverie.open(location, embedder="none") as memory:
        db, space = memory.parts.db, memory.create_space(f"large {time.time()}").id
        fill(db, space, made[:size])
        scan, exact = ask(db, space, made[size:])
        began = time.perf_counter()
        db.dialect.index.tend(db, space, size - 1)
        built = time.perf_counter() - began
        index, near = ask(db, space, made[size:])
    shared = [len(set(a) & set(b)) / NEAREST for a, b in zip(exact, near, strict=True)]
    return {"scan": scan, "pgvector": index | {"build_s": round(built, 1), "recall": round(float(np.mean(shared)), 3)}}


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--location", required=True)
    options.add_argument("--size", type=int, default=60_000)
    options.add_argument("--queries", type=int, default=100)
    chosen = options.parse_args()
    figures = measure(chosen.location, chosen.size, chosen.queries)
    names = list(figures["pgvector"])
    print(report.table(["", *figures], [[name, *(row.get(name, "") for row in figures.values())] for name in names]))
    print(f"written to {report.write('pgvector', figures)}")


if __name__ == "__main__":
    main()
