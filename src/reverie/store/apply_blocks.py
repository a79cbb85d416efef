"""Writes a night's new block values and reviews; the last door before core memory."""

from typing import Any

from reverie.model.blocks import Review
from reverie.model.changes import BlockChange
from reverie.store.batch import Batch
from reverie.store.blocks import Writer, keep_version
from reverie.store.rows import review_row


def apply_blocks(batch: Batch) -> None:
    for change in batch.changes.blocks:
        _block(batch, change)
    for review in batch.changes.reviews:
        if batch.accepts(review.evidence) and batch.journal.insert("reviews", review_row(review)):
            _overtake(batch, review)


def _overtake(batch: Batch, review: Review) -> None:
    """A newer proposal for a block contains the older ones; a person decides once."""
    if review.kind != "block":
        return
    rows = batch.tx.rows(
        "SELECT id FROM reviews WHERE space = :space AND target = :target AND status = 'open' AND id <> :id",
        space=batch.space,
        target=review.target,
        id=review.id,
    )
    for row in rows:
        older = batch.journal.current("reviews", {"id": row["id"]})
        if older is not None:
            batch.journal.update("reviews", older, {"status": "superseded"})


def _block(batch: Batch, change: BlockChange) -> None:
    current = batch.journal.current("blocks", {"id": change.block})
    rests_on = [ref for refs in change.sentences.values() for ref in refs]
    if current is None or not batch.accepts((*rests_on, *change.merged)):
        return
    if current["version"] != change.version:
        batch.tally.conflicts += 1
    elif _barred(current, change, batch.space):
        batch.tally.refused += 1
    else:
        _write(batch, current, change)


def _barred(block: Any, change: BlockChange, space: str) -> bool:
    """What is read-only, protected, another space's, or too long is no night's to write."""
    owned_elsewhere = block["owner"] not in (None, space)
    guarded = block["protected"] and change.review is None
    return bool(block["read_only"] or guarded or owned_elsewhere or len(change.value) > block["size_limit"])


def _write(batch: Batch, current: Any, change: BlockChange) -> None:
    if change.value != current["value"]:
        moved = {"value": change.value, "version": change.version + 1}
        batch.journal.update("blocks", current, moved, updated_at=batch.night.now)
        writer = Writer("night", change.reason, batch.night.now, batch.night.id)
        keep_version(batch.tx, change.block, change.version + 1, change.value, writer)
    _sentences(batch, change)
    for memory in change.merged:
        batch.keep(memory, {"block": None})


def _sentences(batch: Batch, change: BlockChange) -> None:
    rows = batch.tx.rows("SELECT * FROM block_sentences WHERE block = :block", block=change.block)
    for row in rows:
        if row["sentence"] not in change.value:
            batch.journal.delete("block_sentences", {name: row[name] for name in ("block", "sentence", "source")})
    for sentence, sources in change.sentences.items():
        for source in dict.fromkeys(sources):
            batch.journal.insert("block_sentences", {"block": change.block, "sentence": sentence, "source": source})
