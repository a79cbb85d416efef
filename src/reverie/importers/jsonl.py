"""Plain JSON lines: one chat message or one memory each, whatever wrote them."""

import json
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from reverie.importers.record import ROLES, ImportedMemory, ImportedMessage, Record, instant_from, read_or
from reverie.model.base import ORIGINS

SAID = ("content", "text", "message")
WHEN = ("at", "timestamp", "created_at", "create_time", "date")


def read(path: Path) -> Iterator[Record]:
    """A line with `role` is a message; one with only a text is a memory; the rest is passed over."""
    with path.open(encoding="utf-8", errors="replace") as lines:
        for number, line in enumerate(lines):
            if line.strip():
                yield read_or(partial(_record, line, f"jsonl:{path.stem}:{number}"), None)


def _record(line: str, place: str) -> Record:
    found = json.loads(line)
    text = _first(found, (*SAID, "memory")) if isinstance(found, dict) else None
    if not isinstance(text, str) or not text.strip():
        return None
    at, key = instant_from(_first(found, WHEN)), str(found.get("key") or found.get("id") or place)
    if "role" not in found:
        return ImportedMemory(text, key, at, origin=_origin(found, "assistant"))
    role = ROLES.get(str(found["role"]))
    if role is None:
        return None
    session = str(found.get("session") or found.get("conversation_id") or place.rpartition(":")[0])
    speaker = found.get("speaker") or found.get("name")
    named = {name: str(found[name]) for name in ("kind", "channel", "source") if found.get(name)}
    return ImportedMessage(
        session, role, text, _origin(found, role), at, key, str(speaker) if speaker else None, **named
    )


def _origin(found: Mapping[str, Any], otherwise: str) -> str:
    """Where a line says that its text is from: that can only lower what its role gives. No name we know is unknown."""
    said = found.get("origin")
    return otherwise if said is None else ORIGINS.get(str(said), "unknown")


def _first(found: Mapping[str, Any], names: tuple[str, ...]) -> Any:
    return next((found[name] for name in names if found.get(name) is not None), None)
