"""Blocks by id for the whole org, shared between agents, and by label for one agent."""

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Annotated, Any

from fastapi import Depends, Query
from pydantic import Field, JsonValue

from reverie.awake import block_edits
from reverie.errors import BlockTooLong, Conflict, NotFound
from reverie.model.base import new_id
from reverie.model.blocks import Block
from reverie.reverie import Reverie
from reverie.server.formatting import iso
from reverie.server.gateway.auth import Caller
from reverie.server.letta.shapes import agent_shape, block_shape
from reverie.server.letta.shared import (
    Body,
    Cursor,
    ReadableAgent,
    Shape,
    Tag,
    Tags,
    TheServer,
    WritableAgent,
    cursor,
    sliced,
    tagged,
    the_agent,
)
from reverie.server.rest.blocks import IfMatch, Older, expected
from reverie.server.rest.shared import Asking, Id, ReadableOrg, Routes, WritableOrg
from reverie.space import Space
from reverie.store.tables import blocks, spaces
from reverie.store.tables.blocks import Writer
from reverie.verbs.blocks import PROTECTED_LABELS

LIMIT = 100_000  # of a block that is made without one
PART = 500
DESCRIBED = {"label", "limit", "description", "read_only", "tags", "metadata"}
Label = Annotated[str, Field(min_length=1, max_length=100, pattern=r"^[^\x00-\x1f]+$")]
Size = Annotated[int, Field(ge=1, le=1_000_000)]


class LettaBlockPatch(Body):
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


class LettaBlockIn(LettaBlockPatch):
    label: Label
    value: str


def make(org: Reverie, given: LettaBlockIn, agent: Space | None = None) -> Block:
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


def change(org: Reverie, block: Block, given: LettaBlockPatch, if_match: str | None) -> Block:
    """One transaction. Without a version the new value is an operator's; the one before it stays in the history."""
    db, writer, version = org.parts.db, by_operator(org, "set"), expected(if_match)
    with db.write("memory") as tx:
        if given.label not in (None, block.label):
            _check_label(org, block, str(given.label))
        described = blocks.describe(tx, block.id, now=writer.now, **given.described)
        value = described.value if given.value is None else given.value
        if len(value) > described.limit:
            raise BlockTooLong(described.label, len(value), described.limit)
        blocks.write(tx, block.id, lambda _now: value, writer, expected=version)
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
        spaces.locked(tx, agent.id)  # two blocks of one label must not come in side by side
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


routes = Routes(prefix="/v1", tags=["letta"])
CORE = "/agents/{agent_id}/core-memory/blocks"
Count = Annotated[int | None, Query()]


@dataclass(frozen=True)
class Wanted:
    """The filters of the list. There are no templates and no identities here, so that nothing matches those."""

    label: str | None = None
    label_search: str = ""
    value_search: str = ""
    description_search: str = ""
    tags: Annotated[tuple[Tag, ...], Query()] = ()
    match_all_tags: bool = False
    templates_only: bool = False
    name: str | None = None
    identity_id: str | None = None
    connected_to_agents_count_gt: Count = None
    connected_to_agents_count_lt: Count = None
    connected_to_agents_count_eq: Annotated[tuple[int, ...], Query()] = ()

    def accepts(self, block: Block, org: Reverie) -> bool:
        if self.templates_only or self.name is not None or self.identity_id is not None:
            return False
        return (
            self.label in (None, block.label)
            and self.label_search.lower() in block.label.lower()
            and self.value_search.lower() in block.value.lower()
            and self.description_search.lower() in block.description.lower()
            and tagged(block.tags, self.tags, self.match_all_tags)
            and self._connected(block, org)
        )

    def _connected(self, block: Block, org: Reverie) -> bool:
        more, less = self.connected_to_agents_count_gt, self.connected_to_agents_count_lt
        exact = self.connected_to_agents_count_eq
        if more is None and less is None and not exact:
            return True
        agents = len(blocks.spaces_of(org.parts.db, block.id))
        return (more is None or agents > more) and (less is None or agents < less) and (not exact or agents in exact)


