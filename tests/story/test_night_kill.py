"""A night that is killed again and again ends as if nothing had happened."""

import random
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from reverie.asleep.pipeline import STEPS
from tests.support.killing import Host, copied, everything, sound, store_before_a_night

AT_BOUNDARIES, AT_RANDOM = 10, 5


@pytest.fixture(scope="module")
def host() -> Iterator[Host]:
    host = Host.start()
    yield host
    host.stop()


@pytest.fixture
def store(location: str) -> Iterator[tuple[Path, str]]:
    home = Path(location)
    space = store_before_a_night(home)
    yield home, space
    for copy in home.parent.glob(f"{home.name}-*"):
        shutil.rmtree(copy, ignore_errors=True)


def test_a_night_killed_at_step_boundaries_and_at_random_ends_the_same(host: Host, store: tuple[Path, str]) -> None:
    home, space = store
    unbroken = copied(home, "unbroken")
    assert host.run(unbroken, space) == "done"
    expected = everything(unbroken)
    kills = kill_on_the_way(host, copied(home, "boundaries"), space, expected, ("events", [1.0] * AT_BOUNDARIES))
    assert kills == min(AT_BOUNDARIES, len(STEPS))
    chance = random.Random(7)
    moments = [chance.uniform(0.005, 0.06) for _ in range(AT_RANDOM)]
    kill_on_the_way(host, copied(home, "random"), space, expected, ("seconds", moments))


def kill_on_the_way(
    host: Host, home: Path, space: str, expected: dict[str, list[str]], how: tuple[str, list[float]]
) -> int:
    """Kills each run of one night in the given way, then lets it end; answers how many died."""
    kind, values = how
    killed = 0
    for value in values:
        killed += host.run(home, space, kind, value) == "killed"
        sound(home, space)
    assert host.run(home, space) == "done"
    sound(home, space)
    found = everything(home)
    for relation, rows in expected.items():
        assert found[relation] == rows, relation
    return killed
