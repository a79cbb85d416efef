"""Which sleep settings a space may have: what is refused here never reaches the sleeper."""

import math
from collections.abc import Callable, Collection, Mapping
from dataclasses import fields
from typing import Any

from reverie.errors import BadInput
from reverie.model.base import JSON
from reverie.model.rhythm import DEFAULT_CAPS, Sleeping
from reverie.policy.sleep import due


def _number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value) and value >= 0


def _whole(value: Any) -> bool:
    return isinstance(value, int) and _number(value)


# What a setting's value must be, by the type of its default.
KINDS: Mapping[type, tuple[Callable[[Any], bool], str]] = {
    bool: (lambda value: isinstance(value, bool), "true or false"),
    int: (_whole, "a whole number, 0 or more"),
    float: (_number, "a number, 0 or more"),
    str: (lambda value: isinstance(value, str), "a text"),
}
NO_DEFAULT: Mapping[str, type] = {"budget_space_tokens": int, "budget_space_cost": float}


def checked(given: Mapping[str, JSON], steps: Collection[str]) -> Sleeping:
    """The settings, or BadInput with what is wrong. `steps` are the names that nights know.

    >>> checked({"cadence_turns": 10, "skip_steps": ["reason"]}, ["reason"]).cadence_turns
    10
    """
    try:
        settings = Sleeping.of(given)
    except (TypeError, ValueError) as unknown:
        raise BadInput(str(unknown)) from unknown
    for field in fields(Sleeping):
        if field.name in given:
            _check(field.name, given[field.name], getattr(Sleeping(), field.name), steps)
    due.check(settings)
    return settings


def _check(name: str, value: Any, default: Any, steps: Collection[str]) -> None:
    if name == "skip_steps":
        _among(name, value, steps)
    elif name == "caps":
        _among(name, value, DEFAULT_CAPS)
        if not isinstance(value, Mapping) or not all(map(_whole, value.values())):
            raise BadInput("caps: each must be a whole number, 0 or more")
    elif name == "when_spent":
        _among(name, [value], ("rules", "wait"))
    else:
        fits, words = KINDS[NO_DEFAULT.get(name, type(default))]
        if not fits(value):
            raise BadInput(f"{name} must be {words}, not {value!r}")


def _among(name: str, values: Any, known: Collection[str]) -> None:
    if not isinstance(values, (list, tuple, Mapping)) or not all(isinstance(value, str) for value in values):
        raise BadInput(f"{name}: not {values!r}; there are {', '.join(known)}")
    if unknown := [value for value in values if value not in known]:
        raise BadInput(f"{name}: no {', '.join(unknown)}; there are {', '.join(known)}")
