"""What does a user feel of a night? Append and recall while one runs, over idle; beside it the seed's design.

    python -m bench.interference [--memories 14000] [--turns 1000] [--rounds 5] [--seconds 6]

Four ways, interleaved, on copies of a store that has slept once and has as many new turns: idle; a night as the sleeper
runs it, in a process of its own, niced, resting while the user is active (ours); one that a person asked for, which
does not rest ("hurried"); a night in a thread of the same process (the seed's). Beside them what the machine itself
does: a bare loop, alone and beside a busy process of low priority.

Ratios are medians over the rounds. Every raw figure is kept in bench/results/interference.json, with the batches that
the night came through meanwhile.
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
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path

from bench import report
from bench.nights import DIM, make_store, quick, say, sentences
from reverie.asleep.runner import Runner
from reverie.asleep.step import Minds
from reverie.minds.embed import FromFunction
from reverie.minds.rules.reasoner import RulesReasoner
from reverie.model.base import DAY
from reverie.model.rhythm import Sleeping, SleepRequest, Trigger
from reverie.reverie import Reverie
from reverie.space import Space
from reverie.store.dialect.sqlite_dialect import SqliteDialect
from reverie.store.tables import spaces
from reverie.triggers.inline import sleep
from reverie.triggers.sleeper import NICENESS, settle_in

PAUSE = 0.01  # seconds between two requests: a user, not a load test
WAYS = ("idle", "process", "hurried", "thread")
Latencies = dict[str, list[float]]  # operation -> milliseconds
AGAIN = Sleeping(min_hours_between_nights=0.0)
SHARES = (0.5, 0.95, 0.99)
BUSY = "while True: sum(range(1_000))"


def embedder() -> FromFunction:
    return FromFunction(quick, "bench", DIM)


def night(home: Path, trigger: Trigger, stopping: Callable[[], bool] = lambda: False) -> str:
    """Runs one night over the store's only space."""
    db = SqliteDialect(home).open()
    try:
        (space,) = spaces.every(db)
        runner = Runner(db, Minds(RulesReasoner(), embedder()), stopping=stopping)
        return sleep(runner, space.id, SleepRequest("night", trigger, "bench"), AGAIN).night.status
    finally:
        db.close()


@contextmanager
def in_a_process(home: Path, trigger: Trigger) -> Iterator[None]:
    command = [sys.executable, "-m", "bench.interference", "--sleep", str(home), "--trigger", trigger]
    child = subprocess.Popen(command, stdout=subprocess.PIPE)
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
    thread = threading.Thread(target=night, args=(home, "manual", over.is_set))
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join(60)


@contextmanager
def beside_a_busy_process() -> Iterator[None]:
    child = subprocess.Popen(["nice", "-n", str(NICENESS), sys.executable, "-c", BUSY])
    try:
        yield
    finally:
        child.kill()
        child.wait()


def around(way: str, home: Path) -> AbstractContextManager[None]:
    match way:
        case "process":
            return in_a_process(home, "cron")
        case "hurried":
            return in_a_process(home, "manual")
        case "thread":
            return in_a_thread(home)
    return nullcontext()


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
    found.setdefault(what, []).append(round((time.perf_counter() - began) * 1000, 3))


def measured(home: Path, way: str, seconds: float, seed: int) -> Latencies:
    """One way, on a copy of the store."""
    with tempfile.TemporaryDirectory(prefix="reverie-bench-", dir=home.parent) as folder:
        copy = Path(folder) / "store"
        shutil.copytree(home, copy)
        with Reverie.open(copy, embedder=embedder()) as memory:
            space = memory.space("bench")
            use(space, 0.5, seed=99)  # caches are warm, as in a process that has lived for a while
            before = batches(copy)
            with around(way, copy):
                found = use(space, seconds, seed)
            return found | {"batches": [batches(copy) - before]}


def batches(home: Path) -> float:
    """How far the night came."""
    db = SqliteDialect(home).open()
    try:
        return float(db.value("SELECT coalesce(sum(batches), 0) AS n FROM night_steps"))
    finally:
        db.close()


def bare_loop(seconds: float) -> list[float]:
    """What nothing of ours touches: the same small sum, at the pace of the user's requests."""
    found = Latencies()
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        time.sleep(2 * PAUSE)
        _timed(found, "sum", lambda: sum(n for n in range(90_000)))
    return found["sum"]


def quantile(values: list[float], share: float) -> float:
    return sorted(values)[min(len(values) - 1, int(len(values) * share))]


def show(rounds: list[dict[str, Latencies]]) -> None:
    rows = []
    for way in WAYS:
        for what in ("append", "recall"):
            cells = []
            for share in SHARES:
                ms = statistics.median(quantile(found[way][what], share) for found in rounds)
                over = statistics.median(
                    quantile(found[way][what], share) / quantile(found["idle"][what], share) for found in rounds
                )
                cells += [f"{ms:.2f}", f"{over:.2f}x"]
            rows.append(
                (f"{way} {what}", *cells, f"{statistics.median(found[way]['batches'][0] for found in rounds):g}")
            )
    print(report.table(("way", "p50 ms", "", "p95 ms", "", "p99 ms", "", "batches"), rows))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--memories", type=int, default=14_000)
    parser.add_argument("--turns", type=int, default=1_000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=6.0)
    parser.add_argument("--sleep", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--trigger", default="manual", help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.sleep:
        settle_in(None)
        print("ready", flush=True)
        night(chosen.sleep, chosen.trigger)
        return
    with tempfile.TemporaryDirectory(prefix="reverie-bench-") as folder:
        home, now = Path(folder) / "store", time.time()
        db, space = make_store(home, chosen.memories, now)
        say(db, space, chosen.turns, now - DAY)
        night(home, "manual")
        say(db, space, chosen.turns, now, seed=3)
        db.close()
        rounds = [
            {way: measured(home, way, chosen.seconds, seed=100 + n) for way in WAYS} for n in range(chosen.rounds)
        ]
    show(rounds)
    alone = bare_loop(chosen.seconds)
    with beside_a_busy_process():
        beside = bare_loop(chosen.seconds)
    ratios = (
        f"p{share:.0%}".rstrip("%") + f" {quantile(beside, share) / quantile(alone, share):.2f}x" for share in SHARES
    )
    print(f"the machine's own, a bare loop beside a busy process: {', '.join(ratios)}")
    report.write("interference", {"rounds": rounds, "bare loop": {"alone": alone, "beside": beside}})


if __name__ == "__main__":
    main()
