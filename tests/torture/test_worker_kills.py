"""Three workers over one Postgres, killed in turn for ten minutes."""

import pytest

from tests.support.worker_killing import killed_in_turn


@pytest.mark.torture
def test_three_workers_killed_in_turn(postgres_url: str) -> None:
    found = killed_in_turn(postgres_url, "embedded", lasting=600, patience=180)
    print(found, sorted(found.stuck)[len(found.stuck) // 2 :])
    assert (found.unread, found.lost, found.doubled, found.skipped) == (0, 0, 0, 0), found
    assert not found.is_stuck, found
