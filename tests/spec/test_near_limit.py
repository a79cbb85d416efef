"""The simulation behind the 80% of a block's limit: later means fewer calls and more deferrals."""

from itertools import pairwise

from bench.near_limit import THRESHOLDS, simulate


def test_a_later_threshold_trades_summarize_calls_against_deferred_appends() -> None:
    outcomes = [simulate(threshold, appends_a_day=5) for threshold in THRESHOLDS]
    for earlier, later in pairwise(outcomes):
        assert later.condensed < earlier.condensed
        assert later.deferred >= earlier.deferred
    assert outcomes[-1].deferred > 20 * outcomes[2].deferred
