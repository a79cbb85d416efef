"""What a page of the console costs the server, and what it weighs, with few and with many memories behind it.

Every round asks a question that was not asked before, the same one of every size.

python -m bench.console [--sizes 1000 14000 100000] [--rounds 15] [--stores FOLDER]

With `--stores` the stores are kept there, and what an earlier run has left is opened, as by a server that is started.
"""

import argparse
import gzip
import re
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from itertools import islice
from pathlib import Path
from statistics import median
from typing import Any
from urllib.parse import quote

import numpy as np
from starlette.testclient import TestClient

from bench import report
from bench.hotpath import NOW, fill
from bench.synthetic import corpus, embedder
from reverie.console import assets
from reverie.model.memories import Edge
from reverie.reverie import Reverie
from reverie.server.app import create_app
from reverie.server.settings import ServerSettings
from reverie.space import Space
from reverie.store.tables import memories

TOKEN = "rv_" + "t" * 43
TURNS = 60
SESSIONS = 6
PAGES = (
    "", "memory", "memory?kind=fact", "memory?q={q}", "memory/{memory}", "context?q={q}", "nights", "nights/{night}",
    "inbox", "blocks", "blocks/human", "answers", "topology", "diary", "ledger", "live", "connect", "settings",
)  # fmt: skip
ASSET = re.compile(r"/console/static/([a-zA-Z.]{1,40})\?v=")


@contextmanager
def served(size: int, stores: Path | None = None) -> Iterator[tuple[TestClient, Space]]:
    """A server over a space of that many memories, with links, conversations and a nap."""
    with ExitStack() as stack:
        folder = stores or Path(stack.enter_context(tempfile.TemporaryDirectory(dir=".")))
        memory = stack.enter_context(Reverie.open(folder / f"s{size}", embedder=embedder()))
        space = memory.space("user")
        if not space.nights(limit=1):
            make(space, size)
        headers = {"x-reverie-key": TOKEN, "accept-encoding": "gzip"}
        app = create_app(memory, ServerSettings(token=TOKEN))
        with TestClient(app, base_url="http://127.0.0.1:8283", headers=headers) as client:
            yield client, space


def make(space: Space, size: int) -> None:
    made = corpus(size, 1)
    for n in range(TURNS):
        space.append("user", f"I keep {n} {made.texts[n][:60]} in Hamburg.", f"s{n % SESSIONS}")
    space.nap()  # before the rest is there: how long a night takes is measured elsewhere
    fill(space, made)
    link(space, size)


def link(space: Space, size: int) -> None:
    """Two links a memory, among those that were made near each other."""
    random = np.random.default_rng(7)
    with space.parts.db.write("memory") as tx:
        for n in range(size):
            other = min(size - 1, n + int(random.integers(1, 40)))
            if other != n:
                a, b = (f"mem-{space.record.num}-{one}" for one in (n, other))
                memories.put_edge(tx, Edge(space.id, a, b, "related", 0.8, NOW, why="made up"))


def measure(sizes: Sequence[int], rounds: int, stores: Path | None = None) -> dict[int, list[dict[str, Any]]]:
    """Every page of every size, turn by turn: what else runs on the machine slows all sizes alike."""
    found: dict[int, list[dict[str, Any]]] = {size: [] for size in sizes}
    asked = iter(corpus(1, (rounds + 1) * len(PAGES), seed=11).questions)
    with ExitStack() as stack:
        opened = {size: stack.enter_context(served(size, stores)) for size in sizes}
        for path in PAGES:
            took: dict[int, list[float]] = {size: [] for size in sizes}
            bodies: dict[int, bytes] = {}
            for question in islice(asked, rounds + 1):
                for size, (client, space) in opened.items():
                    spent, bodies[size] = one_page(client, address(space, path, question))
                    took[size].append(spent)
            for size in sizes:
                found[size].append(figures(path, took[size], bodies[size]))
    return found


def address(space: Space, path: str, question: str) -> str:
    names = {"q": quote(question), "memory": space.all(limit=1)[0].id, "night": space.nights(limit=1)[0].id}
    root = f"/console/{space.id}"
    return f"{root}/{path.format(**names)}" if path else root


def one_page(client: TestClient, address: str) -> tuple[float, bytes]:
    """CPU time of the whole process, the asking client's share of a millisecond or two among it; and the page."""
    began = time.process_time()
    reply = client.get(address)
    spent = time.process_time() - began
    assert reply.status_code == 200, (address, reply.text[:300])
    return spent, reply.content


def figures(path: str, took: Sequence[float], body: bytes) -> dict[str, Any]:
    files = {name for name in ASSET.findall(body.decode()) if name in assets.NAMES}
    packed = len(gzip.compress(body, 6))
    whole = packed + sum(len(assets.asset(name).packed) for name in files)
    return {
        "page": path or "overview",
        "cpu_ms": round(1_000 * median(took[1:]), 1),
        "first_ms": round(1_000 * took[0], 1),
        "page_kb": round(packed / 1024, 1),
        "all_kb": round(whole / 1024, 1),
    }


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--sizes", type=int, nargs="+", default=[1_000, 14_000, 100_000])
    asked.add_argument("--rounds", type=int, default=15)
    asked.add_argument("--stores", type=Path)
    given = asked.parse_args()
    found = measure(given.sizes, given.rounds, given.stores)
    for size, pages in found.items():
        print(f"\n{size:,} memories")
        print(report.table(list(pages[0]), [list(page.values()) for page in pages]))
    print(f"\nwritten to {report.write('console', found)}")


if __name__ == "__main__":
    main()
