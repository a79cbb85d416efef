"""A backlog slept over in one request: its CPU as it grows, the SQL statements and bytes of a turn, a first recall.

python -m bench.backlog [--turns 10000] [--embedder minilm] [--traffic chat] [--home DIR]
"""

import argparse
import json
import resource
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import asdict, dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any
from unittest.mock import patch

from bench import report
from bench.nights import DIM, agent_traffic, chat, quick
from reverie import Reverie
from reverie.minds.embed import Embedder, FromFunction, MiniLM
from reverie.model.night import Progress
from reverie.model.turns import Draft
from reverie.store.dialect.sqlite import SqliteConnection

AT_ONCE = 500  # turns of one import
QUESTION = "Who has the telescope from Lisbon, and what was it repaired for?"


@dataclass
class Growth:
    """What a backlog of so many turns came to."""

    turns: int
    cpu: float = 0.0
    status: str = ""
    nights: list[dict[str, float]] = field(default_factory=list)  # turns read so far, CPU so far, estimate of the rest
    statements_a_turn: dict[str, float] = field(default_factory=dict)  # by step
    bytes_a_turn: dict[str, float] = field(default_factory=dict)
    first: dict[str, float] = field(default_factory=dict)  # recall of a new process


@contextmanager
def counted() -> Iterator[Counter[str]]:
    """How many statements were sent to the database since somebody took the number; rows written together are one."""
    sent = Counter[str]()

    def counting(name: str) -> Callable[..., Any]:
        own = getattr(SqliteConnection, name)

        def call(*given: Any) -> Any:
            sent["all"] += 1
            return own(*given)

        return call

    with patch.multiple(SqliteConnection, rows=counting("rows"), run=counting("run"), many=counting("many")):
        yield sent


def measure(home: Path, turns: int, embedder: str, traffic: str) -> Growth:
    found, began, sent = Growth(turns), 0.0, Counter[str]()

    def heard(told: Progress) -> None:
        if told.what == "step" and told.status == "done":
            found.statements_a_turn[told.step] = found.statements_a_turn.get(told.step, 0.0) + sent.pop("all") / turns
        if told.what == "batch":
            found.nights[-1] |= {"read": float(told.turns), "seconds_left": round(told.seconds_left, 1)}
        if told.what == "night":
            spent = round(time.process_time() - began, 1)
            found.nights += [{"cpu": spent}] if told.status == "running" else []
            found.nights[-1]["cpu"] = spent
            print(told.status, found.nights[-1], flush=True)

    with Reverie.open(home, embedder=_embedder(embedder)) as memory:
        space = memory.space("bench")
        said = islice(agent_traffic(2) if traffic == "agent" else chat(2), turns)
        drafts = [
            (space, Draft(role, text, session=f"s{n // 20}", at=time.time() - 60 * (turns - n)))
            for n, (role, text) in enumerate(said)
        ]
        for start in range(0, turns, AT_ONCE):
            memory.append_all(drafts[start : start + AT_ONCE])
        began = time.process_time()
        with counted() as sent:
            night = space.sleep(progress=heard)
        found.cpu, found.status = time.process_time() - began, f"{night.status}, {space.unread()} unread"
    found.bytes_a_turn = bytes_of(home, turns)
    found.first = json.loads(_first_recall(home, embedder))
    return found


def _embedder(name: str) -> Embedder:
    return MiniLM() if name == "minilm" else FromFunction(quick, "bench", DIM)


def bytes_of(home: Path, turns: int) -> dict[str, float]:
    """By file, and by what takes most of them."""
    found = {path.name: path.stat().st_size / turns for path in home.rglob("*") if path.is_file()}
    for name in ("memory.db", "log.db"):
        with closing(sqlite3.connect(f"file:{home / name}?mode=ro", uri=True)) as db:
            try:
                rows = db.execute("SELECT name, sum(pgsize) FROM dbstat GROUP BY name ORDER BY 2 DESC LIMIT 12")
                found |= {f"{name} {table}": size / turns for table, size in rows}
            except sqlite3.OperationalError:  # built without it
                pass
    return {name: round(size, 1) for name, size in found.items() if size >= 1} | {
        "all": round(sum(path.stat().st_size for path in home.rglob("*") if path.is_file()) / turns)
    }


def _first_recall(home: Path, embedder: str) -> str:
    command = [sys.executable, "-m", "bench.backlog", "--home", str(home), "--embedder", embedder, "--recall"]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def first_recall(home: Path, embedder: str) -> dict[str, Any]:
    """In this process, which has read nothing of the store yet: its CPU, and how much it holds after twenty."""
    with Reverie.open(home, embedder=_embedder(embedder)) as memory:
        space = memory.space("bench")
        began = time.process_time()
        space.recall(QUESTION)
        first = time.process_time() - began
        for n in range(20):
            space.recall(f"{QUESTION} {n}")
    return {"cpu": round(first, 2), "peak_mb": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--turns", type=int, default=10_000)
    parser.add_argument("--embedder", choices=("quick", "minilm"), default="minilm")
    parser.add_argument("--traffic", choices=("chat", "agent"), default="chat")
    parser.add_argument("--home", type=Path)
    parser.add_argument("--recall", action="store_true", help="only the first recall of a store that is there")
    chosen = parser.parse_args()
    if chosen.recall:
        print(json.dumps(first_recall(chosen.home, chosen.embedder)))
        return
    with tempfile.TemporaryDirectory(prefix="reverie-bench-") as folder:
        found = measure(chosen.home or Path(folder), chosen.turns, chosen.embedder, chosen.traffic)
    print(report.table(("of a turn", "bytes"), list(found.bytes_a_turn.items())))
    print(f"{sum(found.statements_a_turn.values()):.1f} SQL statements a turn")
    print(f"{found.turns:,} turns: {found.cpu:.0f} s of CPU, {found.status}; first recall {found.first}")
    report.write("backlog", asdict(found))


if __name__ == "__main__":
    main()
