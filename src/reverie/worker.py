"""The sleeper, wired: `reverie worker`, and the process that `up` and `Reverie.open(sleeper=True)` supervise."""

import logging
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace

from reverie import __version__
from reverie.config import load, sleeping_of
from reverie.mirror.rounds import around_night
from reverie.model.night import Night, Progress
from reverie.model.spaces import SpaceRecord
from reverie.reverie import Reverie
from reverie.telemetry import log_plainly
from reverie.triggers.engine import Engine, engine_of
from reverie.triggers.roster import Roster
from reverie.triggers.sleeper import Stop, sleeper
from reverie.triggers.watch import Watch


def work(memory: Reverie, parent: int | None = None) -> None:
    """Sleeps for all spaces of a store until SIGTERM, SIGINT, or the parent's end."""

    def engine(stop: Stop) -> Engine:
        parts, name = memory.parts, memory.config["engine"]
        roster = Roster.of(parts.db, parts.clock, version=__version__, engine=name)
        runner = parts.runner()
        tell = runner.tell

        def told(progress: Progress) -> None:
            tell(progress)
            roster.heard(progress)

        watch = Watch(
            replace(runner, stopping=stop, wait=stop.wait, tell=told),
            lambda space: sleeping_of(memory.config, space.settings),
            roster.me.name,
            around=around,
            org_nights=memory.config["org_nights"],
        )
        return engine_of(name, watch, roster)

    @contextmanager
    def around(space: SpaceRecord) -> Iterator[Callable[[Night], None]]:
        """Files that others read are brought up to date after a night: a mirror's, and what sessions begin with."""
        with around_night(memory.parts.mirror(space), memory.parts.clock) as written:
            yield written
        memory.parts.refresh_briefings(space)

    log_plainly()
    logging.getLogger().setLevel(memory.config["log_level"].upper())
    sleeper(engine, parent)


def main(arguments: list[str]) -> None:
    parent = int(arguments[0]) if arguments else None
    with Reverie.open(config=load()) as memory:
        work(memory, parent)


if __name__ == "__main__":
    main(sys.argv[1:])
