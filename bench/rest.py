"""The server under load: recalls and durable appends a second by clients, what each costs the server, and the wait.

    python -m bench.rest [--size 14000] [--clients 1 8 32] [--seconds 5]

Clients keep their connections and ask forty questions again and again: the server has their embeddings, and, as long as
nothing changes, what it found. Clients run in a process of their own on the same machine and take part of its cores.
"""

import argparse
import asyncio
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import numpy as np

from bench import report
from bench.hotpath import fill as fill_space
from bench.nights import sentences
from bench.overhead import SERVE
from bench.synthetic import corpus
from reverie.reverie import Reverie

ROOT = Path(__file__).parent.parent
TICK = os.sysconf("SC_CLK_TCK")
COLUMNS = ("what", "clients", "a second", "server CPU ms", "p50 ms", "p95 ms", "refused")


def fill(home: str, size: int) -> list[str]:
    """Memories as nights leave them, in a space that is named alice; answers questions about them."""
    made = corpus(size, 40)
    with Reverie.open(home, durable=False) as memory:
        fill_space(memory.space("alice"), made)
    return made.questions


async def client(port: int, path: str, bodies: Sequence[bytes], until: float, took: list[float]) -> int:
    """Asks one after the other until the time is over; answers how often it was refused."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    refused = n = 0
    while time.perf_counter() < until:
        body = bodies[n % len(bodies)]
        n += 1
        began = time.perf_counter()
        head = f"POST {path} HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\n"
        writer.write(head.encode() + f"content-length: {len(body)}\r\n\r\n".encode() + body)
        answered = await reader.readuntil(b"\r\n\r\n")
        size = next(line for line in answered.split(b"\r\n") if line.lower().startswith(b"content-length"))
        await reader.readexactly(int(size.split(b":")[1]))
        took.append(time.perf_counter() - began)
        refused += not answered.startswith(b"HTTP/1.1 2")
    writer.close()
    return refused


def load(port: int, path: str, bodies: list[bytes], clients: int, seconds: float) -> tuple[list[float], int]:
    took: list[float] = []

    async def run() -> int:
        until = time.perf_counter() + seconds
        turned = (bodies[n:] + bodies[:n] for n in range(clients))
        return sum(await asyncio.gather(*(client(port, path, part, until, took) for part in turned)))

    return took, asyncio.run(run())


def cpu(pid: int) -> float:
    """Seconds that a process and its children have used."""
    family, found = [pid], Path(f"/proc/{pid}/task").glob("*/children")
    family += [int(child) for children in found for child in children.read_text().split()]
    fields = [Path(f"/proc/{one}/stat").read_text().rsplit(")", 1)[1].split() for one in family]
    return sum(int(field[11]) + int(field[12]) for field in fields) / TICK


def measure(home: str, questions: list[str], clients: Sequence[int], seconds: float) -> list[list[Any]]:
    env = {**os.environ, "PYTHONPATH": str(ROOT / "src"), "REVERIE_HOME": home, "REVERIE_SLEEP": "false"}
    env |= {"REVERIE_PORT": "0", "REVERIE_REQUIRE_KEY": "false", "REVERIE_REQUESTS_PER_MINUTE": "1000000"}
    process = subprocess.Popen([sys.executable, "-c", SERVE], env=env, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        port = int(urlsplit(process.stdout.readline().strip()).port or 0)
        said = sentences(8)
        recalls = [json.dumps({"query": question}).encode() for question in questions]
        appends = [json.dumps({"role": "user", "text": next(said), "session": "now"}).encode() for _ in range(500)]
        # Every question's embedding is cached after that, and what a server starts for many clients is there.
        load(port, "/v1/spaces/alice/recall", recalls, 1, 3)
        load(port, "/v1/spaces/alice/recall", recalls, max(clients), 5)
        rows = []
        for what, bodies in (("recall", recalls), ("turns", appends)):
            for many in clients:
                before = cpu(process.pid)
                took, refused = load(port, f"/v1/spaces/alice/{what}", bodies, many, seconds)
                spent = cpu(process.pid) - before
                p50, p95 = 1_000 * np.percentile(took, (50, 95))
                each = round(1_000 * spent / len(took), 2)
                wait = round(float(p50), 1), round(float(p95), 1)
                rows.append([what, many, round(len(took) / seconds), each, *wait, refused])
        return rows
    finally:
        process.terminate()
        process.wait(20)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--size", type=int, default=14_000)
    options.add_argument("--clients", type=int, nargs="*", default=[1, 8, 32])
    options.add_argument("--seconds", type=float, default=5.0)
    options.add_argument("--home", help="a store that an earlier run has left; made there if there is none")
    chosen = options.parse_args()
    with tempfile.TemporaryDirectory(dir=".") as folder:
        home = chosen.home or folder
        known = Path(home) / "questions.json"
        if not known.exists():
            known.parent.mkdir(parents=True, exist_ok=True)
            known.write_text(json.dumps(fill(home, chosen.size)))
        rows = measure(home, json.loads(known.read_text()), chosen.clients, chosen.seconds)
    print(report.table(COLUMNS, rows))
    print(f"\nwritten to {report.write('rest', {'rows': [dict(zip(COLUMNS, row, strict=True)) for row in rows]})}")


if __name__ == "__main__":
    main()
