"""Blocks of an org by id: shared between agents, limited, with every version kept."""

from collections.abc import Iterator
from typing import Annotated, Any

from pydantic import Field, JsonValue

from reverie.awake import block_edits
from reverie.errors import BlockTooLong, Conflict, NotFound
from reverie.model.base import new_id
from reverie.model.blocks import Block
from reverie.reverie import Reverie
from reverie.server.auth import Caller
from reverie.server.letta.shared import Body, Tags
from reverie.server.rest.blocks import expected
from reverie.space import Space
from reverie.store.tables import blocks, spaces
from reverie.store.tables.blocks import Writer
from reverie.verbs.blocks import PROTECTED_LABELS

LIMIT = 100_000  # of a block that is made without one
PART = 500
DESCRIBED = {"label", "limit", "description", "read_only", "tags", "metadata"}
Label = Annotated[str, Field(min_length=1, max_length=100, pattern=r"^[^\x00-\x1f]+$")]
Size = Annotated[int, Field(ge=1, le=1_000_000)]


class BlockPatch(Body):
    """What is given is changed."""

    label: Label | None = None
    value: str | None = None
    limit: Size | None = None
    description: str | None = Field(default=None, max_length=5_000)
    read_only: bool | None = None
    tags: Tags | None = None
    metadata: dict[str, JsonValue] | None = None

    @property
    def described(self) -> dict[str, Any]:
        return self.model_dump(include=DESCRIBED, exclude_none=True)


class BlockIn(BlockPatch):
    label: Label
    value: str


def make(org: Reverie, given: BlockIn, agent: Space | None = None) -> Block:
    """A block that any agent of the org may be given; made with an agent, it is that agent's."""
    described = {"limit": LIMIT, **given.described, "tags": tuple(given.tags or ())}
    block = Block(
        id=new_id("block"),
        org=org.org,
        value=given.value,
        protected=given.label in PROTECTED_LABELS,
        owner=agent.id if agent else None,
        **described,
    )
    block_edits.check_fits(block, given.value)
    with org.parts.db.write("memory") as tx:
        return blocks.create(tx, block, by_operator(org, "created"), attach_to=agent.id if agent else None)


def by_operator(org: Reverie, reason: str) -> Writer:
    return Writer("operator", reason, org.parts.clock())


def change(org: Reverie, block: Block, given: BlockPatch, if_match: str | None) -> Block:
    """One transaction. Without a version the new value is an operator's; the one before it stays in the history."""
    db, writer, version = org.parts.db, by_operator(org, "set"), expected(if_match)
    with db.write("memory") as tx:
        if given.label not in (None, block.label):
            _check_label(org, block, str(given.label))
        described = blocks.describe(tx, block.id, now=writer.now, **given.described)
        value = described.value if given.value is None else given.value
        if len(value) > described.limit:
            raise BlockTooLong(described.label, len(value), described.limit)
        blocks.write(tx, block.id, lambda _now: value, writer, expected=version, for_update=db.for_update)
    return blocks.by_id(db, org.org, block.id)


def _check_label(org: Reverie, block: Block, label: str) -> None:
    for space in blocks.spaces_of(org.parts.db, block.id):
        if label in (other.label for other in blocks.attached(org.parts.db, space) if other.id != block.id):
            raise taken(label)


def taken(label: str) -> Conflict:
    return Conflict(f"an agent has a block {label!r} already", next_move="Detach it, or choose another label.")


def attach(org: Reverie, agent: Space, id: str) -> None:
    """The first agent that is given a block owns it: its nights may write it."""
    db = org.parts.db
    with db.write("memory") as tx:
        spaces.locked(tx, agent.id, db.for_update)  # two blocks of one label must not come in side by side
        block, here = blocks.by_id(db, org.org, id), list(agent.blocks)
        if block.id in (other.id for other in here):
            return
        if block.label in (other.label for other in here):
            raise taken(block.label)
        blocks.attach(tx, agent.id, block.id)
        if block.owner is None:
            blocks.describe(tx, block.id, now=org.parts.clock(), owner=agent.id)


def detach(org: Reverie, agent: Space, id: str) -> None:
    block = blocks.by_id(org.parts.db, org.org, id)
    with org.parts.db.write("memory") as tx:
        if not blocks.detach(tx, agent.id, block.id):
            raise NotFound("block", id)
        if block.owner == agent.id:
            blocks.describe(tx, block.id, now=org.parts.clock(), owner=None)


def seen(org: Reverie, caller: Caller, id: str) -> Block:
    """A key for one agent sees the blocks of that agent."""
    block = blocks.by_id(org.parts.db, org.org, id)
    if caller.space is not None and caller.space not in blocks.spaces_of(org.parts.db, id):
        raise NotFound("block", id)
    return block


def every(org: Reverie, caller: Caller) -> Iterator[Block]:
    """Oldest first."""
    if caller.space is not None:
        yield from blocks.attached(org.parts.db, caller.space)
        return
    after = None
    while found := blocks.listed(org.parts.db, org.org, limit=PART, after=after):
        yield from found
        after = found[-1].id
