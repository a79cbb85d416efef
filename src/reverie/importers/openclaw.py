"""OpenClaw: a workspace's notes (`MEMORY.md`, `USER.md`, `memory/*.md`) and session files (`sessions/*.jsonl`).

Notes are an agent's words, whoever it had them from; of the sessions, `sessions.json` beside them says which are cron
jobs, heartbeats, subagents or groups.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from reverie.importers.envelopes import parts_of
from reverie.importers.lines import files_below, objects
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
from reverie.model.base import derived_id

SOURCE = "openclaw"
NOTES = ("MEMORY.md", "USER.md")
MAX_NOTE = 1_000_000  # characters of one file
_COMMENT = re.compile(r"<!--[^\n]{0,2000}?-->")
_MARK = re.compile(r"^\s{0,20}(?:[-*+]|\d{1,3}[.)])\s{1,8}")
_LABEL = re.compile(r"\A\s{0,8}\[[^\]\n]{3,200}\]\s{1,4}")  # [WhatsApp Ann +49 … 2026-05-01 12:00] before the words
_DATED = re.compile(r"(\d{4}-\d{2}-\d{2})")
_HEARTBEAT = re.compile(r"\A\s{0,8}(?:Read HEARTBEAT\.md|\[?heartbeat)", re.I)
KINDS = ("cron", "heartbeat", "subagent")


def read(path: Path) -> Iterator[Record]:
    """A workspace's notes and the sessions below a directory; or one file of either."""
    for file in files_below(path, ".jsonl", ".md"):
        if file.suffix == ".jsonl":
            yield from _session(file)
        elif file == path or file.name in NOTES or file.parent.name == "memory":
            yield from _notes(file)


def _notes(file: Path) -> Iterator[Record]:
    """One memory a line or list item, without OpenClaw's own marks; headings and diaries of dreams are not told."""
    text = file.read_text("utf-8", errors="replace")[:MAX_NOTE]
    named = _DATED.search(file.stem)
    for line in text.splitlines():
        said = _MARK.sub("", _COMMENT.sub("", line)).strip()
        if said and not said.startswith(("#", "---", "<!--", "```")):
            key = derived_id(SOURCE, file.name, said)
            yield ImportedMemory(said[:MAX_TEXT], key, instant_from(named[1]) if named else None, (SOURCE,))


def _session(file: Path) -> Iterator[Record]:
    told = _OpenClawSession.of(file)
    for number, line in objects(file):
        yield from read_or(partial(told.messages, line, number), [])


@dataclass
class _OpenClawSession:
    """What `sessions.json` says of a session, as far as it is there."""

    session: str
    kind: str | None = None
    channel: str | None = None
    group: bool = False

    @classmethod
    def of(cls, file: Path) -> "_OpenClawSession":
        index = file.with_name("sessions.json")
        entries = read_or(lambda: json_of(index, "OpenClaw's sessions.json").items(), ()) if index.is_file() else ()
        for key, entry in entries:
            if isinstance(entry, dict) and str(entry.get("sessionId")) == file.stem:
                return cls(
                    file.stem,
                    next((kind for kind in KINDS if f":{kind}" in str(key)), None),
                    str(entry.get("channel") or entry.get("lastChannel") or "")[:200] or None,
                    entry.get("chatType") in ("group", "channel") or ":group:" in str(key),
                )
        return cls(file.stem)

    def messages(self, line: Mapping[str, Any], number: int) -> list[ImportedMessage]:
        if line.get("type") != "message":
            return []
        message = line["message"]
        place = f"{SOURCE}:{self.session}:{line.get('id') or number}"
        at = instant_from(line.get("timestamp") or message.get("timestamp"))
        kind = "heartbeat" if any(_HEARTBEAT.match(text) for text in texts_in(message.get("content"))) else self.kind
        return [
            self._message(role, text, f"{place}:{n}", at, kind) for n, (role, text) in enumerate(self._parts(message))
        ]

    def _parts(self, message: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
        texts = texts_in(message.get("content"))
        if message.get("role") == "assistant":
            yield from (("assistant", text) for text in texts if text.strip())
        elif message.get("role") == "toolResult":
            yield from (("tool", text) for text in ["\n".join(texts)] if text.strip())
        elif message.get("role") == "user":
            sent = (message.get("provenance") or {}).get("kind", "external_user") == "external_user"
            for text in texts:
                for role, part in parts_of(_LABEL.sub("", text)):
                    yield role if sent else "tool", part

    def _message(self, role: str, text: str, key: str, at: float | None, kind: str | None) -> ImportedMessage:
        origin = role
        if role == "user" and kind:
            origin = "assistant"  # whoever set the job up, this was not said now
        elif role == "user" and self.group:
            origin = "unknown"  # somebody in the room
        where = f"{self.session}/{kind}" if kind else self.session
        return ImportedMessage(
            where, role, text[:MAX_TEXT], origin, at, key, kind=kind, channel=self.channel, source=SOURCE
        )
