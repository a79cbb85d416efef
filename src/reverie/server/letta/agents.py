"""Agents are spaces: made, listed, changed, taken away."""

import uuid
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Annotated, Any

from fastapi import Query
from pydantic import Field, JsonValue

from reverie.errors import BadInput
from reverie.model.spaces import SpaceRecord
from reverie.reverie import Reverie
from reverie.server.letta import tools
from reverie.server.letta.blocks import LettaBlockIn, attach, detach, make
from reverie.server.letta.profile import KEY, AgentType, Profile, change_profile, metadata_of
from reverie.server.letta.shapes import agent_shape
from reverie.server.letta.shared import (
    AdministeredAgent,
    Body,
    Cursor,
    ReadableAgent,
    Shape,
    Tag,
    Tags,
    TheServer,
    cursor,
    sliced,
    tagged,
    visible_agents,
)
from reverie.server.letta.sleeptime import OFF, Sleeptime, switch
from reverie.server.rest.shared import AdministeredOrg, Asking, Routes
from reverie.space import Space
from reverie.store.tables import spaces

routes = Routes(prefix="/v1/agents", tags=["letta"])
Name = Annotated[str, Field(min_length=1, max_length=180, pattern=r"^[^\x00-\x1f]+$")]
Text = Annotated[str, Field(max_length=200_000)]
Metadata = dict[str, JsonValue]


class Model(Body):
    """The part of an llm_config or embedding_config that names it."""

    handle: str | None = Field(default=None, max_length=300)
    model: str | None = Field(default=None, max_length=300)
    context_window: int | None = None


class AgentBody(Body):
    """What is told of an agent; all of it may be left out."""

    name: Name | None = None
    system: Text | None = None
    description: Text | None = None
    tags: Tags | None = None
    metadata: Metadata | None = None
    model: str | None = Field(default=None, max_length=300)
    embedding: str | None = Field(default=None, max_length=300)
    llm_config: Model | None = None
    context_window_limit: int | None = Field(default=None, ge=1, le=10**9)
    timezone: str | None = Field(default=None, max_length=100)
    enable_sleeptime: bool | None = None
    block_ids: list[str] | None = Field(default=None, max_length=200)
    tools: list[str] | None = None
    tool_ids: list[str] | None = None

    def over(self, profile: Profile) -> Profile:
        """The profile with what is given here."""
        config = self.llm_config or Model()
        given: dict[str, Any] = {
            "name": self.name,
            "system": self.system,
            "description": self.description,
            "tags": None if self.tags is None else tuple(self.tags),
            "model": self.model or config.handle or config.model,
            "embedding": self.embedding,
            "context_window": self.context_window_limit or config.context_window,
            "timezone": self.timezone,
        }
        return replace(profile, **{name: value for name, value in given.items() if value is not None})


class AgentIn(AgentBody):
    agent_type: AgentType = "letta_v1_agent"
    memory_blocks: list[LettaBlockIn] = Field(default_factory=list, max_length=200)
    initial_message_sequence: list[dict[str, JsonValue]] | None = None


@routes.post("/")
def create_agent(org: AdministeredOrg, caller: Asking, body: AgentIn) -> Shape:
    """An agent with the blocks that were asked for and no others. It sleeps by itself if sleep time is enabled."""
    caller.must_see_all()
    tools.check(body.tools or (), body.tool_ids or ())
    profile = replace(body.over(Profile()), agent_type=body.agent_type)
    with org.parts.db.write("memory"):  # all of it, or no agent at all
        agent = new_space(org, profile, body.metadata or {})
        if body.enable_sleeptime:
            switch(agent, True)
        for block in body.memory_blocks:
            make(org, block, agent)
        for id in body.block_ids or ():
            attach(org, agent, id)
    with or_none(org, [agent]):
        agent.add(body.initial_message_sequence or ())
    return agent_shape(agent)


@contextmanager
def or_none(org: Reverie, agents: Sequence[Space]) -> Iterator[None]:
    """New agents that cannot be filled are taken away again: the log is no part of the transaction that made them."""
    try:
        yield
    except BaseException:
        for agent in agents:
            org.delete_space(agent.name)
        raise


def new_space(org: Reverie, profile: Profile, metadata: Metadata) -> Space:
    """Two agents may have one name, two spaces may not: the second space gets a name of its own."""
    token = uuid.uuid4().hex[:8]
    wanted = profile.name or f"{profile.kind} {token}"
    kept = {**own(metadata), KEY: replace(profile, name=wanted, token=token).saved()}
    for name in (wanted, f"{wanted} {token}"):
        space = org.create_space(name, default_blocks=False, metadata=kept, settings=OFF)
        if Profile.of(space.record).token == token:
            return space
    raise AssertionError(f"somebody else made {name!r}")


def own(metadata: Metadata) -> Metadata:
    if KEY in metadata:
        raise BadInput(f"the metadata key {KEY!r} is taken")
    return metadata


@routes.get("/")
def list_agents(
    server: TheServer,
    caller: Asking,
    page: Cursor = cursor(50, "desc"),
    name: str | None = None,
    tags: Annotated[list[Tag], Query()] = [],
    match_all_tags: bool = False,
    query_text: str | None = None,
) -> list[Shape]:
    def wanted(record: SpaceRecord) -> bool:
        profile = Profile.of(record)
        shown = profile.name or record.name
        return (
            name in (None, shown)
            and (query_text or "").lower() in shown.lower()
            and tagged(profile.tags, tags, match_all_tags)
        )

    caller.must("read")
    found = [agent for agent in visible_agents(server, caller) if wanted(agent.record)]
    return [agent_shape(agent) for agent in sliced(found, page, lambda agent: agent.id)]


@routes.get("/{agent_id}")
def read_agent(agent: ReadableAgent) -> Shape:
    return agent_shape(agent)


@routes.patch("/{agent_id}")
def change_agent(org: AdministeredOrg, agent: AdministeredAgent, caller: Asking, body: AgentBody) -> Shape:
    tools.check(body.tools or (), body.tool_ids or ())
    with org.parts.db.write("memory"):
        _describe(org, agent, body)
        if body.block_ids is not None:
            caller.must_see_all()
            _set_blocks(org, agent, body.block_ids)
        if body.enable_sleeptime is not None and body.enable_sleeptime != Sleeptime.of(agent).enabled:
            switch(agent, body.enable_sleeptime)
    return agent_shape(org.space_by_id(agent.id))


def _describe(org: Reverie, agent: Space, body: AgentBody) -> None:
    """Metadata is given whole: what is not in it goes."""
    metadata: dict[str, Any] = {}
    if body.metadata is not None:
        metadata = {**dict.fromkeys(metadata_of(agent.record)), **own(body.metadata)}
    free = body.name if body.name and spaces.named(org.parts.db, org.org, body.name) is None else None
    change_profile(org, agent.id, body.over, name=free, metadata=metadata)


def _set_blocks(org: Reverie, agent: Space, wanted: Sequence[str]) -> None:
    for block in list(agent.blocks):
        if block.id not in wanted:
            detach(org, agent, block.id)
    for id in wanted:
        attach(org, agent, id)


@routes.delete("/{agent_id}")
def delete_agent(org: AdministeredOrg, agent: AdministeredAgent) -> None:
    """Takes the agent away with everything in it. Blocks that others share stay with them."""
    org.delete_space(agent.name)


@routes.post("/{agent_id}/recompile")
def recompile(agent: ReadableAgent) -> str:
    """The prompt section as it stands: blocks, memories, recent turns."""
    return agent.context().text
