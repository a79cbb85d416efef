"""Files of a home by which hooks and servers hand things to each other: what sessions begin with, turns for later.

Only the standard library is imported here, and little of it: a hook has no time.
"""

import json
import os
import zlib
from collections.abc import Iterator
from typing import Any

BRIEFINGS, SPOOL, SESSIONS = "briefings", "spool", "hook-sessions"
MOST_SPOOLED = 10_000
KEEP_SECONDS = 30 * 86_400.0  # that what a session was shown is remembered

Briefing = dict[str, Any]


def file_name(name: str) -> str:
    """A name for a file that any system takes, another one for another name.

    >>> file_name("github.com/acme/app")
    'github.com-acme-app-c00481d2.json'
    """
    plain = "".join(c if c.isascii() and (c.isalnum() or c in "._") else "-" for c in name)[-60:]
    return f"{plain}-{zlib.crc32(name.encode('utf-8', 'replace')):08x}.json"


def write(path: str, value: Any, *, synced: bool = True) -> None:
    """A JSON file for its owner alone, whole or not at all."""
    os.makedirs(os.path.dirname(path), 0o700, exist_ok=True)
    beside = f"{path}.{os.getpid()}.new"
    handle = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(handle, "wb") as file:
        file.write(json.dumps(value).encode("utf-8", "replace"))
        if synced:
            file.flush()
            os.fsync(file.fileno())
    os.replace(beside, path)


def read(path: str) -> Any:
    """What such a file holds; None where there is none, or it cannot be read."""
    try:
        with open(path, encoding="utf-8") as file:
            return json.load(file)
    except (OSError, ValueError):
        return None


def briefing(home: str, project: str) -> Briefing | None:
    """The core of a project as it was last written; that of no project where this one has none."""
    for name in (project, ""):
        found = read(os.path.join(home, BRIEFINGS, file_name(name)))
        if isinstance(found, dict) and isinstance(found.get("text"), str):
            return found
    return None


def briefings(home: str) -> Iterator[Briefing]:
    """All that are written in a home."""
    for path in _files(os.path.join(home, BRIEFINGS)):
        found = read(path)
        if isinstance(found, dict) and isinstance(found.get("project"), str):
            yield found


def write_briefing(home: str, made: Briefing) -> None:
    """Keeps what sessions of a project begin with where no server runs. It can be made again: no disk is waited for."""
    write(os.path.join(home, BRIEFINGS, file_name(made["project"])), made, synced=False)


def drop_briefings(home: str) -> None:
    """Deletes them all: what was forgotten must not stand there for another moment."""
    for path in _files(os.path.join(home, BRIEFINGS)):
        os.unlink(path)


def spool(home: str, call: Any, name: str) -> None:
    """Keeps what a hook was told until a server takes it in; on the disk when this returns."""
    write(os.path.join(home, SPOOL, f"{name}.json"), call)


def spooled(home: str) -> Iterator[tuple[str, Any]]:
    """(path, call) of what waits, in the order it came; a file that cannot be read has None."""
    for path in _files(os.path.join(home, SPOOL))[:MOST_SPOOLED]:
        yield path, read(path)


def drop_old_sessions(home: str, now: float) -> None:
    """Deletes what sessions were shown that nobody has heard of for a month."""
    for path in _files(os.path.join(home, SESSIONS)):
        if now - os.stat(path).st_mtime > KEEP_SECONDS:
            os.unlink(path)


def _files(folder: str) -> list[str]:
    try:
        names = os.listdir(folder)
    except OSError:
        return []
    return [os.path.join(folder, name) for name in sorted(names) if name.endswith(".json")]
