"""Undo: a night's journal read backwards, in short transactions that a kill leaves resumable.

First the night is marked and the watermark goes back, so that its turns are found as turns again. Then what the night
drew its conclusions from is suppressed until a redo. Then its rows are deleted or set back, a few at a time. Whoever
sleeps next over the space finishes an undo that was broken off.
"""

import time
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from reverie.errors import Conflict, NotFound, RestsOn
from reverie.model.base import Instant
from reverie.model.night import Change, Lease, Night
from reverie.store.commit import journal
from reverie.store.commit.apply import QUIET
from reverie.store.commit.journal import key_of
from reverie.store.db import Database, Transaction
from reverie.store.search import large_spaces
from reverie.store.tables import chores, leases, nights, spaces, suppressed
from reverie.store.undo.blockers import Blockers
from reverie.store.undo.rows import UndoTransaction, restore, take_back

HOLDER = "undo"  # of the lease, so that no night runs meanwhile
PART = 32  # rows a transaction: the write lock is free again after some ten milliseconds


def undo(db: Database, space: str, night: str, now: Instant) -> dict[str, int]:
    """Restores what a night changed; answers how many rows of each relation. Raises RestsOn where later things rest."""
    if nights.by_id(db, space, night).status == "undone":
        raise Conflict(f"{night} has already been undone", next_move="Nothing to do.")
    lease = leases.acquire(db, space, HOLDER, now)
    if lease is None:
        why = f"a night is running over this space, {leases.who(db, space, now)}"
        raise Conflict(why, next_move="Wait for it, or cancel it first.")
    try:
        return finish(db, nights.by_id(db, space, night), lease, now)
    finally:
        leases.release(db, lease)


def refusal(db: Database, space: str, night: str) -> RestsOn | None:
    """Why a night cannot be taken back now: what rests on it, and what to undo first. Nothing is written."""
    found = nights.by_id(db, space, night)
    try:
        Blockers(db, found.id, journal.of_night(db, found.id)).check()
    except RestsOn as refused:
        return refused
    return None


def finish(db: Database, night: Night, lease: Lease, now: Instant) -> dict[str, int]:
    """Begins an undo, or goes on with one that was broken off."""
    held = db.dialect.index.held(db, night.space)
    run = UndoRun(db, night, lease, now)
    if night.status != "undoing":
        run.begin()
    run.finish()
    db.dialect.advance(db)
    db.dialect.index.renew(db, night.space, held)
    return run.counts


class UndoRun:
    """One undo. How far it has come is saved with the night, in the transaction that went that far."""

    def __init__(self, db: Database, night: Night, lease: Lease, now: Instant) -> None:
        self.db = db
        self.night = night
        self.lease = lease
        self._now = now
        self._began = time.monotonic()
        saved = night.counts.get("undoing", {})
        self.phase: str = saved.get("phase", "hold back")
        self.at: Any = saved.get("at")
        self.counts: dict[str, int] = dict(saved.get("counts", {}))
        self._load()

    def begin(self) -> None:
        """Marks the night and moves the watermark back. Raises RestsOn, with nothing written, if it may not begin."""
        made = "SELECT id FROM memories WHERE night = :night LIMIT 1"
        if not self._entries and self.db.rows(made, night=self.night.id):
            raise Conflict(
                f"{self.night.id} is too old: its journal is no longer kept",
                next_move="`keep_nights` sets how many are.",
            )
        self._blockers.check()
        with self._transaction() as work:
            for row in self._blockers.changed_rows:
                if row.relation == "spaces":
                    restore(work, row)
            large_spaces.unmark_words(work.tx, self.night.space)  # its documents go without a mark
            self._save_place(work.tx, status="undoing")

    def finish(self) -> None:
        """Does the phases that are left, from the place that was saved, and marks the night as undone."""
        phases: dict[str, tuple[Callable[[], list[tuple[Any, Any]]], Callable[[UndoTransaction, Any], None]]] = {
            "hold back": (lambda: [(ref, ref) for ref in _premises(self.db, self._entries)], _suppress),
            "take back": (lambda: [(-entry.n, entry) for entry in self._entries], take_back),
            "restore": (lambda: [([row.relation, row.key], row) for row in self._blockers.changed_rows], restore),
        }
        for phase in list(phases)[list(phases).index(self.phase) :]:
            if phase != self.phase:
                self.phase, self.at = phase, None
            self._each(*phases[phase])
        with self._transaction() as work:
            counts = {name: value for name, value in self.night.counts.items() if name != "undoing"}
            nights.update(work.tx, self.night.id, status="undone", counts=counts)

    def _each(self, items: Callable[[], list[tuple[Any, Any]]], act: Callable[[UndoTransaction, Any], None]) -> None:
        """Acts on all items past the place that was saved, in the order of their places, a few a transaction."""
        left = self._remaining(items)
        while left:
            began = time.monotonic()
            with self._transaction() as work:
                current = not self._journal_changed(work.tx)
                for place, item in left[:PART] if current else ():
                    act(work, item)
                    self.at = place
                self._save_place(work.tx)
            if not current:
                self._load()  # a person has forgotten something meanwhile: it must not come back
            left = left[PART:] if current else self._remaining(items)
            time.sleep(time.monotonic() - began)  # as long as it was held, the lock is free for whoever waits

    def _remaining(self, items: Callable[[], list[tuple[Any, Any]]]) -> list[tuple[Any, Any]]:
        ordered = sorted(items(), key=lambda pair: pair[0])
        return [pair for pair in ordered if self.at is None or pair[0] > self.at]

    def _load(self) -> None:
        self._state = journal.state(self.db, self.night.id)
        self._entries = journal.of_night(self.db, self.night.id)
        self._blockers = Blockers(self.db, self.night.id, self._entries)

    def _journal_changed(self, tx: Transaction) -> bool:
        return journal.state(tx, self.night.id) != self._state

    @contextmanager
    def _transaction(self) -> Iterator[UndoTransaction]:
        """A transaction that holds the lease and has a place of its own in the change sequence."""
        now = self._now + time.monotonic() - self._began
        with self.db.write("memory") as tx:
            leases.fence(tx, self.lease, now)
            changed = spaces.next_change(tx, self.night.space)
            yield UndoTransaction(tx, self.night.space, self.night.id, self._now, changed, self._blockers, self.counts)

    def _save_place(self, tx: Transaction, **columns: Any) -> None:
        place = {"phase": self.phase, "at": self.at, "counts": self.counts}
        nights.update(tx, self.night.id, counts={**self.night.counts, "undoing": place}, **columns)


