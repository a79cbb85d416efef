"""A child process kept running, the sleeper above all: restarted with backoff, ended cleanly when asked."""

import contextlib
import os
import subprocess
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from reverie.config import Config, environment_of

FIRST_WAIT = 1.0
LONGEST_WAIT = 60.0
STEADY = 60.0  # a child that lived so long did not fail at its start
GRACE = 5.0  # seconds between the polite and the impolite end


def next_wait(lived: float, waited: float, first: float = FIRST_WAIT) -> float:
    """How long to wait before the next start.

    >>> next_wait(lived=0.2, waited=0.0), next_wait(0.2, 1.0), next_wait(0.2, 60.0), next_wait(90.0, 32.0)
    (1.0, 2.0, 60.0, 1.0)
    """
    return first if lived >= STEADY or waited == 0 else min(LONGEST_WAIT, 2 * waited)


@dataclass
class Supervisor:
    """Starts `command` and holds on to it from a thread that only waits. `starts` counts, for health."""

    command: Sequence[str]
    env: Mapping[str, str] | None = None
    first_wait: float = FIRST_WAIT
    starts: int = 0
    exit_codes: list[int] = field(default_factory=list)
    _process: subprocess.Popen[bytes] | None = None
    _stopping: threading.Event = field(default_factory=threading.Event)
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _thread: threading.Thread | None = None

    def start(self) -> None:
        self._thread = threading.Thread(target=self._keep, name="reverie-supervisor", daemon=True)
        self._thread.start()

    @property
    def pid(self) -> int | None:
        process = self._process
        return process.pid if process is not None and process.poll() is None else None

    def stop(self, grace: float = GRACE) -> None:
        """SIGTERM for the next batch, once more for now, after `grace` seconds SIGKILL; the store is safe always."""
        self._stopping.set()
        with self._lock:
            process = self._process
        if process is not None and not any(_ends(process, grace / 2) for _ in range(2)):
            process.kill()
        if self._thread is not None:
            self._thread.join(grace)

    def _keep(self) -> None:
        waited = 0.0
        while not self._stopping.is_set():
            began = time.monotonic()
            self._live_once()
            waited = next_wait(time.monotonic() - began, waited, self.first_wait)
            self._stopping.wait(waited)

    def _live_once(self) -> None:
        with self._lock:
            if self._stopping.is_set():
                return
            with contextlib.suppress(OSError):
                # Out of reach of the terminal's Ctrl-C: the parent decides what that means, and calls `stop`.
                self._process = subprocess.Popen(
                    self.command, env=self.env, stdin=subprocess.DEVNULL, start_new_session=True
                )
                self.starts += 1
        if self._process is not None:
            self.exit_codes = [*self.exit_codes[-9:], self._process.wait()]


def _ends(process: "subprocess.Popen[bytes]", seconds: float) -> bool:
    """Whether it ends within so long, when asked to."""
    process.terminate()
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(seconds)
    return process.poll() is not None


def sleeper_beside(config: Config, location: str) -> Supervisor:
    """A sleeper in its own process, restarted when it dies, gone with this one."""
    # A directory or a URL: `store` is asked before `home`, and no org has a place of its own.
    env = {**os.environ, **environment_of(config), "REVERIE_STORE": location, "REVERIE_PLACES": " "}
    return Supervisor([sys.executable, "-m", "reverie.worker", str(os.getpid())], env)
