"""What a user waits for: append, recall and context beside the floor and peers, interleaved in one run.

python -m bench.hotpath [--sizes 1000 14000 100000] [--queries 100] [--peers chroma mem0 langgraph] [--spaces] [--large]
"""

import argparse
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from bench import large, report
from bench.floor import Floor, on_one_thread
from bench.peers import PEERS, Worker
from bench.synthetic import Corpus, corpus, embedder
from reverie.language.words import content_hash
from reverie.model.changes import Vector
from reverie.model.memories import Document, Memory
from reverie.reverie import Reverie
from reverie.space import Space
from reverie.store import upkeep
from reverie.store.db import batches
from reverie.store.search import documents as search
from reverie.store.tables import memories, spaces, vectors

Timings = dict[str, list[float]]  # what -> seconds
NOW = 1_790_000_000.0
PEER_SECONDS = 60  # a peer that has searched for so long in one run is not asked again: the table says how often it was


def fill(space: Space, made: Corpus) -> None:
    """Memories as nights leave them: a row, a document and a vector each."""
    db, embedder = space.parts.db, space.parts.embedder.id
    for part in batches(list(enumerate(made.texts)), 1_000):
        with db.write("memory") as tx:
            changed = spaces.next_change(tx, space.id)
            ids = [f"mem-{space.record.num}-{n}" for n, _ in part]
            for id, (_, text) in zip(ids, part, strict=True):
                memories.insert(
                    tx, Memory(id, space.id, "episode", text, (id,), NOW, said_at=NOW, hash=content_hash(text))
                )
            documents = [Document(id, text) for id, (_, text) in zip(ids, part, strict=True)]
            search.put_documents(tx, space.record.num, space.id, documents, changed)
            rows = [Vector(id, embedder, made.vectors[n].tobytes()) for id, (n, _) in zip(ids, part, strict=True)]
            vectors.put_vectors(tx, space.id, rows, changed)
    upkeep.index_vectors(db, space.id)


@contextmanager
def timed(timings: Timings, what: str) -> Iterator[None]:
    began = time.perf_counter()
    yield
    timings.setdefault(what, []).append(time.perf_counter() - began)


def measure(size: int, queries: int, peers: Mapping[str, Worker]) -> Timings:
    made = corpus(size, queries)
    timings: Timings = {}
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(dir=".")))
        memory = stack.enter_context(Reverie.open(folder / "store", embedder=embedder()))
        space, floor = memory.space("user"), Floor(folder, made.texts, made.vectors)
        stack.callback(floor.close)
        fill(space, made)
        for peer in peers.values():
            peer.fill([str(n) for n in range(size)], made.texts, made.vectors)
        ask(timings, space, floor, made, peers)
    return timings


def ask(timings: Timings, space: Space, floor: Floor, made: Corpus, peers: Mapping[str, Worker]) -> None:
    """Every question to everyone in turn; each one's embedding is done before the clock starts."""
    embed = space.parts.embedder.embed_one
    space.recall("warm up")
    space.context("warm up")
    for n, question in enumerate(made.questions):
        vector = embed(question)
        with timed(timings, "floor: search"):
            floor.search(question, vector)
        with timed(timings, "recall"):
            space.recall(question)
        with timed(timings, "context"):
            space.context(question, session="now")
        with timed(timings, "floor: insert"):
            floor.insert(made.texts[n])
        with timed(timings, "append"):
            space.append("user", made.texts[n], "now", at=NOW)
        for name, peer in peers.items():
            searched = timings.setdefault(f"{name}: search", [])
            if sum(searched) < PEER_SECONDS:
                searched.append(peer.search(question, vector))
                timings.setdefault(f"{name}: add", []).append(peer.add(f"new{n}", made.texts[n], vector))


def among_spaces(queries: int, *, many: int = 100, each: int = 1_000) -> Timings:
    """Recall in one of many spaces, beside recall in a store that holds only that one."""
    made = corpus(each, queries)
    timings: Timings = {}
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(dir=".")))
        alone = stack.enter_context(Reverie.open(folder / "alone", embedder=embedder())).space("user")
        crowd = stack.enter_context(Reverie.open(folder / "crowd", embedder=embedder(), durable=False))
        fill(alone, made)
        for n in range(many):
            fill(crowd.space(f"user {n}"), made)
        places: dict[str, Callable[[str], Any]] = {"alone": alone.recall, "one of many": crowd.space("user 50").recall}
        for question in ["warm up", *made.questions]:
            for name, recall in places.items():
                with timed(timings, f"recall, {name}"):
                    recall(question)
    return {name: seconds[1:] for name, seconds in timings.items()}


def summary(timings: Timings) -> dict[str, dict[str, float]]:
    return {
        what: {"n": len(seconds)} | {f"p{p}": round(1_000 * float(np.percentile(seconds, p)), 3) for p in (50, 95, 99)}
        for what, seconds in timings.items()
    }


def ratios(figures: dict[str, dict[str, float]]) -> dict[str, float]:
    pairs = [("recall", "floor: search"), ("append", "floor: insert"), ("recall, one of many", "recall, alone")]
    pairs += [(f"{peer}: {verb}", ours) for peer in PEERS for verb, ours in (("search", "recall"), ("add", "append"))]
    return {f"{a} / {b}": round(figures[a]["p50"] / figures[b]["p50"], 2) for a, b in pairs if {a, b} <= figures.keys()}


def show(title: str, timings: Timings) -> dict[str, Any]:
    figures = summary(timings)
    print(f"\n{title}")
    print(report.table(["ms", "n", "p50", "p95", "p99"], [[what, *row.values()] for what, row in figures.items()]))
    for name, ratio in ratios(figures).items():
        print(f"{name}: {ratio}x")
    return {"ms": figures, "ratios": ratios(figures)}


def main() -> None:
    on_one_thread("bench.hotpath")
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--sizes", type=int, nargs="*", default=[1_000, 14_000])
    options.add_argument("--queries", type=int, default=100)
    options.add_argument(
        "--peers", nargs="*", choices=PEERS, default=list(PEERS), help="each is installed on first use"
    )
    options.add_argument("--spaces", action="store_true", help="also 100 spaces of 1,000 memories")
    options.add_argument(
        "--large",
        type=int,
        nargs="?",
        const=1_000_000,
        help="also so many vectors, by default a million: minutes, and 5 GB",
    )
    chosen = options.parse_args()
    results: dict[str, Any] = {}
    for size in chosen.sizes:
        with ExitStack() as stack:
            peers = {name: stack.enter_context(Worker(name)) for name in chosen.peers}
            results[f"{size}"] = show(f"{size:,} memories of one user", measure(size, chosen.queries, peers))
    if chosen.spaces:
        results["spaces"] = show("100 spaces of 1,000 memories", among_spaces(chosen.queries))
    if chosen.large:
        results["large"] = large.show(large.measure(chosen.large, chosen.queries))
    print(f"\nwritten to {report.write('hotpath', results)}")


if __name__ == "__main__":
    main()
