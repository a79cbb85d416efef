"""What the server has to offer: health, tags, models.

MERGED: The tools that an agent has here, under Letta's names. Code of users is not run in this process: it is refused.
"""

from collections.abc import Iterable
from typing import Any

from reverie import __version__
from reverie.agent.tools import LETTA_DECLARED
from reverie.errors import BadInput
from reverie.server.letta.agents import Profile
from reverie.server.letta.blocks import every
from reverie.server.letta.shapes import ENDPOINTS, RULES, llm_shape
from reverie.server.letta.shared import ReadableAgent, Shape, TheServer, tool_id, visible_agents
from reverie.server.rest.shared import Asking, Id, ReadableOrg, Routes

routes = Routes(prefix="/v1", tags=["letta"])
WINDOW = 128_000


@routes.get("/health/")
def health() -> Shape:
    return {"status": "ok", "version": __version__}


@routes.get("/tags/")
def list_tags(
    server: TheServer, org: ReadableOrg, caller: Asking, name: str = "", query_text: str = "", after: str | None = None
) -> list[str]:
    """Tags of agents and of blocks."""
    found = {tag for agent in visible_agents(server, caller) for tag in Profile.of(agent.record).tags}
    found |= {tag for block in every(org, caller) for tag in block.tags}
    return sorted(tag for tag in found if name in tag and query_text in tag and (after is None or tag > after))


@routes.get("/models/")
def list_models(server: TheServer, _caller: Asking) -> list[Shape]:
    """The model that answers; without one, answers come from memory alone."""
    return [model_shape(server.reverie.config["primary_model"].replace(":", "/", 1) or RULES)]


def model_shape(handle: str) -> Shape:
    shape, provider = llm_shape(handle, WINDOW), handle.partition("/")[0]
    return {
        **shape,
        "name": shape["model"],
        "display_name": handle,
        "max_context_window": WINDOW,
        "model_type": "llm",
        "provider_type": provider if provider in ENDPOINTS else "letta",
        "provider_name": provider,
    }


@routes.get("/models/embedding")
def list_embedders(server: TheServer, _caller: Asking) -> list[Shape]:
    embedder = server.reverie.parts.embedder
    if not embedder.dim:
        return []
    return [
        {
            "name": embedder.id,
            "display_name": embedder.id,
            "handle": f"reverie/{embedder.id}",
            "embedding_model": embedder.id,
            "embedding_dim": embedder.dim,
            "embedding_endpoint_type": "hugging-face",
            "model_type": "embedding",
            "provider_name": "reverie",
            "provider_type": "hugging-face",
        }
    ]


tool_routes = Routes(prefix="/v1", tags=["letta"])
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


@tool_routes.get("/tools/")
def list_tools(_caller: Asking, name: str | None = None, after: str | None = None) -> list[Shape]:
    return [] if after else [tool for tool in ALL if name in (None, tool["name"])]


@tool_routes.post("/tools/")
@tool_routes.put("/tools/")
def make_tool(_caller: Asking) -> None:
    raise BadInput(REFUSED.format("a tool's source is not stored"), next_move=INSTEAD)


@tool_routes.get("/agents/{agent_id}/tools")
def list_agent_tools(_agent: ReadableAgent, after: str | None = None) -> list[Shape]:
    return [] if after else ALL


@tool_routes.patch("/agents/{agent_id}/tools/attach/{tool_id}")
def attach_tool(_agent: ReadableAgent, tool_id: Id) -> None:
    """Our own are there already."""
    check((), (tool_id,))