def _suppress(work: UndoTransaction, ref: str) -> None:
    suppressed.put(work.tx, work.space, ref, work.night)


def redo(db: Database, space: str, night: str, now: Instant) -> int:
    """Lets the next night read what an undo has suppressed; answers about how many turns and memories."""
    with db.write("memory") as tx:
        if nights.by_id(db, space, night).status != "undone":
            raise NotFound("undone night", night)
        chores.add_read_of_suppressed(tx, space, night, now)
        return suppressed.delete_night(tx, space, night)


def _premises(db: Database, entries: Sequence[Change]) -> set[str]:
    """The turns and memories that the night drew its conclusions from. Scores and tags are no conclusions.

    What was news to it is held back, so that the next night does not simply do the same again. What was there before is
    held back only where nothing new was involved: it is free for whatever is said next.
    """
    made = {entry.key for entry in entries if entry.relation == "memories" and entry.before is None}
    news = made | {turn for turns in _sources(db, made, "episode").values() for turn in turns}
    clashes = _clashes(db, entries)
    refs = set(made) | {ref for pair in clashes if made.isdisjoint(pair) for ref in pair}
    for sources in _sources(db, made, "fact", "directive", "note", "summary").values():
        refs |= (sources & news) or sources
    refs |= {
        key_of("block_sentences", entry.key)["source"]
        for entry in entries
        if entry.relation == "block_sentences" and entry.before is None
    }
    return refs | _changed_alone(db, entries, {older for older, newer in clashes if newer in made})


def _sources(db: Database, ids: Collection[str], *kinds: str) -> dict[str, set[str]]:
    """What those of these memories that are of one of the kinds rest on."""
    rows = db.each(
        "SELECT m.id AS id, m.kind AS kind, s.source AS source FROM memories m JOIN sources s ON s.memory = m.id"
        " WHERE m.id IN (:keys)",
        ids,
    )
    found: dict[str, set[str]] = {}
    for row in rows:
        if row["kind"] in kinds:
            found.setdefault(row["id"], set()).add(row["source"])
    return found


def _clashes(db: Database, entries: Iterable[Change]) -> list[tuple[str, str]]:
    """The contradictions that the night recorded, each as (older, newer)."""
    found = [e.key for e in entries if e.relation == "contradictions" and e.before is None]
    rows = db.each("SELECT older, newer FROM contradictions WHERE id IN (:keys)", found)
    return [(row["older"], row["newer"]) for row in rows]


def _changed_alone(db: Database, entries: Iterable[Change], retired: Collection[str]) -> set[str]:
    """Facts and episodes that the night changed, other than those that something new retired."""
    changed = {
        entry.key
        for entry in entries
        if entry.relation == "memories" and entry.before is not None and not QUIET.issuperset(entry.after or {})
    }
    said = {source for sources in _sources(db, retired, "fact").values() for source in sources}
    rows = db.each("SELECT id, kind FROM memories WHERE id IN (:keys)", changed - set(retired) - said)
    return {row["id"] for row in rows if row["kind"] in ("episode", "fact", "directive")}
