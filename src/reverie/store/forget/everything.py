"""Forgetting everything: a space keeps its name, its settings, its blocks' labels and what it has cost."""

from reverie.store.catalog import TABLES
from reverie.store.db import Database
from reverie.store.parts import delete_rows
from reverie.store.tables import blocks, ledger, nights, replies, spaces, turns

# Without a person's words, and needed: what was read, what was spent, what must not be read back from a copy.
KEPT = {
    "blocks", "block_versions", "attachments", "nights", "night_steps", "ledger", "awake_ledger", "activity", "rhythm",
    "tombstones", "vectors",
}  # fmt: skip


def clear_memory(db: Database, space: str) -> None:
    """Deletes what else memory holds of a space whose turns and memories are gone."""
    for table in reversed(TABLES):
        if table.side == "memory" and table.name not in KEPT:
            delete_rows(db, table, space)
    with db.write("memory") as tx:
        blocks.empty_own(tx, space)
        nights.clear_words(tx, space)
        ledger.clear_words(tx, space)
        replies.forget_space(tx, space)
        spaces.clear_metadata(tx, space)
        spaces.next_change(tx, space)


def clear_log(db: Database, space: str) -> None:
    """Deletes what else the log holds of it: the names of sessions, what was asked and what came of it."""
    for table in TABLES:
        if table.side == "log" and table.name not in (*KEPT, "turns"):
            delete_rows(db, table, space)
    with db.write("log") as tx:
        turns.delete_empty_sessions(tx, space)
