"""Three workers over one Postgres, killed in turn while turns come in; what was lost, doubled, and how long it took."""

import os
import subprocess
import sys
import time
from collections import Counter
from dataclasses import dataclass, field
from types import TracebackType
from typing import Self

from reverie import Reverie, Space
from tests.support.waiting import until

TOWNS = ("Bremen", "Kiel", "Porto", "Lisbon", "Ghent", "Turin", "Malmo", "Graz", "Split", "Cork", "Brno", "Leeds")
SAID = "I moved to {} in March and rented a small flat near the canal."


@dataclass
class Killings:
    """What a campaign came to."""

    start: float = 0.0  # seconds until three workers had begun: how quick this machine is just now
    kills: int = 0
    turns: int = 0
    unread: int = 0
    lost: int = 0
    doubled: int = 0
    skipped: int = 0  # rows of the history that two workers in each other's way have left
    stuck: list[float] = field(default_factory=list)  # seconds from a death in mid-night until somebody went on

    @property
    def is_stuck(self) -> bool:
        """Whether a night stood still for longer than 10 s, or than workers take to start where that is longer."""
        return max(self.stuck, default=0.0) > max(10.0, self.start)


class Workers:
    """Worker processes, each started anew when it was killed."""

    def __init__(self, url: str, engine: str, n: int = 3, **settings: str) -> None:
        path = os.pathsep.join(path for path in sys.path if path)
        own = {"STORE": url, "ENGINE": engine, "EMBEDDER": "none", "CADENCE_TURNS": "1", "CRON": "",
               "MAX_NAPS_PER_HOUR": "100000", "LOG_LEVEL": "error"} | settings  # fmt: skip
        self._env = {**os.environ, "PYTHONPATH": path} | {f"REVERIE_{name}": value for name, value in own.items()}
        self.running = [self._start() for _ in range(n)]

    def _start(self) -> "subprocess.Popen[bytes]":
        return subprocess.Popen([sys.executable, "-m", "reverie.worker"], env=self._env)

    def kill(self, which: int) -> int:
        """Ends one at once, starts another in its place, and answers the pid of the dead."""
        dead = self.running[which]
        dead.kill()
        dead.wait(10)
        self.running[which] = self._start()
        return dead.pid

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        for worker in self.running:
            worker.terminate()
        for worker in self.running:
            try:
                worker.wait(15)
            except subprocess.TimeoutExpired:
                worker.kill()
                worker.wait(10)


def killed_in_turn(
    url: str, engine: str, *, kills: int = 0, lasting: float = 0.0, spaces: int = 6, patience: float = 60.0
) -> Killings:
    """Kills one worker after another, each while it works if one does, so often or so long; waits until all is read."""
    found, began = Killings(), time.monotonic()
    with Reverie.open(url, embedder="none") as memory, Workers(url, engine) as workers:
        until(lambda: len(memory.workers()) == 3, patience)
        found.start = time.monotonic() - began
        eager = {"min_seconds_between_naps": 0}
        owned = [memory.create_space(f"space-{n}", settings=eager) for n in range(spaces)]
        end = time.monotonic() + lasting
        while found.kills < kills or time.monotonic() < end:
            for space in owned:
                space.append("user", SAID.format(town(found.kills)))
                found.turns += 1
            found.stuck += _kill_a_busy_one(memory, workers, found.kills % 3, patience)
            found.kills += 1
        until(lambda: all(space.unread() == 0 for space in owned), patience)
        _count(found, owned, found.kills)
    return found


def town(n: int) -> str:
    """A name that no other turn has."""
    again = n // len(TOWNS)
    return TOWNS[n % len(TOWNS)] + (f" {chr(65 + again % 26)}{again // 26 or ''}" if again else "")


def _kill_a_busy_one(memory: Reverie, workers: Workers, which: int, patience: float) -> list[float]:
    """Seconds until another worker went on with what the killed one was at; empty if it was idle."""
    pid = workers.running[which].pid
    end = time.monotonic() + 3.0
    at: list[str] = []
    while time.monotonic() < end and not at:
        at = [one.space for one in memory.workers() if one.pid == pid and one.space]
    workers.kill(which)
    if not at:
        return []
    began = time.monotonic()
    until(lambda: _goes_on(memory, at[0], pid), patience)
    return [time.monotonic() - began]


def _goes_on(memory: Reverie, space: str, dead: int) -> bool:
    """Whether a living worker works on a space, or no night of it is left to do."""
    if any(one.space == space and one.pid != dead and one.state == "busy" for one in memory.workers()):
        return True
    history = memory.space_by_id(space).nights(limit=20)
    return not any(night.status in ("running", "requested", "failed") for night in history)


def _count(found: Killings, owned: list[Space], kills: int) -> None:
    for space in owned:
        history = space.nights(limit=100_000)
        steps = [step for night in history for step in space.night(night.id).steps if step.step == "collect"]
        read = sum(step.counts.get("turns", 0) for step in steps)  # of committed batches: one done twice counts twice
        texts = Counter(one.text for one in space.all(limit=100_000) if one.kind == "fact")
        found.unread += space.unread()
        found.lost += max(0, kills - read) + kills - len(space.turns(limit=100_000))
        found.doubled += max(0, read - kills) + sum(n - 1 for n in texts.values())
        found.skipped += sum(night.status == "skipped" for night in history)
