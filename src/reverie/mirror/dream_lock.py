"""The lock file of a dreaming directory: who dreams, since when, and the clock to go back to if the dream fails.

Its mtime is the moment of the last dream that succeeded. A dream moves it on when it begins and, when it fails, back;
the moment to go back to is written in the file, so that a killed dream is put right by whoever comes next.
"""

import fcntl
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from reverie.errors import BadInput
from reverie.files import make_directory
from reverie.model.base import Instant
from reverie.policy.sleep.gates import DreamClock

NAME = ".reverie-dream"


@dataclass
class DreamLock:
    """Held by one process at a time; the kernel lets go when that process ends."""

    fd: int
    free: bool

    @classmethod
    @contextmanager
    def of(cls, directory: Path) -> Iterator["DreamLock"]:
        try:
            make_directory(directory)
            flags = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC
            fd = os.open(directory.resolve() / NAME, flags, 0o600)
        except OSError as error:
            raise BadInput(f"cannot dream in {directory}: {error.strerror}") from error
        try:
            lock = cls(fd, free=_lock(fd))
            if lock.free:
                lock._put_right()
            yield lock
        finally:
            os.close(fd)

    @property
    def clock(self) -> DreamClock:
        state = self._read()
        dreamt = os.fstat(self.fd).st_mtime if state.get("dreamt") else 0.0
        return DreamClock(dreamt, float(state.get("scanned_at", 0.0)))

    @property
    def holder(self) -> int | None:
        pid = self._read().get("pid")
        return int(pid) if pid else None

    def note_scan(self, now: Instant) -> None:
        self._write({**self._read(), "scanned_at": now}, self.clock.dreamt_at)

    def begin(self, now: Instant) -> None:
        state = {**self._read(), "pid": os.getpid(), "before": self.clock.dreamt_at, "dreamt": True}
        self._write(state, now)

    def succeed(self, now: Instant) -> None:
        self._write({"dreamt": True, "scanned_at": self._read().get("scanned_at", 0.0)}, now)

    def fail(self) -> None:
        """The clock moves only when a dream succeeds."""
        state = self._read()
        before = float(state.get("before", 0.0))
        self._write({"dreamt": bool(before), "scanned_at": state.get("scanned_at", 0.0)}, before)

    def _put_right(self) -> None:
        """We hold the lock, so whoever is named as dreaming is dead."""
        if self.holder is not None:
            self.fail()

    def _read(self) -> dict[str, Any]:
        try:
            state = json.loads(os.pread(self.fd, 10_000, 0) or b"{}")
        except ValueError:
            return {}
        return state if isinstance(state, dict) else {}

    def _write(self, state: dict[str, Any], mtime: Instant) -> None:
        os.ftruncate(self.fd, 0)
        os.pwrite(self.fd, json.dumps(state).encode(), 0)
        os.utime(self.fd, (mtime, mtime))


def _lock(fd: int) -> bool:
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
