"""The tools that an agent has here, under Letta's names. Users' own code is not run in this process: it is refused."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Annotated, Any

from fastapi import Query
from pydantic import Field, JsonValue

from reverie.agent.tools import LETTA_DECLARED, run_by_name
from reverie.errors import BadInput, NotFound
from reverie.language.words import tokens
from reverie.server.dependencies import Asking, Id, Routes
from reverie.server.letta.profile import Profile, change_profile
from reverie.server.letta.shared import (
    Body,
    Cursor,
    ReadableAgent,
    Shape,
    WritableAgent,
    cursor,
    page_of,
    tool_id,
)

routes = Routes(prefix="/v1", tags=["letta"])
REFUSED = "Reverie runs no custom tools: {}"
INSTEAD = "Call tools in your own process and send what they return as a message, or offer memory over MCP at /mcp."
SCHEMAS = {tool.name: dict(tool.schema) for tool in LETTA_DECLARED}
AWAKE = {tool.name: tool.description for tool in LETTA_DECLARED}
ASLEEP = {"memory_rethink": "Rewrite a whole block of core memory; done by nights."}
# What older agents ask for and get one of the above, or the plain answer, instead.
ALSO_KNOWN = (
    "send_message",
    "core_memory_append",
    "core_memory_replace",
    "memory",
    "memory_finish_edits",
    "rethink_memory",
    "finish_rethinking_memory",
)


def _shape(name: str, description: str, kind: str) -> Shape:
    schema = SCHEMAS.get(name, {"type": "object", "properties": {}})
    return {
        "id": tool_id(name),
        "name": name,
        "description": description,
        "tool_type": kind,
        "tags": [],
        "json_schema": {"name": name, "description": description, "parameters": schema},
    }


ALL: list[Shape] = [
    *(_shape(name, said, "letta_core") for name, said in AWAKE.items()),
    *(_shape(name, said, "letta_sleeptime_core") for name, said in ASLEEP.items()),
]
IDS = {tool["id"] for tool in ALL}


def check(names: Iterable[str], ids: Iterable[str] = (), *, others: Any = None) -> None:
    """Only what an agent has anyway may be asked for."""
    custom = [name for name in names if name not in (*AWAKE, *ASLEEP, *ALSO_KNOWN)]
    custom += [id for id in ids if id not in IDS]
    if custom or others:
        raise BadInput(REFUSED.format(", ".join(custom) or "client tools"), next_move=INSTEAD)


def of(profile: Profile) -> list[Shape]:
    """The tools that an agent has."""
    return [tool for tool in ALL if tool["name"] not in profile.detached]


def known(id: str) -> Shape:
    found = next((tool for tool in ALL if id == tool["id"]), None)
    if found is None:
        raise NotFound("tool", id)
    return found


@routes.get("/tools/")
def list_tools(
    _caller: Asking,
    page: Cursor = cursor(50, "asc"),
    name: str | None = None,
    names: Annotated[list[str], Query(max_length=100)] = [],
    search: str = "",
) -> list[Shape]:
    """The tools that every agent has."""
    wanted = [
        tool
        for tool in ALL
        if name in (None, tool["name"]) and (not names or tool["name"] in names) and search.lower() in tool["name"]
    ]
    return list(page_of(wanted, page, lambda tool: str(tool["id"])))


class ToolSearchIn(Body):
    query: str | None = Field(default=None, max_length=10_000)
    limit: int = Field(default=50, ge=1)
    tool_types: list[str] | None = None
    tags: list[str] | None = None


@routes.post("/tools/search")
def search_tools(_caller: Asking, body: ToolSearchIn) -> list[Shape]:
    """Tools by the words of their names and descriptions, best first."""
    words = set(tokens((body.query or "").replace("_", " ")))
    scored = [(_likeness(words, tool), tool) for tool in ALL]
    found = [(score, tool) for score, tool in scored if (score or not words) and not body.tags
             and (not body.tool_types or tool["tool_type"] in body.tool_types)]  # fmt: skip
    best = sorted(found, key=lambda pair: -pair[0])[: body.limit]
    return [{"tool": tool, "combined_score": score, "fts_rank": rank} for rank, (score, tool) in enumerate(best, 1)]


def _likeness(words: set[str], tool: Shape) -> float:
    """The share of the words that a tool has."""
    has = set(tokens(f"{tool['name']} {tool['description']}".replace("_", " ")))
    return len(words & has) / len(words) if words else 0.0


@routes.post("/tools/")
@routes.put("/tools/", name="put_tool")
def make_tool(_caller: Asking) -> None:
    """Refused: users' own code is not run here."""
    raise BadInput(REFUSED.format("a tool's source is not stored"), next_move=INSTEAD)


@routes.get("/tools/{tool_id}")
def read_tool(_caller: Asking, tool_id: Id) -> Shape:
    """One of the tools that every agent has."""
    return known(tool_id)


@routes.patch("/tools/{tool_id}")
@routes.delete("/tools/{tool_id}", name="delete_tool")
def keep_tool(_caller: Asking, tool_id: Id) -> None:
    """Refused: the tools are Reverie's own."""
    known(tool_id)
    raise BadInput(REFUSED.format("its own cannot be changed"), next_move=INSTEAD)


@routes.get("/agents/{agent_id}/tools")
def list_agent_tools(agent: ReadableAgent, page: Cursor = cursor(50, "asc")) -> list[Shape]:
    """The tools that this agent has."""
    return list(page_of(of(Profile.of(agent.record)), page, lambda tool: str(tool["id"])))


@routes.patch("/agents/{agent_id}/tools/attach/{tool_id}")
def attach_tool(agent: WritableAgent, tool_id: Id) -> None:
    """One of our own that was detached is there again."""
    check((), (tool_id,))
    name = known(tool_id)["name"]
    change_profile(agent, lambda had: replace(had, detached=tuple(one for one in had.detached if one != name)))


@routes.patch("/agents/{agent_id}/tools/detach/{tool_id}")
def detach_tool(agent: WritableAgent, tool_id: Id) -> None:
    """The agent's model is no longer offered it."""
    name = known(tool_id)["name"]
    change_profile(agent, lambda had: replace(had, detached=tuple(dict.fromkeys((*had.detached, name)))))


@routes.patch("/agents/{agent_id}/tools/approval/{tool_name}")
def approve_tool(_agent: ReadableAgent, tool_name: Id) -> None:
    """Refused: the tools touch memory alone, with an agent's rights, and ask nobody."""
    raise BadInput(f"Reverie's tools wait for no approval: {tool_name}", next_move="Detach the tool instead.")


class ToolRunIn(Body):
    args: dict[str, JsonValue] = Field(default_factory=dict)


@routes.post("/agents/{agent_id}/tools/{tool_name}/run")
def run_tool(agent: WritableAgent, tool_name: Id, body: ToolRunIn) -> Shape:
    """What the tool answers to these arguments."""
    check((tool_name,))
    used = run_by_name(agent, tool_name, body.args)
    return {"status": "success" if used.ok else "error", "func_return": used.result}
