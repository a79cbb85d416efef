"""Two sleepers over one store, for the test that ends them: prints their pids, then each one's exit code."""

import os
import sys
from pathlib import Path

from reverie.asleep.runner import Runner
from reverie.asleep.step import Minds
from reverie.minds.embed import NoEmbedder
from reverie.model.rhythm import Sleeping
from reverie.store.dialect.sqlite_dialect import SqliteDialect
from reverie.triggers.sleeper import Stop, sleeper
from reverie.triggers.watch import Watch
from tests.support.minds import Silent


def child(home: Path, parent: int) -> None:
    def make(stop: Stop) -> Watch:
        runner = Runner(SqliteDialect(home, durable=False).open(), Minds(Silent(), NoEmbedder()), stopping=stop)
        return Watch(runner, lambda _: Sleeping(), f"sleeper-{os.getpid()}")

    sleeper(make, parent)


def main() -> None:
    parent, pids = os.getpid(), []
    for _ in range(2):
        pid = os.fork()
        if pid == 0:
            child(Path(sys.argv[1]), parent)
            os._exit(0)
        pids.append(pid)
    print(*pids, flush=True)
    for _ in pids:
        pid, status = os.waitpid(-1, 0)
        print(pid, os.waitstatus_to_exitcode(status), flush=True)


if __name__ == "__main__":
    main()
