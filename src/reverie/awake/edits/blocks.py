"""A person's or agent's direct edits of core memory: each one short compare-and-swap transaction."""

from collections.abc import Callable
from typing import Any

from reverie.awake.append import defer
from reverie.errors import BadInput, BlockTooLong, NoSingleMatch, NotAllowed, NotFound
from reverie.minds.dictionary import is_ordinary
from reverie.model.base import Instant, new_id
from reverie.model.blocks import DIRECTIVES, Block, BlockWrite, NewBlock
from reverie.model.spaces import SpaceRecord
from reverie.policy.core.rewriting import with_line
from reverie.policy.safety.channels import channel_by, checked_metadata
from reverie.policy.safety.grounding import whose
from reverie.policy.safety.trust import may_reach_core, needs_quarantine
from reverie.store.db import Database
from reverie.store.tables import blocks, reviews
from reverie.store.tables.blocks import Writer

DESCRIBED = ("label", "limit", "description", "read_only", "protected", "tags", "metadata", "session", "owner")


def block_create(db: Database, space: SpaceRecord, given: NewBlock, writer: Writer) -> Block:
    """A new block of the space, which owns it."""
    checked_metadata(given.metadata, "a block's metadata")
    block = given.made(new_id("block"), space.org, space.id)
    check_fits(block, block.value)
    with db.write("memory") as tx:
        return blocks.create(tx, block, writer, attach_to=space.id)


def block_describe(db: Database, block: Block, now: Instant, **columns: Any) -> Block:
    """Changes what is not the value; `DESCRIBED` names what that may be."""
    unknown = set(columns) - set(DESCRIBED)
    if unknown:
        raise BadInput(f"a block has no {', '.join(sorted(unknown))}; there are {', '.join(DESCRIBED)}")
    checked_metadata(columns.get("metadata"), "a block's metadata")
    with db.write("memory") as tx:
        return blocks.describe(tx, block.id, now=now, **columns)


def block_delete(db: Database, block: Block) -> None:
    """Takes it from every space that shares it, with its versions."""
    with db.write("memory") as tx:
        blocks.delete(tx, block.id)


def block_attach(db: Database, space: SpaceRecord, block: str) -> None:
    """Shares a block of the same org with the space."""
    blocks.by_id(db, space.org, block)
    with db.write("memory") as tx:
        blocks.attach(tx, space.id, block)


def block_detach(db: Database, space: SpaceRecord, block: str) -> None:
    """Ends the sharing; the block itself stays."""
    with db.write("memory") as tx:
        if not blocks.detach(tx, space.id, block):
            raise NotFound("block", block)


def block_append(db: Database, space: SpaceRecord, block: Block, text: str, writer: Writer) -> BlockWrite:
    """Adds a line. What does not fit is kept in the log, and the next night condenses the block and merges it."""
    line = text.strip()
    longer = with_line(block.value, line)
    if why := waits_for(block, writer, line, longer):
        if len(longer) <= block.limit or writer.outside is not None:
            return _proposed(db, block, check_fits(block, longer), writer, why)
        return _deferred(db, space, block, line, writer, BlockTooLong(block.label, len(longer), block.limit))
    try:
        written = _write(db, block, lambda now: check_fits(now, with_line(now.value, line)), writer)
    except BlockTooLong as full:
        return _deferred(db, space, block, line, writer, full)
    return _answer(block, written)


def _deferred(
    db: Database, space: SpaceRecord, block: Block, line: str, writer: Writer, full: BlockTooLong
) -> BlockWrite:
    kept = defer(db, space, line, block.label, channel_by(writer.actor), writer.now)
    then = "merges it" if writer.actor == "person" else "offers it to a person"
    why = f"{full.message}; kept for the next night, which condenses the block and {then}"
    return BlockWrite(block.label, "deferred", block.version, block.value, why, kept.id)


