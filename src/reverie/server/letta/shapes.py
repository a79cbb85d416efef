"""Reverie's nouns in Letta's shapes. Strict clients insist on the fields; what has no meaning here is null or empty."""

from typing import Any

from reverie.model.blocks import Block
from reverie.model.memories import Memory
from reverie.model.night import Night, NightStep
from reverie.model.turns import Turn
from reverie.policy.safety.trust import unwrap_recalled
from reverie.server.formatting import iso
from reverie.server.letta import tools
from reverie.server.letta.conversations import DEFAULT, system_id
from reverie.server.letta.profile import Profile
from reverie.server.letta.shared import Shape, archive_id, message_id, passage_id, run_id, step_id
from reverie.server.letta.sleeptime import Sleeptime
from reverie.space import Space

ENDPOINTS = (
    "openai",
    "anthropic",
    "google_ai",
    "azure",
    "groq",
    "ollama",
    "vllm",
    "mistral",
    "together",
    "bedrock",
    "deepseek",
    "xai",
    "openrouter",
)
RECENT = 20  # messages that an agent names as its last
RULES = "reverie/rules"  # no model: answers come from memory alone
STATUS = {
    "requested": "created",
    "running": "running",
    "done": "completed",
    "failed": "failed",
    "undoing": "completed",
    "undone": "completed",
}
STOP = {"done": "end_turn", "undone": "end_turn", "failed": "error", "skipped": "cancelled", "cancelled": "cancelled"}
STEP = {"pending": "pending", "running": "pending", "done": "success", "failed": "failed", "skipped": "cancelled"}


def agent_shape(space: Space) -> Shape:
    profile, sleeptime = Profile.of(space.record), Sleeptime.of(space)
    blocks = [block_shape(block) for block in space.blocks]
    model = profile.model or RULES
    group = sleeptime.group(space, [block["id"] for block in blocks])
    return {
        "id": space.id,
        "name": profile.name or space.name,
        "agent_type": profile.agent_type,
        "system": profile.system,
        "description": profile.description,
        "tags": list(profile.tags),
        "metadata": dict(space.record.metadata),
        "blocks": blocks,
        "memory": {"blocks": blocks, "file_blocks": [], "agent_type": profile.agent_type, "git_enabled": False},
        "model": model,
        "llm_config": llm_shape(model, profile.context_window),
        "embedding": profile.embedding,
        "embedding_config": None,
        "sources": [],
        "tools": tools.of(profile),
        "tool_rules": list(profile.tool_rules),
        "message_ids": [system_id(space, DEFAULT), *recent_ids(space)],
        "enable_sleeptime": sleeptime.enabled,
        "managed_group": group,
        "multi_agent_group": group,
        "identity_ids": [],
        "timezone": profile.timezone,
        "message_buffer_autoclear": False,
        "created_at": iso(space.record.created_at),
        "updated_at": iso(space.record.created_at),
    }


def recent_ids(space: Space) -> list[str]:
    """The last messages of the conversation that needs no making, oldest first."""
    return [message_id(turn.id) for turn in space.turns(DEFAULT, newest_first=True, limit=RECENT)][::-1]


def llm_shape(handle: str, window: int) -> Shape:
    provider, _, name = handle.rpartition("/")
    return {
        "model": name,
        "model_endpoint_type": provider if provider in ENDPOINTS else "openai",
        "context_window": window,
        "handle": handle,
    }


def block_shape(block: Block) -> Shape:
    return {
        "id": block.id,
        "label": block.label,
        "value": block.value,
        "limit": block.limit,
        "description": block.description or None,
        "metadata": dict(block.metadata),
        "read_only": block.read_only,
        "tags": list(block.tags),
        "is_template": False,
        "template_name": None,
        "hidden": False,
        "preserve_on_migration": False,
        "project_id": None,
        "created_by_id": None,
        "last_updated_by_id": None,
        "version": block.version,  # ours: send it back as If-Match, and a stale write conflicts
    }


def passage_shape(memory: Memory) -> Shape:
    derived = {} if memory.kind == "episode" else {"kind": memory.kind, "confidence": memory.confidence}
    return {
        "id": passage_id(memory.id),
        "text": memory.text,
        "tags": list(memory.tags),
        "metadata": {**memory.metadata, **derived},
        "archive_id": archive_id(memory.space),
        "created_at": iso(memory.dated),
        "updated_at": None,
        "is_deleted": False,
        "embedding": None,
        "embedding_config": None,
    }


def turn_shape(turn: Turn) -> Shape:
    common = {"id": message_id(turn.id), "date": iso(turn.at), "name": turn.speaker, "seq_id": turn.seq}
    text = unwrap_recalled(turn.text)
    if turn.role == "tool":
        returned = {"tool_return": text, "status": "success", "tool_call_id": turn.id}
        return {**common, "message_type": "tool_return_message", **returned}
    return {**common, "message_type": f"{turn.role}_message", "content": text}


def message_shape(kind: str, id: str, at: float, **more: Any) -> Shape:
    return {"id": id, "date": iso(at), "message_type": kind, **more}


def run_shape(night: Night) -> Shape:
    began, ended = night.began_at, night.ended_at
    return {
        "id": run_id(night.id),
        "agent_id": night.space,
        "status": STATUS.get(night.status, "cancelled"),
        "stop_reason": STOP.get(night.status),
        "created_at": iso(night.requested_at),
        "completed_at": None if ended is None else iso(ended),
        "total_duration_ns": None if began is None or ended is None else int((ended - began) * 1e9),
        "background": True,
        "metadata": {
            "run_type": "sleeptime",
            "kind": night.kind,
            "trigger": night.trigger,
            "status": night.status,
            "why": night.error or night.why,
            "counts": dict(night.counts),
        },
    }


def step_shape(night: Night, step: NightStep) -> Shape:
    return {
        "id": step_id(night.id, step.position),
        "agent_id": night.space,
        "run_id": run_id(night.id),
        "origin": step.step,
        "status": STEP[step.status],
        "error_type": step.error,
        "tags": [],
    }


def archive_shape(space: Space) -> Shape:
    profile = Profile.of(space.record)
    return {
        "id": archive_id(space.id),
        "name": profile.name or space.name,
        "description": profile.description,
        "created_at": iso(space.record.created_at),
        "metadata": dict(space.record.metadata),
        "embedding_config": None,
        "vector_db_provider": "native",
    }
