"""Decay, priority and confidence as tables; and that the number of nights does not matter."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reverie.model.base import DAY, WEEK, Trust
from reverie.model.memories import Memory
from reverie.policy.care.decay import confidence_at, decay, exemption, gone_stale, priority, starting_confidence

SAID = Memory("m", "s", "fact", "The user drinks tea", ("turn-1",), created_at=DAY, said_at=DAY)


@pytest.mark.parametrize(
    ("days", "expected"),
    [(0, 0.0), (1, 0.02), (12.5, 0.25), (30, 0.6), (45, 0.9), (50, 1.0), (400, 1.0), (-3, 0.0)],
)
def test_decay_grows_by_a_fiftieth_a_day(days: float, expected: float) -> None:
    assert decay(100 * DAY + days * DAY, 100 * DAY) == pytest.approx(expected)


def test_what_is_exempt_does_not_decay() -> None:
    assert decay(400 * DAY, 0.0, exempt=True) == 0.0


@pytest.mark.parametrize(
    ("importance", "uses", "faded", "expected"),
    [
        (0.5, 0, 0.0, 0.5),
        (0.5, 3, 0.0, 0.65),  # 0.5 + 3 * 0.05
        (0.5, 0, 0.6, 0.2),  # 0.5 - 0.6 / 2
        (0.9, 10, 0.0, 1.0),  # clamped
        (0.1, 0, 1.0, 0.0),  # clamped
    ],
)
def test_priority_is_importance_plus_use_minus_half_of_decay(
    importance: float, uses: int, faded: float, expected: float
) -> None:
    assert priority(importance, uses, faded) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("base", "weeks", "witnesses", "exempt", "expected"),
    [
        (0.95, 0, 0, False, 0.95),
        (0.95, 1, 0, False, 0.931),  # 0.95 * 0.98
        (0.60, 4, 0, False, 0.5534),  # 0.60 * 0.98 ** 4
        (0.80, 0, 1, False, 0.82),  # 0.80 + 0.10 * 0.20
        (0.80, 1, 1, False, 0.8036),  # 0.82 * 0.98
        (0.95, 500, 0, False, 0.15),
        (0.10, 500, 0, False, 0.10),  # the floor lifts nothing
        (1.00, 500, 0, True, 1.00),
        (0.95, -2, 0, False, 0.95),  # a clock that jumped back
        (1.70, 0, 0, False, 1.00),
    ],
)
def test_confidence_fades_by_two_percent_a_week_and_gains_a_tenth_per_witness(
    base: float, weeks: float, witnesses: int, exempt: bool, expected: float
) -> None:
    now = 1000 * WEEK
    assert confidence_at(base, now - weeks * WEEK, now, witnesses, exempt) == pytest.approx(expected, abs=1e-4)


@settings(max_examples=50, derandomize=True, database=None, deadline=None)
@given(
    base=st.floats(0, 1),
    importance=st.floats(0, 1),
    nights=st.lists(st.floats(0, 30 * DAY), min_size=1, max_size=300),
)
def test_one_night_in_thirty_days_equals_three_hundred(base: float, importance: float, nights: list[float]) -> None:
    def run(times: list[float]) -> tuple[float, float, float]:
        seen = (0.0, 0.0, 0.0)
        for now in times:
            faded = decay(now, 0.0)
            seen = (faded, priority(importance, 0, faded), confidence_at(base, 0.0, now))
        return seen

    assert run([*sorted(nights), 30 * DAY]) == run([30 * DAY])


@pytest.mark.parametrize(
    ("memory", "why"),
    [
        (SAID, None),
        (replace(SAID, said_at=None, happened_at=DAY), None),
        (replace(SAID, said_at=None), "undated"),
        (replace(SAID, pinned=True), "pinned"),
        (replace(SAID, asked=True), "a person asked for it to be remembered"),
        (replace(SAID, correction=True, pinned=True), "a person's correction"),
    ],
)
def test_corrections_pins_requests_and_undated_memories_are_exempt_and_say_why(memory: Memory, why: str | None) -> None:
    assert exemption(memory) == why


@pytest.mark.parametrize(
    ("trust", "correction", "derived", "expected"),
    [
        (Trust.USER, True, False, 1.0),
        (Trust.USER, False, False, 0.95),
        (Trust.ASSISTANT, False, False, 0.85),
        (Trust.TOOL, False, False, 0.80),
        (Trust.CONTENT, True, False, 0.80),  # text that calls itself a correction is none
        (Trust.USER, False, True, 0.60),
    ],
)
def test_a_fact_starts_as_sure_as_its_source(trust: Trust, correction: bool, derived: bool, expected: float) -> None:
    assert starting_confidence(trust, correction=correction, derived=derived) == expected


def test_going_stale_demotes_once() -> None:
    said = replace(SAID, importance=0.8)
    once = replace(said, **gone_stale(said))
    assert once.stale
    assert once.importance == pytest.approx(0.24)
    assert replace(once, **gone_stale(once)) == once
