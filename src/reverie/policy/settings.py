"""One way to read a setting's value, whatever door it came through, and one wording for what is refused."""

import difflib
import json
import math
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from numbers import Integral, Real
from typing import Any

from reverie.errors import ConfigError, UsageError
from reverie.model.settings import Setting, SettingType

TRUE, FALSE = {"1", "true", "yes", "on"}, {"0", "false", "no", "off"}
LARGEST = 10**15  # what both databases count up to, and floats without loss
WRONG = (TypeError, ValueError, OverflowError, RecursionError, ConfigError)


@dataclass(frozen=True, slots=True)
class SettingPlace:
    """Where a value was given, and how it is refused there."""

    said: str
    texts: bool = True  # a text may stand for a number or a list; not in JSON, which has both
    error: type[UsageError] = ConfigError


def read(setting: Setting, value: Any, place: SettingPlace) -> Any:
    """The value, checked and of the setting's type.

    >>> read(Setting("cadence_turns", 5, "a nap is due after this many turns"), "10", SettingPlace("a test"))
    10
    """
    try:
        if setting.optional and str(value).lower() == "none":
            return None
        typed = _from_text(setting, value) if place.texts and isinstance(value, str) else value
        return CHECKS[setting.type](setting, typed)
    except WRONG as wrong:
        raise refused(setting, value, place) from wrong


def refused(setting: Setting, value: Any, place: SettingPlace) -> UsageError:
    shown = "what is there" if setting.secret else repr(value)
    return place.error(
        f"{setting.name} must be {setting.wants}, not {shown} ({place.said})",
        next_move=f"{setting.name}: {setting.help}. Correct it, or leave it out.",
        setting=setting.name,
        place=place.said,
    )


def unknown(name: str, known: Iterable[str], place: SettingPlace, noun: str = "setting") -> UsageError:
    """The error for a name that is no setting's, with the one that was probably meant."""
    near = difflib.get_close_matches(name, names := sorted(known), n=1)
    hint = f"; did you mean {near[0]!r}?" if near else ""
    return place.error(
        f"no {noun} {name} ({place.said}){hint}",
        next_move=f"Write {near[0]}, or leave it out." if near else f"There are {', '.join(names)}.",
        setting=name,
        place=place.said,
    )


def _from_text(setting: Setting, text: str) -> Any:
    """What a text stands for; the check comes after."""
    if setting.type == "flag":
        return text.lower() in TRUE if text.lower() in TRUE | FALSE else text
    if setting.type == "whole":
        return int(text)
    if setting.type == "number":
        return float(text)
    if setting.type == "caps" or (setting.type == "steps" and text.lstrip().startswith("[")):
        return json.loads(text)
    if setting.type == "steps":
        return [step.strip() for step in text.split(",") if step.strip()]
    return text


def _flag(_: Setting, value: Any) -> bool:
    if not isinstance(value, bool):
        raise TypeError(value)
    return value


def _whole(setting: Setting, value: Any) -> int:
    number = _number(setting, value)
    if not (isinstance(value, Integral) or number.is_integer()):
        raise ValueError(value)
    return int(value)


def _number(setting: Setting, value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, Real):
        raise TypeError(value)
    number = float(value)
    most = LARGEST if setting.most is None else setting.most
    if not (math.isfinite(number) and setting.least <= number <= most):
        raise ValueError(value)
    return number


def _text(setting: Setting, value: Any) -> str:
    if not isinstance(value, str) or "\x00" in value:
        raise TypeError(value)
    if setting.form is not None:
        setting.form(value)
    return value


def _choice(setting: Setting, value: Any) -> str:
    return _among(setting.choices, [_text(setting, value).lower()])[0]


def _cron(setting: Setting, value: Any) -> str:
    from reverie.policy.sleep.due import next_cron

    if _text(setting, value):
        next_cron(value, "UTC", 0.0)
    return str(value)


def _timezone(setting: Setting, value: Any) -> str:
    from reverie.policy.sleep.due import zone

    zone(_text(setting, value))
    return str(value)


def _steps(setting: Setting, value: Any) -> tuple[str, ...]:
    if not isinstance(value, (list, tuple)):
        raise TypeError(value)
    return _among(setting.choices, value)


def _caps(setting: Setting, value: Any) -> dict[str, int]:
    if not isinstance(value, Mapping):
        raise TypeError(value)
    return {step: _whole(setting, value[step]) for step in _among(setting.choices, value)}


def _among(choices: Collection[str], values: Iterable[str]) -> tuple[str, ...]:
    found = tuple(values)
    if any(value not in choices for value in found):
        raise ValueError(found)
    return found


CHECKS: Mapping[SettingType, Callable[[Setting, Any], Any]] = {
    "flag": _flag,
    "whole": _whole,
    "number": _number,
    "text": _text,
    "choice": _choice,
    "cron": _cron,
    "timezone": _timezone,
    "steps": _steps,
    "caps": _caps,
}
