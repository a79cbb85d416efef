"""Reviews: changes that nights propose, and a person's decision on each with all that follows from it."""

from collections.abc import Mapping, Sequence
from typing import Any

from reverie.errors import BlockTooLong, Conflict, NotFound
from reverie.language.words import content_hash, normalised
from reverie.model.base import Instant, derived_id
from reverie.model.blocks import Block, Review
from reverie.model.memories import Memory
from reverie.policy.core.rewriting import unified
from reverie.store.db import Database, Transaction
from reverie.store.rows import insertion, review_of, review_row
from reverie.store.tables import blocks, chores, memories, spaces, turns
from reverie.store.tables.blocks import Writer
from reverie.store.tables.page import page


def by_id(db: Database, space: str, id: str) -> Review:
    row = db.row("SELECT * FROM reviews WHERE space = :space AND id = :id", space=space, id=id)
    if row is None:
        raise NotFound("review", id)
    return review_of(row)


def listed(
    db: Database, space: str, *, status: str | None = None, limit: int = 50, after: str | None = None
) -> list[Review]:
    """In the order they were made; `after` is the id of the last one seen."""
    return [review_of(row) for row in page(db, "reviews", "space", space, limit=limit, after=after, status=status)]


def propose(tx: Transaction, block: Block, space: str, value: str, why: str, now: Instant) -> Review:
    """Keeps another text for a block until a person decides on it; the same proposal is kept once."""
    value, why = tx.clean((value, why))
    review = Review(
        id=derived_id("review", space, block.id, content_hash(f"{block.version}\n{value}")),
        space=space,
        kind="block",
        target=block.id,
        label=block.label,
        proposal=value,
        diff=unified(block.value, value),
        why=why,
        evidence=(),
        status="open",
        base_version=block.version,
        created_at=now,
    )
    hold(tx, review)
    return review


def hold(tx: Transaction, review: Review) -> None:
    """Keeps a review of a text that was set aside when it came; the same one is kept once."""
    row = review_row(review)
    tx.run(f"{insertion('reviews', row)} ON CONFLICT (id) DO NOTHING", **row)


def accept(db: Database, review: Review, by: str, now: Instant) -> bool:
    """Writes the proposal. False if the block has moved on since: then the next night proposes anew."""
    block = blocks.by_id(db, spaces.by_id(db, review.space).org, review.target)
    known = memories.by_ids(db, review.space, review.evidence)
    if block.version != review.base_version:
        with db.write("memory") as tx:
            _decide_once(tx, review, "superseded", by, now)
            waiting = [memory.id for memory in known.values() if memory.block is None]
            chores.add(tx, review.space, waiting, chores.CORE, now)
        return False
    if len(review.proposal) > block.limit:
        raise BlockTooLong(block.label, len(review.proposal), block.limit)
    with db.write("memory") as tx:
        _decide_once(tx, review, "approved", by, now)
        writer = Writer("person", f"approved {review.id}", now, review.night)
        expected = review.base_version
        blocks.write(tx, block.id, lambda _: review.proposal, writer, expected=expected)
        _cite(tx, block, review.proposal, known)
        for memory in known.values():
            if memory.block == block.label:
                memories.edit(tx, memory, {"block": None})
    return True


def refuse(db: Database, review: Review, by: str, now: Instant) -> None:
    """Leaves the block as it is; no night proposes the same again."""
    with db.write("memory") as tx:
        _decide_once(tx, review, "rejected", by, now)


def release(db: Database, review: Review, by: str, now: Instant) -> None:
    """Lets a quarantined text be used; the next night reads it."""
    memory = memories.by_id(db, review.space, review.target)
    with db.write("memory") as tx:
        _decide_once(tx, review, "approved", by, now)
        memories.edit(tx, memory, {"quarantined": False})
        chores.add(tx, review.space, [memory.id], chores.READ, now)
    with db.write("log") as tx:
        turns.release(tx, memory.sources)


def decide(tx: Transaction, space: str, review: str, *, status: str, by: str, now: Instant) -> bool:
    """Writes who decided what; False if somebody decided it before."""
    done = tx.run(
        "UPDATE reviews SET status = :status, decided_by = :by, decided_at = :now"
        " WHERE space = :space AND id = :id AND status = 'open'",
        status=status,
        by=tx.clean(by),
        now=now,
        space=space,
        id=review,
    )
    return bool(done)


def reopen(db: Database, review: Review, now: Instant) -> None:
    """Takes a decision back: the review waits again, and a block that took its text has the one before."""
    with db.write("memory") as tx:
        version = review.base_version
        if review.status == "approved" and review.kind == "block":
            before = blocks.version(db, review.target, version).value
            writer = Writer("person", f"took back {review.id}", now)
            version = blocks.write(tx, review.target, lambda _: before, writer, expected=version + 1).version
        tx.run(
            "UPDATE reviews SET status = 'open', decided_by = NULL, decided_at = NULL, base_version = :version"
            " WHERE space = :space AND id = :id",
            version=version,
            space=review.space,
            id=review.id,
        )


def delete(tx: Transaction, keys: Sequence[Mapping[str, Any]]) -> None:
    """Deletes reviews, each named by its `id`."""
    tx.many("DELETE FROM reviews WHERE id = :id", keys)


def _decide_once(tx: Transaction, review: Review, status: str, by: str, now: Instant) -> None:
    if not decide(tx, review.space, review.id, status=status, by=by, now=now):
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
