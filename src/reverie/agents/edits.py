"""Edits of an agent's own files: merged into what is there, noted with a backup, and taken back byte for byte.

Where nobody else has touched a file since, uninstalling puts its old bytes back; else only our entries are taken out.
"""

import hashlib
import json
import os
import shutil
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

from reverie.errors import UsageError
from reverie.files import make_directory, write_whole
from reverie.model.base import Instant, day_of

RECORD, BACKUPS = "installs.json", "install-backups"

Merge = Callable[[bytes | None], bytes]  # a file with our entries
Strip = Callable[[bytes], bytes | None]  # a file without them; None: nothing else is in it
Done = Literal["made", "changed", "unchanged", "restored", "removed"]


@dataclass(frozen=True, slots=True)
class FileEdit:
    """One file of an agent, with how our entries come into it and out again."""

    path: Path
    merge: Merge
    strip: Strip


@dataclass(frozen=True, slots=True)
class Edited:
    """What was, or would be, done to a file."""

    path: str
    done: Done
    backup: str | None = None


@dataclass(frozen=True, slots=True)
class NotedEdit:
    """What is kept of an edit: where the old bytes are, what the new ones were, which directories were made for it."""

    agent: str
    path: str
    after: str  # digest of the file as we left it
    backup: str | None = None  # None: there was no such file
    made: tuple[str, ...] = ()


class InstallRecord:
    """What was installed from a home, by the file's path."""

    def __init__(self, home: Path) -> None:
        self._home = home
        self.noted: dict[str, NotedEdit] = {}
        try:
            found = json.loads((home / RECORD).read_text("utf-8"))
        except (OSError, ValueError):
            found = []
        for one in found:
            self.noted[one["path"]] = NotedEdit(**{**one, "made": tuple(one["made"])})

    def save(self) -> None:
        make_directory(self._home)
        write_whole(self._home / RECORD, [json.dumps([asdict(one) for one in self.noted.values()], indent=2) + "\n"])

    def backup(self, path: Path, raw: bytes, now: Instant) -> str:
        """Keeps a file's bytes, and answers where."""
        folder = self._home / BACKUPS
        make_directory(folder)
        target = folder / f"{day_of(now)}-{_digest(os.fsencode(path) + raw)[:12]}-{path.name}"
        if not target.exists():
            handle = os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with os.fdopen(handle, "wb") as file:
                file.write(raw)
        return str(target)


def install(home: Path, agent: str, edits: Sequence[FileEdit], now: Instant, *, dry_run: bool = False) -> list[Edited]:
    """Puts our entries into these files. Doing it again changes nothing; a dry run only says what would be done."""
    record = InstallRecord(home)
    planned = [(edit, _bytes(edit.path)) for edit in edits]
    made = [(edit, before, edit.merge(before)) for edit, before in planned]  # all can be read, or nothing is changed
    done = [_installed(record, agent, edit, before, after, now, dry_run) for edit, before, after in made]
    if not dry_run and any(one.done != "unchanged" for one in done):
        record.save()
    return done


def _installed(
    record: InstallRecord, agent: str, edit: FileEdit, before: bytes | None, after: bytes, now: Instant, dry_run: bool
) -> Edited:
    path = str(edit.path)
    if before == after:
        return Edited(path, "unchanged")
    done: Done = "made" if before is None else "changed"
    if dry_run:
        return Edited(path, done)
    known = record.noted.get(path)
    ours = known is not None and before is not None and _digest(before) == known.after
    backup = known.backup if ours and known else None
    if not ours and before is not None:
        plain = edit.strip(before)  # an older install of ours is no part of what was there
        backup = record.backup(edit.path, before if plain == before or plain is None else plain, now)
    folders = known.made if ours and known else _missing(edit.path.parent)
    _write(edit.path, after)
    record.noted[path] = NotedEdit(agent, path, _digest(after), backup, folders)
    return Edited(path, done, backup)


