"""The files of a SQLite store: checked, indexes made anew from the rows, copied while they are in use."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from reverie.errors import BadInput, Conflict, ReverieError, StoreBroken, StoreDamaged
from reverie.files import close_to_others, make_directory, make_file
from reverie.store.db import SIDES
from reverie.store.dialect.dialect import Finding
from reverie.store.dialect.sqlite import BUSY_SECONDS, RIGHTS, SqliteConnection, file_of, uri_of


def examine(home: Path, repair: bool) -> Iterator[Finding]:
    """What `reverie doctor` says about the files. With `repair` their indexes are made anew first."""
    try:
        wrong = faults(home)
        if repair:
            yield Finding("repair", "ok", "; ".join(rebuild(home)))
            wrong = faults(home)
    except ReverieError as error:
        yield Finding("files", "wrong", error.message, error.next_move)
        return
    if wrong:
        yield Finding("files", "wrong", "; ".join(wrong[:3]), "Try `reverie doctor --repair`; keep a copy first.")
    else:
        yield Finding("files", "ok", f"{home}: both files are sound")


def faults(home: Path) -> list[str]:
    """What is wrong with the files, in words; nothing if they are sound."""
    found: list[str] = []
    for side in SIDES:
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


def rebuild(home: Path) -> list[str]:
    """Makes every index of the store anew; says what was done. No row of a table is touched."""
    for side in SIDES:
        try:
            with closing(sqlite3.connect(uri_of(file_of(home, side)), uri=True, timeout=BUSY_SECONDS)) as connection:
                connection.execute("REINDEX")
                if side == "memory":
                    connection.execute("INSERT INTO document_words (document_words) VALUES ('rebuild')")
                connection.commit()
        except sqlite3.Error as error:
            raise StoreBroken(
                f"{side}.db cannot be mended: {error}", next_move="Go back to your last `reverie backup`."
            ) from error
    gone = sorted(path for path in (home / "indexes").glob("*") if path.is_file())
    for path in gone:
        path.unlink(missing_ok=True)
    return [f"{side}.db indexed anew" for side in SIDES] + [f"{path.name} dropped, to be made anew" for path in gone]


def backup(home: Path, target: Path) -> list[Path]:
    """Copies both files into a new or empty directory; answers the copies."""
    if not file_of(home, "memory").exists():
        raise BadInput(f"there is no store in {home}", next_move="Back up the directory that `reverie doctor` names.")
    make_directory(target)
    if any(target.iterdir()):
        raise Conflict(f"{target} is not empty", next_move="Give a new directory.")
    close_to_others(target)
    return copy(home, target)


def copy(home: Path, target: Path) -> list[Path]:
    """Copies both files, memory first, so that no watermark in the copy is ahead of its turns; answers the copies."""
    made = []
    for side in ("memory", "log"):
        make_file(file_of(target, side))
        connection = SqliteConnection(home, side, durable=False, attach=False)
        try:
            connection.backup(file_of(target, side))
        finally:
            connection.close()
        made.append(file_of(target, side))
    return made
