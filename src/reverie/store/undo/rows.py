"""One row at a time, back to what it was before a night."""

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
from reverie.store.tables import answers, chores, edges, memories, spaces, vectors
from reverie.store.tables.blocks import Writer, keep_version
from reverie.store.undo.blockers import Moved, Resting, current_row, overtaken


@dataclass
class Undoing:
    """One short transaction of an undo."""

    tx: Transaction
    space: str
    night: str
    now: Instant
    changed: int
    resting: Resting
    counts: dict[str, int] = field(default_factory=dict)

    def count(self, what: str) -> None:
        self.counts[what] = self.counts.get(what, 0) + 1


def take_back(work: Undoing, entry: Change) -> None:
    if entry.before is None:
        _remove(work, entry)
    elif entry.after is None:
        _put_back(work, entry)


def _remove(work: Undoing, entry: Change) -> None:
    key = key_of(entry.relation, entry.key)
    if entry.relation == "reviews" and _decided(work.tx, entry.key):
        return  # a person's decision is theirs, not the night's
    where = " AND ".join(f"{name} = :{name}" for name in key)
    if work.tx.run(f"DELETE FROM {entry.relation} WHERE {where}", **key):
        work.count(entry.relation)
    if entry.relation == "memories":
        _remove_traces(work, entry.key)
    if entry.relation == "answers":
        answers.delete_rests(work.tx, entry.key)


def _decided(tx: Transaction, review: str) -> bool:
    row = tx.row("SELECT status FROM reviews WHERE id = :id", id=review)
    return row is not None and row["status"] in ("approved", "rejected")


def _remove_traces(work: Undoing, memory: str) -> None:
    memories.delete_sources(work.tx, memory)
    memories.delete_words(work.tx, memory)
    chores.delete_of_memory(work.tx, memory)
    edges.delete_of_memory(work.tx, memory)
    answers.drop_citing(work.tx, memory, work.changed)
    documents.drop_documents(work.tx, work.space, [memory])
    vectors.drop_vectors(work.tx, work.space, [memory], work.changed)


def _put_back(work: Undoing, entry: Change) -> None:
    """A row that the night took away, unless it has come back since."""
    row = dict(entry.before or {})
    if "changed" in row:
        row["changed"] = work.changed
    if work.tx.run(f"{insertion(entry.relation, row)} ON CONFLICT DO NOTHING", **row):
        work.count(entry.relation)


def restore(work: Undoing, row: Moved) -> None:
    current = current_row(work.tx, row.relation, row.key)
    if current is None:
        return  # a person has forgotten it
    if row.relation == "spaces":
        # Turns that are no longer episodes are the log's fresh tail again, so that recall goes on finding them.
        spaces.rewind(work.tx, work.space, row.before["watermark"])
        return
    stays = overtaken(row, current)
    _rebase(work, row, stays)
    moved = {name: value for name, value in row.before.items() if name not in stays and name != "version"}
    if moved:
        moved |= _stamps(work, row, current, moved)
        key = key_of(row.relation, row.key)
        sets = ", ".join(f"{name} = :{name}" for name in moved)
        where = " AND ".join(f"{name} = :key_{name}" for name in key)
        keys = {f"key_{name}": value for name, value in key.items()}
        work.tx.run(f"UPDATE {row.relation} SET {sets} WHERE {where}", **moved, **keys)
        work.count(row.relation)


def _rebase(work: Undoing, row: Moved, columns: set[str]) -> None:
    """Undone out of order, a night hands its own `before` to the next one that touched the column."""
    for name in columns:
        for first in work.resting.later(row, name)[:1]:
            before = {**(first.before or {}), name: row.before[name]}
            journal.replace_before(work.tx, first.night, first.n, before)


def _stamps(work: Undoing, row: Moved, current: Any, moved: Mapping[str, Any]) -> dict[str, Any]:
    """Versions only grow; what rested on the row as it was before the night rests on it again."""
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
