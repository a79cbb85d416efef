"""Every gate as a table row: open or closed, why, and when to ask again."""

from dataclasses import replace

import pytest

from reverie.model.base import DAY, HOUR, MINUTE
from reverie.model.rhythm import Exhausted, Rhythm, Sleeping, SleepRequest
from reverie.policy.sleep.gates import decide, first_closed, opens_at, rest_seconds, yield_seconds

NOW = 1_000 * DAY
NEW = Rhythm(turns_since=5, turns_since_night=5, last_turn_at=NOW)
NAP = SleepRequest("nap", "cadence", worker="me")
CRON = SleepRequest("night", "cron", worker="me")
SCAN = SleepRequest("night", "sessions", worker="me")
MANUAL = SleepRequest("night", "manual", worker="me")
TODAY = Exhausted("all of it", until=NOW + DAY - NOW % DAY)
FOR_GOOD = Exhausted("all of it")


def _every_minute(naps: int) -> tuple[float, ...]:
    return tuple(NOW - n * MINUTE for n in range(1, naps + 1))


def test_all_gates_answer_in_order_of_cost() -> None:
    answers = decide(NAP, NEW, Sleeping(), NOW)
    assert [a.gate for a in answers] == ["enabled", "backoff", "time", "scan", "material", "rate", "budget", "lease"]
    assert first_closed(answers) is None
    assert opens_at(answers) is None
    assert all(a.why for a in answers)


@pytest.mark.parametrize(
    ("request_", "state", "settings", "gate", "code", "retry_after"),
    [
        (NAP, NEW, Sleeping(enabled=False), "enabled", "disabled", None),
        (NAP, replace(NEW, paused=True), Sleeping(), "enabled", "paused", None),
        # a failed run is due again after 60 s, 120 s, 240 s, …, an hour
        (NAP, replace(NEW, failures=1, failed_at=NOW - 59), Sleeping(), "backoff", "too_soon", 1),
        (NAP, replace(NEW, failures=3, failed_at=NOW), Sleeping(), "backoff", "too_soon", 240),
        (NAP, replace(NEW, failures=99, failed_at=NOW), Sleeping(), "backoff", "too_soon", HOUR),
        # time since the last
        (NAP, replace(NEW, last_nap_at=NOW - 19), Sleeping(), "time", "too_soon", 1),
        (NAP, replace(NEW, last_night_at=NOW - 5), Sleeping(), "time", "too_soon", 15),
        (CRON, replace(NEW, last_night_at=NOW - 5 * HOUR), Sleeping(), "time", "too_soon", HOUR),
        (SCAN, replace(NEW, last_night_at=NOW - 23 * HOUR), Sleeping(), "time", "too_soon", HOUR),
        # the scan for sessions is throttled, nothing else is
        (SCAN, replace(NEW, last_scan_at=NOW - 9 * MINUTE), Sleeping(), "scan", "too_soon", MINUTE),
        # enough new material
        (NAP, Rhythm(), Sleeping(), "material", "nothing_new", None),
        (CRON, Rhythm(), Sleeping(), "material", "nothing_new", None),
        (NAP, NEW, Sleeping(min_new_turns=6), "material", "nothing_new", None),
        (NAP, Rhythm(turns_since_night=5), Sleeping(), "material", "nothing_new", None),  # a nap has read them
        # at most 12 naps an hour: room is made when the oldest of them is an hour old
        (NAP, replace(NEW, recent_naps=_every_minute(12)), Sleeping(), "rate", "too_many", 48 * MINUTE),
        (NAP, NEW, Sleeping(max_naps_per_hour=0), "rate", "too_many", HOUR),
        # budget and lease
        (NAP, replace(NEW, spent=TODAY), Sleeping(when_spent="wait"), "budget", "budget_spent", DAY - NOW % DAY),
        (NAP, replace(NEW, spent=FOR_GOOD), Sleeping(when_spent="wait"), "budget", "budget_spent", None),
        (NAP, replace(NEW, lease_holder="me", lease_until=NOW + 9), Sleeping(), "lease", "active_run", 9),
        (NAP, replace(NEW, lease_holder="you", lease_until=NOW + 9), Sleeping(), "lease", "local_lock", 9),
    ],
)
def test_what_closes_a_gate(
    request_: SleepRequest, state: Rhythm, settings: Sleeping, gate: str, code: str, retry_after: float | None
) -> None:
    answers = decide(request_, state, settings, NOW)
    closed = first_closed(answers)
    assert closed is not None
    assert (closed.gate, closed.code) == (gate, code)
    assert opens_at(answers) == (None if retry_after is None else NOW + retry_after)


