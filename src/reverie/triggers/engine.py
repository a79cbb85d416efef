"""Engines bring what is due to the worker that sleeps for it. Leases and fencing make it correct, whatever they do.

The embedded one is the watch's own loop. `procrastinate` (the extra `scale`) keeps jobs in Postgres: it wakes workers,
orders by priority and shows what waits. A job that comes twice, late or never changes only when a night runs.
"""

import time
from collections.abc import Callable
from typing import Protocol

from reverie.errors import ConfigError, extra_needed
from reverie.triggers.roster import Roster
from reverie.triggers.watch import Watch

SLICE = 30.0  # seconds of one job; the rest of its night is a job of its own, behind the others


class Engine(Protocol):
    """How a worker spends its life."""

    def run(self, wait: Callable[[float], None] = time.sleep) -> None:
        """Sleeps for this worker's spaces until the watch's runner is told to stop."""


class Embedded:
    """The watch's own loop: looks each second, and runs what it finds."""

    def __init__(self, watch: Watch, roster: Roster) -> None:
        self._watch, self._roster = watch, roster

    def run(self, wait: Callable[[float], None] = time.sleep) -> None:
        with self._roster.listed():
            self._watch.run(wait)


def engine_of(name: str, watch: Watch, roster: Roster) -> Engine:
    """The engine of that name, over a watch and a roster that are the same worker's."""
    watch.mine, watch.moved = roster.mine, roster.look
    if name == "embedded":
        return Embedded(watch, roster)
    if watch.runner.db.dialect.home is not None:
        raise ConfigError(
            f"the engine {name} keeps its jobs in Postgres, and this store lies in a directory",
            next_move="Set `store` to a postgresql:// URL, or leave `engine` at embedded.",
        )
    try:
        from reverie.triggers.procrastinate_engine import Procrastinate
    except ModuleNotFoundError as missing:
        raise ConfigError(f"the engine needs the package {missing.name}", next_move=extra_needed("scale")) from missing
    watch.slice_seconds = SLICE
    return Procrastinate(watch, roster, watch.runner.db.dialect.location)
