"""The sources that `reverie import` knows. A new one is a function from a path to records, and a line here."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from reverie.errors import BadInput
from reverie.importers import chatgpt, claude_code, codex, export, hermes, jsonl, letta, mem0, openclaw
from reverie.importers.record import Record


@dataclass(frozen=True, slots=True)
class Source:
    what: str  # what to name as the path
    read: Callable[[Path], Iterator[Record]]


SOURCES: Mapping[str, Source] = {
    "chatgpt": Source("conversations.json of ChatGPT's export", chatgpt.read),
    "claude-code": Source("a session file, or a directory such as ~/.claude/projects/NAME", claude_code.read),
    "codex": Source("a rollout file (.jsonl or .jsonl.zst), or ~/.codex/sessions", codex.read),
    "hermes": Source("~/.hermes, its state.db, or a file of its notes", hermes.read),
    "jsonl": Source("one message or memory a line: role, content (or text), and if known session, at, key", jsonl.read),
    "letta": Source("an agent file (.af)", letta.read),
    "mem0": Source("what Memory.get_all() answers, saved as JSON", mem0.read),
    "openclaw": Source("a workspace, a directory of sessions, or one file of either", openclaw.read),
    "reverie": Source("an export, read as what somebody else wrote (`reverie restore` takes it whole)", export.read),
}


def records(source: str, path: Path) -> Iterator[Record]:
    """What a source holds, oldest first; nothing is written."""
    if source not in SOURCES:
        raise BadInput(f"source must be one of {', '.join(SOURCES)}, not {source!r}", next_move="Use one of these.")
    if not path.exists():
        raise BadInput(f"there is no {path}", next_move=f"Name {SOURCES[source].what}.")
    return SOURCES[source].read(path)
