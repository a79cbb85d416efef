"""Files and directories that nobody but their owner can read, whatever the umask."""

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

FILE, DIRECTORY = 0o600, 0o700
OTHERS = stat.S_IRWXG | stat.S_IRWXO


def make_directory(path: Path) -> None:
    """Makes a directory, and those above it that are missing, for the owner alone; one that is there stays as it is."""
    if path.is_dir():
        return
    if path.parent != path:
        make_directory(path.parent)
    with suppress(FileExistsError):
        path.mkdir(DIRECTORY)
        path.chmod(DIRECTORY)
    if not path.is_dir():
        raise NotADirectoryError(20, "Not a directory", str(path))


def make_file(path: Path) -> None:
    """Makes an empty file for the owner alone; takes the rights of others away from one that is there.

    A file that is there is not opened: closing it would let go of the locks that SQLite holds on it in this process.
    """
    try:
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, FILE))
    except FileExistsError:
        close_to_others(path)


def close_to_others(path: Path) -> None:
    """Takes the rights of others away; what belongs to somebody else stays as it is."""
    with suppress(FileNotFoundError, PermissionError):
        mode = stat.S_IMODE(path.stat().st_mode)
        if mode & OTHERS:
            path.chmod(mode & ~OTHERS)


@contextmanager
def new_file(path: Path) -> Iterator[IO[str]]:
    """A text file to be written, for the owner alone; it must not be there yet."""
    fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, FILE)
    with os.fdopen(fd, "w", encoding="utf-8") as file:
        yield file
        file.flush()
        os.fsync(file.fileno())


def open_to_others(path: Path) -> bool:
    """Whether somebody else may read or change it."""
    return bool(stat.S_IMODE(path.stat().st_mode) & OTHERS)
