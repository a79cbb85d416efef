"""All commands, one file a group; importing them registers them."""

from reverie.cli import answers, blocks, keeping, memories, models, nights, recall, turns, worker
from reverie.cli.app import app, run

__all__ = ["answers", "app", "blocks", "keeping", "memories", "models", "nights", "recall", "run", "turns", "worker"]
