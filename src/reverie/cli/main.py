"""All commands, one file a group; importing them registers them."""

from reverie.cli import answers, blocks, keeping, keys, mcp, memories, models, nights, recall, server, turns, worker
from reverie.cli.app import app, run

COMMANDS = (answers, blocks, keeping, keys, mcp, memories, models, nights, recall, server, turns, worker)
__all__ = ["COMMANDS", "app", "run"]
