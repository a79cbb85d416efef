"""Hermes: its sessions (`state.db`) and its notes (`memories/MEMORY.md`, `USER.md`), from `~/.hermes` or one file."""

import json
import sqlite3
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

from reverie.errors import BadInput
from reverie.importers.envelopes import parts_of
from reverie.importers.record import MAX_TEXT, ImportedMemory, ImportedMessage, Record, instant_from, read_or, texts_in
from reverie.importers.turn_keys import HERMES, turn_key
from reverie.model.base import derived_id

BETWEEN = "\n§\n"  # Hermes's mark between two notes
MAX_NOTES = 1_000_000


def read(path: Path) -> Iterator[Record]:
    """All of a Hermes home; or one database, or one file of notes."""
    if path.is_dir():
        notes = [path / "memories" / name for name in ("MEMORY.md", "USER.md")]
        found = [file for file in (*notes, path / "state.db") if file.is_file()]
        if not found:
            raise BadInput(f"{path} is no Hermes home", next_move="Name ~/.hermes, its state.db or a file of notes.")
    else:
        found = [path]
    for file in found:
        yield from _notes(file) if file.suffix == ".md" else _sessions(file)


def _notes(file: Path) -> Iterator[Record]:
    """What the agent has written down: its words, also where they are about the user."""
    for note in file.read_text("utf-8", errors="replace")[:MAX_NOTES].split(BETWEEN):
        text = note.strip()
        if text:
            yield ImportedMemory(text[:MAX_TEXT], derived_id(HERMES, file.name, text), tags=(file.stem.lower(),))


def _sessions(file: Path) -> Iterator[Record]:
    """Messages in their order. The database is opened to be read only: Hermes may be at work."""
    try:
        with closing(sqlite3.connect(f"{file.resolve().as_uri()}?mode=ro", uri=True)) as connection:
            connection.row_factory = sqlite3.Row
            kinds = {str(row["id"]): dict(row) for row in connection.execute("SELECT * FROM sessions")}
            said: Counter[tuple[str, ...]] = Counter()
            for row in connection.execute("SELECT * FROM messages ORDER BY session_id, id"):
                yield from read_or(partial(_messages, dict(row), kinds, said), [None])
    except sqlite3.Error as error:
        raise BadInput(f"{file} is not Hermes's state.db: {error}") from error


def _kind(session: Mapping[str, Any]) -> str | None:
    config: Any = read_or(lambda: json.loads(session.get("model_config") or "{}"), {})
    if session.get("source") == "cron":
        return "cron"
    return "subagent" if isinstance(config, dict) and config.get("_delegate_from") else None


def _messages(
    row: Mapping[str, Any], sessions: Mapping[str, Mapping[str, Any]], told: Counter[tuple[str, ...]]
) -> list[Record]:
    """One row's messages. The provider keeps a turn under the same key: the n-th time that it was said there."""
    name = str(row["session_id"])
    session = sessions.get(name, {})
    kind, role = _kind(session), row.get("role")
    group = session.get("chat_type") in ("group", "channel") or bool(row.get("observed"))
    said: list[tuple[str, str]] = [(str(role), "\n".join(texts_in(row.get("content"))))]
    if role == "user":
        said = list(parts_of(said[0][1]))
    if role not in ("user", "assistant", "tool") or row.get("compacted"):
        return [None]
    found: list[Record] = []
    for who, text in said:
        origin = "assistant" if who == "user" and kind else "unknown" if who == "user" and group else who
        if text.strip():
            told[name, who, " ".join(text.split())] += 1
            time = told[name, who, " ".join(text.split())]
            found.append(
                ImportedMessage(
                    f"{name}/{kind}" if kind else name, who, text.strip()[:MAX_TEXT], origin,
                    instant_from(row.get("timestamp")), turn_key(HERMES, f"{name}#{time}", who, text), kind=kind,
                    channel=str(session.get("source") or "")[:200] or None, source=HERMES,
                )
            )  # fmt: skip
    return found or [None]
