"""A space with a night in it, for the tests of the sleep side."""

from dataclasses import dataclass, replace
from typing import Any

from reverie.language.words import content_hash
from reverie.model.base import Instant, derived_id
from reverie.model.blocks import Review
from reverie.model.changes import Applied, Changes
from reverie.model.memories import Contradiction, Memory
from reverie.model.night import Lease, Night
from reverie.store.commit.commit import Checkpoint, commit
from reverie.store.db import Database
from reverie.store.reader import Reader
from reverie.store.rows import insertion, review_row
from reverie.store.tables import contradictions, leases, nights, spaces

NOW: Instant = 1_794_182_400.0  # Monday 9 November 2026, midnight UTC


def put_review(db: Database, review: Review) -> None:
    """A proposal as a night would leave it."""
    row = review_row(review)
    with db.write("memory") as tx:
        tx.run(insertion("reviews", row), **row)


def put_contradiction(db: Database, record: Contradiction) -> None:
    """Two memories that cannot both hold, as a night would leave them."""
    with db.write("memory") as tx:
        contradictions.put(tx, record)


@dataclass(frozen=True)
class Sleeping:
    """One night over one space, with its lease: what a commit needs."""

    db: Database
    night: Night
    lease: Lease

    @property
    def space(self) -> str:
        return self.night.space

    @property
    def reader(self) -> Reader:
        return Reader.of(self.db, self.night)

    def commit(self, changes: Changes, step: str = "think") -> Applied:
        return commit(self.db, self.lease, self.night, Checkpoint(step), changes, clock=lambda: NOW)

    def memory(self, text: str, *sources: str, **fields: Any) -> Memory:
        return drafted(self.night, text, *sources, **fields)


def drafted(night: Night, text: str, *sources: str, **fields: Any) -> Memory:
    """A fact of this night; without sources it cites itself."""
    id = derived_id("mem", night.space, text)
    made = Memory(id, night.space, "fact", text, sources or (id,), created_at=night.now, night=night.id)
    return replace(made, hash=content_hash(text), **fields)


def make_space(db: Database, name: str = "alice") -> str:
    return spaces.create(db, spaces.org_named(db, "default", NOW), name, NOW).id


def fall_asleep(db: Database, space: str, *, at: Instant = NOW, steps: tuple[str, ...] = ("think",)) -> Sleeping:
    """Begins a night by hand: no gates, no runner. A night before it gives up its lease."""
    night = Night(derived_id("night", space, str(at)), space, "night", "manual", at, at, status="running")
    if (held := leases.held(db, space, NOW)) is not None:
        leases.release(db, held)
    lease = leases.acquire(db, space, "test", NOW)
    assert lease is not None
    with db.write("memory") as tx:
        nights.insert(tx, night)
        nights.plan(tx, night.id, steps)
    return Sleeping(db, night, lease)
