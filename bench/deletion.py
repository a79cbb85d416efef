"""How long a forget and the deletion of a space hold the write lock, in a store of two spaces of the same size.

python -m bench.deletion [--memories 100000] [--forgets 100] [--store DIR]     on SQLite, durable, as it is used
"""

import argparse
import shutil
import tempfile
import time
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np

from bench import report
from bench.synthetic import Corpus, corpus
from reverie import Reverie, Space
from reverie.model.changes import Vector
from reverie.model.memories import Document, Memory
from reverie.model.turns import Draft
from reverie.policy.recall.search_keys import episode_id
from reverie.store.db import Transaction, batches
from reverie.store.dialect.sqlite import SqliteConnection
from reverie.store.search import documents
from reverie.store.tables import memories, memory_words, spaces, vectors
from reverie.store.tables.memory_words import NewWords

KEYWORDS, BANDS = 12, 16  # rows of a memory
SPACES = ("gone", "kept")


@dataclass
class Holds:
    """How long the write lock was held, each time: by the clock, and what the holder's own thread computed."""

    wall: list[float] = field(default_factory=list)
    cpu: list[float] = field(default_factory=list)

    def figures(self) -> dict[str, Any]:
        found: dict[str, Any] = {"holds": len(self.wall)}
        for name, its in (("held", self.wall), ("held_cpu", self.cpu)):
            found |= {f"{name}_ms_p{p}": round(float(np.percentile(its, p)), 2) for p in (50, 99)}
            found |= {f"{name}_ms_max": round(max(its), 2)}
        return found


@contextmanager
def measured() -> Iterator[Holds]:
    """Every transaction that writes, from its lock to its commit, and every checkpoint that lets nobody write."""
    holds, began = Holds(), [(0.0, 0.0)]
    begin, commit, alone = SqliteConnection.begin, SqliteConnection.commit, SqliteConnection.alone

    def note() -> None:
        holds.wall.append((time.perf_counter() - began[0][0]) * 1000)
        holds.cpu.append((time.thread_time() - began[0][1]) * 1000)

    def begun(self: SqliteConnection, *, write: bool, durable: bool = True) -> None:
        begin(self, write=write, durable=durable)
        began[0] = (time.perf_counter(), time.thread_time())

    def committed(self: SqliteConnection) -> None:
        commit(self)
        note()

    def by_itself(self: SqliteConnection, sql: str) -> None:
        began[0] = (time.perf_counter(), time.thread_time())
        alone(self, sql)
        if "PASSIVE" not in sql:
            note()

    with patch.multiple(SqliteConnection, begin=begun, commit=committed, alone=by_itself):
        yield holds


def fill(memory: Reverie, name: str, made: Corpus) -> None:
    """A space as nights leave it: an episode a turn, with words, bands, a vector and a document."""
    space = memory.space(name)
    for part in batches(list(enumerate(made.texts)), 1_000):
        drafts = [(space, Draft("user", text, session=f"s{n // 50}")) for n, text in part]
        turns = memory.append_all(drafts)
        episodes = [episode_id(space.id, turn.id) for turn in turns]
        with memory.parts.db.write("memory") as tx:
            changed = spaces.next_change(tx, space.id)
            for (_, text), turn, id in zip(part, turns, episodes, strict=True):
                memories.insert(tx, replace(EPISODE, id=id, space=space.id, text=text, sources=(turn.id,)))
            found = dict(zip(episodes, (text for _, text in part), strict=True))
            words = {id: text.split()[:KEYWORDS] for id, text in found.items()}
            bands = {id: _bands(text) for id, text in found.items()}
            memory_words.put(tx, space.id, NewWords(words, bands))
            _put_found(tx, space, list(zip(episodes, part, strict=True)), made, changed)


def _put_found(
    tx: Transaction, space: Space, part: Sequence[tuple[str, tuple[int, str]]], made: Corpus, at: int
) -> None:
    num = int(tx.value("SELECT num FROM spaces WHERE id = :space", space=space.id))
    documents.put_documents(tx, num, space.id, [Document(id, text, "", "") for id, (_, text) in part], at)
    found = [Vector(id, "synthetic", made.vectors[n].tobytes()) for id, (n, _) in part]
    vectors.put_vectors(tx, space.id, found, at)


def _bands(text: str) -> list[int]:
    return [zlib.crc32(f"{n} {text}".encode()) for n in range(BANDS)]


EPISODE = Memory(id="", space="", kind="episode", text="", sources=(), created_at=0.0)


def measure(home: Path, forgets: int) -> dict[str, dict[str, Any]]:
    with Reverie.open(home, embedder="none") as memory:
        gone = memory.space("gone")
        chosen = [one.id for one in gone.all(limit=forgets)]
        found = {}
        with measured() as holds:
            began = time.process_time(), time.perf_counter()
            for id in chosen:
                gone.forget(id)
            found["forget"] = _figures(holds, began, len(chosen))
        with measured() as holds:
            began = time.process_time(), time.perf_counter()
            memory.delete_space("gone")
            found["delete"] = _figures(holds, began, 1)
        return found


def _figures(holds: Holds, began: tuple[float, float], times: int) -> dict[str, Any]:
    cpu, wall = time.process_time() - began[0], time.perf_counter() - began[1]
    return {
        "cpu_ms_each": round(1000 * cpu / times, 1),
        "wall_ms_each": round(1000 * wall / times, 1),
    } | holds.figures()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--memories", type=int, default=100_000)
    parser.add_argument("--forgets", type=int, default=100)
    parser.add_argument("--store", type=Path, help="made once, and copied for each run")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="reverie-deletion-") as folder:
        source = asked.store or Path(folder) / "source"
        if not source.exists():
            made = corpus(asked.memories, 0)
            with Reverie.open(source, embedder="none", durable=False) as memory:
                for name in SPACES:
                    fill(memory, name, made)
        shutil.copytree(source, Path(folder) / "store")
        for what, figures in measure(Path(folder) / "store", asked.forgets).items():
            print(f"\n{what}")
            print(report.table(["", "figure"], list(figures.items())))


if __name__ == "__main__":
    main()
