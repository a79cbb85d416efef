"""How much processor time a command takes from its start to its end: user and system, the best and the median of some.

    python bench/starts.py [--rounds 7] [--json]

Each command is run in a home of its own, first with nobody serving it and then beside `reverie up`. The bare start of
Python is measured beside them: nothing here can be faster than that.
"""

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

COMMANDS = {
    "append": ("append", "I moved to Hamburg last week"),
    "recall": ("recall", "where do I live?"),
    "context": ("context", "where do I live?"),
    "--help": ("--help",),
    "--version": ("--version",),
}
READY_SECONDS = 60.0
FIRST = b'{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},'
FIRST += b'"clientInfo":{"name":"starts","version":"1"}}}\n'


def processor_seconds(arguments: list[str], home: Path) -> float:
    """User and system time of one run."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    environment = {**os.environ, "REVERIE_HOME": str(home)}
    subprocess.run([sys.executable, *arguments], env=environment, check=True, capture_output=True, cwd=home.parent)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def figures(arguments: list[str], home: Path, rounds: int) -> dict[str, float]:
    runs = [processor_seconds(arguments, home) for _ in range(rounds)]
    return {"best": round(min(runs), 3), "median": round(statistics.median(runs), 3)}


def first_answer(home: Path, rounds: int) -> dict[str, float]:
    """Wall time from the start of `reverie mcp` to its answer to initialize."""
    runs = []
    for _ in range(rounds):
        began = time.perf_counter()
        command = [sys.executable, "-m", "reverie", "mcp"]
        environment = {**os.environ, "REVERIE_HOME": str(home)}
        with subprocess.Popen(
            command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        ) as server:
            assert server.stdin is not None
            assert server.stdout is not None
            server.stdin.write(FIRST)
            server.stdin.flush()
            server.stdout.readline()
            runs.append(time.perf_counter() - began)
            server.stdin.close()
    return {"best": round(min(runs), 3), "median": round(statistics.median(runs), 3)}


def measured(rounds: int) -> dict[str, dict[str, float]]:
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder) / "home"
        processor_seconds(["-m", "reverie", *COMMANDS["append"]], home)  # compiles what is imported, makes the store
        processor_seconds(["-m", "reverie", *COMMANDS["recall"]], home)
        found = {"python": figures(["-c", "import json, socket"], home, rounds)}
        found |= {name: figures(["-m", "reverie", *words], home, rounds) for name, words in COMMANDS.items()}
        found["mcp initialize, wall"] = first_answer(home, rounds)
        environment = {**os.environ, "REVERIE_HOME": str(home), "REVERIE_PORT": "0", "REVERIE_SLEEP": "no"}
        up = subprocess.Popen(
            [sys.executable, "-m", "reverie", "serve"], env=environment, stderr=subprocess.DEVNULL, cwd=folder
        )
        try:
            until = time.monotonic() + READY_SECONDS
            while not (home / "server.json").exists() and time.monotonic() < until:
                time.sleep(0.1)
            for name in ("append", "recall", "context"):
                found[f"{name}, by a server"] = figures(["-m", "reverie", *COMMANDS[name]], home, rounds)
        finally:
            up.terminate()
            up.wait()
        return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    found = measured(given.rounds)
    if given.json:
        print(json.dumps(found, indent=2))
        return
    print(f"{'processor seconds':<26}{'best':>8}{'median':>8}")
    for name, seconds in found.items():
        print(f"{name:<26}{seconds['best']:8.3f}{seconds['median']:8.3f}")


if __name__ == "__main__":
    main()
