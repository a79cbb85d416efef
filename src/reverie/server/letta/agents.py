"""Agents are spaces: made, listed, changed, taken away."""

import uuid
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Annotated, Any

from fastapi import Query
from pydantic import Field, JsonValue

from reverie.model.blocks import NewBlock
from reverie.model.spaces import NewSpace, SpaceRecord
from reverie.reverie import Reverie
from reverie.server.dependencies import AdministeredOrg, Asking, Routes
from reverie.server.letta import tools
from reverie.server.letta.blocks import LettaBlockIn, new_block
from reverie.server.letta.conversations import DEFAULT, compile_system
from reverie.server.letta.profile import KEY, AgentType, Profile, change_profile
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
    has_tags,
    page_of,
    visible_agents,
)
from reverie.server.letta.sleeptime import FREQUENCY, Sleeptime
from reverie.space import Space

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
    tool_rules: list[dict[str, JsonValue]] | None = Field(default=None, max_length=200)

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
            "tool_rules": None if self.tool_rules is None else tuple(self.tool_rules),
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
    blocks = tuple(new_block(block) for block in body.memory_blocks)
    given = new_space(profile, body.metadata or {}, sleeptime=bool(body.enable_sleeptime), blocks=blocks)
    (agent,) = org.create_spaces(replace(given, shared=tuple(body.block_ids or ())))
    with deleted_on_failure(org, [agent]):
        agent.add(body.initial_message_sequence or ())
        compile_system(agent, DEFAULT)
    return agent_shape(agent)


@contextmanager
def deleted_on_failure(org: Reverie, agents: Sequence[Space]) -> Iterator[None]:
    """New agents that cannot be filled are taken away again: the log is no part of the transaction that made them."""
    try:
        yield
    except BaseException:
        for agent in agents:
            org.delete_space(agent.name)
        raise


def new_space(
    profile: Profile, metadata: Metadata, *, sleeptime: bool = False, blocks: tuple[NewBlock, ...] = ()
) -> NewSpace:
    """Two agents may have one name, two spaces may not: the second space gets a name of its own."""
    token = uuid.uuid4().hex[:8]
    name = profile.name or f"{profile.kind} {token}"
    return NewSpace(
        name,
        otherwise=f"{name} {token}",
        settings=Sleeptime(sleeptime, FREQUENCY).settings,
        metadata=metadata,
        private={KEY: replace(profile, name=name).saved()},
        default_blocks=False,
        blocks=blocks,
    )


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
            and has_tags(profile.tags, tags, match_all_tags)
        )

    caller.must("read")
    found = [agent for agent in visible_agents(server, caller) if wanted(agent.record)]
    return [agent_shape(agent) for agent in page_of(found, page, lambda agent: agent.id)]


@routes.get("/count")
def count_agents(server: TheServer, caller: Asking) -> int:
    """How many agents the key may see."""
    caller.must("read")
    return sum(1 for _ in visible_agents(server, caller))


@routes.get("/{agent_id}")
def read_agent(agent: ReadableAgent) -> Shape:
    return agent_shape(agent)


@routes.patch("/{agent_id}")
def change_agent(org: AdministeredOrg, agent: AdministeredAgent, caller: Asking, body: AgentBody) -> Shape:
    """What is given is changed. A key for one agent renames it for Letta alone: a name that is taken tells."""
    tools.check(body.tools or (), body.tool_ids or ())
    if body.block_ids is not None:
        caller.must_see_all()
    change_profile(
        agent,
        body.over,
        name=body.name if body.name and caller.space is None and not org.has_space(body.name) else None,
        metadata=_metadata_change(agent, body.metadata),
        settings=Sleeptime.of(agent).switched(body.enable_sleeptime),
        block_ids=body.block_ids,
    )
    return agent_shape(agent)


def _metadata_change(agent: Space, given: Metadata | None) -> Metadata:
    """Metadata is given whole: what is not in it goes."""
    return {} if given is None else {**dict.fromkeys(agent.record.metadata), **given}


@routes.delete("/{agent_id}")
def delete_agent(org: AdministeredOrg, agent: AdministeredAgent) -> None:
    """Takes the agent away with everything in it. Blocks that others share stay with them."""
    org.delete_space(agent.name)


@routes.post("/{agent_id}/recompile")
def recompile(agent: ReadableAgent) -> str:
    """The prompt section as it stands: blocks, memories, recent turns."""
    return agent.context().text
