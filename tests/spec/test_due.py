"""Every trigger as a table row: what was counted, what is due, why."""

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from reverie.errors import BadInput
from reverie.model.base import DAY, HOUR, MINUTE
from reverie.model.rhythm import Rhythm, Sleeping
from reverie.policy.sleep.due import decide, is_full, next_cron, next_due
from reverie.policy.sleep.settings import checked

NOON = datetime(2026, 5, 4, 12, tzinfo=ZoneInfo("UTC")).timestamp()
BERLIN = ZoneInfo("Europe/Berlin")
QUIET = Sleeping(cron="")


@pytest.mark.parametrize(
    ("state", "settings", "expected"),
    [
        # nothing happened, nothing is due
        (Rhythm(), QUIET, None),
        (Rhythm(turns_since=2), QUIET, None),  # turns whose time is unknown start no clock
        # idle: no turn for 60 s
        (Rhythm(turns_since=1, last_turn_at=NOON - 59), QUIET, None),
        (Rhythm(turns_since=1, last_turn_at=NOON - 60), QUIET, ("nap", "idle")),
        (Rhythm(turns_since=1, last_turn_at=NOON - 60), Sleeping(cron="", idle_seconds=0), None),
        (Rhythm(turns_since=1, last_turn_at=NOON - 60), Sleeping(cron="", idle_seconds=600), None),
        # cadence: every 5 turns, idle or not
        (Rhythm(turns_since=4, last_turn_at=NOON), QUIET, None),
        (Rhythm(turns_since=5, last_turn_at=NOON), QUIET, ("nap", "cadence")),
        (Rhythm(turns_since=99, last_turn_at=NOON), Sleeping(cron="", cadence_turns=0), None),
        # events
        (Rhythm(session_ended_at=NOON), QUIET, ("nap", "event")),
        (Rhythm(overflowed_at=NOON), QUIET, ("nap", "event")),
        (Rhythm(importance_sum=2.9), QUIET, None),
        (Rhythm(importance_sum=3.0), QUIET, ("nap", "event")),
        (Rhythm(importance_sum=9.0), Sleeping(cron="", importance_threshold=0), None),
        # interval: off by default
        (Rhythm(last_nap_at=NOON - 2 * HOUR), QUIET, None),
        (Rhythm(last_nap_at=NOON - HOUR), Sleeping(cron="", interval_minutes=60), ("nap", "interval")),
        (Rhythm(last_nap_at=NOON - HOUR + 1), Sleeping(cron="", interval_minutes=60), None),
        (Rhythm(created_at=NOON - HOUR), Sleeping(cron="", interval_minutes=60), ("nap", "interval")),
        # cron: at three, once
        (Rhythm(last_night_at=NOON - 10 * HOUR), Sleeping(), ("night", "cron")),  # the last was at two
        (Rhythm(last_night_at=NOON - 9 * HOUR), Sleeping(), None),  # the last was at three
        (Rhythm(created_at=NOON - HOUR), Sleeping(), None),  # a new space waits for its first three o'clock
        (Rhythm(last_night_at=NOON - 30 * DAY), Sleeping(), ("night", "cron")),  # slept through a month: once
        # 24 h and 5 sessions
        (Rhythm(last_night_at=NOON - DAY, sessions_since=5), QUIET, ("night", "sessions")),
        (Rhythm(last_night_at=NOON - DAY, sessions_since=4), QUIET, None),
        (Rhythm(last_night_at=NOON - DAY + 1, sessions_since=50), QUIET, None),
        (Rhythm(sessions_since=5), Sleeping(cron="", night_after_hours=0), None),
        (Rhythm(sessions_since=5), Sleeping(cron="", night_after_sessions=0), None),
        # a night is due before a nap, because it contains one
        (Rhythm(last_night_at=NOON - DAY, sessions_since=5, session_ended_at=0.0), QUIET, ("night", "sessions")),
    ],
)
def test_what_is_due(state: Rhythm, settings: Sleeping, expected: tuple[str, str] | None) -> None:
    found = decide(state, settings, NOON)
    assert (found and (found.kind, found.trigger)) == expected
    assert found is None or (found.why and found.due_at <= NOON)


def test_what_will_be_due_first_is_known_in_advance() -> None:
    state = Rhythm(turns_since=1, last_turn_at=NOON - 10, last_night_at=NOON - 9 * HOUR)
    soon = next_due(state, Sleeping(), NOON)
    assert soon is not None
    assert (soon.trigger, soon.due_at) == ("idle", NOON + 50)
    later = next_due(Rhythm(last_night_at=NOON - 9 * HOUR), Sleeping(), NOON)
    assert later is not None
    assert (later.trigger, later.due_at) == ("cron", NOON + 15 * HOUR)
    assert next_due(Rhythm(), QUIET, NOON) is None


@pytest.mark.parametrize(
    ("cron", "after", "expected"),
    [
        ("0 3 * * *", "2026-05-04T12:00+02:00", "2026-05-05T03:00+02:00"),
        ("0 3 * * *", "2026-05-04T03:00+02:00", "2026-05-05T03:00+02:00"),  # past, not at
        ("*/15 * * * *", "2026-05-04T12:01+02:00", "2026-05-04T12:15+02:00"),
        ("0 3 * * 1", "2026-05-04T12:00+02:00", "2026-05-11T03:00+02:00"),
        ("30 2 * * *", "2026-03-28T12:00+01:00", "2026-03-29T03:30+02:00"),  # the clock skips half past two
        ("30 2 * * *", "2026-03-29T03:30+02:00", "2026-03-30T02:30+02:00"),
        ("30 2 * * *", "2026-10-24T12:00+02:00", "2026-10-25T02:30+02:00"),  # shown twice, run once
        ("30 2 * * *", "2026-10-25T02:30+02:00", "2026-10-26T02:30+01:00"),
        ("30 2 * * *", "2026-10-25T02:10+01:00", "2026-10-26T02:30+01:00"),  # the second two o'clock
    ],
)
def test_cron_follows_the_wall_clock_of_the_space(cron: str, after: str, expected: str) -> None:
    at = next_cron(cron, "Europe/Berlin", datetime.fromisoformat(after).timestamp())
    assert datetime.fromtimestamp(at, BERLIN).isoformat() == datetime.fromisoformat(expected).isoformat()


@pytest.mark.parametrize(
    "settings",
    [
        Sleeping(cron="every day"),
        Sleeping(cron="61 * * * *"),
        Sleeping(cron="0 0 30 2 *"),  # never comes
        Sleeping(timezone="Europe/Atlantis"),
        Sleeping(timezone="../etc/passwd"),
        Sleeping(timezone="Europe"),
    ],
)
def test_settings_that_cannot_be_are_refused(settings: Sleeping) -> None:
    with pytest.raises(BadInput):
        checked(settings.changes(), ())


def test_a_far_time_zone_and_no_cron_are_allowed() -> None:
    for settings in (Sleeping(timezone="Asia/Kathmandu"), Sleeping(cron="")):
        assert checked(settings.changes(), ()) == settings.changes()


@pytest.mark.parametrize(
    ("state", "days", "expected"),
    [
        (Rhythm(created_at=NOON - 7 * DAY), 7, True),
        (Rhythm(created_at=NOON - 6 * DAY), 7, False),
        (Rhythm(created_at=0.0, last_full_at=NOON - MINUTE), 7, False),
        (Rhythm(created_at=0.0), 0, False),
    ],
)
def test_once_a_week_a_night_reconsiders_everything(state: Rhythm, days: float, expected: bool) -> None:
    assert is_full(state, Sleeping(full_every_days=days), NOON) is expected
