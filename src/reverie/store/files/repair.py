"""The files of a SQLite store as `reverie doctor` sees them: a pair, sound, on a disk with room, for their owner alone.

Nothing is made or changed here, but for `reindex`.
"""

import os
import shutil
import sqlite3
import stat
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from reverie.errors import ReverieError, StoreBroken, StoreDamaged
from reverie.language.calendar import counted
from reverie.store.db import SIDES
from reverie.store.dialect.dialect import Finding
from reverie.store.dialect.sqlite import BUSY_SECONDS, RIGHTS, file_of, uri_of
from reverie.store.files import mapped, pair, salvage
from reverie.store.files.backup import PARTIAL, integrity

INDEXES = "indexes"  # the folder of large spaces' files
SCARCE = 100 * 2**20  # bytes free, below which the next night may not end


def examine(home: Path, repair: bool) -> Iterator[Finding]:
    """What `reverie doctor` says about the files. With `repair` their indexes are made anew first."""
    yield _room(home)
    yield from _rights(home)
    yield from _left_over(home)
    try:
        if repair:
            yield Finding("repair", "ok", "; ".join(reindex(home)))
        wrong = faults(home)
        yield _files(home, wrong)
        yield from _indexes(home)
        if not wrong or not all(file_of(home, side).exists() for side in SIDES):
            yield _pair(home)
    except ReverieError as error:
        yield Finding("files", "wrong", error.message, error.next_move)


def _pair(home: Path) -> Finding:
    fault = pair.fault_of(home)
    if fault is not None:
        return Finding("pair", "wrong", fault.said, fault.next_move)
    return Finding("pair", "ok", "log.db and memory.db belong together")


def _files(home: Path, wrong: list[str]) -> Finding:
    if not wrong:
        return Finding("files", "ok", f"{home}: both files are sound")
    rows = ", ".join(
        f"{read:,} rows of {side}.db" + (f" ({counted(lost, 'place')} damaged)" if lost else "")
        for side, read, lost in salvage.readable(home)
    )
    move = "Keep a copy. `reverie doctor --repair` is enough where only indexes broke; else `reverie salvage DIR`."
    return Finding("files", "wrong", f"{'; '.join(wrong[:3])}; can be read: {rows}", move)


def _indexes(home: Path) -> Iterator[Finding]:
    """Files of large spaces that are damaged. They are not read, so nothing is missed; it only takes longer."""
    folder = home / INDEXES
    for path in sorted((*folder.glob("*.flat"), *folder.glob("*.words"))):
        try:
            mapped.opened(path)
        except FileNotFoundError:  # a night has just made another
            continue
        except (OSError, ValueError, KeyError):
            said = f"{INDEXES}/{path.name} is damaged: its space is searched by its tables, which takes longer"
            yield Finding("files", "warning", said, "The next night of that space makes it anew.")


def faults(home: Path) -> list[str]:
    """What is wrong with the files, in words; nothing if they are sound."""
    found: list[str] = []
    for side in SIDES:
        path = file_of(home, side)
        if not path.exists():
            found.append(f"{path.name} is missing")
            continue
        try:
            found.extend(integrity(home, side))
        except sqlite3.OperationalError as error:
            if "readonly" in str(error) or not os.access(path, os.R_OK | os.W_OK):  # reading a WAL is a write, too
                raise StoreBroken(f"{path.name} cannot be read: {error}", next_move=RIGHTS) from error
            raise StoreDamaged(f"{path.name} cannot be opened: {error}") from error
    return found


def _room(home: Path) -> Finding:
    free, size = shutil.disk_usage(home).free, sum(path.stat().st_size for path in home.glob("*.db*"))
    said = f"{free / 2**30:.1f} GB free on the disk, the store takes {size / 2**30:.2f}"
    if free < SCARCE:
        return Finding("disk", "wrong", said, "Free some space: what is acknowledged is safe, nothing more can be.")
    if free < 2 * size:
        return Finding("disk", "warning", said, "A backup, a dry run or a rebuild needs as much again as the store.")
    return Finding("disk", "ok", said)


def _rights(home: Path) -> Iterator[Finding]:
    files = [path for side in SIDES if (path := file_of(home, side)).exists()]
    closed = [path.name for path in (home, *files) if not os.access(path, os.R_OK | os.W_OK)]
    if closed:
        yield Finding("rights", "wrong", f"not readable and writable: {', '.join(closed)}", RIGHTS)
    mode = stat.S_IMODE(home.stat().st_mode)
    if mode & 0o077 and any(stat.S_IMODE(path.stat().st_mode) & 0o077 for path in files):
        said = f"{home} can be read by other users of this machine (mode {mode:o})"
        yield Finding("rights", "warning", said, f"chmod 700 {home}")


def _left_over(home: Path) -> Iterator[Finding]:
    left = sorted(path.name for path in home.glob(f"*{PARTIAL}*"))
    if left:
        said = f"left by a rebuild that was cut off: {', '.join(left)}"
        yield Finding("files", "warning", said, "`reverie rebuild` begins anew; or delete it.")


def reindex(home: Path) -> list[str]:
    """Makes every index of the store anew; says what was done. No row of a table is touched."""
    for side in SIDES:
        try:
            with closing(sqlite3.connect(uri_of(file_of(home, side)), uri=True, timeout=BUSY_SECONDS)) as connection:
                connection.execute("REINDEX")
                connection.commit()
        except sqlite3.Error as error:
            raise StoreBroken(
                f"{side}.db cannot be mended: {error}",
                next_move="Go back to your last `reverie backup`, or `reverie salvage DIR` copies what can be read.",
            ) from error
    gone = sorted(path for path in (home / INDEXES).glob("*") if path.is_file())
    for path in gone:
        path.unlink(missing_ok=True)
    return [f"{side}.db indexed anew" for side in SIDES] + [f"{path.name} dropped, to be made anew" for path in gone]
