"""Promotion: signals with their arithmetic, gates that can be met together, and nothing without evidence."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reverie.model.base import DAY, Trust
from reverie.model.memories import Memory
from reverie.model.turns import RecallEvent
from reverie.policy.core.promotion import RecallCounts, candidate_truth, count, fallen, judge, nearest_misses, signals
from reverie.policy.decision import Decision

NOW = 1_000 * DAY
FACT = Memory("mem-1", "s", "fact", "The user drinks tea", ("t1",), created_at=NOW - 3 * DAY, said_at=NOW - 3 * DAY)
YES = Decision(True, "the user said it")
ENOUGH = RecallCounts(recalls=3, queries=3, days=2, relevance=0.8, span_days=1, last_at=NOW - 3 * DAY, tags=2)


def recalled(query: str, day: int, score: float = 0.8) -> RecallEvent:
    return RecallEvent("s", "mem-1", query, f"2026-01-{day:02}", score, at=NOW + day * DAY)


@pytest.mark.parametrize(
    ("counted", "expected"),
    [
        # 0.30*0.8 + 0.24*ln4/ln11 + 0.15*3/5 + 0.15*0.5**(3/14) + 0.10*(0.55*ln2/ln5 + 0.45/7) + 0.06*2/6
        (ENOUGH, 0.6482),
        (replace(ENOUGH, last_at=NOW), 0.6689),  # recency 1
        (replace(ENOUGH, last_at=NOW - 14 * DAY), 0.5939),  # recency 1/2
        (RecallCounts(recalls=10, queries=5, days=5, relevance=1, span_days=7, last_at=NOW, tags=6), 1.0),
        (RecallCounts(recalls=99, queries=99, days=99, relevance=9, span_days=99, last_at=NOW + DAY, tags=99), 1.0),
        (
            RecallCounts(recalls=1, queries=1, days=1, relevance=1, last_at=NOW),
            0.5694,
        ),  # 0.3 + 0.0694 + 0.03 + 0.15 + 0.02
        (RecallCounts(tags=6), 0.0),  # tags alone are no evidence
    ],
)
def test_the_score_is_the_weighted_sum_of_six_signals(counted: RecallCounts, expected: float) -> None:
    assert signals(counted, NOW).score == pytest.approx(expected, abs=1e-4)


@pytest.mark.parametrize(
    ("counted", "expected"),
    [
        (RecallCounts(recalls=6, days=3, relevance=1.0, tags=6), 1.0),
        (RecallCounts(recalls=3, days=2, relevance=0.8, tags=2), 0.7048),  # 0.36 + 0.25*ln4/ln7 + 0.1333 + 0.0333
        (RecallCounts(tags=6), 0.0),
    ],
)
def test_a_candidate_truth_is_recalled_often_and_on_several_days(counted: RecallCounts, expected: float) -> None:
    assert candidate_truth(counted) == pytest.approx(expected, abs=1e-3)


def test_the_four_gates_can_be_met_together() -> None:
    verdict = judge(FACT, ENOUGH, YES, NOW)
    assert verdict.promoted
    assert verdict.signals.score == pytest.approx(0.648, abs=1e-3)
    assert (verdict.lacks, verdict.distance, verdict.fast_lane) == ((), 0, False)


@pytest.mark.parametrize(
    ("counted", "lacks"),
    [
        (replace(ENOUGH, recalls=2), ("recalls 2, needs 3",)),
        (replace(ENOUGH, recalls=2, relevance=0.5), ("score 0.53, needs 0.6", "recalls 2, needs 3")),
        (replace(ENOUGH, queries=1, relevance=1.0), ("distinct queries 1, needs 2",)),
        (replace(ENOUGH, days=1, relevance=1.0), ("distinct days 1, needs 2",)),
        (replace(ENOUGH, relevance=0.6), ("score 0.59, needs 0.6",)),
    ],
)
def test_each_gate_alone_stops_a_memory_and_says_what_it_lacks(counted: RecallCounts, lacks: tuple[str, ...]) -> None:
    verdict = judge(FACT, counted, YES, NOW)
    assert not verdict.promoted
    assert verdict.lacks == lacks
    assert verdict.why == "; ".join(lacks)


@settings(max_examples=100, derandomize=True, database=None, deadline=None)
@given(
    nights=st.lists(st.floats(0, 3_650 * DAY), max_size=20),
    tags=st.integers(0, 100),
    importance=st.floats(0, 1),
    uses=st.integers(0, 10_000),
)
def test_no_number_of_nights_lifts_a_memory_that_nobody_recalled(
    nights: list[float], tags: int, importance: float, uses: int
) -> None:
    """Whatever a night may write into a memory (tags, scores, its own uses), the count of evidence stays empty."""
    memory = replace(FACT, importance=importance, uses=uses, priority=1.0, confidence=1.0, relationship_score=99.0)
    for after in nights:
        assert not judge(memory, count([], tags=tags), YES, NOW + after).promoted


def test_saying_it_again_counts_but_does_not_replace_recalls() -> None:
    again = [NOW + n * DAY for n in range(10)]
    alone = count([], restated=again, tags=6)
    assert (alone.recalls, alone.days, alone.queries) == (10, 10, 0)
    assert not judge(FACT, alone, YES, NOW).promoted


def test_evidence_is_counted_by_query_day_and_relevance() -> None:
    counted = count([recalled("a", 1), recalled("a", 1, 0.6), recalled("b", 3, 1.0)], restated=[NOW + 3 * DAY], tags=2)
    assert counted.relevance == pytest.approx(0.8)
    assert replace(counted, relevance=0.8) == RecallCounts(4, 2, 3, 0.8, 2.0, NOW + 3 * DAY, 2)


@pytest.mark.parametrize(
    ("memory", "why"),
    [
        (replace(FACT, asked=True), "a person asked for it to be remembered"),
        (replace(FACT, correction=True), "a person's correction"),
    ],
)
def test_requests_and_corrections_need_no_second_witness(memory: Memory, why: str) -> None:
    verdict = judge(memory, RecallCounts(), YES, NOW)
    assert (verdict.promoted, verdict.fast_lane, verdict.why) == (True, True, why)


def test_a_page_that_says_remember_takes_no_fast_lane() -> None:
    planted = replace(FACT, asked=True, correction=True, trust=Trust.CONTENT)
    assert not judge(planted, RecallCounts(), YES, NOW).promoted


@pytest.mark.parametrize(
    ("memory", "reach", "why"),
    [
        (replace(FACT, quarantined=True, asked=True), YES, "waits in quarantine for a review"),
        (replace(FACT, valid_until=NOW), YES, "no longer holds"),
        (replace(FACT, stale=True), YES, "stale"),
        (FACT, Decision(False, "no witness of another origin"), "no witness of another origin"),
    ],
)
def test_some_memories_are_refused_whatever_the_evidence(memory: Memory, reach: Decision, why: str) -> None:
    verdict = judge(memory, ENOUGH, reach, NOW)
    assert (verdict.promoted, verdict.refused, verdict.why) == (False, True, why)


def test_what_holds_until_later_may_be_promoted() -> None:
    assert judge(replace(FACT, valid_until=NOW + DAY), ENOUGH, YES, NOW).promoted


def test_nothing_promoted_is_explained_by_gate_and_by_the_nearest_misses() -> None:
    near = judge(replace(FACT, id="near"), replace(ENOUGH, days=1, relevance=1.0), YES, NOW)
    far = judge(replace(FACT, id="far"), replace(ENOUGH, recalls=1, queries=1, days=1), YES, NOW)
    none = judge(replace(FACT, id="none"), RecallCounts(), YES, NOW)
    refused = judge(replace(FACT, id="refused", stale=True), ENOUGH, YES, NOW)
    passed = judge(FACT, ENOUGH, YES, NOW)
    verdicts = [none, passed, refused, far, near]
    assert fallen(verdicts) == {"score": 2, "recalls": 2, "distinct queries": 2, "distinct days": 3, "refused": 1}
    assert [verdict.memory for verdict in nearest_misses(verdicts, k=2)] == ["near", "far"]