@pytest.mark.parametrize(
    ("request_", "state", "settings"),
    [
        (NAP, replace(NEW, failures=1, failed_at=NOW - 60), Sleeping()),
        (NAP, replace(NEW, failures=1), Sleeping()),  # failed at an unknown time: try
        (NAP, replace(NEW, last_nap_at=NOW - 20), Sleeping()),
        (CRON, replace(NEW, last_night_at=NOW - 6 * HOUR), Sleeping()),
        (CRON, replace(NEW, last_nap_at=NOW), Sleeping()),  # a nap is no night
        (CRON, replace(NEW, last_scan_at=NOW), Sleeping()),
        (CRON, Rhythm(turns_since_night=5), Sleeping()),  # read by a nap, not yet by a night
        (SCAN, replace(NEW, last_scan_at=NOW - 10 * MINUTE, last_night_at=NOW - DAY), Sleeping()),
        (NAP, Rhythm(edits_since=1), Sleeping()),
        (NAP, replace(NEW, recent_naps=_every_minute(11)), Sleeping()),
        (NAP, replace(NEW, recent_naps=(NOW - HOUR,) * 12), Sleeping()),
        (NAP, replace(NEW, spent=TODAY), Sleeping()),  # the rules do it
        (NAP, replace(NEW, lease_holder="you", lease_until=NOW), Sleeping()),  # expired
    ],
)
def test_what_leaves_the_gates_open(request_: SleepRequest, state: Rhythm, settings: Sleeping) -> None:
    assert first_closed(decide(request_, state, settings, NOW)) is None


def test_a_person_passes_every_gate_but_budget_and_lease() -> None:
    shut = Rhythm(paused=True, failures=5, failed_at=NOW, last_night_at=NOW, last_scan_at=NOW, recent_naps=(NOW,) * 20)
    assert first_closed(decide(MANUAL, shut, Sleeping(enabled=False), NOW)) is None
    broke = decide(MANUAL, replace(shut, spent=TODAY), Sleeping(when_spent="wait"), NOW)
    held = decide(MANUAL, replace(shut, lease_holder="you", lease_until=NOW + 1), Sleeping(), NOW)
    assert [a.gate for a in (*broke, *held) if not a.open] == ["budget", "lease"]


@pytest.mark.parametrize(
    ("last_turn", "waited", "expected"),
    [
        (None, 0, 0),  # nobody was ever there
        (NOW - 10, 0, 0),  # quiet for long enough
        (NOW - 4, 0, 6),
        (NOW, 25, 5),  # at most 30 s a batch, however lively the conversation
        (NOW, 30, 0),
    ],
)
def test_steps_yield_while_the_user_is_active(last_turn: float | None, waited: float, expected: float) -> None:
    assert yield_seconds(Rhythm(last_turn_at=last_turn), Sleeping(), NOW, waited) == expected


@pytest.mark.parametrize(
    ("last_turn", "worked", "expected"),
    [
        (None, 0.1, 0),
        (NOW - 10, 0.1, 0),  # quiet for long enough
        (NOW - 4, 0.05, 1.45),
        (NOW, 5.0, 3.0),  # so long at most: the night must get on
    ],
)
def test_a_night_rests_after_each_batch_while_the_user_is_active(
    last_turn: float | None, worked: float, expected: float
) -> None:
    assert rest_seconds(Rhythm(last_turn_at=last_turn), Sleeping(), NOW, worked) == pytest.approx(expected)
    assert rest_seconds(Rhythm(last_turn_at=last_turn), Sleeping(rest_factor=0), NOW, worked) == 0


def test_settings_are_stored_as_what_differs_from_the_defaults() -> None:
    changed = {"idle_seconds": 600.0, "skip_steps": ["reason"], "caps": {"anticipate": 3}}
    settings = Sleeping.of(changed)
    assert settings == Sleeping(idle_seconds=600.0, skip_steps=("reason",), caps={"anticipate": 3})
    assert Sleeping.of(settings.changes()) == settings
    assert Sleeping().changes() == {}
    assert (settings.cap("anticipate"), settings.cap("contradict")) == (3, 20)
    with pytest.raises(ValueError, match="no sleep setting idel_seconds"):
        Sleeping.of({"idel_seconds": 5})
