"""Claude Code's own lock on its memory directory, honoured both ways.

Its body is the process that consolidates, its mtime the moment of the last consolidation. Whoever finds a living
process in it, from less than an hour ago, waits; whoever fails puts the time back.
"""

import os
import re
import stat
from dataclasses import dataclass
from pathlib import Path

from reverie.model.base import HOUR, Instant

NAME = ".consolidate-lock"
HELD = HOUR  # an older one was left behind
_PID = re.compile(r"\s{0,20}(\d{1,10})")


@dataclass
class ConsolidateLock:
    """`before` is what it said when we took it: None where there was none."""

    path: Path
    before: Instant | None = None

    @classmethod
    def of(cls, directory: Path) -> "ConsolidateLock":
        return cls(directory / NAME)

    @property
    def last(self) -> Instant:
        """When somebody last consolidated here; 0 if nobody did."""
        found = self._stat()
        return 0.0 if found is None else found.st_mtime

    def holder(self, now: Instant) -> int | None:
        """The living process, not ours, that consolidates just now."""
        pid = _PID.match(self._body())
        if pid is None or now - self.last >= HELD or int(pid[1]) == os.getpid() or not _lives(int(pid[1])):
            return None
        return int(pid[1])

    def begin(self, now: Instant) -> None:
        self.before = self.last if self._stat() is not None else None
        self._write(str(os.getpid()), now)

    def succeed(self, now: Instant) -> None:
        """Nobody holds it any more: a server that goes on living must not keep Claude Code waiting."""
        self._write("", now)

    def fail(self) -> None:
        if self.before is None:
            self.path.unlink(missing_ok=True)
        else:
            self._write("", self.before)

    def _body(self) -> str:
        try:
            fd = os.open(self.path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
        except OSError:
            return ""
        with os.fdopen(fd, "rb") as file:
            return file.read(100).decode("utf-8", "replace")

    def _stat(self) -> os.stat_result | None:
        try:
            found = os.lstat(self.path)
        except OSError:
            return None
        return found if stat.S_ISREG(found.st_mode) else None

    def _write(self, body: str, at: Instant) -> None:
        """Nothing where the name is a link: it leads to somebody else's file."""
        try:
            fd = os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
        except OSError:
            return
        with os.fdopen(fd, "wb") as file:
            file.write(body.encode())
            file.flush()
            os.utime(fd, (at, at))


def _lives(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except (OSError, OverflowError):
        return True  # somebody else's process
    return True
