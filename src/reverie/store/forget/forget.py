"""A person's forget: deletes turns and memories, what was derived from them, and every quote of them.

In parts, so that nobody who writes waits for long: quotes first, as they are found by a text that is still there; then
what is meant, with what was derived from it. Memory first, then the log; tombstones say which turns have to be deleted
there, so that the next open finishes a forget that a crash has cut off.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from reverie.model.base import Instant, new_id
from reverie.model.memories import Purge, Receipt, digest
from reverie.model.turns import is_turn
from reverie.store.db import Database, Transaction
from reverie.store.forget import neighbours, reinstate, selection, traces
from reverie.store.forget.everything import clear_log, clear_memory
from reverie.store.parts import Pace
from reverie.store.rows import unpack
from reverie.store.search import documents
from reverie.store.tables import (
    added_blocks,
    answers,
    chores,
    contradictions,
    intents,
    leases,
    memories,
    recalls,
    spaces,
    studies,
    tombstones,
    turns,
    vectors,
)


@dataclass
class Deletions:
    """How many rows were deleted, by what they are; and the deleted texts, until every quote of them is found."""

    counts: dict[str, int] = field(default_factory=dict)
    turns: dict[str, str] = field(default_factory=dict)  # id -> text
    memories: dict[str, str] = field(default_factory=dict)

    @property
    def texts(self) -> list[str]:
        return [*self.turns.values(), *self.memories.values()]

    @property
    def forgotten(self) -> "traces.ForgottenTexts":
        return traces.ForgottenTexts((*self.memories, *self.turns), self.texts)

    def read(self, rows: Database | Transaction, refs: Iterable[str]) -> None:
        """Keeps the texts of these turns and memories, as far as they are not known yet."""
        new = [ref for ref in refs if ref not in self.turns and ref not in self.memories]
        said = rows.each("SELECT id, text FROM turns WHERE id IN (:keys)", filter(is_turn, new))
        kept = "SELECT id, text, packed FROM memories WHERE id IN (:keys)"
        held = rows.each(kept, (ref for ref in new if not is_turn(ref)))
        self.turns |= {row["id"]: row["text"] for row in said}
        self.memories |= {row["id"]: row["text"] if row["packed"] is None else unpack(row["packed"]) for row in held}

    def count(self, what: str, n: int) -> None:
        if n:
            self.counts[what] = self.counts.get(what, 0) + n


def forget(
    db: Database,
    space: str,
    *,
    memories: Iterable[str] = (),
    turns: Iterable[str] = (),
    now: Instant,
    everything: bool = False,
    purge: bool = False,
) -> Receipt:
    """Deletes memories and turns of one space, and whatever rests on them alone.

    `everything` also takes what no turn or memory holds: names of sessions, hand-written block lines, metadata.
    """
    held = db.dialect.index.held(db, space)
    gone, begun = Deletions(), _begin(db, now)
    gone.count("added blocks", _delete_added_blocks(db, space))
    here = db.each("SELECT id FROM turns WHERE space = :space AND id IN (:keys)", turns, space=space)
    wanted_turns = [row["id"] for row in here]
    wanted = list(dict.fromkeys((*wanted_turns, *memories)))  # a turn takes along what was made of it
    doomed = selection.with_derived(db, space, wanted).doomed
    gone.read(db, [*doomed, *wanted_turns])
    traces.remove_lines(db, [*doomed, *wanted_turns], gone.count)
    traces.remove_quotes(db, space, gone.forgotten, gone.count)  # as long as there is a text to find them by
    _forget_parts(db, space, wanted, gone, now)
    traces.remove_quotes(db, space, gone.forgotten, gone.count)  # what was written meanwhile
    with db.write("memory") as tx:
        gone.count("studies", studies.delete_without_text(tx, space))
    if everything:
        clear_memory(db, space)
    _delete_turns(db, space)
    gone.count("added blocks", _delete_added_blocks(db, space))  # what was added meanwhile
    if everything:
        clear_log(db, space)
    gone.count("turns", len(wanted_turns))
    gone.count("reminders", intents.delete_quoting(db, space, gone.texts))
    purged = db.dialect.purge(db, thorough=purge)
    _end(db, begun)
    db.dialect.advance(db)
    db.dialect.index.renew(db, space, held)
    return _receipt(space, now, gone, purged)


def _forget_parts(db: Database, space: str, wanted: Sequence[str], gone: Deletions, now: Instant) -> None:
    """Deletes turns and memories, some a transaction, each with what rests on it: killed, it leaves no half of one."""
    pace, left = Pace(), len(wanted)
    lost = {*wanted, *gone.turns, *gone.memories}
    for part in pace.parts(wanted):
        left -= len(part)
        with db.write("memory", durable=not left) as tx:  # what was not waited for is on the disk with the last one
            _forget_part(tx, space, part, lost, gone, now)
        pace.ended(tx, len(part))


def _forget_part(
    tx: Transaction, space: str, wanted: Sequence[str], lost: set[str], gone: Deletions, now: Instant
) -> None:
    turns = [ref for ref in wanted if is_turn(ref)]
    doomed = _doomed(tx, space, wanted)
    tombstones.put(tx, space, [*doomed, *turns], now)
    gone.read(tx, [*doomed, *turns])
    lost |= set(doomed)
    gone.count("memories that hold again", reinstate.reinstate(tx, space, doomed, lost, now))
    _delete_memories(tx, space, doomed, lost, gone)
    changed = spaces.next_change(tx, space)
    vectors.drop_vectors(tx, space, [*doomed, *turns], changed)
    stale = neighbours.clean(tx, space, turns, changed, now)
    tx.db.dialect.index.forget(tx.db, tx, space, [*doomed, *stale])
    traces.remove_citations(tx, space, [*doomed, *turns], gone.count)


def _receipt(space: str, now: Instant, gone: Deletions, purge: Purge) -> Receipt:
    id = new_id("receipt")
    turns, memories = ({ref: digest(id, text) for ref, text in part.items()} for part in (gone.turns, gone.memories))
    return Receipt(id, space, now, turns, memories, gone.counts, purge)


def _doomed(tx: Transaction, space: str, start: Sequence[str]) -> list[str]:
    plan = selection.with_derived(tx, space, start)
    for memory, source in plan.loosened:
        memories.delete_source(tx, memory, source)
        memories.read_anew(tx, memory)
    return plan.doomed


def _delete_added_blocks(db: Database, space: str) -> int:
    """What proxies have added to turns may quote anything: all of it goes, and is made anew where it is needed."""
    if db.value("SELECT 1 FROM added_blocks WHERE space = :space LIMIT 1", space=space) is None:
        return 0
    with db.write("log") as tx:
        return added_blocks.clear(tx, space)


def _begin(db: Database, now: Instant) -> str:
    """Marks that a forget has begun, with a lease by which others know that somebody does it; answers its id."""
    id = new_id("forget")
    with db.write("memory", durable=False) as tx:
        tombstones.put_forgetting(tx, id)
        leases.acquire_in(tx, id, id, now)
    return id


def _end(db: Database, id: str) -> None:
    with db.write("memory", durable=False) as tx:
        tombstones.delete_forgetting(tx, id)
        leases.delete(tx, id)


def cut_off(db: Database, now: Instant) -> list[str]:
    """The ids of forgets that were cut off."""
    return [id for id in tombstones.forgetting(db) if leases.held(db, id, now) is None]


def finish(db: Database, now: Instant) -> None:
    """After a crash: deletes from the log what every forget that was cut off had still to delete there."""
    left = cut_off(db, now)
    if _delete_turns(db) or left:
        db.dialect.purge(db)
    for id in left:
        _end(db, id)


def _delete_turns(db: Database, space: str | None = None) -> bool:
    """Deletes every turn that has a tombstone, with what was asked in its space; False if there is none."""
    where = "" if space is None else " AND t.space = :space"
    params = {} if space is None else {"space": space}
    rows = db.rows(
        f"SELECT t.id AS id, t.space AS space FROM tombstones g JOIN turns t ON t.id = g.ref"
        f" WHERE g.what = 'turn'{where}",
        **params,
    )
    pace = Pace()
    for part in pace.parts(rows):
        with db.write("log") as tx:
            for gone in {row["space"] for row in part}:
                recalls.clear_asked(tx, gone)
                answers.clear_servings(tx, gone)
            intents.delete_of_turns(tx, [row["id"] for row in part])
            for row in part:
                recalls.delete_events_of(tx, row["space"], row["id"])
                turns.delete(tx, row["id"])
            for gone in {row["space"] for row in part}:
                turns.delete_empty_sessions(tx, gone)
        pace.ended(tx, len(part))
    return bool(rows)


def _delete_memories(tx: Transaction, space: str, doomed: Sequence[str], lost: set[str], gone: Deletions) -> None:
    for memory in doomed:
        _read_sources_anew(tx, memory, lost)
        memories.delete_words(tx, memory)
        chores.delete_of_memory(tx, memory)
        memories.delete_citations(tx, memory)
        gone.count("edges", memories.delete_edges(tx, memory))
        gone.count("contradictions", contradictions.delete_of_memory(tx, memory))
        recalls.delete_days_of(tx, space, [memory])
        gone.count("memories", memories.delete(tx, memory))
    documents.drop_documents(tx, space, doomed)


def _read_sources_anew(tx: Transaction, memory: str, lost: set[str]) -> None:
    """The next night reads the other sources of a deleted text, and makes it anew without the forgotten part."""
    for row in tx.rows("SELECT source FROM sources WHERE memory = :id", id=memory):
        if row["source"] not in lost and row["source"] != memory:
            memories.read_anew(tx, row["source"])
