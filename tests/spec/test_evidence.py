"""Promotion as laws: what any amount of evidence, and any number of nights, can and cannot do."""

from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from reverie.model.base import DAY, Trust
from reverie.model.memories import Memory
from reverie.model.turns import RecallEvent
from reverie.policy.care.tiering import Standing, place
from reverie.policy.core.promotion import WEIGHTS, count, judge, signals
from reverie.policy.core.rewriting import BlockLine, condensed, lines_of, lost, restored, text_of, woven
from reverie.policy.decision import Decision

REACH = Decision(True, "the user said it")
FACT = Memory("m", "s", "fact", "The user lives in Kiel", ("t",), created_at=1.0, said_at=1.0)
few = settings(max_examples=60, deadline=None)

recalls = st.lists(
    st.tuples(st.integers(0, 9), st.integers(0, 20), st.floats(0, 1)).map(
        lambda r: RecallEvent("s", "m", f"q{r[0]}", f"2026-01-{r[1] + 1:02d}", r[2], r[1] * DAY)
    ),
    max_size=30,
)


@few
@given(recalls, st.integers(0, 6), st.integers(0, 60))
def test_the_four_gates_alone_decide_and_each_is_needed(events: list[RecallEvent], tags: int, later: int) -> None:
    now = 20 * DAY + later * DAY
    counted = count(events, (), tags)
    verdict = judge(FACT, counted, REACH, now)
    needed = (
        signals(counted, now).score >= WEIGHTS.min_score
        and len(events) >= 3
        and len({event.query for event in events}) >= 2
        and len({event.day for event in events}) >= 2
    )
    assert verdict.promoted == needed
    assert verdict.promoted == (not verdict.lacks)


@few
@given(st.integers(0, 6), st.integers(0, 10_000), st.floats(0, 1), st.integers(0, 50))
def test_nothing_without_awake_evidence_is_promoted_on_any_night(
    tags: int, night: int, importance: float, corroborations: int
) -> None:
    dreamt = replace(FACT, importance=importance, corroborations=corroborations, uses=night, priority=1.0)
    verdict = judge(dreamt, count((), (), tags), REACH, night * DAY)
    assert not verdict.promoted
    assert verdict.signals.score == 0.0


@few
@given(st.sampled_from(list(Trust)), st.booleans(), st.booleans())
def test_only_a_persons_own_words_take_the_fast_lane(trust: Trust, asked: bool, correction: bool) -> None:
    memory = replace(FACT, trust=trust, asked=asked, correction=correction)
    verdict = judge(memory, count((), ()), REACH, DAY)
    assert verdict.promoted == (trust is Trust.USER and (asked or correction))


standings = st.builds(
    Standing,
    tier=st.sampled_from(("hot", "warm", "archive")),
    priority=st.floats(0, 1),
    decay=st.floats(0, 1),
    unused_days=st.floats(0, 400),
    relationship_score=st.floats(0, 20),
    links=st.integers(0, 10),
    recent_edges=st.integers(0, 10),
    pinned=st.booleans(),
    manual_tags=st.booleans(),
)


@few
@given(standings)
def test_every_memory_has_a_tier_and_a_second_night_leaves_it_there(standing: Standing) -> None:
    found = place(standing)
    again = place(replace(standing, tier=found.tier))
    assert (again.tier, again.changed) == (found.tier, False)
    assert found.reason
    assert found.why


lines = st.lists(
    st.builds(
        BlockLine, st.text("abcdef", min_size=1, max_size=8), st.lists(st.sampled_from("123456"), max_size=2).map(tuple)
    ),
    max_size=12,
    unique_by=lambda line: line.text,
)
drafts = st.lists(
    st.builds(
        BlockLine, st.text("abcxyz", min_size=1, max_size=8), st.lists(st.sampled_from("123456"), max_size=2).map(tuple)
    ),
    max_size=8,
)


@few
@given(lines, drafts)
def test_a_rewrite_never_touches_a_persons_own_lines(before: list[BlockLine], drafted: list[BlockLine]) -> None:
    own = [line for line in before if line.own]
    after = woven(before, drafted)
    assert [line for line in after if line.own] == own


@few
@given(lines, drafts, st.integers(0, 60))
def test_a_night_lets_go_of_at_most_a_quarter(before: list[BlockLine], drafted: list[BlockLine], size: int) -> None:
    weight = {source: int(source) / 6 for source in "123456"}
    after = restored(before, woven(before, drafted), weight)
    assert len(lost(before, after)) <= 0.25 * len(before)
    kept = condensed(before, weight, size)
    assert len(before) - len(kept) <= 0.25 * len(before)
    assert [line for line in kept if line.own] == [line for line in before if line.own]


@few
@given(lines)
def test_a_block_is_read_as_it_was_written(before: list[BlockLine]) -> None:
    sources = {line.text: line.sources for line in before if not line.own}
    assert lines_of(text_of(before), sources) == before
