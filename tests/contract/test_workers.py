"""Workers over one store: who they are, whose spaces are whose, and what remains of one that is killed."""

import json
import time
from dataclasses import replace
from pathlib import Path

import pytest

from reverie import Reverie
from reverie.config import load
from reverie.doctor.doctor import examine
from reverie.errors import ConfigError
from reverie.policy.sleep.placement import slots_of
from reverie.store.tables import workers
from reverie.triggers.engine import engine_of
from reverie.triggers.roster import Roster
from reverie.triggers.watch import Watch
from tests.conftest import BACKENDS
from tests.support.worker_killing import killed_in_turn


def test_a_sample_of_three_workers_killed_in_turn_over_one_postgres(postgres_url: str) -> None:
    found = killed_in_turn(postgres_url, "embedded", kills=2, spaces=2)
    assert (found.unread, found.lost, found.doubled, found.skipped) == (0, 0, 0, 0), found
    assert not found.is_stuck, found


@pytest.mark.parametrize("location", BACKENDS, indirect=True)
def test_a_worker_is_listed_with_its_work_while_it_lives(memory: Reverie) -> None:
    alice = memory.space("alice")
    roster = Roster.of(memory.parts.db, time.time, version="1", engine="embedded", name="one")
    with roster.listed():
        roster.say(space=alice.id, step="extract")
        [one] = memory.workers()
        assert (one.name, one.state, one.space_name, one.step) == ("one", "busy", "alice", "extract")
        assert memory.gauges().workers == {"busy": 1, "gone": 0, "idle": 0}
    assert memory.workers() == []


@pytest.mark.parametrize("location", BACKENDS, indirect=True)
def test_the_spaces_of_a_silent_worker_move_to_the_others(memory: Reverie) -> None:
    db, now = memory.parts.db, 1_000.0
    one, two = (Roster.of(db, lambda: now, version="1", engine="embedded", name=name) for name in ("one", "two"))
    for roster in (one, two):
        roster.say()
    assert one.look()
    assert two.look()
    assert len(one.slots) == len(two.slots) == 32
    assert not one.slots & two.slots
    with db.write("memory") as tx:
        workers.say(tx, replace(two.me, heard_at=now - workers.SILENT - 1))
    assert one.look()
    assert len(one.slots) == 64
    assert not one.look()


@pytest.mark.parametrize("location", BACKENDS, indirect=True)
def test_the_doctor_names_a_worker_that_died_and_on_what(memory: Reverie, location: str) -> None:
    db, now = memory.parts.db, time.time()
    roster = Roster.of(db, lambda: now, version="1", engine="embedded", name="one")
    roster.say(space=memory.space("alice").id)
    with db.write("memory") as tx:
        workers.say(tx, replace(roster.me, heard_at=now - workers.SILENT - 1))
    [found] = [one for one in examine(memory.config, now) if one.check == "workers"]
    assert (found.status, "one died while it slept for alice" in found.said) == ("warning", True)


def test_the_end_of_a_worker_moves_hardly_any_slot_but_its_own() -> None:
    before = slots_of([f"w{n}" for n in range(8)])
    after = slots_of([f"w{n}" for n in range(7)])
    kept = sum(len(before[name] & after[name]) for name in after)
    assert kept >= 0.85 * sum(len(before[name]) for name in after)
    assert max(map(len, after.values())) - min(map(len, after.values())) <= 1


def test_a_store_in_a_directory_has_no_use_for_the_queue(memory: Reverie) -> None:
    runner = memory.parts.runner()
    roster = Roster.of(memory.parts.db, time.time, version="1", engine="procrastinate")
    with pytest.raises(ConfigError, match="directory") as refused:
        engine_of("procrastinate", Watch(runner, lambda _: json.loads("null"), "w"), roster)
    assert "postgresql://" in refused.value.next_move


def test_an_org_with_a_database_of_its_own_lies_in_no_other(home: Path, postgres_url: str) -> None:
    """As `reverie place acme URL` writes it down."""
    config = load({"home": str(home), "embedder": "none", "durable": "false", "places": f"acme={postgres_url}"}, env={})
    with Reverie.open(config=config) as all_others, Reverie.open(config=config.with_values(org="acme")) as acme:
        acme.space("alice").append("user", "I moved to Bremen.")
        assert (all_others.spaces(), len(acme.spaces())) == ([], 1)
        assert (all_others.parts.db.dialect.name, acme.parts.db.dialect.name) == ("sqlite", "postgres")
    with pytest.raises(ConfigError, match="places"):
        config.with_values(places="acme")
