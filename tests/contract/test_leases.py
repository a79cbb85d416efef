"""One night a space: leases expire, are renewed, and their tokens only grow."""

import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from reverie.errors import LeaseLost
from reverie.model.rhythm import Sleeping, SleepRequest
from reverie.store.db import Database
from reverie.store.dialect.open import dialect_of
from reverie.store.tables import leases, nights
from reverie.triggers.admission import request
from tests.conftest import BACKENDS
from tests.support.nights import NOW, make_space
from tests.support.waiting import until

pytestmark = pytest.mark.parametrize("location", BACKENDS, indirect=True)
HOLD = """
import sys, time
from reverie.store.dialect.open import dialect_of
from reverie.store.tables import leases
db = dialect_of(sys.argv[1], durable=False).open()
assert leases.acquire(db, sys.argv[2], "them", float(sys.argv[3]))
print("held", flush=True)
time.sleep(60)
"""
ENV = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2] / "src")}
LATER = NOW + leases.SECONDS + 1


def test_a_lease_is_held_by_one(db: Database) -> None:
    first = leases.acquire(db, "s", "a", NOW)
    assert first is not None
    assert leases.acquire(db, "s", "b", NOW) is None
    assert leases.acquire(db, "s", "a", NOW) is None  # not even by its own holder: one run at a time
    assert leases.acquire(db, "other", "b", NOW) is not None


def test_a_dead_holders_lease_is_taken_over_with_a_higher_token(db: Database) -> None:
    first = leases.acquire(db, "s", "a", NOW)
    second = leases.acquire(db, "s", "b", LATER)
    assert first is not None
    assert second is not None
    assert second.token > first.token
    with pytest.raises(LeaseLost):
        leases.renew(db, first, LATER)


def test_the_lease_of_a_dead_process_is_free_at_once(location: str, db: Database) -> None:
    """And as long as it lives, whoever asks is told which process holds it."""
    space = make_space(db)
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLD, location, space, str(NOW)], stdout=subprocess.PIPE, text=True, env=ENV
    )
    try:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        assert leases.acquire(db, space, "me", NOW) is None
        refused = request(db, space, SleepRequest("nap", "manual", "me"), Sleeping(), NOW + 30)
        assert f"held by them (process {holder.pid} on " in refused.night.why
        assert "for 30 s)" in refused.night.why
    finally:
        holder.kill()
        holder.communicate()
    until(lambda: leases.held(db, space, NOW) is None)
    mine = leases.acquire(db, space, "me", NOW)
    assert mine is not None
    assert mine.token == 2


def test_a_clock_that_was_set_back_blocks_no_space(db: Database) -> None:
    """The holder has died, and its lease ends when the clock comes there again: in a year."""
    ahead = leases.acquire(db, "s", "a", NOW + 365 * 86_400)
    assert leases.held(db, "s", NOW) is None
    now = leases.acquire(db, "s", "b", NOW)
    assert ahead is not None
    assert now is not None
    with pytest.raises(LeaseLost):
        leases.renew(db, ahead, NOW)


def test_a_heartbeat_keeps_it(db: Database) -> None:
    lease = leases.acquire(db, "s", "a", NOW)
    assert lease is not None
    leases.renew(db, lease, NOW + leases.SECONDS - 1)
    assert leases.acquire(db, "s", "b", LATER) is None


def test_a_heartbeat_that_comes_too_late_is_refused(db: Database) -> None:
    lease = leases.acquire(db, "s", "a", NOW)
    assert lease is not None
    with pytest.raises(LeaseLost):
        leases.renew(db, lease, LATER)


def test_a_lease_whose_end_cannot_be_written_is_free_to_its_process_and_ends_when_it_can(
    location: str, db: Database
) -> None:
    """As on a full disk. Others wait until its process has written that, with the next lease that it takes."""
    space, broken = make_space(db), dialect_of(location, durable=False).open()
    first = leases.acquire(broken, space, "a", NOW)
    assert first is not None
    broken.close()
    leases.release(broken, first)
    row = "SELECT expires_at FROM leases WHERE space = :space"
    assert db.value(row, space=space) > NOW
    assert leases.held(db, space, NOW) is None
    other = leases.acquire(db, make_space(db, "another"), "a", NOW)
    assert other is not None
    assert db.value(row, space=space) == 0
    second = leases.acquire(db, space, "a", NOW)
    assert second is not None
    assert second.token == first.token + 1
    assert leases.held(db, space, NOW) == second


def test_a_released_lease_leaves_its_token_behind(db: Database) -> None:
    first = leases.acquire(db, "s", "a", NOW)
    assert first is not None
    leases.release(db, first)
    assert leases.held(db, "s", NOW) is None
    second = leases.acquire(db, "s", "a", NOW)
    assert second is not None
    assert second.token == first.token + 1
    leases.release(db, first)  # too late: not its own any more
    assert leases.held(db, "s", NOW) == second


def test_a_hundred_triggers_at_once_give_one_run(db: Database) -> None:
    space = make_space(db)
    want, go = SleepRequest("nap", "manual", "me"), threading.Barrier(10)

    def trigger() -> None:
        go.wait(10)
        for _ in range(10):
            request(db, space, want, Sleeping(), NOW)

    threads = [threading.Thread(target=trigger) for _ in range(10)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert nights.counted(db, space, 0.0) == {"requested": 1, "skipped": nights.MOST_SKIPPED}
