"""The tools that an agent has here, under Letta's names. Users' own code is not run in this process: it is refused."""

from collections.abc import Iterable
from typing import Any

from reverie.agent.tools import LETTA_DECLARED
from reverie.errors import BadInput
from reverie.server.dependencies import Asking, Id, Routes
from reverie.server.letta.shared import ReadableAgent, Shape, tool_id

routes = Routes(prefix="/v1", tags=["letta"])
REFUSED = "Reverie runs no custom tools: {}"
INSTEAD = "Call tools in your own process and send what they return as a message, or offer memory over MCP at /mcp."
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
    return {"id": tool_id(name), "name": name, "description": description, "tool_type": kind, "tags": []}


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


@routes.get("/tools/")
def list_tools(_caller: Asking, name: str | None = None, after: str | None = None) -> list[Shape]:
    return [] if after else [tool for tool in ALL if name in (None, tool["name"])]


@routes.post("/tools/")
@routes.put("/tools/")
def make_tool(_caller: Asking) -> None:
    raise BadInput(REFUSED.format("a tool's source is not stored"), next_move=INSTEAD)


@routes.get("/agents/{agent_id}/tools")
def list_agent_tools(_agent: ReadableAgent, after: str | None = None) -> list[Shape]:
    return [] if after else ALL


@routes.patch("/agents/{agent_id}/tools/attach/{tool_id}")
def attach_tool(_agent: ReadableAgent, tool_id: Id) -> None:
    """Our own are there already."""
    check((), (tool_id,))
