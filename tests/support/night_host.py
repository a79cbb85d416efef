"""Runs nights in processes that are killed. One host imports everything once and forks a child for each run.

A line on stdin is a run: `HOME SPACE KIND VALUE`. KIND `events` makes the child kill itself after that many steps have
ended (0: never); `seconds` kills it from outside after that time, wherever it is. The answer: done or killed.
"""

import os
import signal
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from reverie.asleep.runner import Runner
from reverie.asleep.step import Minds
from reverie.minds.embed import FromFunction, Vectors
from reverie.minds.rules.reasoner import RulesReasoner
from reverie.model.night import Progress
from reverie.retrieve import Retriever
from reverie.store.db import Database
from reverie.store.dialect.sqlite_dialect import SqliteDialect
from reverie.store.search.index import Indexes
from reverie.store.tables import leases
from reverie.triggers.inline import resume


def embed(texts: Sequence[str]) -> Vectors:
    """Any function of the text will do."""
    return np.array([[1.0, len(text) % 7, len(text) % 11] for text in texts], np.float32)


def minds(db: Database) -> Minds:
    embedder = FromFunction(embed, "lengths", 3)
    return Minds(RulesReasoner(), embedder, search=Retriever(db, Indexes(db), embedder).retrieve)


def night(home: Path, space: str, after_steps: int, clock_ahead: float = 0.0) -> None:
    """Goes on with the space's unfinished nights; dies by its own hand after so many steps."""
    ended = 0

    def tell(progress: Progress) -> None:
        nonlocal ended
        ended += progress.what == "step" and progress.status == "done"
        if after_steps and ended == after_steps:
            os.kill(os.getpid(), signal.SIGKILL)

    db = SqliteDialect(home, durable=False).open()
    run = Runner(db, minds(db), tell=tell, clock=lambda: time.time() + clock_ahead)
    resume(run, space, f"worker-{os.getpid()}")
    db.close()


def run(home: Path, space: str, kind: str, value: float, clock_ahead: float) -> str:
    child = os.fork()
    if child == 0:
        try:
            night(home, space, int(value) if kind == "events" else 0, clock_ahead)
        finally:
            os._exit(0)
    if kind == "seconds":
        time.sleep(value)
        os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    return "killed" if os.WIFSIGNALED(status) else "done"


def main() -> None:
    for runs, line in enumerate(sys.stdin):
        home, space, kind, value = line.split()
        # Each run comes after the lease of the one that was killed before it has ended.
        print(run(Path(home), space, kind, float(value), runs * (leases.SECONDS + 1)), flush=True)


if __name__ == "__main__":
    main()
