"""What a coding agent's hook costs: wall time beside Python's bare start, what it injects, and how often wrongly.

python -m bench.hooks [--runs 40] [--prompts 50] [--only wall|session|bar]
"""

import argparse
import json
import os
import resource
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from bench.injected import HELD, HELD_NONE, NEIGHBOURS, SET, SET_NONE, STATEMENTS
from reverie import Reverie, Space
from reverie.agents import local_server
from reverie.language.words import token_count
from reverie.model.turns import Draft

ROOT = Path(__file__).parent.parent
HOOK = [sys.executable, "-m", "reverie.agents.hook", "claude-code", "--home"]
BARE = [sys.executable, "-c", "import json, socket"]
ENV = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
PROJECT = "github.com/acme/billing"
NIGHTS = 12
BARE_NAME = "Python, json and socket"


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--runs", type=int, default=40)
    parser.add_argument("--prompts", type=int, default=50)
    parser.add_argument("--only", choices=("wall", "session", "bar"))
    asked = parser.parse_args()
    parts: dict[str, Callable[[], object]] = {
        "bar": bar,
        "session": lambda: session(asked.prompts),
        "wall": lambda: wall(asked.runs),
    }
    for name, part in parts.items():
        if asked.only in (None, name):
            part()


def filled(home: Path) -> None:
    """A store in which a developer has said some things, and slept over them."""
    with Reverie.open(home) as memory:
        _tell(memory.space())
        memory.space().sleep()


def _tell(space: Space) -> None:
    for n, said in enumerate(STATEMENTS):
        space.append("user", said, f"old{n // 4}", channel=PROJECT)


def bar() -> None:
    """False injections and misses, before and after a night."""
    with tempfile.TemporaryDirectory() as folder, Reverie.open(folder) as memory:
        space = memory.space()
        _tell(space)
        print("| prompts | answered | wrong besides | of none, injected | of neighbours, reminded |")
        print("|---|---|---|---|---|")
        for when in ("before a night", "after a night"):
            for name, asked, none in (("set", SET, SET_NONE), ("held out", HELD, HELD_NONE)):
                print(f"| {name}, {when} | {_bar_row(space, asked, none)} |")
            space.sleep()


def _bar_row(space: Space, asked: Sequence[tuple[str, int]], none: Sequence[str]) -> str:
    found = [(_lines(space, prompt), STATEMENTS[place].rstrip(".")) for prompt, place in asked]
    right = sum(any(answer in line for line in lines) for lines, answer in found)
    besides = sum(answer not in line for lines, answer in found for line in lines)
    false = sum(bool(_lines(space, prompt)) for prompt in none)
    near = sum(bool(_lines(space, prompt)) for prompt in NEIGHBOURS)
    return f"{right} of {len(asked)} | {besides} lines | {false} of {len(none)} | {near} of {len(NEIGHBOURS)}"


def _lines(space: Space, prompt: str) -> list[str]:
    text = space.for_prompt(prompt, session="new", project=PROJECT).text
    return [line for line in text.splitlines() if line.startswith("- ")]


def session(prompts: int) -> int:
    """Tokens that a whole session is given; answers how many model calls were made for it."""
    mixed = [p for pair in zip([q for q, _ in SET + HELD], SET_NONE + HELD_NONE, strict=False) for p in pair]
    with tempfile.TemporaryDirectory() as folder, Reverie.open(folder) as memory:
        space = memory.space()
        _tell(space)
        space.sleep()
        begun = space.briefing(PROJECT)
        seen, tokens = list(begun.seen), 0
        for prompt in (mixed * 2)[:prompts]:
            given = space.for_prompt(prompt, session="new", project=PROJECT, seen=seen)
            seen.extend(given.seen)
            tokens += token_count(given.text) if given.text else 0
        calls = sum(line.calls for line in space.costs())
        print(f"\nA session of {prompts} prompts: {token_count(begun.text)} tokens at its start")
        print(f"({len(begun.text.encode())} bytes), {tokens} for its prompts, {calls} model calls.")
        return calls


class Took(NamedTuple):
    """Milliseconds: wall time at the median and at p95, and the process's own CPU time."""

    p50: float
    p95: float
    cpu: float


