"""All commands, one file a group; importing them registers them."""

from reverie.cli import answers, blocks, keeping, mcp, memories, models, nights, recall, turns, worker
from reverie.cli.app import app, run

COMMANDS = (answers, blocks, keeping, mcp, memories, models, nights, recall, turns, worker)
__all__ = ["COMMANDS", "app", "run"]
