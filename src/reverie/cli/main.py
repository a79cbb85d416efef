"""All commands, one file a group; importing them registers them."""

from typing import Any

from reverie.cli import (
    answers,
    blocks,
    contradictions,
    demo,
    diary,
    doctor,
    dream,
    explain,
    keeping,
    keys,
    mcp,
    memories,
    mirror,
    models,
    nights,
    recall,
    reviews,
    server,
    turns,
    worker,
)
from reverie.cli.app import app, run

# How `reverie --help` arranges them: what a newcomer looks for first comes first.
PANELS = {
    "Awake": ("append", "recall", "context", "answer", "chat", "remember", "turns", "end-session", "embed"),
    "Asleep": ("sleep", "nights", "night", "undo", "redo", "cancel", "pause", "resume", "diary", "worker", "ledger"),
    "Memory": (
        *("memories", "memory", "blocks", "correct", "forget", "pin", "unpin", "tag", "untag", "explain"),
        *("contradictions", "reviews", "answers", "spaces"),
    ),
    "Running it": ("up", "serve", "mcp", "mirror", "dream", "doctor", "config", "models", "keys"),
    "Moving and trying": ("export", "restore", "backup", "demo", "bench"),
}
LAST = (1_000, "More")


def arrange() -> None:
    """What has no place yet stands at the end."""
    places = {name: (place, panel) for place, (panel, name) in enumerate(_placed())}
    everything: list[Any] = [*app.registered_commands, *app.registered_groups]
    for known in everything:
        known.rich_help_panel = places.get(name_of(known), LAST)[1]
    app.registered_commands.sort(key=lambda command: places.get(name_of(command), LAST))
    app.registered_groups.sort(key=lambda group: places.get(name_of(group), LAST))


def _placed() -> list[tuple[str, str]]:
    return [(panel, name) for panel, names in PANELS.items() for name in names]


def name_of(known: Any) -> str:
    """What a person types: the name given, or the function's."""
    return str(known.name or known.callback.__name__)


arrange()

__all__ = [
    "answers",
    "app",
    "blocks",
    "contradictions",
    "demo",
    "diary",
    "doctor",
    "dream",
    "explain",
    "keeping",
    "keys",
    "mcp",
    "memories",
    "mirror",
    "models",
    "nights",
    "recall",
    "reviews",
    "run",
    "server",
    "turns",
    "worker",
]
