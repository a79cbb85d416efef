"""When a model is asked again, and when it is left alone: arithmetic with `now` as an argument."""

import pytest

from reverie.minds.llm.backoff import Breaker, Pacer, wait_before


@pytest.mark.parametrize(
    ("attempt", "retry_after", "seconds"),
    [(1, None, 0.5), (2, None, 1.0), (3, None, 2.0), (4, None, 4.0), (1, 0.0, 0.0), (3, 12.5, 12.5)],
)
def test_waits_double_unless_the_server_says_how_long(attempt: int, retry_after: float | None, seconds: float) -> None:
    assert wait_before(attempt, retry_after) == seconds


def test_the_breaker_opens_at_the_fourth_failure_in_a_row_and_lets_one_try_after_its_rest() -> None:
    breaker = Breaker(threshold=4, rest=60)
    for _ in range(3):
        breaker.failed(now=0)
    assert breaker.allows(now=0)
    assert breaker.room(8) == 8
    breaker.failed(now=0)
    assert not breaker.allows(now=59.9)
    assert breaker.allows(now=60)
    assert breaker.room(8) == 1
    breaker.failed(now=60)
    assert not breaker.allows(now=119)
    breaker.succeeded()
    assert breaker.allows(now=61)
    assert breaker.room(8) == 8


def test_a_success_between_failures_keeps_the_breaker_closed() -> None:
    breaker = Breaker(threshold=2)
    for _ in range(5):
        breaker.failed(now=0)
        breaker.succeeded()
    assert breaker.allows(now=0)


def test_a_long_retry_after_opens_the_breaker_for_just_that_long() -> None:
    breaker = Breaker()
    breaker.failed(now=100, rest=3_600)
    assert not breaker.allows(now=3_699)
    assert breaker.allows(now=3_700)


def test_no_more_than_the_rate_start_in_any_minute() -> None:
    pacer = Pacer(per_minute=3)
    assert pacer.room(0, 8) == 3
    pacer.start(0, 2)
    pacer.start(10, 1)
    assert (pacer.wait(10), pacer.wait(59), pacer.wait(60)) == (50, 1, 0)
    assert pacer.room(60, 8) == 2
    assert pacer.room(70, 8) == 3


def test_without_a_rate_nothing_is_counted() -> None:
    pacer = Pacer()
    pacer.start(0, 1_000)
    assert pacer.wait(0) == 0
    assert pacer.room(0, 8) == 8
    assert not pacer.started
