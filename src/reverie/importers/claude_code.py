"""Claude Code's session files: one JSON object a line, one file a session; subagents' files belong to their parent."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from reverie.importers.envelopes import is_summary, parts_of
from reverie.importers.lines import objects
from reverie.importers.record import MAX_TEXT, ImportedMessage, Record, instant_from, read_or, texts_in
from reverie.importers.turn_keys import CLAUDE_CODE, turn_key
from reverie.model.base import Instant

PERSONS = ("human", "person", "composer", "voice-call")  # of the kinds of origin that a user's message may have
SCHEDULED = ("cron", "schedule", "scheduled", "heartbeat")


def read(path: Path) -> Iterator[Record]:
    """What a session file says, or all those of a directory."""
    for file in session_files(path) if path.is_dir() else [path]:
        yield from messages(file)


def session_files(folder: Path, since: Instant = 0.0) -> list[Path]:
    """The files that were written after that moment, oldest first. Links are not followed."""
    found = [path for path in folder.rglob("*.jsonl") if not path.is_symlink() and path.is_file()]
    changed = {path: path.stat().st_mtime for path in found}
    return sorted((path for path, at in changed.items() if at > since), key=lambda path: (changed[path], path))


def messages(path: Path) -> Iterator[ImportedMessage]:
    """What was said in one file, in order; a broken line is passed over."""
    so_far = _SoFar(path.stem)
    for number, record in objects(path):
        yield from read_or(partial(so_far.messages, record, number), [])


@dataclass
class _SoFar:
    """What the lines before say of the next one: which prompt is being answered, and where the past was shortened."""

    file: str
    prompt: str = ""
    shortened: set[str] = field(default_factory=set)

    def messages(self, record: Mapping[str, Any], number: int) -> list[ImportedMessage]:
        if record.get("subtype") == "compact_boundary":
            self.shortened.add(str(record.get("uuid")))
        if record.get("type") not in ("user", "assistant", "attachment") or self._is_retold(record):
            return []
        if record["type"] == "user" and not record.get("isSidechain"):
            self.prompt = str(record.get("promptId") or "")
        place = f"{CLAUDE_CODE}:{record.get('uuid') or f'{self.file}:{number}'}"
        said = enumerate(_parts(record))
        return [self._message(record, role, text, f"{place}:{n}") for n, (role, text) in said]

    def _is_retold(self, record: Mapping[str, Any]) -> bool:
        return is_the_harness_own(record) or record.get("parentUuid") in self.shortened

    def _message(self, record: Mapping[str, Any], role: str, text: str, place: str) -> ImportedMessage:
        session, aside = str(record.get("sessionId") or self.file), bool(record.get("isSidechain"))
        scheduled = record.get("turnOrigin") in SCHEDULED
        origin = "file" if record["type"] == "attachment" else role
        if role == "user" and aside:
            origin = "assistant"  # a subagent's user is the agent that sent it
        known = self.prompt and role != "tool" and not aside
        return ImportedMessage(
            f"{session}/subagent" if aside else session,  # nights read the two apart
            role,
            text[:MAX_TEXT],
            origin,
            instant_from(record.get("timestamp")),
            turn_key(CLAUDE_CODE, self.prompt, role, text) if known else place,
            kind="subagent" if aside else "cron" if scheduled else None,
            source=CLAUDE_CODE,
        )


def is_the_harness_own(record: Mapping[str, Any]) -> bool:
    """A compaction's summary tells again what was said before; meta messages are nobody's words."""
    return any(record.get(flag) for flag in ("isCompactSummary", "isMeta", "isVisibleInTranscriptOnly"))


def typed_in(record: Mapping[str, Any]) -> str:
    """What a person typed in a user's record: not what tools returned, commands told or the harness put there."""
    message = record.get("message")
    content = message.get("content") if isinstance(message, Mapping) else None
    return "\n".join(text for role, text in _users_parts(record, content) if role == "user")


def _parts(record: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """(role, text) of what a line holds; thinking and calls are not speech."""
    if record["type"] == "attachment":
        told = record["attachment"].get("content")
        text = (told.get("file") or {}).get("content") if isinstance(told, dict) else None
        if isinstance(text, str) and text.strip():
            yield "tool", text.strip()
        return
    message = record.get("message")
    content = message.get("content") if isinstance(message, dict) else None
    if record["type"] == "assistant":
        yield from (("assistant", text.strip()) for text in texts_in(content) if text.strip())
    else:
        yield from _users_parts(record, content)


def _users_parts(record: Mapping[str, Any], content: Any) -> Iterator[tuple[str, str]]:
    """What tools returned is a tool's. A person types one text a message, the last: others are handed over with it."""
    parts = content if isinstance(content, list) else []
    results = [part for part in parts if isinstance(part, dict) and part.get("type") == "tool_result"]
    for result in results:
        yield from (("tool", text.strip()) for text in ["\n".join(texts_in(result.get("content")))] if text.strip())
    *others, last = texts_in(content) or [""]
    typed = not results and _is_a_persons(record) and not any(map(is_summary, (*others, last)))
    for text in others if typed else (*others, last):
        yield from (("tool", part) for _, part in parts_of(text))
    if typed:
        yield from parts_of(last)


def _is_a_persons(record: Mapping[str, Any]) -> bool:
    """Whether the harness says of a user's message that a tool, a plugin, a task or another agent sent it."""
    origin = record.get("origin")
    kind = origin.get("kind") if isinstance(origin, dict) else origin
    sent = any(record.get(name) for name in ("toolUseResult", "sourceToolUseID", "sourceToolAssistantUUID"))
    return not sent and (kind is None or kind in PERSONS)
