"""ChatGPT's export: `conversations.json`. A conversation is a tree; what counts is the branch that was last shown."""

from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from reverie.errors import BadInput
from reverie.importers.record import ROLES, ImportedMessage, Record, instant_from, json_of, read_or


def read(path: Path) -> Iterator[Record]:
    found = json_of(path, "ChatGPT's conversations.json")
    if not isinstance(found, list):
        raise BadInput(f"{path} holds no list of conversations", next_move="Unzip the export; name conversations.json.")
    for conversation in found:
        yield from read_or(partial(_branch, conversation), [None])


def _branch(conversation: Mapping[str, Any]) -> list[Record]:
    """The messages from the root to the one that was last shown."""
    nodes: Mapping[str, Any] = conversation.get("mapping") or {}
    session = str(conversation.get("conversation_id") or conversation.get("id") or conversation.get("title"))
    at: Any = conversation.get("current_node")
    branch: list[Record] = []
    seen: set[str] = set()
    while at in nodes and at not in seen:
        seen.add(at)
        branch.append(read_or(partial(_message, nodes[at].get("message"), session), None))
        at = nodes[at].get("parent")
    return branch[::-1]


def _message(message: Any, session: str) -> Record:
    if not isinstance(message, dict) or (message.get("metadata") or {}).get("is_visually_hidden_from_conversation"):
        return None
    role = ROLES.get(str((message.get("author") or {}).get("role")))
    content = message.get("content") or {}
    text = "\n".join(part for part in content.get("parts") or () if isinstance(part, str)).strip()
    if role not in ("user", "assistant") or not text:
        return None
    return ImportedMessage(
        session, role, text, role, instant_from(message.get("create_time")), f"chatgpt:{message.get('id')}"
    )
