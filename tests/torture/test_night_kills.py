"""Three hundred kills, at random moments of many nights."""

import random
import shutil
from pathlib import Path

import pytest

from tests.support.killing import Host, copied, everything, sound, store_before_a_night

KILLS, NIGHTS = 300, 20


@pytest.mark.torture
def test_three_hundred_kills_change_nothing(location: str) -> None:
    home, host, chance = Path(location), Host.start(), random.Random(3)
    try:
        space = store_before_a_night(home, turns=80)
        unbroken = copied(home, "unbroken")
        assert host.run(unbroken, space) == "done"
        expected = everything(unbroken)
        for night in range(NIGHTS):
            broken = copied(home, str(night))
            for _ in range(KILLS // NIGHTS):
                how = ("events", 1.0) if chance.random() < 0.3 else ("seconds", chance.uniform(0.001, 0.15))
                host.run(broken, space, *how)
                sound(broken, space)
            assert host.run(broken, space) == "done"
            assert everything(broken) == expected
            shutil.rmtree(broken)
    finally:
        host.stop()
        for copy in home.parent.glob(f"{home.name}-*"):
            shutil.rmtree(copy, ignore_errors=True)
