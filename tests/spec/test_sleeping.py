"""Sleep settings that cannot be are refused before they are stored."""

from typing import Any

import pytest

from reverie.errors import UsageError
from reverie.policy.sleep.settings import checked

STEPS = ("collect", "reason", "link")


@pytest.mark.parametrize(
    "given",
    [
        {},
        {"cadence_turns": 10},
        {"idle_seconds": 600, "interval_minutes": 0.5},
        {"enabled": False},
        {"cron": "", "timezone": "Europe/Berlin"},
        {"cron": "30 4 * * 1-5"},
        {"when_spent": "wait"},
        {"skip_steps": ["reason", "link"]},
        {"caps": {"collect": 50}},
    ],
)
def test_what_can_be_is_taken(given: dict[str, Any]) -> None:
    settings = checked(given, STEPS)
    assert settings.changes().keys() <= given.keys()


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ({"cadence": 3}, "no sleep setting cadence"),
        ({"cadence_turns": "many"}, "a whole number"),
        ({"cadence_turns": 2.5}, "a whole number"),
        ({"cadence_turns": -1}, "0 or more"),
        ({"cadence_turns": True}, "a whole number"),
        ({"idle_seconds": float("nan")}, "a number"),
        ({"idle_seconds": float("inf")}, "a number"),
        ({"enabled": 1}, "true or false"),
        ({"cron": "x y z"}, "cron"),
        ({"cron": "0 0 30 2 *"}, "cron"),
        ({"cron": 7}, "a text"),
        ({"timezone": "Mars/Phobos"}, "no time zone"),
        ({"when_spent": "panic"}, "there are rules, wait"),
        ({"skip_steps": ["dream"]}, "no dream; there are collect"),
        ({"skip_steps": "reason"}, "there are collect"),
        ({"skip_steps": 7}, "int"),
        ({"caps": {"dream": 1}}, "no dream"),
        ({"caps": {"collect": -1}}, "each must be a whole number"),
        ({"caps": ["collect"]}, "each must be"),
        ({"caps": 7}, "there are collect"),
    ],
)
def test_what_cannot_be_is_refused_with_the_reason(given: dict[str, Any], why: str) -> None:
    with pytest.raises(UsageError, match=why):
        checked(given, STEPS)
