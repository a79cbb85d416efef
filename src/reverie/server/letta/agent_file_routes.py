"""Agent files (.af): an agent with its blocks and messages as one JSON document, out and in.

Letta's format has no place for passages; ours go beside the rest, under a key that other readers pass over.
"""

import json
from collections.abc import Sequence
from typing import Annotated

from fastapi import Form, UploadFile
from fastapi.responses import Response
from pydantic import ValidationError

from reverie import __version__
from reverie.errors import BadInput
from reverie.model.spaces import NewSpace
from reverie.model.turns import Turn
from reverie.policy.safety.trust import unwrap_recalled
from reverie.server.dependencies import AdministeredOrg, Asking, Routes
from reverie.server.formatting import iso
from reverie.server.letta.agent_file import AgentFile, FileAgent, FileMessage, read
from reverie.server.letta.agents import deleted_on_failure, new_space
from reverie.server.letta.blocks import LIMIT, new_block
from reverie.server.letta.conversations import DEFAULT
from reverie.server.letta.passages import insert, passages_in
from reverie.server.letta.profile import Profile
from reverie.server.letta.shapes import RULES, block_shape, llm_shape, passage_shape
from reverie.server.letta.shared import ReadableAgent, Shape, message_id
from reverie.server.letta.sleeptime import Sleeptime
from reverie.space import Space

routes = Routes(prefix="/v1/agents", tags=["letta"])
PART = 500
Flag = Annotated[bool, Form()]


@routes.get("/{agent_id}/export")
def export_agent(agent: ReadableAgent) -> Response:
    return Response(json.dumps(agent_document(agent), ensure_ascii=False), media_type="application/json")


def agent_document(agent: Space) -> Shape:
    profile = Profile.of(agent.record)
    blocks = [block_shape(block) for block in agent.blocks]
    messages = [message(turn) for turn in _turns(agent)]
    described = {
        "id": "agent-0",
        "name": profile.name or agent.name,
        "agent_type": profile.agent_type,
        "system": profile.system,
        "description": profile.description,
        "tags": list(profile.tags),
        "metadata": dict(agent.record.metadata),
        "timezone": profile.timezone,
        "llm_config": llm_shape(profile.model or RULES, profile.context_window),
        "embedding_config": None,
        "enable_sleeptime": Sleeptime.of(agent).enabled,
        "block_ids": [block["id"] for block in blocks],
        "tool_ids": [],
        "messages": messages,
        "in_context_message_ids": [message["id"] for message in messages[-20:]],
    }
    passages = [{**passage_shape(memory), "agent_id": "agent-0"} for memory in passages_in([agent])]
    return {
        "agents": [described],
        "groups": [],
        "blocks": blocks,
        "files": [],
        "sources": [],
        "tools": [],
        "mcp_servers": [],
        "metadata": {"made_by": f"reverie {__version__}"},
        "created_at": iso(agent.record.created_at),
        "reverie": {"passages": passages},
    }


def _turns(agent: Space) -> list[Turn]:
    found: list[Turn] = []
    while part := agent.turns(limit=PART, after=found[-1].id if found else None):
        found += part
    return found


def message(turn: Turn) -> Shape:
    return {
        "id": message_id(turn.id),
        "role": turn.role,
        "content": [{"type": "text", "text": unwrap_recalled(turn.text)}],
        "name": turn.speaker,
        "created_at": iso(turn.at),
        "agent_id": "agent-0",
        "session": turn.session,
    }


@routes.post("/import")
def import_agents(
    org: AdministeredOrg,
    caller: Asking,
    file: UploadFile,
    append_copy_suffix: Flag = False,
    strip_messages: Flag = False,
    name: Annotated[str | None, Form(max_length=180)] = None,
    override_name: Annotated[str | None, Form(max_length=180)] = None,
) -> Shape:
    """New agents from a file; blocks that several of them have are shared again. Its tools are left out."""
    caller.must_see_all()
    document = parse_file(file.file.read())
    suffix = "_copy" if append_copy_suffix else ""
    given = [_new_space(document, agent, f"{name or override_name or agent.name}{suffix}") for agent in document.agents]
    agents = list(zip(org.create_spaces(*given), document.agents, strict=True))
    with deleted_on_failure(org, [agent for agent, _ in agents]):
        for agent, described in agents:
            if not strip_messages:
                _append_messages(agent, described.messages)
            for passage in document.passages_of(described.id):
                insert(agent, passage)
    return {"agent_ids": [agent.id for agent, _ in agents]}


def parse_file(content: bytes) -> AgentFile:
    try:
        return read(json.loads(content))
    except ValidationError as error:
        fault = error.errors(include_url=False, include_input=False)[0]
        raise BadInput(f"this is not an agent file: {'.'.join(map(str, fault['loc']))}: {fault['msg']}") from error
    except (ValueError, RecursionError) as error:
        raise BadInput("this is not an agent file: it is not JSON") from error


def _new_space(document: AgentFile, agent: FileAgent, name: str) -> NewSpace:
    """A block that several agents name is made once; its limit is never below what it holds."""
    blocks = tuple(
        new_block(block, limit=max(block.limit or LIMIT, len(block.value)), ref=block.id)
        for block in document.blocks_of(agent)
    )
    metadata = dict(agent.metadata or {})
    return new_space(agent.profile(name), metadata, sleeptime=bool(agent.enable_sleeptime), blocks=blocks)


def _append_messages(agent: Space, messages: Sequence[FileMessage]) -> None:
    for message in messages:
        if text := message.text.strip():
            session = message.session or DEFAULT
            agent.append(message.role, text, session, speaker=message.name, at=message.created_at)
