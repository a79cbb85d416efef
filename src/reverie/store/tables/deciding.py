"""A person's decision on a review, with all that follows from it, in one transaction."""

from collections.abc import Mapping

from reverie.errors import BlockTooLong, Conflict
from reverie.language.words import normalised
from reverie.model.base import Instant
from reverie.model.blocks import Block, Review
from reverie.model.memories import Memory
from reverie.store.db import Database, Transaction
from reverie.store.tables import blocks, memories, records
from reverie.store.tables.blocks import Writer
from reverie.store.tables.nights import READ

CORE = "core"  # the chore of a promoted memory that no block holds yet


def accept(db: Database, review: Review, by: str, now: Instant) -> bool:
    """Writes the proposal. False if the block has moved on since: then the next night proposes anew."""
    block = blocks.by_id(db, _org(db, review.space), review.target)
    known = memories.by_ids(db, review.space, review.evidence)
    if block.version != review.base_version:
        with db.write("memory") as tx:
            _decided(tx, review, "superseded", by, now)
            _again(tx, review.space, known, now)
        return False
    if len(review.proposal) > block.limit:
        raise BlockTooLong(block.label, len(review.proposal), block.limit)
    with db.write("memory") as tx:
        _decided(tx, review, "approved", by, now)
        writer = Writer("person", f"approved {review.id}", now, review.night)
        expected = review.base_version
        blocks.write(tx, block.id, lambda _: review.proposal, writer, expected=expected)
        _cite(tx, block, review.proposal, known)
        for memory in known.values():
            if memory.block == block.label:
                memories.edit(tx, memory, {"block": None})
    return True


def refuse(db: Database, review: Review, by: str, now: Instant) -> None:
    with db.write("memory") as tx:
        _decided(tx, review, "rejected", by, now)


def release(db: Database, review: Review, by: str, now: Instant) -> None:
    """A quarantined text may be used; the next night reads it."""
    memory = memories.by_id(db, review.space, review.target)
    with db.write("memory") as tx:
        _decided(tx, review, "approved", by, now)
        memories.edit(tx, memory, {"quarantined": False})
        _chore(tx, review.space, memory.id, READ, now)


def _decided(tx: Transaction, review: Review, status: str, by: str, now: Instant) -> None:
    if not records.decide(tx, review.space, review.id, status=status, by=by, now=now):
        raise Conflict(f"{review.id} has just been decided by somebody else", next_move="Look at it again.")


def _cite(tx: Transaction, block: Block, proposal: str, known: Mapping[str, Memory]) -> None:
    """What each new line rests on: the memory that says the same, else all of the review's evidence."""
    before = {line.strip() for line in block.value.splitlines()}
    said = {normalised(memory.text).rstrip("."): id for id, memory in known.items()}
    deferred = {memory.text.strip() for memory in known.values() if memory.block == block.label}
    for line in proposal.splitlines():
        text = line.strip()
        if text and text not in before and text not in deferred:
            exact = said.get(normalised(text).rstrip("."))
            for source in [exact] if exact else list(known):
                blocks.cite(tx, block.id, text, source)


def _again(tx: Transaction, space: str, known: Mapping[str, Memory], now: Instant) -> None:
    for memory in known.values():
        if memory.block is None:
            _chore(tx, space, memory.id, CORE, now)


def _chore(tx: Transaction, space: str, memory: str, chore: str, now: Instant) -> None:
    tx.run(
        "INSERT INTO chores (space, memory, chore, priority, created_at) VALUES (:space, :memory, :chore, 0.5, :now)"
        " ON CONFLICT (space, memory, chore) DO NOTHING",
        space=space,
        memory=memory,
        chore=chore,
        now=now,
    )


def _org(db: Database, space: str) -> str:
    return str(db.value("SELECT org FROM spaces WHERE id = :space", space=space))
