"""Scheduling under a simulated clock, with crashes, pauses and a queue that loses, doubles and reorders messages."""

import math
import shutil
import tempfile
from pathlib import Path

import pytest

from reverie.store.commit import commit
from reverie.triggers import watch
from tests.conftest import in_memory
from tests.support.simulation import Faults, World, lived, repeatable, verdict

SEEDS = (0, 1, 3)  # in each of them workers die
EVENTS = 120
ENGINES = pytest.mark.parametrize("queue", [False, True], ids=["embedded", "queue"])


def after(template: Path, seed: int, *, queue: bool, events: int = EVENTS) -> tuple[list[str], World]:
    """What went wrong in the world of a seed, and that world."""
    with tempfile.TemporaryDirectory(dir=in_memory()) as folder:
        shutil.copytree(template, folder, dirs_exist_ok=True)
        world = lived(Path(folder), seed, queue=queue, events=events)
        try:
            return verdict(world), world
        finally:
            world.close()


@ENGINES
@pytest.mark.parametrize("seed", SEEDS)
def test_nothing_is_lost_and_nothing_done_twice(sqlite_template: Path, seed: int, queue: bool) -> None:
    wrong, world = after(sqlite_template, seed, queue=queue)
    assert wrong == []
    assert sum(world.said.values()) > 50
    assert world.deaths > 0


@pytest.mark.torture
@ENGINES
@pytest.mark.parametrize("seed", range(100, 300))
def test_many_seeds(sqlite_template: Path, seed: int, queue: bool) -> None:
    wrong, _ = after(sqlite_template, seed, queue=queue, events=400)
    assert wrong == []


@ENGINES
def test_a_seed_repeats_its_world_exactly(sqlite_template: Path, queue: bool) -> None:
    _, first = after(sqlite_template, 7, queue=queue)
    _, again = after(sqlite_template, 7, queue=queue)
    assert first.begun == again.begun
    assert (first.said, first.now, first.deaths) == (again.said, again.now, again.deaths)


def test_the_simulation_sees_a_fence_that_lets_everybody_through(
    sqlite_template: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(commit, "fence", lambda *_: None)
    assert any(after(sqlite_template, seed, queue=False)[0] for seed in range(20))


def test_the_simulation_sees_a_message_that_is_never_sent_again(
    sqlite_template: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watch, "RETRY", math.inf)
    assert any(after(sqlite_template, seed, queue=True)[0] for seed in range(20))


@ENGINES
def test_a_space_that_never_stops_talking_keeps_nobody_waiting(home: Path, sqlite_template: Path, queue: bool) -> None:
    """One worker, a space with a backlog of fifty slices, five with one turn: those are read after a slice of it."""
    shutil.copytree(sqlite_template, home, dirs_exist_ok=True)
    world = World(home, 1, queue, workers_wanted=1, faults=Faults.none())
    try:
        with repeatable(world):
            loud, *quiet = world.make_spaces(6)
            world.depth = 99  # nobody else says anything
            world.append(loud, 400)
            for space in quiet:
                world.append(space, 1)
            world.now += 10
            for _ in range(60):
                world.tick()
                world.deliver()
                if set(quiet) <= set(world.begun):
                    break
        assert set(quiet) <= set(world.begun)
        assert world.begun.count(loud) <= 2
        assert world.read_turns(loud) < 400
    finally:
        world.close()