def uninstall(home: Path, edits: Sequence[FileEdit], *, dry_run: bool = False) -> list[Edited]:
    """Takes our entries out of an agent's files: those that are noted, and those that an install would touch."""
    record = InstallRecord(home)
    by_path = {str(edit.path): edit for edit in edits}
    done = [_uninstalled(record, edit, dry_run) for edit in by_path.values()]
    if not dry_run:
        gone = [record.noted.pop(path) for path in by_path if path in record.noted]
        _remove_empty(folder for one in gone for folder in one.made)
        if gone:
            record.save()
    return done


def _uninstalled(record: InstallRecord, edit: FileEdit, dry_run: bool) -> Edited:
    path, now = str(edit.path), _bytes(edit.path)
    known = record.noted.get(path)
    if now is None:
        return Edited(path, "unchanged")
    if known is not None and _digest(now) == known.after:
        before = Path(known.backup).read_bytes() if known.backup else None
    else:
        before = edit.strip(now)
    if before == now:
        return Edited(path, "unchanged")
    if not dry_run and before is None:
        edit.path.unlink()
    elif not dry_run and before is not None:
        _write(edit.path, before)
    return Edited(path, "removed" if before is None else "restored")


def _remove_empty(folders: Iterable[str]) -> None:
    """Removes the directories that an install made and that nobody else has put anything into, the innermost first."""
    for folder in sorted({Path(one) for one in folders}, key=lambda path: -len(str(path))):
        if folder.is_dir() and all(one.name == "__pycache__" for one in folder.iterdir()):
            shutil.rmtree(folder)


def _missing(folder: Path) -> tuple[str, ...]:
    """The directories that have to be made for a file, the outermost first."""
    found = []
    while not folder.exists():
        found.append(str(folder))
        folder = folder.parent
    return tuple(reversed(found))


def _write(path: Path, raw: bytes) -> None:
    """The whole file or none of it, with the rights that it had; a link's target is written, not the link."""
    target = path.resolve()
    target.parent.mkdir(parents=True, exist_ok=True)
    mode = target.stat().st_mode & 0o777 if target.exists() else 0o600
    beside = target.with_name(f".{target.name}.{os.getpid()}")
    handle = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, mode)
    with os.fdopen(handle, "wb") as file:
        file.write(raw)
        file.flush()
        os.fsync(file.fileno())
    beside.chmod(mode)
    beside.replace(target)


def _bytes(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return None


def _digest(raw: bytes) -> str:
    return hashlib.sha256(raw).hexdigest()


def json_edit(path: Path, put: Callable[[dict[str, Any]], None], take: Callable[[dict[str, Any]], None]) -> FileEdit:
    """An edit of a JSON object. What is equal as JSON is left byte for byte as it is."""

    def merge(raw: bytes | None) -> bytes:
        found = _object(path, raw)
        changed = json.loads(json.dumps(found))
        put(changed)
        return raw if raw is not None and changed == found else _dumped(changed)

    def strip(raw: bytes) -> bytes | None:
        found = _object(path, raw)
        changed = json.loads(json.dumps(found))
        take(changed)
        if changed == found:
            return raw
        return _dumped(changed) if changed else None

    return FileEdit(path, merge, strip)


def text_edit(path: Path, text: str) -> FileEdit:
    """A file that is ours alone; one that somebody changed stays."""
    raw = text.encode()
    return FileEdit(path, lambda _before: raw, lambda now: None if now == raw else now)


def _dumped(value: Any) -> bytes:
    return (json.dumps(value, indent=2, ensure_ascii=False) + "\n").encode()


def _object(path: Path, raw: bytes | None) -> dict[str, Any]:
    if raw is None or not raw.strip():
        return {}
    try:
        found = json.loads(raw)
    except ValueError as error:
        raise UsageError(f"{path} is not JSON: {error}", next_move="Mend it; nothing was changed.") from error
    if not isinstance(found, dict):
        raise UsageError(f"{path} holds no JSON object", next_move="Mend it; nothing was changed.")
    return found