def wall(runs: int) -> dict[str, dict[str, Took]]:
    """Wall time of the hook and of Python's bare start, taken in turns: quiet, then beside a running night."""
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        filled(home)
        with serving(home):
            found = {"quiet": _table("quiet", home, runs)}
            with a_night(home):
                return found | {"beside a night": _table("beside a night", home, runs)}


def _table(when: str, home: Path, runs: int) -> dict[str, Took]:
    print(f"\n{when}, {runs} runs, load {os.getloadavg()[0]:.1f}:\n")
    print("| what | p50 ms | p95 ms | own CPU, p50 ms |\n|---|---|---|---|")
    found = {name: _took(each) for name, each in _runs(when, home, runs).items()}
    for name, took in found.items():
        print(f"| {name} | {took.p50:.0f} | {took.p95:.0f} | {took.cpu:.0f} |")
    return found


def _took(each: Sequence[tuple[float, float]]) -> Took:
    walls, own = sorted(wall for wall, _ in each), statistics.median(cpu for _, cpu in each)
    p95 = walls[min(len(walls) - 1, int(0.95 * len(walls)))]
    return Took(1000 * statistics.median(walls), 1000 * p95, 1000 * own)


def _runs(when: str, home: Path, runs: int) -> dict[str, list[tuple[float, float]]]:
    """(wall, CPU) seconds of each run."""
    asked = [prompt for prompt, _ in SET + HELD]
    names = (BARE_NAME, "SessionStart", "UserPromptSubmit", "Stop")
    took: dict[str, list[tuple[float, float]]] = {name: [] for name in names}
    for n in range(runs):
        plain = {"session_id": f"{when}-{n}", "cwd": str(home), "prompt_id": f"{when}-{n}"}
        events = {
            "SessionStart": {**plain, "source": "startup"},
            "UserPromptSubmit": {**plain, "prompt": asked[n % len(asked)]},
            "Stop": {**plain, "last_assistant_message": f"Done, number {n}."},
        }
        took[BARE_NAME].append(_seconds(BARE, b""))
        for name, event in events.items():
            said = json.dumps({**event, "hook_event_name": name}).encode()
            took[name].append(_seconds([*HOOK, str(home)], said))
    return took


def _seconds(command: list[str], said: bytes) -> tuple[float, float]:
    """Wall time, and the process's own CPU time: on a busy machine the one that can be compared."""
    began, before = time.perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, input=said, env=ENV, capture_output=True, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return time.perf_counter() - began, spent


@contextmanager
def serving(home: Path) -> Iterator[None]:
    """A server as a hook starts it."""
    os.environ["PYTHONPATH"] = ENV["PYTHONPATH"]
    local_server.start(str(home))
    while (local_server.ask(str(home), "GET", "/readyz") or (0,))[0] != 200:
        time.sleep(0.1)
    time.sleep(3)  # until the embedder is loaded
    try:
        yield
    finally:
        found: Any = local_server.find(str(home))
        os.kill(found["pid"], signal.SIGTERM)
        while local_server.find(str(home)) is not None:
            time.sleep(0.1)


@contextmanager
def a_night(home: Path) -> Iterator[None]:
    """Nights one after the other, each over a history of its own, in a process that is as nice as the sleeper."""
    with Reverie.open(home, durable=False) as memory:
        for space in range(NIGHTS):
            given = [Draft("user", f"On day {n} I met friend {n} in town {n % 40}.", f"s{n // 20}") for n in range(600)]
            memory.append_all([(memory.space(f"busy{space}"), draft) for draft in given])
    code = (
        "import sys\nfrom reverie import Reverie\nfrom reverie.triggers.sleeper import settle_in\nsettle_in(None)\n"
        "with Reverie.open(sys.argv[1]) as memory:\n"
        f"    for space in range({NIGHTS}):\n"
        "        memory.space(f'busy{space}').sleep()\n"
    )
    process = subprocess.Popen([sys.executable, "-c", code, str(home)], env=ENV)
    time.sleep(4)
    try:
        yield
        if process.poll() is not None:
            print("(the nights ended before the measure did)")
    finally:
        process.kill()
        process.wait()


if __name__ == "__main__":
    main()
