"""A thousand kills over all roles: what was acknowledged holds, and no night is stuck."""

from pathlib import Path

import pytest

from tests.support.campaign import campaign
from tests.support.roles import ROLES


@pytest.mark.torture
@pytest.mark.parametrize("seed", range(4))
def test_a_thousand_kills_lose_nothing_and_double_nothing(home: Path, seed: int) -> None:
    oracle = campaign(home, kills=250, seed=seed)
    print(f"{oracle.killed} kills: {oracle.roles}; {len(oracle.turns):,} turns; {oracle.longest:.2f} s")
    assert set(oracle.roles) == set(ROLES)
    assert len(oracle.turns) > 1_000
    assert oracle.longest < 10


def test_a_sample_of_kills_loses_nothing(home: Path) -> None:
    oracle = campaign(home, kills=20, seed=11)
    assert oracle.killed >= 20
    assert oracle.turns
