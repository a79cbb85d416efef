"""Core memory over HTTP: blocks with their versions, limits and attachments."""

from typing import Annotated

from fastapi import Depends, Query
from pydantic import BaseModel, Field, JsonValue

from reverie.errors import NotAllowed
from reverie.model.blocks import DEFAULT_LIMIT, Block, BlockVersion, BlockWrite
from reverie.server.dependencies import (
    Asking,
    Id,
    IfMatch,
    Readable,
    ReadableOrg,
    Routes,
    Writable,
    check_alone,
    expected_version,
    in_worker,
)
from reverie.server.rest.shared import Page, Strict
from reverie.space import Space
from reverie.verbs.blocks import BlockHandle

routes = Routes(prefix="/v1/spaces/{space}/blocks", tags=["blocks"])
Label = Annotated[str, Field(min_length=1, max_length=100, pattern=r"^[^/\x00-\x1f]+$")]
Size = Annotated[int, Field(ge=1, le=1_000_000)]
Version = Annotated[int, Field(ge=1, le=2**31)]
SessionName = Annotated[str | None, Query(max_length=200, description="The session whose own blocks count too.")]


class BlockIn(Strict):
    label: Label = Field(examples=["task"])
    value: str = ""
    limit: Size = DEFAULT_LIMIT
    description: str = Field("", max_length=5_000)
    read_only: bool = False
    protected: bool | None = Field(None, description="By default for persona and safety only.")
    tags: list[str] = Field(default_factory=list, max_length=100)
    metadata: dict[str, JsonValue] = Field(default_factory=dict)
    session: str | None = Field(None, max_length=200, description="Bound to one session.")


class BlockPatch(Strict):
    """What is given is changed. Every new value is a new version."""

    value: str | None = Field(None, examples=["Lives in Hamburg."])
    label: Label | None = None
    limit: Size | None = None
    description: str | None = Field(None, max_length=5_000)
    read_only: bool | None = None
    protected: bool | None = None
    tags: list[str] | None = Field(None, max_length=100)
    metadata: dict[str, JsonValue] | None = None


class BlockLineIn(Strict):
    text: str = Field(min_length=1, examples=["Likes tea."])


class Swap(Strict):
    old: str = Field(min_length=1, examples=["Lisbon"])
    new: str = Field(examples=["Hamburg"])


class Older(Strict):
    version: Version


class BlockId(Strict):
    block: str = Field(max_length=100, examples=["block-0f8fad5b-d9cb-469f-a165-70867728950e"])


class Difference(BaseModel):
    older: int
    newer: int
    diff: str


def block_handle(space: Space, label: str, session: str | None = None) -> BlockHandle:
    """By label, or by id. Over HTTP a person edits: what only an agent may not do is allowed, read-only holds."""
    blocks = space.blocks.in_session(session)
    for block in blocks:
        if block.id == label:
            return blocks.in_session(block.session)[block.label]
    return blocks[label]


def own_block(org: ReadableOrg, caller: Asking, space: Readable, label: Id) -> BlockHandle:
    """A block that the caller may change, or whose older versions it may see."""
    block = block_handle(space, label)
    check_alone(org, caller, block.read().id)
    return block


OwnBlock = Annotated[BlockHandle, Depends(in_worker(own_block))]


@routes.get("")
def list_blocks(space: Readable, session: SessionName = None) -> Page[Block]:
    """All blocks of the space, in their fixed order."""
    return Page(items=list(space.blocks.in_session(session)))


@routes.post("", status_code=201)
def create_block(space: Writable, body: BlockIn) -> Block:
    given = body.model_dump(exclude={"label", "value", "limit", "tags"}, exclude_none=True)
    return space.blocks.create(body.label, body.value, limit=body.limit, tags=tuple(body.tags), **given)


@routes.post("/attach")
def attach_block(space: Writable, caller: Asking, body: BlockId) -> Page[Block]:
    """Shares a block of the same org with this space."""
    caller.must_see_all()
    space.blocks.attach(body.block)
    return Page(items=list(space.blocks))


@routes.post("/detach")
def detach_block(space: Writable, body: BlockId) -> Page[Block]:
    """The block stays; this space no longer sees it."""
    space.blocks.detach(body.block)
    return Page(items=list(space.blocks))


@routes.get("/{label}")
def read_block(space: Readable, label: Id, session: SessionName = None) -> Block:
    """By label, or by the block's id."""
    return block_handle(space, label, session).read()


@routes.patch("/{label}")
def change_block(space: Writable, block: OwnBlock, caller: Asking, body: BlockPatch, if_match: IfMatch = None) -> Block:
    """Sets the value, or what describes the block. With If-Match, a stale version conflicts.

    Whether it is protected is for a key with `review` to say: otherwise a review could be gone round.
    """
    if body.protected is not None:
        caller.must("review")
    described = body.model_dump(exclude={"value"}, exclude_none=True)
    if described:
        changed = block.describe(**described)
        block = block_handle(space, changed.id)
    if body.value is not None:
        block.set(body.value, expected=expected_version(if_match))
    return block.read()


@routes.delete("/{label}")
def delete_block(space: Writable, block: OwnBlock) -> Block:
    """Only the space that owns a block takes it away, with its versions; others detach it."""
    was = block.read()
    if was.owner != space.id:
        raise NotAllowed("this block belongs to another space", next_move="Detach it instead.")
    block.delete()
    return was


@routes.post("/{label}/append")
def append_to_block(_space: Writable, block: OwnBlock, body: BlockLineIn) -> BlockWrite:
    """Adds a line. `deferred`: it does not fit, and the next night condenses the block and merges it."""
    return block.append(body.text)


@routes.post("/{label}/replace")
def replace_in_block(_space: Writable, block: OwnBlock, body: Swap, if_match: IfMatch = None) -> BlockWrite:
    """`old` must occur exactly once."""
    return block.replace(body.old, body.new, expected=expected_version(if_match))


@routes.get("/{label}/history")
def block_history(block: OwnBlock) -> Page[BlockVersion]:
    """Every version with its diff, actor, reason and night, oldest first."""
    return Page(items=block.history())


@routes.post("/{label}/restore")
def restore_block(_space: Writable, block: OwnBlock, body: Older) -> BlockWrite:
    """Makes a new version with an older one's value."""
    return block.restore(body.version)


@routes.get("/{label}/diff")
def block_diff(
    block: OwnBlock,
    older: Annotated[int, Query(ge=1, le=2**31)],
    newer: Annotated[int, Query(ge=1, le=2**31)],
) -> Difference:
    """A unified diff between any two versions."""
    return Difference(older=older, newer=newer, diff=block.diff(older, newer))
