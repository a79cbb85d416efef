"""The seed's own load table, on ours: search, list, ingestion and what waits, before, during and after a night.

    python -m bench.load [--memories 10000] [--turns 1000] [--rounds 3] [--seconds 6]

The seed measured 10,000 memories with a sleep cycle every 60 minutes, on a server of its own design; times of two
machines cannot be compared, what a night adds to them can. The night runs as the sleeper runs it: in a process of its
own, niced, resting while the user is active. What waits are turns that no night has read; the seed counted jobs.
"""

import argparse
import shutil
import statistics
import tempfile
import time
from pathlib import Path
from typing import Any

from bench import report
from bench.hotpath import Timings, timed
from bench.interference import PAUSE, embedder, in_a_process, night, quantile
from bench.nights import make_store, say, sentences
from reverie.model.base import DAY
from reverie.reverie import Reverie
from reverie.space import Space

STAGES = ("before", "during", "after")
VERBS = ("search", "list", "ingestion")
SEED = {  # p95 in milliseconds by stage, as its authors give them; "waiting" were jobs
    "search": {"before": 120, "during": 135, "after": 110},
    "list": {"before": 80, "during": 90, "after": 75},
    "ingestion": {"before": 150, "during": 170, "after": 145},
    "waiting": {"before": 5, "during": 8, "after": 3},
}


def use(space: Space, seconds: float, seed: int) -> Timings:
    """A user who says something, asks for it and looks at the list, again and again."""
    said, found = sentences(seed), Timings()
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        text = next(said)
        with timed(found, "ingestion"):
            space.append("user", text)
        time.sleep(PAUSE)
        with timed(found, "search"):
            space.recall(" ".join(text.split()[2:9]))
        time.sleep(PAUSE)
        with timed(found, "list"):
            space.all(limit=50)
        time.sleep(PAUSE)
    return found


def one_round(home: Path, seconds: float, seed: int) -> dict[str, dict[str, float]]:
    """p95 of each verb in milliseconds and the turns that wait, by stage, on a copy of the store."""
    with tempfile.TemporaryDirectory(prefix="reverie-bench-", dir=home.parent) as folder:
        copy = Path(folder) / "store"
        shutil.copytree(home, copy)
        with Reverie.open(copy, embedder=embedder()) as memory:
            space = memory.space("bench")
            use(space, 0.5, seed=99)
            found = {"before": stage(space, seconds, seed)}
            with in_a_process(copy, "cron"):
                found["during"] = stage(space, seconds, seed + 1)
            night(copy, "manual")  # what that one has left
            return found | {"after": stage(space, seconds, seed + 2)}


def stage(space: Space, seconds: float, seed: int) -> dict[str, float]:
    waiting = space.unread()
    return {verb: 1_000 * quantile(took, 0.95) for verb, took in use(space, seconds, seed).items()} | {
        "waiting": waiting
    }


def medians(rounds: list[dict[str, dict[str, float]]]) -> dict[str, dict[str, float]]:
    return {
        verb: {one: round(statistics.median(found[one][verb] for found in rounds), 3) for one in STAGES}
        for verb in (*VERBS, "waiting")
    }


def run(memories: int, turns: int, rounds: int, seconds: float) -> dict[str, Any]:
    with tempfile.TemporaryDirectory(prefix="reverie-bench-") as folder:
        home, now = Path(folder) / "store", time.time()
        db, space = make_store(home, memories, now)
        say(db, space, turns, now - DAY)
        db.close()
        found = [one_round(home, seconds, seed=100 + 10 * n) for n in range(rounds)]
    return {"memories": memories, "turns": turns, "rounds": found, "p95_ms": medians(found), "seed": SEED}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--memories", type=int, default=10_000)
    parser.add_argument("--turns", type=int, default=1_000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=6.0)
    chosen = parser.parse_args()
    found = run(chosen.memories, chosen.turns, chosen.rounds, chosen.seconds)
    print(report.table(("p95 ms", *STAGES), [(verb, *row.values()) for verb, row in found["p95_ms"].items()]))
    print(f"written to {report.write('load', found)}")


if __name__ == "__main__":
    main()
