"""Copies of a SQLite store: made under another name, synced, opened and checked, and only then given their own name."""

import json
import os
import re
import shutil
import sqlite3
from contextlib import closing
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path

from reverie.errors import BadInput, Conflict, StoreDamaged, UsageError
from reverie.files import make_directory, make_file, new_file, sync_directory
from reverie.store.db import SIDES, Side
from reverie.store.dialect.sqlite import SqliteConnection, file_of, uri_to_read
from reverie.store.files import pair

MANIFEST = "backup.json"
PARTIAL = ".partial-"  # in the name of a copy that is not whole, before the number of the process that makes it
MADE = re.compile(r"\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d(-\d+)?")  # the name of a backup among several
SECOND = len("2026-11-05T08-30-00")
COUNTED: dict[str, tuple[Side, str]] = {
    "turns": ("log", "turns"),
    "spaces": ("memory", "spaces"),
    "memories": ("memory", "memories"),
}
TRIES = 3


@dataclass(frozen=True, slots=True)
class BackupFacts:
    """What a backup holds, as it was counted when it was made, or just now."""

    made_at: float
    store: str
    generation: int
    turns: int
    spaces: int
    memories: int


def backup(home: Path, target: Path, now: float, keep: int | None = None) -> Path:
    """Copies a live store into a new or empty directory; with `keep` into a new one in `target`, where so many stay."""
    if not file_of(home, "memory").exists():
        raise BadInput(f"there is no store in {home}", next_move="Back up the directory that `reverie doctor` names.")
    if keep is None:
        return _make(home, target, now)
    if keep < 1:
        raise BadInput("--keep takes 1 or more", next_move="Say how many backups are to stay.")
    make_directory(target)
    made = _make(home, _free_name(target, now), now)
    others = [path for path in _made_in(target) if path != made]  # by a clock that was set back, it is not the newest
    for old in others[: max(0, len(others) - (keep - 1))]:
        going = old.with_name(f"{old.name}{PARTIAL}{os.getpid()}")  # killed meanwhile, it is no backup any more
        old.replace(going)
        shutil.rmtree(going)
    return made


def _make(home: Path, target: Path, now: float) -> Path:
    if target.exists() and (not target.is_dir() or any(target.iterdir())):
        raise Conflict(f"{target} is not empty", next_move="Give a new directory.")
    partial = target.with_name(f"{target.name}{PARTIAL}{os.getpid()}")
    try:
        make_directory(target.parent)
        _clear_partial(target)
        make_directory(partial)
        copy(home, partial)
        with new_file(partial / MANIFEST) as file:
            file.write(json.dumps(asdict(look(partial, now))) + "\n")
        verify(partial)
        sync(partial)
        partial.replace(target)
        sync_directory(target.parent)
    except OSError as error:
        raise UsageError(f"{target} cannot be written: {error.strerror}", next_move="Choose another place.") from error
    finally:
        shutil.rmtree(partial, ignore_errors=True)
    return target


def copy(home: Path, target: Path) -> None:
    """Copies both files, memory first, so that no watermark in the copy is ahead of its turns.

    If a night or a forget has ended meanwhile it is done again, and at last taken as it is: the log knows more.
    """
    for _ in range(TRIES):
        for side in ("memory", "log"):
            file_of(target, side).unlink(missing_ok=True)
            _copy_side(home, target, side)
        memory = pair.facts(target, "memory") or pair.FileFacts()
        log = pair.facts(target, "log") or pair.FileFacts()
        if memory.generation == log.generation:
            return
    pair.stamp(target, "memory", log)


def _copy_side(home: Path, target: Path, side: Side) -> None:
    file = file_of(target, side)
    make_file(file)
    connection = SqliteConnection(home, side, durable=False, attach=False)
    try:
        connection.backup(file)
    finally:
        connection.close()


