"""Claude Code's session files: one JSON object a line, one file a session; subagents' files belong to their parent."""

import json
import re
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from reverie.importers.record import ImportedMessage, instant_from, read_or
from reverie.model.base import Instant

MAX_LINE = 4_000_000  # characters; a longer one holds a picture or a dump, nothing that was said
MAX_TEXT = 20_000  # of one message; tool results are cut, people's words hardly ever are
# What the harness puts into a user's message; the person did not say it.
_HARNESS = re.compile(r"<(system-reminder|command-[a-z]+|local-command-[a-z]+|ide_[a-z_]+)\b.*?</\1>\s*", re.DOTALL)


def session_files(folder: Path, since: Instant = 0.0) -> list[Path]:
    """The files that were written after that moment, oldest first. Links are not followed."""
    found = [path for path in folder.rglob("*.jsonl") if not path.is_symlink() and path.is_file()]
    changed = {path: path.stat().st_mtime for path in found}
    return sorted((path for path, at in changed.items() if at > since), key=lambda path: (changed[path], path))


def messages(path: Path) -> Iterator[ImportedMessage]:
    """What was said in one file, in order; a broken line is passed over."""
    with path.open(encoding="utf-8", errors="replace") as file:
        for number, line in enumerate(file):
            record = _record(line)
            if record is not None:
                yield from read_or(partial(_messages, record, path, number), [])


def _record(line: str) -> Mapping[str, Any] | None:
    if len(line) > MAX_LINE:
        return None
    try:
        record = json.loads(line)
    except (ValueError, RecursionError):
        return None
    if not isinstance(record, dict) or record.get("type") not in ("user", "assistant"):
        return None
    # A compaction summary tells again what was said before; meta messages are the harness's own.
    return None if record.get("isCompactSummary") or record.get("isMeta") else record


def _messages(record: Mapping[str, Any], path: Path, number: int) -> list[ImportedMessage]:
    message = record.get("message")
    content = message.get("content") if isinstance(message, dict) else None
    session = str(record.get("sessionId") or path.stem)
    key = f"claude-code:{record.get('uuid') or f'{path.stem}:{number}'}"
    found = []
    for place, (role, text) in enumerate(_parts(record["type"], content)):
        clean = _HARNESS.sub("", text).strip()[:MAX_TEXT]
        if clean:
            origin = {"user": "user", "assistant": "assistant"}.get(role, "tool")
            if role == "user" and record.get("isSidechain"):
                origin = "assistant"  # a subagent's user is the agent that sent it
            found.append(
                ImportedMessage(session, role, clean, origin, instant_from(record.get("timestamp")), f"{key}:{place}")
            )
    return found


def _parts(role: str, content: Any) -> Iterator[tuple[str, str]]:
    """(role, text) of a message's parts: what tools returned is a tool's; thinking and calls are not speech."""
    if isinstance(content, str):
        yield role, content
    for part in content if isinstance(content, list) else ():
        if not isinstance(part, dict):
            continue
        if part.get("type") == "text" and isinstance(part.get("text"), str):
            yield role, part["text"]
        elif part.get("type") == "tool_result":
            inner = part.get("content")
            texts = (
                [inner] if isinstance(inner, str) else [p.get("text", "") for p in inner or () if isinstance(p, dict)]
            )
            yield "tool", "\n".join(text for text in texts if isinstance(text, str))
