"""A Claude Agent SDK `SessionStore` on a space: `ClaudeAgentOptions(session_store=ReverieSessionStore(space))`.

Transcripts come back entry by entry. What the user and Claude said in them goes to the log as it is written: no
importer is needed, and nights read it.
"""

import uuid
from collections.abc import Mapping
from typing import Any

from reverie.adapters.calls import told
from reverie.adapters.shared import given_space, off_loop, text_of
from reverie.errors import extra_needed
from reverie.importers.claude_code import is_the_harness_own, typed_in
from reverie.space import Space

try:
    from claude_agent_sdk import SessionKey, fold_session_summary
except ModuleNotFoundError as missing:
    missing.add_note(extra_needed("claude-sessions"))
    raise

ENTRIES, SUMMARIES = "claude {}", "claude sessions"
LABEL = "\x1f"


class ReverieSessionStore:
    """All six methods of the SDK's protocol."""

    def __init__(self, space: Space) -> None:
        self.space = given_space(space)
        self._summaries = space.shelf(SUMMARIES)

    @told("claude-sessions", "create_memory")
    async def append(self, key: SessionKey, entries: list[Any]) -> None:
        """Stores entries in their order; one whose `uuid` is there already is not stored twice."""
        await off_loop(self._append, key, entries)

    @told("claude-sessions", "search_memory")
    async def load(self, key: SessionKey) -> list[Any] | None:
        """All entries in their order; None if there are none."""
        found = await off_loop(self.space.shelf(_shelf(key)).all)
        return [entry.value for entry in found] or None

    @told("claude-sessions", "search_memory")
    async def list_sessions(self, project_key: str) -> list[Any]:
        """The sessions of a project, each with the moment of its last entry in milliseconds."""
        found = await off_loop(self._summaries.all, project_key + LABEL)
        return [
            {"session_id": entry.key.split(LABEL)[1], "mtime": int(entry.updated_at * 1000)}
            for entry in found
            if entry.key.endswith(LABEL)
        ]

    @told("claude-sessions", "search_memory")
    async def list_session_summaries(self, project_key: str) -> list[Any]:
        """What the SDK folded of each session of a project."""
        found = await off_loop(self._summaries.all, project_key + LABEL)
        return [
            {**entry.value["summary"], "mtime": int(entry.updated_at * 1000)}
            for entry in found
            if entry.key.endswith(LABEL)
        ]

    @told("claude-sessions", "delete_memory")
    async def delete(self, key: SessionKey) -> None:
        """Takes a transcript away, and with a session those of its subagents; nights read it no more."""
        await off_loop(self._delete, key)

    @told("claude-sessions", "search_memory")
    async def list_subkeys(self, key: SessionKey) -> list[str]:
        """The subpaths below a session."""
        start = f"{key['project_key']}{LABEL}{key['session_id']}{LABEL}"
        found = await off_loop(self._summaries.all, start)
        return [entry.key.removeprefix(start) for entry in found if entry.key != start]

    def _append(self, key: SessionKey, entries: list[Any]) -> None:
        shelf = self.space.shelf(_shelf(key))
        news: list[tuple[str, Any, str | None]] = []
        for entry in entries:
            name = str(entry.get("uuid") or f"{uuid.uuid4()} ")
            if shelf.get(name) is None and name not in {known for known, _, _ in news}:
                news.append((name, entry, self._said(key, entry)))
        if not entries:
            return
        shelf.add(news)
        known = self._summaries.get(_name(key))
        summary = fold_session_summary(known.value["summary"] if known else None, key, entries)
        self._summaries.put(_name(key), {"summary": summary})

    def _said(self, key: SessionKey, entry: Mapping[str, Any]) -> str | None:
        """The turn of what the user or Claude says; None for all other entries, and for what is Claude Code's own."""
        message, role = entry.get("message"), entry.get("type")
        if role not in ("user", "assistant") or not isinstance(message, Mapping) or is_the_harness_own(entry):
            return None
        text = typed_in(entry) if role == "user" else text_of(message.get("content"))
        if not text.strip():
            return None
        aside = bool(key.get("subpath") or entry.get("isSidechain"))  # a subagent's user is the agent that sent it
        return self.space.append(
            str(role),
            text,
            f"{key['session_id']}/subagent" if aside else str(key["session_id"]),  # nights read the two apart
            str(entry["uuid"]) if entry.get("uuid") else None,
            origin="assistant" if aside else None,
            kind="subagent" if aside else "interactive",
            source="claude-agent-sdk",
        ).id

    def _delete(self, key: SessionKey) -> None:
        below = [_name(key)] if key.get("subpath") else [e.key for e in self._summaries.all(_name(key))]
        for name in below:
            shelf = self.space.shelf(ENTRIES.format(name))
            gone = shelf.delete(*(entry.key for entry in shelf))
            self.space.retract(*(entry.ref for entry in gone if entry.ref))
        self._summaries.delete(*below)


def _name(key: SessionKey) -> str:
    return f"{key['project_key']}{LABEL}{key['session_id']}{LABEL}{key.get('subpath') or ''}"


def _shelf(key: SessionKey) -> str:
    return ENTRIES.format(_name(key))
