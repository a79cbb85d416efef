"""The sleeper process: niced, gone with its parent, stopped by SIGTERM at a batch boundary, by a second one at once."""

import contextlib
import ctypes
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Protocol

NICENESS = 10
PARENT_DEATH_SIGNAL = 1  # prctl's PR_SET_PDEATHSIG


class Stop:
    """Says when to stop: a signal came, or the parent is gone. `wait` returns early then."""

    def __init__(self, parent: int | None = None) -> None:
        self._called = threading.Event()
        self._parent = parent

    def __call__(self) -> bool:
        orphaned = self._parent is not None and os.getppid() != self._parent
        return orphaned or self._called.is_set()

    def call(self) -> None:
        """The second call does not wait for the end of a batch: a model may take a minute for it."""
        if self._called.is_set():
            raise KeyboardInterrupt
        self._called.set()

    def wait(self, seconds: float) -> None:
        self._called.wait(seconds)


class Sleeps(Protocol):
    """An engine, or a watch alone."""

    def run(self, wait: Callable[[float], None]) -> None: ...


def sleeper(make: Callable[[Stop], Sleeps], parent: int | None = None) -> None:
    """The process's life: settle in, sleep for others until called, leave. `make` wires an engine to this stop."""
    stop = Stop(parent)
    settle_in(parent)
    with called_by_signals(stop), contextlib.suppress(KeyboardInterrupt):
        make(stop).run(stop.wait)


def settle_in(parent: int | None) -> None:
    """Takes only the time that nobody else wants, and does not outlive its parent."""
    with contextlib.suppress(OSError):
        os.nice(NICENESS)
    if parent is not None and sys.platform == "linux":
        with contextlib.suppress(OSError, AttributeError):
            ctypes.CDLL(None).prctl(PARENT_DEATH_SIGNAL, signal.SIGTERM)


@contextmanager
def called_by_signals(stop: Stop) -> Iterator[None]:
    def heard(_number: int, _frame: FrameType | None) -> None:
        stop.call()

    before = {number: signal.signal(number, heard) for number in (signal.SIGTERM, signal.SIGINT)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
