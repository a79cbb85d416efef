"""A copy of a live store: memory first, then the log, so that no watermark in the copy is ahead of its turns."""

import sqlite3
from pathlib import Path

from reverie.errors import BadInput, Conflict, StoreBroken, StoreDamaged
from reverie.store.dialect.sqlite import RIGHTS, SqliteConnection, file_of


def backup(home: Path, target: Path) -> list[Path]:
    """Copies while others read and write. The target must be a new or empty directory."""
    if not file_of(home, "memory").exists():
        raise BadInput(f"there is no store in {home}", next_move="Back up the directory that `reverie doctor` names.")
    target.mkdir(parents=True, exist_ok=True)
    if any(target.iterdir()):
        raise Conflict(f"{target} is not empty", next_move="Give a new directory.")
    made = []
    for side in ("memory", "log"):
        connection = SqliteConnection(home, side, durable=True, attach=False)
        try:
            connection.backup(file_of(target, side))
        finally:
            connection.close()
        made.append(file_of(target, side))
    return made


def check(home: Path) -> list[str]:
    """What is wrong with the files, in words; nothing if they are sound."""
    found: list[str] = []
    for side in ("memory", "log"):
        path = file_of(home, side)
        try:
            connection = sqlite3.connect(f"file:{path}?mode=ro", uri=True, timeout=10)
        except sqlite3.Error as error:
            raise StoreDamaged(f"{path.name} cannot be opened: {error}") from error
        try:
            rows = connection.execute("PRAGMA integrity_check").fetchall()
            found.extend(f"{path.name}: {_first(row[0])}" for row in rows if row[0] != "ok")
        except sqlite3.DatabaseError as error:
            if "readonly" in str(error):  # even reading a log of writes needs the right to write
                raise StoreBroken(f"{path.name} cannot be read: {error}", next_move=RIGHTS) from error
            found.append(f"{path.name}: {error}")
        finally:
            connection.close()
    return found


def _first(report: str) -> str:
    """Of a report that may have a hundred lines, the first that is not a heading."""
    return next((line for line in report.splitlines() if not line.startswith("***")), report)
