"""The sleeper, wired: `reverie worker`, and the process that `up` and `Reverie.open(sleeper=True)` supervise."""

import logging
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace

from reverie.config import load, sleeping_of
from reverie.mirror.rounds import around_night
from reverie.model.night import Night
from reverie.model.spaces import SpaceRecord
from reverie.reverie import Reverie
from reverie.telemetry import log_plainly
from reverie.triggers.sleeper import Stop, sleeper
from reverie.triggers.watch import Watch


def work(memory: Reverie, parent: int | None = None) -> None:
    """Sleeps for all spaces of a store until SIGTERM, SIGINT, or the parent's end."""

    def watch(stop: Stop) -> Watch:
        runner = replace(memory.parts.runner(), stopping=stop, wait=stop.wait)
        return Watch(
            runner,
            lambda space: sleeping_of(memory.config, space.settings),
            f"sleeper-{os.getpid()}",
            around=around,
        )

    @contextmanager
    def around(space: SpaceRecord) -> Iterator[Callable[[Night], None]]:
        """Files that others read are brought up to date after a night: a mirror's, and what sessions begin with."""
        with around_night(memory.parts.mirror(space), memory.parts.clock) as written:
            yield written
        memory.parts.refresh_briefings(space)

    log_plainly()
    logging.getLogger().setLevel(memory.config["log_level"].upper())
    sleeper(watch, parent)


def main(arguments: list[str]) -> None:
    parent = int(arguments[0]) if arguments else None
    with Reverie.open(config=load()) as memory:
        work(memory, parent)


if __name__ == "__main__":
    main(sys.argv[1:])
