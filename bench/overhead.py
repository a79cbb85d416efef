"""How long a hot call spends in the server outside the library: a real server, one client, measured server-side."""

import argparse
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

ROOT = Path(__file__).parent.parent
SERVE = (
    "from reverie.server.serve import Hooks, serve\nserve(hooks=Hooks(ready=lambda on: print(on.address, flush=True)))"
)
PARTS = re.compile(r"library;dur=([\d.]+), server;dur=([\d.]+)")
GOAL_MS = 1.0


@contextmanager
def server(home: str) -> Iterator[HTTPConnection]:
    env = {
        **os.environ,
        "PYTHONPATH": str(ROOT / "src"),
        "REVERIE_HOME": home,
        "REVERIE_SLEEP": "false",
        "REVERIE_PORT": "0",
        "REVERIE_REQUIRE_KEY": "false",
    }
    process = subprocess.Popen([sys.executable, "-c", SERVE], env=env, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        place = urlsplit(process.stdout.readline().strip())
        connection = HTTPConnection(str(place.hostname), place.port, timeout=30)
        yield connection
        connection.close()
    finally:
        process.terminate()
        process.wait(20)


def call(connection: HTTPConnection, path: str, body: Any) -> tuple[float, float]:
    """Milliseconds in the library, and in the server around it."""
    connection.request("POST", path, json.dumps(body), {"content-type": "application/json"})
    reply = connection.getresponse()
    reply.read()
    assert reply.status < 300, reply.status
    found = PARTS.search(reply.headers["server-timing"])
    assert found is not None
    return float(found[1]), float(found[2])


def measure(rounds: int) -> dict[str, list[tuple[float, float]]]:
    space = "/v1/spaces/alice"
    with tempfile.TemporaryDirectory() as home, server(home) as connection:
        call(connection, "/v1/spaces", {"name": "alice"})
        taken: dict[str, list[tuple[float, float]]] = {"append": [], "recall": [], "context": []}
        for n in range(rounds):
            said = {"role": "user", "text": f"In week {n} I lived in town {n % 37} and drank tea.", "session": "s"}
            taken["append"].append(call(connection, f"{space}/turns", said))
            taken["recall"].append(call(connection, f"{space}/recall", {"query": f"where in week {n % 9}?"}))
            taken["context"].append(call(connection, f"{space}/context", {"query": "tea", "budget": 1_500}))
    return taken


def report(taken: dict[str, list[tuple[float, float]]]) -> bool:
    good = True
    print(f"{'call':<8} {'library p50':>12} {'server p50':>11} {'server p95':>11}   (ms)")
    for verb, times in taken.items():
        warm = times[len(times) // 10 :]
        library, rest = (sorted(part) for part in zip(*warm, strict=True))
        p50, p95 = statistics.median(rest), rest[int(len(rest) * 0.95)]
        good = good and p50 <= GOAL_MS
        print(f"{verb:<8} {statistics.median(library):12.3f} {p50:11.3f} {p95:11.3f}")
    print(f"goal: server p50 at most {GOAL_MS} ms: {'met' if good else 'MISSED'}")
    return good


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=500)
    return 0 if report(measure(parser.parse_args().rounds)) else 1


if __name__ == "__main__":
    raise SystemExit(main())
