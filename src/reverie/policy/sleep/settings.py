"""Which sleep settings a space may have of its own: what is refused here never reaches the sleeper."""

from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Any

from reverie.errors import BadInput
from reverie.model.rhythm import SLEEP_SETTINGS
from reverie.model.settings import Setting
from reverie.policy.settings import SettingPlace, read, unknown


def table(steps: Collection[str]) -> dict[str, Setting]:
    """The settings of a space, by name. `none` is not among them: without a value the configuration's holds."""
    own = {name: replace(setting, optional=False) for name, setting in SLEEP_SETTINGS.items()}
    return own | {"skip_steps": replace(own["skip_steps"], choices=tuple(steps))}


def checked(
    given: Mapping[str, Any], steps: Collection[str], space: str = "", *, texts: bool = False
) -> dict[str, Any]:
    """What a space is given, read and checked, or BadInput with what is wrong. `steps` are the names that nights know.

    None takes a setting back to the configuration's value.

    >>> checked({"cadence_turns": 10, "skip_steps": ["reason"], "cron": None}, ["reason"])
    {'cadence_turns': 10, 'skip_steps': ('reason',), 'cron': None}
    """
    place = SettingPlace(f"space {space!r}" if space else "a space's settings", texts, BadInput)
    known = table(steps)
    for name in given:
        if name not in known:
            raise unknown(name, known, place, "sleep setting")
    return {name: None if value is None else read(known[name], value, place) for name, value in given.items()}
