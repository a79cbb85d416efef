"""ChatGPT's export: `conversations.json`. A conversation is a tree; what counts is the branch that was last shown."""

from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from reverie.errors import BadInput
from reverie.importers.record import MAX_TEXT, ROLES, ImportedMessage, Record, instant_from, json_of, read_or

TYPED = ("text", "multimodal_text")  # the kinds of content that a person types or says
HELD = ("text", "result")  # where other kinds keep their text
BROWSERS = ("browser", "web", "bing", "myfiles_browser")


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
    author, content = message.get("author") or {}, message.get("content") or {}
    role = ROLES.get(str(author.get("role")))
    text = _text(content)
    if role is None or not text:
        return None
    origin: str = role
    if role == "user" and content.get("content_type", "text") not in TYPED:
        role, origin = "tool", "file"  # an attached file, a quotation: handed over by the user, not said
    elif role == "tool" and str(author.get("name") or "").startswith(BROWSERS):
        origin = "web"
    at, key = instant_from(message.get("create_time")), f"chatgpt:{message.get('id')}"
    return ImportedMessage(session, role, text[:MAX_TEXT], origin, at, key, source="chatgpt")


def _text(content: Mapping[str, Any]) -> str:
    """A message's text: its parts, or what a tool's result, a page or a quotation holds."""
    parts = [part for part in content.get("parts") or () if isinstance(part, str)]
    return "\n".join(parts or [text for name in HELD if isinstance(text := content.get(name), str)]).strip()
