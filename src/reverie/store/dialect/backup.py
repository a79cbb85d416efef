"""A copy of a live SQLite store, while others read and write it."""

from pathlib import Path

from reverie.errors import BadInput, Conflict
from reverie.store.dialect.sqlite import SqliteConnection, file_of


def backup(home: Path, target: Path) -> list[Path]:
    """Copies both files into a new or empty directory; answers the copies."""
    if not file_of(home, "memory").exists():
        raise BadInput(f"there is no store in {home}", next_move="Back up the directory that `reverie doctor` names.")
    target.mkdir(parents=True, exist_ok=True)
    if any(target.iterdir()):
        raise Conflict(f"{target} is not empty", next_move="Give a new directory.")
    return copy(home, target)


def copy(home: Path, target: Path) -> list[Path]:
    """Copies both files, memory first, so that no watermark in the copy is ahead of its turns; answers the copies."""
    made = []
    for side in ("memory", "log"):
        connection = SqliteConnection(home, side, durable=False, attach=False)
        try:
            connection.backup(file_of(target, side))
        finally:
            connection.close()
        made.append(file_of(target, side))
    return made
