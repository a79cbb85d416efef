"""Append and recall on Postgres beside SQLite, interleaved in one run: the waits, this process's CPU, and statements.

python -m bench.backends --location postgresql://… [--size 14000] [--queries 100]
"""

import argparse
import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from bench import report
from bench.hotpath import NOW, fill
from bench.synthetic import corpus, embedder
from reverie.reverie import Reverie
from reverie.space import Space
from reverie.store.db import SIDES

COLUMNS = ("verb", "store", "p50 ms", "p95 ms", "least ms", "CPU ms", "statements", "of SQLite's")


class Watched:
    """Times one call after the other, and counts what the store is asked meanwhile."""

    def __init__(self, space: Space) -> None:
        self.space = space
        self.waits: dict[str, list[float]] = {}
        self.cpu: dict[str, list[float]] = {}
        self.statements: dict[str, int] = {}

    def time(self, verb: str, call: Callable[[], Any]) -> None:
        began, spent = time.perf_counter(), time.thread_time()
        call()
        self.cpu.setdefault(verb, []).append(time.thread_time() - spent)
        self.waits.setdefault(verb, []).append(time.perf_counter() - began)

    def count(self, verb: str, call: Callable[[], Any]) -> None:
        """Counts the statements that a call sends, besides those that begin and end its transaction."""
        sent = 0
        db = self.space.parts.db
        opened = [db._handle(side).connection for side in SIDES]
        kept = [(one, name, getattr(one, name)) for one in opened for name in ("rows", "run", "many")]

        def counted(original: Callable[..., Any]) -> Callable[..., Any]:
            def called(*args: Any) -> Any:
                nonlocal sent
                sent += 1
                return original(*args)

            return called

        for connection, name, original in kept:
            setattr(connection, name, counted(original))
        call()
        for connection, name, _ in kept:
            delattr(connection, name)
        self.statements[verb] = sent


def measure(location: str, size: int, queries: int) -> list[list[Any]]:
    made = corpus(size, queries)
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(dir=".")))
        places = {"SQLite": str(folder / "store"), "Postgres": location}
        watched: dict[str, Watched] = {}
        for name, place in places.items():
            memory = stack.enter_context(Reverie.open(place, embedder=embedder()))
            space = memory.create_space(f"bench {time.time()}")
            fill(space, made)
            space.recall("warm up")
            watched[name] = Watched(space)
        for n, question in enumerate(made.questions):
            for one in watched.values():
                one.space.parts.embedder.embed_one(question)
                one.time("append", partial(one.space.append, "user", made.texts[n], "now", at=NOW))
                one.time("recall", partial(one.space.recall, question))
        for one in watched.values():
            one.count("append", partial(one.space.append, "user", "What is new?", "now", at=NOW))
            one.count("recall", partial(one.space.recall, made.questions[0]))
    return [row(verb, name, one, watched["SQLite"]) for verb in ("append", "recall") for name, one in watched.items()]


def row(verb: str, name: str, one: Watched, sqlite: Watched) -> list[Any]:
    waits = 1_000 * np.array(one.waits[verb])
    cpu = 1_000 * float(np.median(one.cpu[verb]))
    figures = [*np.percentile(waits, (50, 95)), waits.min(), cpu]
    ratio = float(np.median(waits) / np.median(1_000 * np.array(sqlite.waits[verb])))
    return [verb, name, *(round(float(value), 2) for value in figures), one.statements[verb], round(ratio, 2)]


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--location", required=True, help="a Postgres that may be written to")
    options.add_argument("--size", type=int, default=14_000)
    options.add_argument("--queries", type=int, default=100)
    chosen = options.parse_args()
    rows = measure(chosen.location, chosen.size, chosen.queries)
    print(report.table(COLUMNS, rows))
    print(f"\nwritten to {report.write('backends', {'rows': [dict(zip(COLUMNS, row, strict=True)) for row in rows]})}")


if __name__ == "__main__":
    main()
