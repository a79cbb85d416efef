"""Sleep settings that cannot be are refused before they are stored."""

from typing import Any

import pytest

from reverie.errors import BadInput
from reverie.model.rhythm import Sleeping
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
    assert checked(given, STEPS).keys() == given.keys()
    assert Sleeping.of(checked(given, STEPS)).changes().keys() <= given.keys()


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ({"cadence": 3}, r"no sleep setting cadence \(a space's settings\)"),
        ({"cadence_turn": 3}, "did you mean 'cadence_turns'?"),
        ({"cadence_turn": None}, "no sleep setting cadence_turn"),
        ({"cadence_turns": "many"}, "a whole number"),
        ({"cadence_turns": 2.5}, "a whole number"),
        ({"cadence_turns": -1}, "0 or more"),
        ({"cadence_turns": True}, "a whole number"),
        ({"idle_seconds": float("nan")}, "a number"),
        ({"idle_seconds": float("inf")}, "a number"),
        ({"enabled": 1}, "true or false"),
        ({"cron": "x y z"}, "cron"),
        ({"cron": "0 0 30 2 *"}, "cron"),
        ({"cron": 7}, "five cron fields"),
        ({"timezone": "Mars/Phobos"}, "timezone must be a time zone such as Europe/Berlin, not 'Mars/Phobos'"),
        ({"timezone": ""}, "a time zone"),
        ({"when_spent": "panic"}, "when_spent must be rules or wait, not 'panic'"),
        ({"skip_steps": ["dream"]}, r"skip_steps must be steps among collect, reason, link, not \['dream'\]"),
        ({"skip_steps": "reason"}, "steps among collect"),
        ({"skip_steps": 7}, "steps among collect, reason, link, not 7"),
        ({"skip_steps": [["reason"]]}, "steps among collect"),
        ({"caps": {"dream": 1}}, "caps must be a whole number, 0 or more, for any of collect"),
        ({"caps": {"collect": -1}}, "a whole number, 0 or more"),
        ({"caps": {"collect": True}}, "a whole number, 0 or more"),
        ({"caps": ["collect"]}, "a whole number, 0 or more, for any of collect"),
        ({"caps": 7}, "for any of collect"),
        ({"keep_nights": 10**30}, "a whole number"),
        ({"night_after_hours": 1e300}, "a number from 0 to 876,000"),
        ({"budget_space_tokens": "none"}, "budget_space_tokens must be a whole number, 0 or more, not 'none'"),
    ],
)
def test_what_cannot_be_is_refused_with_the_reason(given: dict[str, Any], why: str) -> None:
    with pytest.raises(BadInput, match=why):
        checked(given, STEPS)