def verify(path: Path) -> BackupFacts:
    """Opens a copy and checks both files, that they are a pair, and that they hold what was counted; what they hold.

    Raises StoreDamaged for whatever is not whole. Nothing is changed.
    """
    if PARTIAL in path.name:
        owner = path.name.rpartition(PARTIAL)[2]
        if owner != str(os.getpid()):
            raise StoreDamaged(f"{path} is half of a backup", next_move="Delete it, and make a new one.")
    for side in SIDES:
        verify_file(path, side)
    fault = pair.fault_of(path)
    if fault is not None:
        raise StoreDamaged(f"{path} is no whole backup: {fault.said}", next_move="Make a new one.")
    return _as_counted(path)


def verify_file(path: Path, side: Side) -> None:
    """Raises StoreDamaged if one file of a copy is missing or damaged."""
    if not file_of(path, side).is_file():
        raise StoreDamaged(f"{path} is no whole backup: {side}.db is missing", next_move="Make a new one.")
    wrong = integrity(path, side)
    if wrong:
        raise StoreDamaged(f"{path} is damaged: {wrong[0]}", next_move="Make a new one; this one can be salvaged.")


def _as_counted(path: Path) -> BackupFacts:
    told = path / MANIFEST
    if not told.is_file():
        return look(path, 0.0)
    try:
        said = BackupFacts(**json.loads(told.read_text("utf-8")))
    except (ValueError, TypeError) as error:
        raise StoreDamaged(f"{told} cannot be read", next_move="Make a new backup.") from error
    found = look(path, said.made_at)
    if said != found:
        raise StoreDamaged(f"{path} holds {found}, and was made with {said}", next_move="Was it used as a store since?")
    return found


def look(path: Path, made_at: float) -> BackupFacts:
    """What the files of a store or a copy hold."""
    known = pair.facts(path, "log") or pair.FileFacts()
    counts = {}
    for name, (side, table) in COUNTED.items():
        with closing(sqlite3.connect(uri_to_read(file_of(path, side)), uri=True, timeout=10)) as connection:
            counts[name] = int(connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0])
    return BackupFacts(made_at, known.store or "", known.generation, **counts)


def integrity(home: Path, side: Side) -> list[str]:
    """What SQLite's own check finds in a file; nothing if it is sound."""
    path = file_of(home, side)
    try:
        with closing(sqlite3.connect(uri_to_read(path), uri=True, timeout=10)) as connection:
            rows = connection.execute("PRAGMA integrity_check").fetchall()
    except sqlite3.OperationalError:
        raise
    except sqlite3.DatabaseError as error:
        return [f"{path.name}: {error}"]
    return [f"{path.name}: {_first(row[0])}" for row in rows if row[0] != "ok"]


def _first(report: str) -> str:
    """Of a report that may have a hundred lines, the first that is not a heading."""
    return next((line for line in report.splitlines() if not line.startswith("***")), report)


def sync(directory: Path) -> None:
    """Waits until the files of a directory, and their names, are on the disk."""
    for path in directory.iterdir():
        with path.open("rb") as file:
            os.fsync(file.fileno())
    sync_directory(directory)


def _free_name(folder: Path, now: float) -> Path:
    """The moment, and from the second backup of a second on a number above all that were made in it."""
    name = datetime.fromtimestamp(now, UTC).strftime("%Y-%m-%dT%H-%M-%S")
    taken = [_order(path)[1] for path in folder.glob(f"{name}*") if MADE.fullmatch(path.name)]
    return folder / (f"{name}-{max(taken) + 1}" if taken else name)


def _order(made: Path) -> tuple[str, int]:
    """The moment of a backup, and its number among those of the same second."""
    return made.name[:SECOND], int(made.name[SECOND + 1 :] or 0)


def _made_in(folder: Path) -> list[Path]:
    """The backups in a folder, oldest first: only what has the name and the manifest of one is ever deleted."""
    made = (path for path in folder.iterdir() if MADE.fullmatch(path.name) and (path / MANIFEST).is_file())
    return sorted(made, key=_order)


def _clear_partial(target: Path) -> None:
    """Deletes what killed backups to the same name, or to the same folder of backups, have left."""
    for left in target.parent.glob(f"*{PARTIAL}*"):
        name, _, pid = left.name.rpartition(PARTIAL)
        mine = name == target.name or MADE.fullmatch(name)
        if mine and pid.isdigit() and not Path(f"/proc/{pid}").exists():
            shutil.rmtree(left, ignore_errors=True)
