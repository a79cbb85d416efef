"""What does a user feel of a night? Append and recall while one runs, over idle; beside it the seed's design.

    python -m bench.interference [--memories 14000] [--turns 1000] [--rounds 5] [--seconds 6]

Three ways, interleaved: idle; a night in a process of its own, niced (ours); a night in a thread of the same process
(the seed's). Ratios are medians over the rounds; every raw figure is kept in bench/results/interference.json.
"""

import argparse
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from bench import report
from bench.nights import DIM, make_store, quick, say, sentences
from reverie.asleep.runner import Runner
from reverie.asleep.step import Minds
from reverie.minds.embed import FromFunction
from reverie.minds.rules.reasoner import RulesReasoner
from reverie.model.rhythm import Sleeping, SleepRequest
from reverie.reverie import Reverie
from reverie.space import Space
from reverie.store import spaces
from reverie.store.sqlite import open_sqlite
from reverie.triggers.inline import sleep
from reverie.triggers.sleeper import settle_in

PAUSE = 0.01  # seconds between two requests: a user, not a load test
WAYS = ("idle", "process", "thread")
Latencies = dict[str, list[float]]  # operation -> milliseconds


def embedder() -> FromFunction:
    return FromFunction(quick, "bench", DIM)


def night(home: Path, stopping: Callable[[], bool] = lambda: False) -> str:
    """Runs one night over the store's only space."""
    db = open_sqlite(home)
    try:
        (space,) = spaces.every(db)
        runner = Runner(db, Minds(RulesReasoner(), embedder()), stopping=stopping)
        return sleep(runner, space.id, SleepRequest("night", "manual", "bench"), Sleeping()).night.status
    finally:
        db.close()


@contextmanager
def in_a_process(home: Path) -> Iterator[None]:
    child = subprocess.Popen([sys.executable, "-m", "bench.interference", "--sleep", str(home)], stdout=subprocess.PIPE)
    assert child.stdout is not None
    child.stdout.readline()  # it has imported everything and is about to begin
    try:
        yield
    finally:
        child.terminate()
        child.wait(30)
        child.stdout.close()


@contextmanager
def in_a_thread(home: Path) -> Iterator[None]:
    over = threading.Event()
    thread = threading.Thread(target=night, args=(home, over.is_set))
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join(60)


@contextmanager
def idle(_: Path) -> Iterator[None]:
    yield


def use(space: Space, seconds: float, seed: int) -> Latencies:
    """A user who says and asks something, again and again."""
    said, found = sentences(seed), Latencies()
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        text = next(said)
        _timed(found, "append", lambda text=text: space.append("user", text))  # type: ignore[misc]
        time.sleep(PAUSE)
        query = " ".join(text.split()[2:9])
        _timed(found, "recall", lambda query=query: space.recall(query))  # type: ignore[misc]
        time.sleep(PAUSE)
    return found


def _timed(found: Latencies, what: str, act: Callable[[], object]) -> None:
    began = time.perf_counter()
    act()
    found.setdefault(what, []).append((time.perf_counter() - began) * 1000)


def measured(home: Path, way: str, seconds: float, seed: int) -> Latencies:
    """One way, on a copy of the store."""
    around = {"idle": idle, "process": in_a_process, "thread": in_a_thread}[way]
    with tempfile.TemporaryDirectory(prefix="reverie-bench-", dir=home.parent) as folder:
        copy = Path(folder) / "store"
        shutil.copytree(home, copy)
        with Reverie.open(copy, embedder=embedder()) as memory:
            space = memory.space("bench")
            use(space, 0.5, seed=99)  # caches are warm, as in a process that has lived for a while
            with around(copy):
                return use(space, seconds, seed)


def quantile(values: list[float], share: float) -> float:
    return sorted(values)[min(len(values) - 1, int(len(values) * share))]


def show(rounds: list[dict[str, Latencies]]) -> None:
    rows = []
    for way in WAYS:
        for what in ("append", "recall"):
            cells = []
            for share in (0.5, 0.95, 0.99):
                ms = statistics.median(quantile(found[way][what], share) for found in rounds)
                over = statistics.median(
                    quantile(found[way][what], share) / quantile(found["idle"][what], share) for found in rounds
                )
                cells += [f"{ms:.2f}", f"{over:.2f}x"]
            rows.append((f"{way} {what}", *cells))
    print(report.table(("way", "p50 ms", "", "p95 ms", "", "p99 ms", ""), rows))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--memories", type=int, default=14_000)
    parser.add_argument("--turns", type=int, default=1_000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=6.0)
    parser.add_argument("--sleep", type=Path, help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.sleep:
        settle_in(None)
        print("ready", flush=True)
        night(chosen.sleep)
        return
    with tempfile.TemporaryDirectory(prefix="reverie-bench-") as folder:
        home, now = Path(folder) / "store", time.time()
        db, space = make_store(home, chosen.memories, now)
        say(db, space, chosen.turns, now)
        db.close()
        rounds = [
            {way: measured(home, way, chosen.seconds, seed=100 + n) for way in WAYS} for n in range(chosen.rounds)
        ]
    show(rounds)
    report.write("interference", rounds)


if __name__ == "__main__":
    main()
