"""What a setting's value may be: how it is read from a text, a TOML value or an argument, and what is refused."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

TRUE, FALSE = {"1", "true", "yes", "on"}, {"0", "false", "no", "off"}


@dataclass(frozen=True, slots=True)
class Kind:
    """`parse` raises ValueError, TypeError or OverflowError for what is not `wants`."""

    wants: str
    parse: Callable[[Any], Any]


def _boolean(value: Any) -> bool:
    said = str(value).lower()
    if said in TRUE | FALSE:
        return said in TRUE
    raise ValueError(value)


def _whole_from(least: int) -> Callable[[Any], int]:
    def whole(value: Any) -> int:
        number = int(value)
        if isinstance(value, bool) or number < least or number != float(value):
            raise ValueError(value)
        return number

    return whole


def _positive(value: Any) -> float:
    number = float(value)
    if isinstance(value, bool) or not math.isfinite(number) or number < 0:
        raise ValueError(value)
    return number


def _or_none(parse: Callable[[Any], float]) -> Callable[[Any], float | None]:
    return lambda value: None if str(value).lower() == "none" else parse(value)


def _prices(value: Any) -> str:
    """Kept as it was written, so that a child process can be told the same."""
    from reverie.minds.prices import written

    written(str(value))
    return str(value)


BY_TYPE: Mapping[type, Kind] = {
    bool: Kind("true or false", _boolean),
    int: Kind("a whole number", int),
    float: Kind("a number", float),
    str: Kind("a text", str),
}
COUNT = Kind("a whole number, 0 or more", _whole_from(0))
AT_LEAST_ONE = Kind("a whole number, 1 or more", _whole_from(1))
TOKENS = Kind("a whole number, 0 or more, or none", _or_none(_whole_from(0)))
DOLLARS = Kind("a number, 0 or more, or none", _or_none(_positive))
PRICES = Kind("PROVIDER:MODEL=READ/WRITE or PROVIDER:MODEL=READ/WRITE/CACHED, separated by commas", _prices)
