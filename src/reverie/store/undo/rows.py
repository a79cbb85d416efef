"""Puts single rows back to what they were before a night: deletes, inserts and updates by its journal."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from reverie.model.base import Instant
from reverie.model.night import Change
from reverie.store.commit import journal
from reverie.store.commit.journal import key_of
from reverie.store.db import Transaction
from reverie.store.rows import by_name, insertion
from reverie.store.search import documents
from reverie.store.tables import answers, chores, memories, memory_words, spaces, vectors
from reverie.store.tables.blocks import Writer, keep_version
from reverie.store.undo.blockers import Blockers, ChangedRow, changed_since, current_row


@dataclass
class UndoTransaction:
    """One short transaction of an undo, with how many rows of each table it has put back."""

    tx: Transaction
    space: str
    night: str
    now: Instant
    changed: int
    blockers: Blockers
    counts: dict[str, int] = field(default_factory=dict)

    def count(self, what: str) -> None:
        self.counts[what] = self.counts.get(what, 0) + 1


def take_back(work: UndoTransaction, entry: Change) -> None:
    """Deletes a row that the night made, or inserts one that it deleted. Rows that it changed are for `restore`."""
    if entry.before is None:
        _delete(work, entry)
    elif entry.after is None:
        _insert(work, entry)


def _delete(work: UndoTransaction, entry: Change) -> None:
    key = key_of(entry.relation, entry.key)
    if entry.relation == "reviews" and _decided(work.tx, entry.key):
        return  # a person's decision is theirs, not the night's
    if entry.relation == "mentions":
        if memory_words.remove_name(work.tx, key["memory"], key["entity"]):
            work.count(entry.relation)
        return
    where = " AND ".join(f"{name} = :{name}" for name in key)
    if work.tx.run(f"DELETE FROM {entry.relation} WHERE {where}", **key):
        work.count(entry.relation)
    if entry.relation == "memories":
        _delete_derived(work, entry.key)
    if entry.relation == "answers":
        answers.delete_rests(work.tx, entry.key)


def _decided(tx: Transaction, review: str) -> bool:
    row = tx.row("SELECT status FROM reviews WHERE id = :id", id=review)
    return row is not None and row["status"] in ("approved", "rejected")


def _delete_derived(work: UndoTransaction, memory: str) -> None:
    """Deletes what stands for a deleted memory in other tables, and drops the answers that rest on it."""
    memories.delete_sources(work.tx, memory)
    memories.delete_words(work.tx, memory)
    chores.delete_of_memory(work.tx, memory)
    memories.delete_edges(work.tx, memory)
    answers.drop_citing(work.tx, memory, work.changed)
    documents.drop_documents(work.tx, work.space, [memory])
    vectors.drop_vectors(work.tx, work.space, [memory], work.changed)


def _insert(work: UndoTransaction, entry: Change) -> None:
    """Inserts a row that the night deleted, unless it is there again."""
    row = _as_kept(work, entry.relation, entry.before or {})
    if "changed" in row:
        row["changed"] = work.changed
    if work.tx.run(f"{insertion(entry.relation, row)} ON CONFLICT DO NOTHING", **row):
        work.count(entry.relation)


def restore(work: UndoTransaction, row: ChangedRow) -> None:
    """Sets the columns that the night changed back, except those that somebody has changed since."""
    current = current_row(work.tx, row.relation, row.key)
    if current is None:
        return  # a person has forgotten it
    if row.relation == "spaces":
        # Turns that are no longer episodes are the log's fresh tail again, so that recall goes on finding them.
        spaces.rewind(work.tx, work.space, row.before["watermark"])
        return
    stays = changed_since(row, current)
    _rebase(work, row, stays)
    moved = {name: value for name, value in row.before.items() if name not in stays and name != "version"}
    if moved:
        moved = _as_kept(work, row.relation, moved) | _stamps(work, row, current, moved)
        key = key_of(row.relation, row.key)
        sets = ", ".join(f"{name} = :{name}" for name in moved)
        where = " AND ".join(f"{name} = :key_{name}" for name in key)
        keys = {f"key_{name}": value for name, value in key.items()}
        work.tx.run(f"UPDATE {row.relation} SET {sets} WHERE {where}", **moved, **keys)
        work.count(row.relation)


def _as_kept(work: UndoTransaction, relation: str, columns: Mapping[str, Any]) -> dict[str, Any]:
    """Columns as their row holds them: those of documents stand in the journal as text."""
    return documents.kept(work.tx, work.space, columns) if relation == "documents" else dict(columns)


def _rebase(work: UndoTransaction, row: ChangedRow, columns: set[str]) -> None:
    """Undone out of order: the next night that changed the column goes back to what this night had found there."""
    for name in columns:
        for first in work.blockers.later(row, name)[:1]:
            before = {**(first.before or {}), name: row.before[name]}
            journal.replace_before(work.tx, first.night, first.n, before)


def _stamps(work: UndoTransaction, row: ChangedRow, current: Any, moved: Mapping[str, Any]) -> dict[str, Any]:
    """The other columns of a row that is set back: its place in the change sequence, or a new and higher version.

    Answers that rested on the row as it was before the night rest on the new version: its text is the same.
    """
    if "changed" in by_name(current):
        return {"changed": work.changed}
    if "version" not in row.before:
        return {}
    version = current["version"] + 1
    if current["version"] == row.after["version"]:  # nobody else has changed it
        answers.move_rests(work.tx, row.key, row.before["version"], version)
    if row.relation != "blocks":
        return {"version": version}
    keep_version(work.tx, row.key, version, moved["value"], Writer("person", f"undo of {work.night}", work.now))
    return {"version": version, "updated_at": work.now}
