"""Spaces made and changed by a person: each with all that belongs to it, in one transaction."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from reverie.awake.edits import shared_blocks
from reverie.errors import Conflict
from reverie.model.base import Instant, new_id
from reverie.model.blocks import DEFAULT_BLOCKS, NewBlock
from reverie.model.spaces import NewSpace, SpaceRecord
from reverie.policy.safety.channels import checked_metadata
from reverie.store.db import Database, Transaction
from reverie.store.tables import blocks, spaces
from reverie.store.tables.blocks import Writer

Metadata = Mapping[str, Any]
Edit = Callable[[SpaceRecord], Metadata]  # from the space as it stands now


def open_or_create(db: Database, org: str, given: NewSpace, now: Instant) -> SpaceRecord:
    """A new space; the one that is there if somebody made it meanwhile."""
    with db.write("memory") as tx:
        record = spaces.create(db, org, given.name, now, **_kept(given))
        if given.default_blocks and not blocks.any_attached(tx, record.id):
            _default_blocks(tx, record, now)
    return record


def create_all(db: Database, org: str, given: Sequence[NewSpace], now: Instant) -> list[SpaceRecord]:
    """New spaces with their blocks: all of them, or none. Blocks with the same `ref` are one, and shared."""
    made: dict[str, str] = {}
    with db.write("memory") as tx:
        return [_create(db, tx, org, one, now, made) for one in given]


def change(
    db: Database,
    record: SpaceRecord,
    now: Instant,
    *,
    name: str | None = None,
    settings: Metadata | None = None,
    metadata: Metadata | None = None,
    private: Edit | None = None,
    block_ids: Sequence[str] | None = None,
) -> SpaceRecord:
    """The space after the change. Settings and metadata are merged (a None takes a key out); blocks are these alone.

    What is private is made from the space as it stands: of two edits at once, both stay.
    """
    checked_metadata(metadata, "a space's metadata")
    with db.write("memory") as tx:
        current = spaces.locked(tx, record.id)
        given = {"settings": settings, "metadata": metadata, "private": private(current) if private else None}
        spaces.update(db, record.id, name=name, **{column: value for column, value in given.items() if value})
        if block_ids is not None:
            shared_blocks.set_attached(db, tx, record.org, record.id, block_ids, now)
    return spaces.by_id(db, record.id)


def _create(
    db: Database, tx: Transaction, org: str, given: NewSpace, now: Instant, made: dict[str, str]
) -> SpaceRecord:
    record = _named(db, org, given, now)
    if given.default_blocks:
        _default_blocks(tx, record, now)
    for block in given.blocks:
        if block.ref in made:
            shared_blocks.attach_in(db, tx, org, record.id, made[block.ref], now)
            continue
        new = shared_blocks.create_in(tx, org, block, now, record.id)
        if block.ref is not None:
            made[block.ref] = new.id
    for id in given.shared:
        shared_blocks.attach_in(db, tx, org, record.id, id, now)
    return record


def _named(db: Database, org: str, given: NewSpace, now: Instant) -> SpaceRecord:
    """Under the first name that is free: of two who want one name, one gets it."""
    for name in filter(None, (given.name, given.otherwise)):
        id = new_id("agent")  # the id that letta-client expects of an agent, which a space is to it
        record = spaces.create(db, org, name, now, id=id, **_kept(given))
        if record.id == id:
            return record
    raise Conflict(
        f"there is a space named {record.name!r} already", next_move="Use it, or another name.", id=record.id
    )


def _kept(given: NewSpace) -> dict[str, Any]:
    checked = checked_metadata(given.metadata, "a space's metadata")
    return {"settings": given.settings, "metadata": checked, "private": given.private}


def _default_blocks(tx: Transaction, record: SpaceRecord, now: Instant) -> None:
    for label, description in DEFAULT_BLOCKS.items():
        block = NewBlock(label, description=description).made(new_id("block"), record.org, record.id)
        blocks.create(tx, block, Writer("person", "a new space", now), attach_to=record.id)
