"""What a night leaves to a person: which side of a contradiction holds, and whether a proposal is carried out."""

from reverie.errors import Conflict
from reverie.model.base import Instant
from reverie.model.blocks import Review
from reverie.model.memories import Contradiction, Memory, Side
from reverie.policy.truth.contradiction import since
from reverie.store.db import Database, Transaction
from reverie.store.tables import contradictions, memories, reviews


def resolve(db: Database, record: Contradiction, holds: Side, now: Instant) -> Contradiction:
    """A person's word: the older holds, the newer holds, or both do. The last word counts; nothing is deleted."""
    older, newer = _sides(db, record)
    with db.write("memory") as tx:
        if holds == "both":
            _let_hold(tx, older, newer)
            contradictions.settle(tx, record, status="dismissed", winner=None, by="person", now=now)
        else:
            winner, loser = (older, newer) if holds == "older" else (newer, older)
            _let_hold(tx, winner)
            memories.edit(tx, loser, {"valid_until": max(since(winner), since(loser))})
            contradictions.settle(tx, record, status="resolved", winner=winner.id, by="person", now=now)
    return contradictions.by_id(db, record.space, record.id)


def reopen(db: Database, record: Contradiction) -> Contradiction:
    """Both hold again, and the record waits for a decision."""
    with db.write("memory") as tx:
        _let_hold(tx, *_sides(db, record))
        contradictions.settle(tx, record, status="open", winner=None, by=None, now=None)
    return contradictions.by_id(db, record.space, record.id)


def approve(db: Database, review: Review, by: str, now: Instant) -> Review:
    """A block takes the proposed text, if it still is as the night saw it; a quarantined text may be used."""
    _check_open(review)
    if review.kind == "quarantine":
        reviews.release(db, review, by, now)
    elif not reviews.accept(db, review, by, now):
        raise Conflict(
            f"{review.label} has changed since the night proposed this",
            next_move="Nothing to do: the next night proposes it anew.",
            review=review.id,
        )
    return reviews.by_id(db, review.space, review.id)


def reject(db: Database, review: Review, by: str, now: Instant) -> Review:
    """Nothing changes, and nights do not propose it again; a quarantined text stays out of use."""
    _check_open(review)
    reviews.refuse(db, review, by, now)
    return reviews.by_id(db, review.space, review.id)


def reopen_review(db: Database, review: Review, now: Instant) -> Review:
    """A decision taken back: the proposal waits again. What was released or forgotten by it is past that."""
    if review.status not in ("approved", "rejected") or (review.status == "approved" and review.kind != "block"):
        raise Conflict(
            f"{review.id} cannot be opened again: it is {review.status}, a {review.kind}",
            next_move="Forget the memory, or correct it.",
            status=review.status,
        )
    reviews.reopen(db, review, now)
    return reviews.by_id(db, review.space, review.id)


def _check_open(review: Review) -> None:
    if review.status != "open":
        raise Conflict(
            f"{review.id} has already been {review.status}", next_move="Nothing to do.", status=review.status
        )


def _sides(db: Database, record: Contradiction) -> tuple[Memory, Memory]:
    return memories.by_id(db, record.space, record.older), memories.by_id(db, record.space, record.newer)


def _let_hold(tx: Transaction, *sides: Memory) -> None:
    for memory in sides:
        if memory.valid_until is not None or memory.stale:
            memories.edit(tx, memory, {"valid_until": None, "stale": False})
