"""mem0: what `Memory.get_all()` answers, saved as JSON."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

from reverie.errors import BadInput
from reverie.importers.record import ImportedMemory, Record, instant_from, json_of, read_or

WHO = ("user_id", "agent_id", "run_id")


def read(path: Path) -> Iterator[Record]:
    """Each record as a memory with its date, its categories as tags, and whose it was as metadata."""
    found = json_of(path, "mem0's JSON")
    records = found.get("results", found.get("memories")) if isinstance(found, dict) else found
    if not isinstance(records, list):
        raise BadInput(f"{path} holds no list of memories", next_move="Save what `Memory.get_all()` answers as JSON.")
    for record in records:
        yield read_or(partial(_memory, record), None)


def _memory(record: Any) -> Record:
    text = record.get("memory") or record.get("text") if isinstance(record, dict) else None
    if not isinstance(text, str) or not text.strip():
        return None
    metadata = {name: record[name] for name in WHO if record.get(name)} | (record.get("metadata") or {})
    named = record.get("categories") or ()
    tags = tuple(str(tag).lower() for tag in ([named] if isinstance(named, str) else named))
    at = instant_from(record.get("created_at"))
    return ImportedMemory(text, f"mem0:{record.get('id') or text}", at, tags, metadata)
