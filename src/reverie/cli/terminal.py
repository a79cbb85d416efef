"""The terminal as commands see it; loaded only when something is printed for a person."""

from typing import Any

from rich.console import Console
from rich.text import Text

from reverie.cli.encoding import printable


class Terminal(Console):
    """A console that takes no orders from what it prints: no markup, no emoji codes, no control characters."""

    def render_str(self, text: str, **options: Any) -> Text:
        return super().render_str(printable(text), **{**options, "markup": False, "emoji": False})
