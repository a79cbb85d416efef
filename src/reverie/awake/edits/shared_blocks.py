"""Blocks of an org by their ids, whichever spaces have them: made, changed, attached and detached by an operator."""

from collections.abc import Iterable, Mapping
from typing import Any

from reverie.awake.edits.blocks import block_set, check_fits, waits_for
from reverie.errors import BlockTooLong, Conflict, NotFound
from reverie.model.base import Instant, new_id
from reverie.model.blocks import Block, NewBlock
from reverie.store.db import Database, Transaction
from reverie.store.tables import blocks, reviews, spaces
from reverie.store.tables.blocks import Writer


def create(db: Database, org: str, given: NewBlock, now: Instant) -> Block:
    """A block that no space has yet."""
    with db.write("memory") as tx:
        return create_in(tx, org, given, now)


def create_in(tx: Transaction, org: str, given: NewBlock, now: Instant, space: str | None = None) -> Block:
    """The same inside a transaction; made with a space, it is that space's."""
    block = given.made(new_id("block"), org, space)
    check_fits(block, block.value)
    return blocks.create(tx, block, Writer("operator", "created", now), attach_to=space)


def change(
    db: Database,
    block: Block,
    described: Mapping[str, Any],
    value: str | None,
    now: Instant,
    expected: int | None = None,
) -> Block:
    """One transaction. Without an expected version the new value counts; the one before it stays in the history.

    A new value for the user's directives becomes a review.
    """
    writer = Writer("operator", "set", now)
    with db.write("memory") as tx:
        if described.get("label") not in (None, block.label):
            _check_label_free(db, block, described["label"])
        after = blocks.describe(tx, block.id, now=now, **described)
        new = after.value if value is None else value
        if len(new) > after.limit:
            raise BlockTooLong(after.label, len(new), after.limit)
        if new != after.value and waits_for(after, writer):
            reviews.propose(tx, after, after.owner or "", new, "operator: set", now)
        else:
            blocks.write(tx, block.id, lambda _now: new, writer, expected=expected)
    return blocks.by_id(db, block.org, block.id)


def restore(db: Database, block: Block, version: int, now: Instant) -> Block:
    """An older version's value as a new version."""
    value = blocks.version(db, block.id, version).value
    block_set(db, block, value, Writer("operator", f"restore version {version}", now))
    return blocks.by_id(db, block.org, block.id)


def attach(db: Database, org: str, space: str, block: str, now: Instant) -> None:
    """The first space that is given a block owns it: its nights may write it."""
    with db.write("memory") as tx:
        attach_in(db, tx, org, space, block, now)


def attach_in(db: Database, tx: Transaction, org: str, space: str, id: str, now: Instant) -> None:
    """The same inside a transaction."""
    # Locked: two blocks of one label must not come in side by side.
    if spaces.locked(tx, space).org != org:
        raise NotFound("space", space)
    block, here = blocks.by_id(db, org, id), blocks.attached(db, space)
    if block.id in (other.id for other in here):
        return
    if block.label in (other.label for other in here):
        raise _label_taken(block.label)
    blocks.attach(tx, space, block.id)
    if block.owner is None:
        blocks.describe(tx, block.id, now=now, owner=space)


def detach(db: Database, org: str, space: str, block: str, now: Instant) -> None:
    """The block stays; this space no longer sees it, and no longer owns it."""
    with db.write("memory") as tx:
        _detach_in(db, tx, org, space, block, now)


def set_attached(db: Database, tx: Transaction, org: str, space: str, wanted: Iterable[str], now: Instant) -> None:
    """From now on the space has these blocks and no others."""
    keep = list(wanted)
    for block in blocks.attached(db, space):
        if block.id not in keep:
            _detach_in(db, tx, org, space, block.id, now)
    for id in keep:
        attach_in(db, tx, org, space, id, now)


def _detach_in(db: Database, tx: Transaction, org: str, space: str, id: str, now: Instant) -> None:
    block = blocks.by_id(db, org, id)
    if not blocks.detach(tx, space, block.id):
        raise NotFound("block", id)
    if block.owner == space:
        blocks.describe(tx, block.id, now=now, owner=None)


def _check_label_free(db: Database, block: Block, label: str) -> None:
    for space in blocks.spaces_of(db, block.id):
        if label in (other.label for other in blocks.attached(db, space) if other.id != block.id):
            raise _label_taken(label)


def _label_taken(label: str) -> Conflict:
    return Conflict(f"an agent has a block {label!r} already", next_move="Detach it, or choose another label.")
