"""All commands, one file a group; importing them registers them."""

from reverie.cli import (
    answers,
    blocks,
    contradictions,
    diary,
    explain,
    keeping,
    mcp,
    memories,
    mirror,
    models,
    nights,
    recall,
    reviews,
    turns,
    worker,
)
from reverie.cli.app import app, run

__all__ = [
    "answers",
    "app",
    "blocks",
    "contradictions",
    "diary",
    "explain",
    "keeping",
    "mcp",
    "memories",
    "mirror",
    "models",
    "nights",
    "recall",
    "reviews",
    "run",
    "turns",
    "worker",
]
