"""What a setting is: its name, its default, what it may be, and what it is for."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

SettingType = Literal["flag", "whole", "number", "text", "choice", "cron", "timezone", "steps", "caps"]
BY_DEFAULT: dict[type, SettingType] = {bool: "flag", int: "whole", float: "number", str: "text"}
PLAIN: dict[SettingType, str] = {
    "flag": "true or false",
    "text": "a text",
    "cron": "five cron fields that some date matches, such as 0 3 * * *, or empty",
    "timezone": "a time zone such as Europe/Berlin",
}


@dataclass(frozen=True, slots=True)
class Setting:
    """One line of a table of settings. `policy/settings.py` reads and checks values by it."""

    name: str
    default: Any
    help: str
    own_type: SettingType | None = None  # where the default's type does not say it
    least: float = 0
    most: float | None = None
    choices: Sequence[str] = ()
    optional: bool = False  # may be `none`
    secret: bool = False
    space: str = ""  # the name under which a space may have its own value; empty: it may not
    form: Callable[[str], object] | None = None  # raises ValueError for a text that is not `form_wants`
    form_wants: str = ""

    @property
    def env(self) -> str:
        return "REVERIE_" + self.name.upper()

    @property
    def type(self) -> SettingType:
        return self.own_type or BY_DEFAULT[type(self.default)]

    @property
    def wants(self) -> str:
        """What a value may be, for the reference and for whoever gave another.

        >>> Setting("cadence_turns", 5, "").wants, Setting("port", 8283, "", most=65_535).wants
        ('a whole number, 0 or more', 'a whole number from 0 to 65,535')
        """
        return self._wants() + (", or none" if self.optional else "")

    def _wants(self) -> str:
        if self.form_wants:
            return self.form_wants
        if self.type in ("whole", "number"):
            noun = "a whole number" if self.type == "whole" else "a number"
            bounds = f", {self.least:g} or more" if self.most is None else f" from {self.least:g} to {self.most:,.15g}"
            return noun + bounds
        if self.type == "choice":
            return f"{', '.join(self.choices[:-1])} or {self.choices[-1]}"
        if self.type == "steps":
            return f"steps among {', '.join(self.choices)}" if self.choices else "names of steps"
        if self.type == "caps":
            return f"a whole number, 0 or more, for any of {', '.join(self.choices)}"
        return PLAIN[self.type]


def setting(default: Any, help: str, **more: Any) -> Any:
    """A dataclass field that is a setting: its name and its Python type stand in the class."""
    described = {"setting": Setting("", default, help, **more)}
    if isinstance(default, dict):
        return field(default_factory=dict, metadata=described)
    return field(default=default, metadata=described)
