"""The list of commands in `--help`, under the headings of a first day (`help.py` says which is where)."""

from typing import Any

from typer.core import TyperGroup

LONGEST = 200  # characters of a line about a command: it folds rather than break off


class Panelled(TyperGroup):
    def format_commands(self, ctx: Any, formatter: Any) -> None:  # noqa: ARG002
        width = max(map(len, self.commands))  # one column for all panels
        panels: dict[str, list[tuple[str, str]]] = {}
        for name, command in self.commands.items():
            title = getattr(command, "rich_help_panel", None) or "Commands"
            panels.setdefault(str(title), []).append((name.ljust(width), command.get_short_help_str(LONGEST)))
        for title, rows in panels.items():
            with formatter.section(title):
                formatter.write_dl(rows)