def block_replace(
    db: Database, block: Block, old: str, new: str, writer: Writer, expected: int | None = None
) -> BlockWrite:
    """`old` must occur exactly once."""

    def swapped(now: Block) -> str:
        matches = now.value.count(old) if old else 0
        if matches != 1:
            raise NoSingleMatch(now.label, old, matches)
        return check_fits(now, now.value.replace(old, new))

    if writer.actor != "person" and (why := waits_for(block, writer, new, swapped(block))):
        return _proposed(db, block, swapped(block), writer, why)
    return _answer(block, _write(db, block, swapped, writer, expected))


def block_set(db: Database, block: Block, value: str, writer: Writer, expected: int | None = None) -> BlockWrite:
    """An operator's whole new value; with `expected`, a stale one conflicts."""
    if why := waits_for(block, writer, value, value):
        return _proposed(db, block, check_fits(block, value), writer, why)
    return _answer(block, _write(db, block, lambda now: check_fits(now, value), writer, expected))


def block_restore(db: Database, block: Block, version: int, writer: Writer) -> BlockWrite:
    """An older version's value as a new version."""
    return block_set(db, block, blocks.version(db, block.id, version).value, writer)


def waits_for(block: Block, writer: Writer, text: str = "", value: str = "") -> str | None:
    """Why this writer's change, `text` in what is to be the block's `value`, waits for a person, or None.

    The user's directives are theirs, and nights quote them; what an agent writes down as an order to itself, or in
    words that are not the user's, may be somebody else's.
    """
    if block.owner is None or writer.actor not in ("agent", "operator"):
        return None
    if block.label == DIRECTIVES:
        return "the user's directives change by the user's word"
    if writer.actor == "agent" and needs_quarantine(text, channel_by(writer.actor).trust):
        return "it reads as an order"
    return None if block.read_only or block.protected else _not_the_users(block, writer, value)


def _not_the_users(block: Block, writer: Writer, value: str) -> str | None:
    if writer.grounds is None:
        return None
    return whose(block.value, value, writer.grounds, writer.outside, is_ordinary)


def _proposed(db: Database, block: Block, value: str, writer: Writer, why: str) -> BlockWrite:
    if value == block.value:
        return BlockWrite(block.label, "unchanged", block.version, block.value)
    told = f"{writer.actor}: {writer.reason}; {why}"
    with db.write("memory") as tx:
        review = reviews.propose(tx, block, block.owner or "", value, told, writer.now)
    shown = f"{why}; a review waits for a person"
    return BlockWrite(block.label, "proposed", block.version, block.value, shown, review=review.id)


def _write(
    db: Database, block: Block, change: Callable[[Block], str], writer: Writer, expected: int | None = None
) -> Block:
    if block.read_only and writer.actor != "operator":
        raise NotAllowed(
            f"block {block.label!r} is read-only", next_move="Set its `read_only` to false first.", label=block.label
        )
    channel = channel_by(writer.actor)
    foreign = _not_the_users(block, writer, change(block)) if block.owner is None else None
    open_to_it = (writer.actor != "agent" or not block.protected) and foreign is None
    if not may_reach_core(channel.trust, [channel.origin], edits=open_to_it):
        why = "is protected: an agent cannot change it" if block.protected else f"is shared, and {foreign}"
        raise NotAllowed(
            f"block {block.label!r} {why}",
            next_move="A person may edit it, or approve what a night proposes (`reverie reviews list`).",
            label=block.label,
        )
    with db.write("memory") as tx:
        return blocks.write(tx, block.id, change, writer, expected=expected)


def check_fits(block: Block, value: str) -> str:
    if len(value) > block.limit and len(value) >= len(block.value):
        raise BlockTooLong(block.label, len(value), block.limit)
    return value


def _answer(before: Block, after: Block) -> BlockWrite:
    unchanged = after.version == before.version and after.value == before.value
    return BlockWrite(after.label, "unchanged" if unchanged else "written", after.version, after.value)
