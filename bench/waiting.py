"""How long a person waits for a sleeper that has 200 spaces to do, and what one with nothing to do costs.

python -m bench.waiting [--engine embedded] [--embedder none] [--requests 10] [--store postgresql://… | --sqlite]

A request is measured from its row to the moment at which its night began, both by the store's clock. What costs an idle
sleeper is its own CPU, and on Postgres that of the server.
"""

import argparse
import os
import statistics
import tempfile
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path

import psycopg

from bench import report
from bench.scale import postgres
from reverie import Reverie, Space
from reverie.model.turns import Draft
from reverie.store.tables import rhythm, spaces
from tests.support.waiting import until
from tests.support.worker_killing import SAID, Workers, town

SPACES, WAITING = 2_000, 200
TURNS = 5  # of a space that waits
EAGER = {"min_seconds_between_naps": 0, "active_seconds": 0}
PATIENCE = 120.0


@dataclass
class Waited:
    """What was asked of one worker."""

    engine: str
    store: str
    embedder: str
    begun_after: list[float] = field(default_factory=list)  # seconds, a request each
    waiting: list[int] = field(default_factory=list)  # spaces with news, as each was asked
    idle: float = 0.0  # of a core, over 2,000 spaces
    idle_server: float = 0.0  # of a core, Postgres for it


def requests(at: str, engine: str, embedder: str, n: int) -> tuple[list[float], list[int]]:
    """A person asks for one space after another, while all others wait with news of their own."""
    begun, waiting = [], []
    with Reverie.open(at, embedder="none") as memory:
        owned = [memory.create_space(f"space-{n}", settings=EAGER) for n in range(WAITING + 1)]
        _feed(memory, owned, 0)
        with Workers(at, engine, 1, EMBEDDER=embedder):
            until(lambda: any(space.unread() == 0 for space in owned), PATIENCE)
            for asked in range(n):
                waits = [space for space in owned if space.unread()]
                _feed(memory, [space for space in owned if not space.unread()], asked + 1)
                waiting.append(sum(space.unread() > 0 for space in owned))
                night = waits[-1].request_sleep()
                began = until(lambda to=waits[-1], id=night.id: to.night(id).night.began_at, PATIENCE)  # type: ignore[misc]
                begun.append(round(began - night.requested_at, 2))
                until(lambda to=waits[-1], id=night.id: to.night(id).night.status == "done", PATIENCE)  # type: ignore[misc]
    return begun, waiting


def _feed(memory: Reverie, owned: list[Space], since: int) -> None:
    drafts = [
        (space, Draft("user", SAID.format(town(since * TURNS + n)), at=time.time() - 600))
        for space in owned
        for n in range(TURNS)
    ]
    if drafts:
        memory.append_all(drafts)


def idle(at: str, engine: str, seconds: float) -> tuple[float, float]:
    """The share of a core that a worker takes over spaces whose turns are all read, and that Postgres takes for it."""
    with Reverie.open(at, embedder="none") as memory:
        owned = [memory.create_space(f"idle-{n}") for n in range(SPACES)]
        for start in range(0, SPACES, 200):
            part = owned[start : start + 200]
            memory.append_all([(space, Draft("user", SAID.format("Kiel"), at=time.time() - 86_400)) for space in part])
        with memory.parts.db.write("memory") as tx:
            for space in owned:
                spaces.set_place(tx, space.id, 1, 0)  # as if a night had read it
                rhythm.set_due(tx, space.id, None, time.time())
        with Workers(at, engine, 1) as workers:
            until(lambda: memory.workers(), PATIENCE)
            time.sleep(20)  # its first look is at every space
            pid, others = workers.running[0].pid, _servers(at)
            before, began = (_cpu([pid]), _cpu(others)), time.monotonic()
            time.sleep(seconds)
            took = time.monotonic() - began
            return (_cpu([pid]) - before[0]) / took, (_cpu(_servers(at)) - before[1]) / took


def _servers(at: str) -> list[int]:
    """The processes of Postgres that serve this database."""
    if not at.startswith("postgresql"):
        return []
    with psycopg.connect(at) as connection:
        rows = connection.execute(
            "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )
        return [row[0] for row in rows]


def _cpu(pids: list[int]) -> float:
    """Seconds of CPU that living processes have taken."""
    ticks = 0
    for pid in pids:
        try:
            ticks += sum(map(int, Path(f"/proc/{pid}/stat").read_text("utf-8").rsplit(")", 1)[1].split()[11:13]))
        except FileNotFoundError:
            continue
    return ticks / os.sysconf("SC_CLK_TCK")


@contextmanager
def places(given: str | None, *, sqlite: bool) -> Iterator[list[str]]:
    """Two empty stores."""
    if sqlite:
        with tempfile.TemporaryDirectory() as one, tempfile.TemporaryDirectory() as two:
            yield [one, two]
        return
    with postgres(given) as server:
        found = []
        for _ in range(2):
            name = f"bench_{uuid.uuid4().hex}"
            with psycopg.connect(server, autocommit=True) as connection:
                connection.execute(f"CREATE DATABASE {name}".encode())
            found.append(server.replace("/postgres?", f"/{name}?", 1))
        yield found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--engine", choices=("embedded", "procrastinate"), nargs="+", default=["embedded"])
    parser.add_argument("--embedder", default="none")
    parser.add_argument("--requests", type=int, default=10)
    parser.add_argument("--seconds", type=float, default=60.0, help="of doing nothing")
    parser.add_argument("--store", help="a Postgres server to make databases on; one of its own if not given")
    parser.add_argument("--sqlite", action="store_true")
    chosen = parser.parse_args()
    found = []
    for engine in chosen.engine:
        with places(chosen.store, sqlite=chosen.sqlite) as (busy, quiet):
            one = Waited(engine, "sqlite" if chosen.sqlite else "postgres", chosen.embedder)
            if chosen.requests:
                one.begun_after, one.waiting = requests(busy, engine, chosen.embedder, chosen.requests)
                print(f"median {statistics.median(one.begun_after)} s, longest {max(one.begun_after)} s", flush=True)
            if chosen.seconds:
                one.idle, one.idle_server = (round(share, 5) for share in idle(quiet, engine, chosen.seconds))
            print(one, flush=True)
            found.append(one)
    report.write("waiting-sqlite" if chosen.sqlite else "waiting", [asdict(one) for one in found])


if __name__ == "__main__":
    main()
