"""Tier rules as a table with their reasons; total, and stable when asked twice."""

from dataclasses import replace
from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reverie.model.memories import Tier
from reverie.policy.care.tiering import Standing, place

COLD = Standing("warm", priority=0.1, decay=0.7, unused_days=35)


@pytest.mark.parametrize(
    ("standing", "tier", "reason"),
    [
        # hot if any
        (replace(COLD, pinned=True), "hot", "manual_pin"),
        (replace(COLD, priority=0.65), "hot", "high_priority"),
        (replace(COLD, unused_days=3.0), "hot", "recent_access"),
        (replace(COLD, decay=0.25, unused_days=12.5), "hot", "low_decay"),
        (replace(COLD, relationship_score=6.0), "hot", "dense_graph"),
        (replace(COLD, recent_edges=4), "hot", "active_connections"),
        # else warm if any
        (replace(COLD, priority=0.3), "warm", "moderate_priority"),
        (replace(COLD, unused_days=21.0, decay=0.42), "warm", "recently_accessed"),
        (replace(COLD, manual_tags=True), "warm", "manual_tags_present"),
        (replace(COLD, relationship_score=3.0), "warm", "connected_graph"),
        # archive only if all
        (COLD, "archive", "stale_and_low_priority"),
        (replace(COLD, links=2), "archive", "stale_and_low_priority"),
        (replace(COLD, unused_days=50, decay=1.0), "archive", "cold_and_disconnected"),
        (replace(COLD, unused_days=50, decay=1.0, links=1), "archive", "stale_and_low_priority"),
        # one condition short of the archive: cooling
        (replace(COLD, unused_days=29, decay=0.58), "warm", "cooling"),
        (replace(COLD, decay=0.5), "warm", "cooling"),
        (replace(COLD, links=3), "warm", "cooling"),
        (replace(COLD, recent_edges=1), "warm", "cooling"),
        (replace(COLD, recent_edges=1, tier="archive"), "archive", "not_used_again"),
        # and back on use
        (replace(COLD, unused_days=0, decay=0.0, tier="archive"), "hot", "recent_access"),
    ],
)
def test_where_a_memory_belongs_and_why(standing: Standing, tier: str, reason: str) -> None:
    placed = place(standing)
    assert (placed.tier, placed.reason, placed.changed) == (tier, reason, tier != standing.tier)
    assert placed.why


@settings(max_examples=300, derandomize=True, database=None, deadline=None)
@given(
    st.builds(
        Standing,
        tier=st.sampled_from(get_args(Tier)),
        priority=st.floats(0, 1),
        decay=st.floats(0, 1),
        unused_days=st.floats(0, 100),
        relationship_score=st.floats(0, 10),
        links=st.integers(0, 8),
        recent_edges=st.integers(0, 8),
        pinned=st.booleans(),
        manual_tags=st.booleans(),
    )
)
def test_every_memory_has_a_place_and_a_second_night_moves_nothing(standing: Standing) -> None:
    placed = place(standing)
    assert placed.tier in get_args(Tier)
    again = place(replace(standing, tier=placed.tier))
    assert (again.tier, again.changed) == (placed.tier, False)
