"""Blocks over HTTP: by id for the whole org, by label for one agent."""

from dataclasses import asdict, dataclass
from typing import Annotated

from fastapi import Depends, Query

from reverie.awake import block_edits
from reverie.model.blocks import Block
from reverie.reverie import Reverie
from reverie.server.letta.agents import tagged
from reverie.server.letta.blocks import BlockIn, BlockPatch, attach, by_operator, change, detach, every, make, seen
from reverie.server.letta.paging import Cursor, cursor, sliced
from reverie.server.letta.shapes import agent_shape, block_shape
from reverie.server.letta.shared import ReadableAgent, Shape, Tag, TheServer, WritableAgent, the_agent
from reverie.server.rest.blocks import IfMatch, Older
from reverie.server.rest.shared import Asking, Id, ReadableOrg, Routes, WritableOrg
from reverie.server.told import iso
from reverie.store.tables import blocks

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
def create_block(org: WritableOrg, caller: Asking, body: BlockIn) -> Shape:
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
def change_block(org: WritableOrg, caller: Asking, block_id: Id, body: BlockPatch, if_match: IfMatch = None) -> Shape:
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
    org: WritableOrg, agent: WritableAgent, block_label: Id, body: BlockPatch, if_match: IfMatch = None
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
