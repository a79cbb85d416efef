"""Blocks by id for the whole org, shared between agents, and by label for one agent."""

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Annotated, Any

from fastapi import Depends, Query
from pydantic import Field, JsonValue

from reverie.errors import NotFound
from reverie.model.blocks import Block, NewBlock
from reverie.reverie import Reverie
from reverie.server.dependencies import (
    Asking,
    Id,
    IfMatch,
    ReadableOrg,
    Routes,
    WritableOrg,
    check_alone,
    expected_version,
)
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
    has_tags,
    page_of,
    the_agent,
)
from reverie.server.rest.blocks import Older

LIMIT = 100_000  # of a block that is made without one
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


def new_block(given: LettaBlockIn, **more: Any) -> NewBlock:
    """The block that is to be made."""
    return NewBlock(
        **{"value": given.value, "limit": LIMIT, **given.described, "tags": tuple(given.tags or ()), **more}
    )


def change(org: Reverie, block: Block, given: LettaBlockPatch, if_match: str | None) -> Block:
    """Without a version the new value is an operator's; the one before it stays in the history."""
    return org.blocks.change(block.id, value=given.value, expected=expected_version(if_match), **given.described)


def visible_block(org: Reverie, caller: Caller, id: str) -> Block:
    """A key for one agent sees the blocks of that agent."""
    if caller.space is not None and caller.space not in org.blocks.spaces_of(id):
        raise NotFound("block", id)
    return org.blocks[id]


def own_block(org: Reverie, caller: Caller, id: str) -> Block:
    """The same, where it is to be changed or its older versions are to be seen."""
    block = visible_block(org, caller, id)
    check_alone(org, caller, block.id)
    return block


def visible_blocks(org: Reverie, caller: Caller) -> Iterator[Block]:
    """Oldest first; of one agent, in the order in which it sees them."""
    return iter(org.blocks if caller.space is None else org.space_by_id(caller.space).blocks)


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
            and has_tags(block.tags, self.tags, self.match_all_tags)
            and self._connected(block, org)
        )

    def _connected(self, block: Block, org: Reverie) -> bool:
        more, less = self.connected_to_agents_count_gt, self.connected_to_agents_count_lt
        exact = self.connected_to_agents_count_eq
        if more is None and less is None and not exact:
            return True
        agents = len(org.blocks.spaces_of(block.id))
        return (more is None or agents > more) and (less is None or agents < less) and (not exact or agents in exact)


@routes.post("/blocks/")
def create_block(org: WritableOrg, caller: Asking, body: LettaBlockIn) -> Shape:
    caller.must_see_all()
    return block_shape(org.blocks.create(new_block(body)))


@routes.get("/blocks/")
def list_blocks(
    org: ReadableOrg, caller: Asking, wanted: Annotated[Wanted, Depends()], page: Cursor = cursor(50, "asc")
) -> list[Shape]:
    found = (block for block in visible_blocks(org, caller) if wanted.accepts(block, org))
    return [block_shape(block) for block in page_of(found, page, lambda block: block.id)]


@routes.get("/blocks/{block_id}")
def read_block(org: ReadableOrg, caller: Asking, block_id: Id) -> Shape:
    return block_shape(visible_block(org, caller, block_id))


@routes.patch("/blocks/{block_id}")
def change_block(
    org: WritableOrg, caller: Asking, block_id: Id, body: LettaBlockPatch, if_match: IfMatch = None
) -> Shape:
    """With If-Match, a stale version conflicts; without, both versions are in the history."""
    return block_shape(change(org, own_block(org, caller, block_id), body, if_match))


@routes.delete("/blocks/{block_id}")
def delete_block(org: WritableOrg, caller: Asking, block_id: Id) -> None:
    block = visible_block(org, caller, block_id)
    caller.must_see_all()
    org.blocks.delete(block.id)


@routes.get("/blocks/{block_id}/agents")
def agents_of_block(
    server: TheServer, org: ReadableOrg, caller: Asking, block_id: Id, page: Cursor = cursor(50, "asc")
) -> list[Shape]:
    ids = org.blocks.spaces_of(visible_block(org, caller, block_id).id)
    own = [id for id in ids if caller.space in (None, id)]
    return [agent_shape(the_agent(server, caller, id)) for id in page_of(own, page, str)]


@routes.get("/blocks/{block_id}/versions")
def block_versions(org: ReadableOrg, caller: Asking, block_id: Id) -> list[Shape]:
    """Not in Letta: every version with its diff, who wrote it and why, oldest first."""
    history = org.blocks.history(own_block(org, caller, block_id).id)
    return [{**asdict(version), "at": iso(version.at)} for version in history]


@routes.post("/blocks/{block_id}/restore")
def restore_block(org: WritableOrg, caller: Asking, block_id: Id, body: Older) -> Shape:
    """Not in Letta: an older version's value as a new version."""
    block = own_block(org, caller, block_id)
    return block_shape(org.blocks.restore(block.id, body.version))


@routes.get(CORE)
def list_core(agent: ReadableAgent, page: Cursor = cursor(100, "asc")) -> list[Shape]:
    """In the order in which the agent sees them."""
    return [block_shape(block) for block in page_of(agent.blocks, page, lambda block: block.id)]


@routes.get(CORE + "/{block_label}")
def read_core(agent: ReadableAgent, block_label: Id) -> Shape:
    return block_shape(agent.blocks[block_label].read())


@routes.patch(CORE + "/{block_label}")
def change_core(
    org: WritableOrg,
    agent: WritableAgent,
    caller: Asking,
    block_label: Id,
    body: LettaBlockPatch,
    if_match: IfMatch = None,
) -> Shape:
    block = own_block(org, caller, agent.blocks[block_label].read().id)
    return block_shape(change(org, block, body, if_match))


@routes.patch(CORE + "/attach/{block_id}")
def attach_block(org: WritableOrg, agent: WritableAgent, caller: Asking, block_id: Id) -> Shape:
    """Shares a block of the org with this agent."""
    caller.must_see_all()
    org.blocks.attach(block_id, agent.id)
    return agent_shape(agent)


@routes.patch(CORE + "/detach/{block_id}")
def detach_block(org: WritableOrg, agent: WritableAgent, block_id: Id) -> Shape:
    """The block stays; this agent no longer sees it."""
    org.blocks.detach(block_id, agent.id)
    return agent_shape(agent)
