"""A Letta agent file (`.af`): its messages become turns; its blocks become memories in the agent's own words."""

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from reverie.errors import BadInput
from reverie.importers.envelopes import parts_of
from reverie.importers.record import (
    MAX_TEXT,
    ImportedMemory,
    ImportedMessage,
    Record,
    instant_from,
    json_of,
    read_or,
    texts_in,
)

SOURCE = "letta"


def read(path: Path) -> Iterator[Record]:
    found = json_of(path, "a Letta agent file")
    if not isinstance(found, dict) or not ("agents" in found or "core_memory" in found or "messages" in found):
        raise BadInput(f"{path} holds no agent", next_move="Name the .af file that Letta exported.")
    agents = found.get("agents")
    for agent in agents if isinstance(agents, list) else [found]:
        yield from read_or(partial(_agent, agent, found.get("blocks") or []), [None])


def _agent(agent: Mapping[str, Any], shared: Sequence[Any]) -> list[Record]:
    name = str(agent.get("name") or agent.get("id") or "agent")
    mine = set(agent.get("block_ids") or ())
    blocks = [block for block in shared if isinstance(block, dict) and block.get("id") in mine]
    blocks += agent.get("core_memory") or []
    kept = [read_or(partial(_block, block, name), None) for block in blocks]
    messages = agent.get("messages") or []
    return [*kept, *(read_or(partial(_message, one, name, n), None) for n, one in enumerate(messages))]


def _block(block: Mapping[str, Any], name: str) -> Record:
    """A block is what the agent wrote of its user: no file can write into core memory here."""
    value = str(block.get("value") or "").strip()
    label = str(block.get("label") or "block")
    return ImportedMemory(value[:MAX_TEXT], f"{SOURCE}:{name}:{label}:{value}", tags=(label,)) if value else None


def _message(message: Mapping[str, Any], name: str, number: int) -> Record:
    role, content = message.get("role"), "\n".join(texts_in(message.get("content"))).strip()
    if role == "user":
        role, text = _users(content)
    elif role == "assistant":
        text = _sent(message.get("tool_calls") or ()) or content
    else:
        role, text = ("tool", content) if role in ("tool", "function") else (None, "")
    if role is None or not text.strip():
        return None
    at, key = instant_from(message.get("created_at")), f"{SOURCE}:{message.get('id') or f'{name}:{number}'}"
    return ImportedMessage(name[:200], role, text.strip()[:MAX_TEXT], role, at, key, source=SOURCE)


def _users(content: str) -> tuple[str | None, str]:
    """What the user said is packed as JSON with its type; heartbeats, logins and alerts are packed the same way."""
    packed = _object(content)
    if packed.get("type") not in (None, "user_message"):
        return None, ""
    said = list(parts_of(str(packed.get("message") or "") if packed else content))
    return next(((role, text) for role, text in said if role == "user"), said[0] if said else (None, ""))


def _sent(calls: Sequence[Any]) -> str:
    """What an older agent said: the argument of `send_message`."""
    functions = [call.get("function") or {} for call in calls if isinstance(call, dict)]
    sent = (f for f in functions if isinstance(f, dict) and f.get("name") == "send_message")
    return next((str(_object(f.get("arguments")).get("message") or "") for f in sent), "")


def _object(text: Any) -> dict[str, Any]:
    try:
        found = json.loads(text)
    except (TypeError, ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}
