"""Codex's session files (`~/.codex/sessions/…/rollout-*.jsonl`, later packed as .zst): one event a line.

What the model was sent as the user's holds instructions, surroundings and summaries too. What the person typed is told
by an event of its own (`user_message`), and only that is the user's word; sessions of before that event are read by
their envelopes.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from reverie.importers.envelopes import parts_of
from reverie.importers.lines import files_below, objects
from reverie.importers.record import MAX_TEXT, ImportedMessage, Record, instant_from, read_or, texts_in
from reverie.importers.turn_keys import CODEX, turn_key

RETURNED = ("function_call_output", "custom_tool_call_output", "local_shell_call_output", "web_search_call_output")
Line = tuple[int, Mapping[str, Any]]


def read(path: Path) -> Iterator[Record]:
    """What a session file says, or all those of a directory."""
    for file in files_below(path, ".jsonl", ".jsonl.zst"):
        lines: list[Line] = list(objects(file))
        named = any(_payload(line).get("type") == "user_message" for _, line in lines)
        session = _CodexSession(file.name.partition(".jsonl")[0], typed_apart=named)
        for number, line in lines:
            yield from read_or(partial(session.messages, line, number), [])


def _payload(line: Mapping[str, Any]) -> Mapping[str, Any]:
    found = line.get("payload", line)  # the first versions had no envelope
    return found if isinstance(found, dict) else {}


@dataclass
class _CodexSession:
    name: str
    typed_apart: bool  # whether the file has an event for what the person typed
    kind: str | None = None
    turn: str = ""

    def messages(self, line: Mapping[str, Any], number: int) -> list[ImportedMessage]:
        payload = _payload(line)
        if line.get("type") == "session_meta":
            self._begin(payload)
        self.turn = str(payload.get("turn_id") or self.turn)
        said = enumerate((role, text) for role, text in self._parts(payload) if text.strip())
        return [self._message(role, text, f"{number}:{n}", line.get("timestamp")) for n, (role, text) in said]

    def _begin(self, meta: Mapping[str, Any]) -> None:
        source = meta.get("source")
        self.name = str(meta.get("id") or self.name)
        if isinstance(source, dict) or "subagent" in str(source):
            self.kind = "subagent"

    def _parts(self, payload: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
        kind, role = payload.get("type"), payload.get("role")
        if kind == "user_message":
            yield from parts_of(str(payload.get("message") or ""))
        elif kind == "message" and role == "assistant":
            yield "assistant", "\n".join(texts_in(payload.get("content")))
        elif kind == "message" and role == "user" and not self.typed_apart:
            *handed, typed = texts_in(payload.get("content")) or [""]
            yield from (("tool", part) for text in handed for _, part in parts_of(text))
            yield from parts_of(typed)
        elif kind in RETURNED:
            output = payload.get("output")
            held = output.get("content") if isinstance(output, dict) else output
            yield "tool", "\n".join(texts_in(held))

    def _message(self, role: str, text: str, place: str, at: Any) -> ImportedMessage:
        text = text.strip()
        origin = "assistant" if role == "user" and self.kind else role  # a subagent's user is an agent
        known = self.turn and role != "tool" and not self.kind
        key = turn_key(CODEX, self.turn, role, text) if known else f"{CODEX}:{self.name}:{place}"
        session = f"{self.name}/{self.kind}" if self.kind else self.name
        return ImportedMessage(
            session, role, text[:MAX_TEXT], origin, instant_from(at), key, kind=self.kind, source=CODEX
        )
