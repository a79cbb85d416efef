"""The sleeper is a process of its own: niced, stopped by SIGTERM, gone with its parent, started again when it dies."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from reverie.awake.append import append
from reverie.model.rhythm import Sleeping, SleepRequest
from reverie.model.turns import Draft
from reverie.store.db import Database
from reverie.store.tables import nights, rhythm, spaces
from reverie.triggers.admission import request
from reverie.triggers.child import Supervisor
from tests.support.nights import make_space
from tests.support.waiting import alive, until

ROOT = Path(__file__).parents[2]


@pytest.fixture
def sleepers(location: str) -> Iterator[tuple[subprocess.Popen[str], list[int]]]:
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    command = [sys.executable, "-m", "tests.support.sleeper_host", location]
    host = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=env, cwd=ROOT)
    assert host.stdout is not None
    pids = [int(pid) for pid in host.stdout.readline().split()]
    yield host, pids
    host.kill()
    host.wait(10)
    host.stdout.close()
    for pid in filter(alive, pids):
        os.kill(pid, signal.SIGKILL)


@pytest.mark.skipif(sys.platform != "linux", reason="process states are read from /proc")
def test_a_sleeper_runs_what_is_due_and_ends_cleanly(
    db: Database, sleepers: tuple[subprocess.Popen[str], list[int]]
) -> None:
    host, (first, second) = sleepers
    assert until(lambda: rhythm.last_alive(db))
    assert os.getpriority(os.PRIO_PROCESS, first) >= 10
    space = make_space(db)
    append(db, spaces.by_id(db, space), Draft("user", "I moved to Berlin"))
    asked = request(db, space, SleepRequest("nap", "manual"), Sleeping(), time.time(), claim=False)
    assert until(lambda: nights.by_id(db, space, asked.night.id).status == "done")
    os.kill(first, signal.SIGTERM)
    assert host.stdout is not None
    assert host.stdout.readline().split() == [str(first), "0"]
    host.kill()
    assert until(lambda: not alive(second))


def test_a_supervised_process_is_started_again_and_ended_when_asked() -> None:
    supervisor = Supervisor([sys.executable, "-I", "-S", "-c", "import time; time.sleep(600)"], first_wait=0.01)
    supervisor.start()
    try:
        assert until(lambda: supervisor.pid)
        first = supervisor.pid
        assert first is not None
        os.kill(first, signal.SIGKILL)
        assert until(lambda: supervisor.pid not in (None, first))
        assert (supervisor.starts, supervisor.exit_codes) == (2, [-signal.SIGKILL])
    finally:
        supervisor.stop()
    assert supervisor.pid is None
