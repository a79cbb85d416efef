"""Limits that hold."""

import pytest

from reverie.policy.limits import fits


@pytest.mark.parametrize(("size", "limit", "allowed"), [(0, 0, True), (10, 10, True), (11, 10, False)])
def test_a_block_may_be_full_but_not_fuller(size: int, limit: int, allowed: bool) -> None:
    decision = fits("human", "x" * size, limit)
    assert decision.allowed is allowed
    assert str(limit) in decision.why
