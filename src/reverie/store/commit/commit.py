"""One batch of a step, its undo journal and the checkpoint: all of it in one short transaction, or nothing.

The transaction proves first that the lease is still held (a worker that slept through its expiry writes nothing), then
rechecks what the drafts rest on, then writes. Rows and search terms are made before the write lock is taken.
"""

import json
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from reverie.errors import NotFound
from reverie.language.calendar import counted
from reverie.model.base import Instant
from reverie.model.changes import Applied, Changes, Failed
from reverie.model.night import Lease, Night
from reverie.store.commit.apply import apply
from reverie.store.commit.batch import Batch, PreparedRows, Tally, read_present
from reverie.store.commit.journal import Journal
from reverie.store.db import Database, Transaction
from reverie.store.rows import memory_row
from reverie.store.search import documents
from reverie.store.tables import diary, failures, nights, tombstones
from reverie.store.tables.leases import fence
from reverie.store.tables.spaces import next_change

NAMED = 3  # failed items of a batch that the report names


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """Where a night stands after a batch: which step, how long the batch took, what the models got wrong."""

    step: str
    duration_ms: float = 0.0
    faults: Mapping[str, int] | None = None
    forgotten: int | None = None  # how many turns and memories had been forgotten when the batch was begun


class ReadAgain(Exception):
    """A person has forgotten something since the batch was begun: it may quote that, and must be made again."""


def commit(
    db: Database, lease: Lease, night: Night, at: Checkpoint, changes: Changes, clock: Callable[[], Instant] = time.time
) -> Applied:
    """Writes a batch and answers what was written and what was not.

    Raises LeaseLost when another worker has taken over, and ReadAgain after a forget, with nothing written.
    """
    prepared = PreparedRows([memory_row(memory) for memory in changes.memories], _documents(db, night.space, changes))
    tally = Tally()
    with db.write("memory", durable=False) as tx:  # a night that power loss takes back is simply run again
        fence(tx, lease, clock())
        if at.forgotten is not None and at.forgotten != tombstones.count(tx, night.space):
            raise ReadAgain
        journal = Journal(tx, space=night.space, night=night.id, step=at.step)
        present = read_present(tx, night.space, changes)
        changed = next_change(tx, night.space, settled=False) if changes else 0
        apply(Batch(journal, night, changes, present, tally, changed, prepared))
        _watermark(journal, changes.watermark)
        if changes.diary is not None:
            diary.put(tx, night, changes.diary)
        if changes.tried:
            failures.clear(tx, night.space, at.step, {*changes.tried} - {item.item for item in changes.failed})
        failures.put(tx, night.space, at.step, changes.failed, night.now)
        written = journal.flush()
        _checkpoint(tx, night, lease, at, changes, tally)
    return Applied(written, tally.conflicts, tally.gone, tx.held_ms)


def _documents(db: Database, space: str, changes: Changes) -> list[dict[str, Any]]:
    if not changes.documents:
        return []
    num = db.value("SELECT num FROM spaces WHERE id = :space", space=space)
    if num is None:
        raise NotFound("space", space)
    return [{"ref": document.ref, **documents.kept_terms(db, num, document)} for document in changes.documents]


def _watermark(journal: Journal, watermark: int | None) -> None:
    """Moves the watermark forward, never back, in the transaction that writes what was made of the turns before it."""
    current = None if watermark is None else journal.current("spaces", {"id": journal.space})
    if watermark is not None and current is not None and watermark > current["watermark"]:
        journal.update("spaces", current, {"watermark": watermark})


def _checkpoint(tx: Transaction, night: Night, lease: Lease, at: Checkpoint, changes: Changes, tally: Tally) -> None:
    row = tx.row("SELECT counts FROM night_steps WHERE night = :night AND step = :step", night=night.id, step=at.step)
    if row is None:
        raise NotFound("step", at.step)
    counts = _summed(json.loads(row["counts"]), _counts(changes, tally, at))
    nights.keep_progress(tx, night.id, at.step, cursor=changes.cursor, counts=counts, duration_ms=at.duration_ms)
    nights.update(tx, night.id, token=lease.token)
    nights.tell(tx, night.id, at.step, (*changes.notes, *_failure_lines(tx, night, at.step, changes.failed)))


def _failure_lines(tx: Transaction, night: Night, step: str, failed: tuple[Failed, ...]) -> list[str]:
    """For the night's report: which items failed, why, and what becomes of them."""
    here = "space = :space AND step = :step AND item = :item"
    lines = []
    for item in failed[:NAMED]:
        row = tx.row(
            f"SELECT times, aside, error FROM failures WHERE {here}", space=night.space, step=step, item=item.item
        )
        if row is not None:
            fate = "set aside" if row["aside"] else "to be tried again"
            lines.append(f"{item.item} failed {counted(row['times'], 'time')}, {fate}: {row['error']}")
    more = len(failed) - NAMED
    return [*lines, f"{counted(more, 'more item')} failed"] if more > 0 else lines


def _counts(changes: Changes, tally: Tally, at: Checkpoint) -> dict[str, int]:
    lost = {
        "failed": len(changes.failed),
        "conflicts": tally.conflicts,
        "gone": tally.gone,
        "suppressed": tally.suppressed,
        "refused": tally.refused,
        **{f"fault_{kind}": times for kind, times in (at.faults or {}).items()},
    }
    return _summed(dict(changes.counts), {name: times for name, times in lost.items() if times})


def _summed(a: dict[str, int], b: Mapping[str, int]) -> dict[str, int]:
    return {**a, **{name: a.get(name, 0) + times for name, times in b.items()}}
