"""An export of Reverie that is not restored but read: its turns and remembered texts, as what somebody else wrote.

Nothing that it says of itself is believed: no trust, no core, no conclusion. `reverie restore` takes an export whole.
"""

from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from reverie.importers.lines import objects
from reverie.importers.record import MAX_TEXT, ImportedMemory, ImportedMessage, Record, instant_from, read_or

SOURCE = "reverie"


def read(path: Path) -> Iterator[Record]:
    for _, line in objects(path):
        if "turns" in line:
            yield read_or(partial(_turn, line["turns"]), None)
        elif "memories" in line:
            yield read_or(partial(_memory, line["memories"]), None)


def _turn(row: Mapping[str, Any]) -> Record:
    role, text = row["role"], str(row["text"])
    if role not in ("user", "assistant", "tool") or not text.strip():
        return None
    at, key = instant_from(row.get("at")), f"{SOURCE}:{row['id']}"
    return ImportedMessage(str(row["session"]), role, text[:MAX_TEXT], "file", at, key, source=SOURCE)


def _memory(row: Mapping[str, Any]) -> Record:
    """A text that was given to `remember`; what nights concluded is concluded here anew, or not at all."""
    text = str(row.get("text") or "")
    if row["kind"] != "episode" or row.get("night") or not text.strip():
        return None
    return ImportedMemory(text[:MAX_TEXT], f"{SOURCE}:{row['id']}", instant_from(row.get("said_at")), origin="file")
