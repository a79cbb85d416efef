"""Forks processes that each play a role over one store, and kills every one at its own moment.

A line on stdin is a round: `{"home": …, "seed": …, "roles": [["writer", 0.1], …]}`, the seconds that each may live. The
answer is a line too: what each has acknowledged, and how many were killed while they worked.
"""

import contextlib
import json
import os
import random
import signal
import sys
import time
import traceback
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.support.roles import ROLES

EARLY = 0.3  # of all children, so many may die before the store is open
LONGEST = 30.0


def fork(role: str, home: Path, seed: int) -> tuple[int, int]:
    """(pid, pipe) of a child; what it acknowledges comes through the pipe, one JSON line each."""
    reader, pipe = os.pipe()
    child = os.fork()
    if child:
        os.close(pipe)
        return child, reader
    os.close(reader)
    null = os.open(os.devnull, os.O_RDWR)
    os.dup2(null, 0)
    os.dup2(null, 1)

    def ack(*what: Any) -> None:
        os.write(pipe, (json.dumps(what) + "\n").encode())

    try:
        ROLES[role](home, random.Random(seed), ack)
    except BaseException as error:
        ack("error", role, f"{type(error).__name__}: {error}", traceback.format_exc())
    os._exit(0)


@dataclass
class Child:
    """One process: how long it may live, from its first sign of life on or, with `early`, from its birth."""

    role: str
    life: float
    early: bool
    pid: int
    pipe: int
    born: float
    said: bytes = b""
    ready: float | None = None

    def listen(self) -> None:
        os.set_blocking(self.pipe, False)
        with contextlib.suppress(OSError):  # nothing there, or read to its end
            self.said += os.read(self.pipe, 1 << 20)
        if self.said and self.ready is None:
            self.ready = time.monotonic()

    @property
    def due(self) -> bool:
        since = self.born if self.early else self.ready
        now = time.monotonic()
        return now > self.born + LONGEST or (since is not None and now > since + self.life)

    def kill(self) -> bool:
        """Whether it was still at work."""
        os.kill(self.pid, signal.SIGKILL)
        _, status = os.waitpid(self.pid, 0)
        os.set_blocking(self.pipe, True)
        while part := os.read(self.pipe, 1 << 20):
            self.said += part
        os.close(self.pipe)
        return os.WIFSIGNALED(status)


def play(home: Path, seed: int, roles: list[tuple[str, float]]) -> dict[str, Any]:
    chance = random.Random(seed)
    living = [
        Child(role, life, chance.random() < EARLY, *fork(role, home, seed + n), time.monotonic())
        for n, (role, life) in enumerate(roles)
    ]
    ended, killed = list(living), 0
    while living:
        for child in living:
            child.listen()
        for child in [child for child in living if child.due]:
            living.remove(child)
            killed += child.kill()
        time.sleep(0.005)
    lines = [line for child in ended for line in child.said.decode().splitlines() if line.endswith("]")]
    return {"killed": killed, "acks": [json.loads(line) for line in lines]}


def main() -> None:
    for line in sys.stdin:
        wanted = json.loads(line)
        print(json.dumps(play(Path(wanted["home"]), wanted["seed"], wanted["roles"])), flush=True)


if __name__ == "__main__":
    main()
