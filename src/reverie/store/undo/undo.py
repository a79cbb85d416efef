"""Undo: a night's journal read backwards, in short transactions that a kill leaves resumable.

First the night is marked and the watermark goes back, so that its turns are found as turns again. Then what it rested
on is held back until a redo. Then rows go and come back, a few at a time. Whoever sleeps next ends what was broken off.
"""

import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from reverie.errors import Conflict, NotFound
from reverie.model.base import Instant
from reverie.model.night import Change, Lease, Night
from reverie.store.commit import journal
from reverie.store.commit.apply import QUIET
from reverie.store.commit.journal import key_of
from reverie.store.db import Database, Transaction
from reverie.store.tables import chores, leases, nights, spaces, suppressed
from reverie.store.undo.blockers import Resting
from reverie.store.undo.rows import Undoing, restore, take_back

HOLDER = "undo"  # of the lease, so that no night runs meanwhile
PART = 32  # rows a transaction: the write lock is free again after some ten milliseconds


def undo(db: Database, space: str, night: str, now: Instant) -> dict[str, int]:
    """Restores what a night changed; answers how many rows of each relation. Raises RestsOn where later things rest."""
    if nights.by_id(db, space, night).status == "undone":
        raise Conflict(f"{night} has already been undone", next_move="Nothing to do.")
    lease = leases.acquire(db, space, HOLDER, now)
    if lease is None:
        raise Conflict("a night is running over this space", next_move="Wait for it, or cancel it first.")
    try:
        return finish(db, nights.by_id(db, space, night), lease, now)
    finally:
        leases.release(db, lease)


def finish(db: Database, night: Night, lease: Lease, now: Instant) -> dict[str, int]:
    """Begins an undo, or goes on with one that was broken off."""
    work = Work(db, night, lease, now)
    if night.status != "undoing":
        work.begin()
    work.go_on()
    return work.counts


class Work:
    """An undo on its way. How far it has come is kept with the night, in the transaction that went that far."""

    def __init__(self, db: Database, night: Night, lease: Lease, now: Instant) -> None:
        self.db = db
        self.night = night
        self.lease = lease
        self._now = now
        self._began = time.monotonic()
        told = night.counts.get("undoing", {})
        self.phase: str = told.get("phase", "hold back")
        self.at: Any = told.get("at")
        self.counts: dict[str, int] = dict(told.get("counts", {}))
        self._load()

    def begin(self) -> None:
        """Raises RestsOn, with nothing written."""
        made = "SELECT id FROM memories WHERE night = :night LIMIT 1"
        if not self._entries and self.db.rows(made, night=self.night.id):
            raise Conflict(
                f"{self.night.id} is too old: its journal is no longer kept",
                next_move="`keep_nights` sets how many are.",
            )
        self._resting.check()
        with self._short() as work:
            for row in self._resting.moved:
                if row.relation == "spaces":
                    restore(work, row)
            self._keep(work.tx, status="undoing")

    def go_on(self) -> None:
        """The phases that are left, from where it stands."""
        phases: dict[str, tuple[Callable[[], list[tuple[Any, Any]]], Callable[[Undoing, Any], None]]] = {
            "hold back": (lambda: [(ref, ref) for ref in _rested_on(self.db, self._entries)], _hold_back),
            "take back": (lambda: [(-entry.n, entry) for entry in self._entries], take_back),
            "restore": (lambda: [([row.relation, row.key], row) for row in self._resting.moved], restore),
        }
        for phase in list(phases)[list(phases).index(self.phase) :]:
            if phase != self.phase:
                self.phase, self.at = phase, None
            self._each(*phases[phase])
        with self._short() as work:
            counts = {name: value for name, value in self.night.counts.items() if name != "undoing"}
            nights.update(work.tx, self.night.id, status="undone", counts=counts)

    def _each(self, items: Callable[[], list[tuple[Any, Any]]], act: Callable[[Undoing, Any], None]) -> None:
        """All items past the place it has come to, in the order of their places."""
        left = self._left(items)
        while left:
            began = time.monotonic()
            with self._short() as work:
                current = not self._journal_moved(work.tx)
                for place, item in left[:PART] if current else ():
                    act(work, item)
                    self.at = place
                self._keep(work.tx)
            if not current:
                self._load()  # a person has forgotten something meanwhile: it must not come back
            left = left[PART:] if current else self._left(items)
            time.sleep(time.monotonic() - began)  # as long as it was held, the lock is free for whoever waits

    def _left(self, items: Callable[[], list[tuple[Any, Any]]]) -> list[tuple[Any, Any]]:
        ordered = sorted(items(), key=lambda pair: pair[0])
        return [pair for pair in ordered if self.at is None or pair[0] > self.at]

    def _load(self) -> None:
        self._entries = journal.of_night(self.db, self.night.id)
        self._resting = Resting(self.db, self.night.id, self._entries)

    def _journal_moved(self, tx: Transaction) -> bool:
        row = tx.row("SELECT count(*) AS n FROM journal WHERE night = :night", night=self.night.id)
        return row is not None and row["n"] != len(self._entries)

    @contextmanager
    def _short(self) -> Iterator[Undoing]:
        now = self._now + time.monotonic() - self._began
        with self.db.write("memory") as tx:
            leases.fence(tx, self.lease, now)
            changed = spaces.next_change(tx, self.night.space)
            yield Undoing(tx, self.night.space, self.night.id, self._now, changed, self._resting, self.counts)

    def _keep(self, tx: Transaction, **columns: Any) -> None:
        stands = {"phase": self.phase, "at": self.at, "counts": self.counts}
        nights.update(tx, self.night.id, counts={**self.night.counts, "undoing": stands}, **columns)


def _hold_back(work: Undoing, ref: str) -> None:
    suppressed.put(work.tx, work.space, ref, work.night)


def redo(db: Database, space: str, night: str, now: Instant) -> int:
    """Lets the next night think again about what an undo held back; answers about how many turns and memories."""
    with db.write("memory") as tx:
        if nights.by_id(db, space, night).status != "undone":
            raise NotFound("undone night", night)
        chores.add_read_of_suppressed(tx, space, night, now)
        return suppressed.delete_night(tx, space, night)


def _rested_on(db: Database, entries: Iterable[Change]) -> set[str]:
    """What the night drew its conclusions from. Scores and tags are no conclusions."""
    refs: set[str] = set()
    for entry in entries:
        if entry.relation == "memories" and entry.before is None:
            rows = db.rows("SELECT s.source AS source FROM sources s WHERE s.memory = :id", id=entry.key)
            refs |= {entry.key, *(row["source"] for row in rows)}
        elif entry.relation == "memories" and entry.after and not QUIET.issuperset(entry.after):
            refs.add(entry.key)
        elif entry.relation == "block_sentences" and entry.before is None:
            refs.add(key_of("block_sentences", entry.key)["source"])
        elif entry.relation == "contradictions" and entry.before is None:
            row = db.row("SELECT older, newer FROM contradictions WHERE id = :id", id=entry.key)
            refs |= {row["older"], row["newer"]} if row else set()
    return refs