@routes.post("/blocks/")
def create_block(org: WritableOrg, caller: Asking, body: LettaBlockIn) -> Shape:
    caller.must_see_all()
    return block_shape(make(org, body))


@routes.get("/blocks/")
def list_blocks(
    org: ReadableOrg, caller: Asking, wanted: Annotated[Wanted, Depends()], page: Cursor = cursor(50, "asc")
) -> list[Shape]:
    found = (block for block in every(org, caller) if wanted.accepts(block, org))
    return [block_shape(block) for block in sliced(found, page, lambda block: block.id)]


@routes.get("/blocks/{block_id}")
def read_block(org: ReadableOrg, caller: Asking, block_id: Id) -> Shape:
    return block_shape(seen(org, caller, block_id))


@routes.patch("/blocks/{block_id}")
def change_block(
    org: WritableOrg, caller: Asking, block_id: Id, body: LettaBlockPatch, if_match: IfMatch = None
) -> Shape:
    """With If-Match, a stale version conflicts; without, both versions are in the history."""
    return block_shape(change(org, seen(org, caller, block_id), body, if_match))


@routes.delete("/blocks/{block_id}")
def delete_block(org: WritableOrg, caller: Asking, block_id: Id) -> None:
    block = seen(org, caller, block_id)
    caller.must_see_all()
    with org.parts.db.write("memory") as tx:
        blocks.delete(tx, block.id)


@routes.get("/blocks/{block_id}/agents")
def agents_of_block(
    server: TheServer, org: ReadableOrg, caller: Asking, block_id: Id, page: Cursor = cursor(50, "asc")
) -> list[Shape]:
    ids = blocks.spaces_of(org.parts.db, seen(org, caller, block_id).id)
    own = [id for id in ids if caller.space in (None, id)]
    return [agent_shape(the_agent(server, caller, id)) for id in sliced(own, page, str)]


@routes.get("/blocks/{block_id}/versions")
def block_versions(org: ReadableOrg, caller: Asking, block_id: Id) -> list[Shape]:
    """Not in Letta: every version with its diff, who wrote it and why, oldest first."""
    history = blocks.history(org.parts.db, seen(org, caller, block_id).id)
    return [{**asdict(version), "at": iso(version.at)} for version in history]


@routes.post("/blocks/{block_id}/restore")
def restore_block(org: WritableOrg, caller: Asking, block_id: Id, body: Older) -> Shape:
    """Not in Letta: an older version's value as a new version."""
    block = seen(org, caller, block_id)
    block_edits.block_restore(org.parts.db, block, body.version, by_operator(org, f"restore version {body.version}"))
    return block_shape(seen(org, caller, block_id))


@routes.get(CORE)
def list_core(agent: ReadableAgent, page: Cursor = cursor(100, "asc")) -> list[Shape]:
    """In the order in which the agent sees them."""
    return [block_shape(block) for block in sliced(agent.blocks, page, lambda block: block.id)]


@routes.get(CORE + "/{block_label}")
def read_core(agent: ReadableAgent, block_label: Id) -> Shape:
    return block_shape(agent.blocks[block_label].read())


@routes.patch(CORE + "/{block_label}")
def change_core(
    org: WritableOrg, agent: WritableAgent, block_label: Id, body: LettaBlockPatch, if_match: IfMatch = None
) -> Shape:
    return block_shape(change(org, agent.blocks[block_label].read(), body, if_match))


@routes.patch(CORE + "/attach/{block_id}")
def attach_block(org: WritableOrg, agent: WritableAgent, caller: Asking, block_id: Id) -> Shape:
    """Shares a block of the org with this agent."""
    caller.must_see_all()
    attach(org, agent, block_id)
    return agent_shape(agent)


@routes.patch(CORE + "/detach/{block_id}")
def detach_block(org: WritableOrg, agent: WritableAgent, block_id: Id) -> Shape:
    """The block stays; this agent no longer sees it."""
    detach(org, agent, block_id)
    return agent_shape(agent)
