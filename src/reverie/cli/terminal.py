"""The terminal as commands see it; loaded only when something is printed for a person."""

import os
from typing import Any

from rich.console import Console
from rich.text import Text

from reverie.cli.encoding import printable


class Terminal(Console):
    """A console that takes no orders from what it prints: no markup, no emoji codes, no control characters."""

    def on_broken_pipe(self) -> None:
        """Nobody reads any more: nothing more is said, and what is being done goes on."""
        self.quiet = True
        os.dup2(os.open(os.devnull, os.O_WRONLY), self.file.fileno())

    def render_str(self, text: str, **options: Any) -> Text:
        return super().render_str(printable(text), **{**options, "markup": False, "emoji": False})
