"""A clock that jumps back and forth, also in mid-night: nothing is lost or doubled, and no space stays awake."""

import random
from dataclasses import dataclass, field

import pytest

from reverie import Reverie
from reverie.config import load
from reverie.doctor.doctor import examine
from reverie.errors import Conflict, LeaseLost, RestsOn
from reverie.model.base import DAY, HOUR
from reverie.store.files.backup import verify
from tests.conftest import BACKENDS
from tests.support.nights import NOW
from tests.support.roles import text_of

YEAR = 365 * DAY
JUMPS = (-10 * YEAR, -YEAR, -DAY, -HOUR, -90.0, 90.0, HOUR, DAY, YEAR, 10 * YEAR)
TRIES = 20  # a night whose clock jumps is broken off, and goes on


@dataclass
class Jumping:
    """A second passes with each look, and now and then years do, in either direction."""

    chance: random.Random
    often: float
    now: float = NOW
    jumps: int = 0
    seen: list[float] = field(default_factory=list)

    def __call__(self) -> float:
        self.now += 1.0
        if self.chance.random() < self.often:
            self.jumps += 1
            self.now = max(2 * DAY, self.now + self.chance.choice(JUMPS))
        return self.now


@pytest.mark.parametrize("location", BACKENDS, indirect=True)
@pytest.mark.parametrize(
    ("seed", "rounds"), [(1, 4), *(pytest.param(seed, 60, marks=pytest.mark.torture) for seed in range(2, 6))]
)
def test_a_store_lives_through_a_clock_that_jumps(location: str, seed: int, rounds: int) -> None:
    chance = random.Random(seed)
    clock = Jumping(chance, often=0.02)
    said: list[str] = []
    with Reverie.open(location, embedder="none", durable=False, clock=clock) as memory:
        alice = memory.space("alice")
        for n in range(rounds):
            said += [alice.append("user", text_of(chance)).id for _ in range(chance.randint(1, 6))]
            assert [turn.id for turn in alice.turns(limit=10_000)] == said  # in the order in which they were said
            _sleep(memory)
            assert alice.unread() == 0
            if chance.random() < 0.3:
                _take_back_and_forth(memory)
            if n % 5 == 4 and memory.parts.db.dialect.home is not None:
                verify(memory.backup(memory.parts.db.dialect.home / "backups", keep=2))
        for one in alice.all(limit=10_000):
            assert len(alice.memory(one.id).text) > 0
        _nothing_twice(memory)
    assert clock.jumps > 2
    place = {"home": location} if not location.startswith("postgresql") else {"store": location}
    found = examine(load({**place, "embedder": "none"}), 2 * DAY)
    assert "clock" in {one.check for one in found}
    assert [one.said for one in found if one.status == "wrong" and one.check not in ("sleeper", "space")] == []


def _sleep(memory: Reverie) -> None:
    for _ in range(TRIES):
        try:
            night = memory.space("alice").sleep()
        except LeaseLost:
            continue
        if night.status == "done":
            return
        assert night.status in ("skipped", "failed", "running"), (night.status, night.why, night.error)
        assert night.error is None or "lease" in night.error, night.error
    raise AssertionError(f"{night.status}: {night.why} {night.error}")


def _take_back_and_forth(memory: Reverie) -> None:
    alice = memory.space("alice")
    last = alice.nights(limit=1, statuses=("done",))[0]
    try:
        alice.undo(last.id)
    except (Conflict, RestsOn, LeaseLost):
        return
    alice.redo(last.id)
    _sleep(memory)


def _nothing_twice(memory: Reverie) -> None:
    rows = memory.parts.db.rows(
        "SELECT m.text, s.source FROM memories m JOIN sources s ON s.memory = m.id WHERE m.stale = 0"
        " AND m.kind IN ('episode', 'fact') GROUP BY m.space, m.kind, m.text, m.predicate, s.source"
        " HAVING count(*) > 1"
    )
    assert rows == []
