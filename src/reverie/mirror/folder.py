"""One directory that the mirror may touch, and nothing else: no paths, no links, no devices, whole files only.

Several files change together or not at all. New contents are written beside the old ones first, then an intent names
them, then they are renamed into place. After a kill, an intent is carried out to its end, and without one the new
contents are thrown away. A file that a person has changed in between is left as it is.
"""

import errno
import fcntl
import hashlib
import json
import os
import re
import stat
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from reverie.errors import BadInput, Conflict, StoreBroken
from reverie.files import make_directory

MAX_BYTES = 1_000_000  # of a file that is read; what is larger is nobody's notes
MAX_FILES = 1_000  # looked at in one directory
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._ -]{0,120}\.md")
DRAFT = ".reverie-draft-"
INTENT = ".reverie-intent"
LOCK = ".reverie-lock"
_READ = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_MAKE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC


@dataclass(frozen=True, slots=True)
class UnreadableFile:
    """A file that is there and is left alone, with the reason."""

    name: str
    why: str


def digest_of(text: str) -> str:
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


class Folder:
    """The directory, held by its descriptor: renaming or replacing it meanwhile leads nowhere else."""

    def __init__(self, fd: int, path: Path) -> None:
        self._fd = fd
        self.path = path

    @classmethod
    @contextmanager
    def open(cls, path: Path) -> Iterator[Self]:
        """Makes it if need be, locks it against other mirrors, and finishes what a killed one had begun."""
        try:
            make_directory(path)
            fd = os.open(path.resolve(), os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        except OSError as error:
            raise BadInput(
                f"cannot mirror to {path}: {error.strerror}", next_move="Choose another directory."
            ) from error
        folder = cls(fd, path)
        try:
            with folder._locked():
                folder.recover()
                yield folder
        finally:
            os.close(fd)

    @contextmanager
    def _locked(self) -> Iterator[None]:
        lock = os.open(LOCK, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600, dir_fd=self._fd)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            os.close(lock)
            raise Conflict(f"another mirror is at work in {self.path}", next_move="Wait for it to end.") from error
        try:
            yield
        finally:
            os.close(lock)

    def names(self) -> list[str]:
        """The notes in it, by name; what has another kind of name is none of ours."""
        return sorted(name for name in os.listdir(self._fd)[:MAX_FILES] if NAME.fullmatch(name))

    def read(self, name: str) -> str | UnreadableFile | None:
        """Its text; None if it is not there; or why it is not read."""
        _check(name)
        try:
            fd = os.open(name, _READ, dir_fd=self._fd)
        except FileNotFoundError:
            return None
        except OSError as error:
            return UnreadableFile(name, "a symbolic link" if error.errno == errno.ELOOP else str(error.strerror))
        try:
            return _text(name, fd)
        except OSError as error:
            return UnreadableFile(name, str(error.strerror))
        finally:
            os.close(fd)

    def replace(self, new: Mapping[str, str], expected: Mapping[str, str | None]) -> list[str]:
        """Puts new contents in place, all or none; answers the names of files that somebody had changed meanwhile.

        `expected` is the digest of what each file held when it was read; None: it was not there.
        """
        if not new:
            return []
        for name, text in new.items():
            self._draft(name, text)
        intent = {name: [expected.get(name), digest_of(text)] for name, text in new.items()}
        self._draft(INTENT, json.dumps(intent))
        os.rename(DRAFT + INTENT, INTENT, src_dir_fd=self._fd, dst_dir_fd=self._fd)
        os.fsync(self._fd)
        return self._carry_out(intent)

    def remove(self, name: str, expected: str) -> bool:
        """Deletes a file that nobody has changed since it was read; False if somebody had."""
        _check(name)
        if self._digest(name) != expected:
            return False
        self._remove(name)
        os.fsync(self._fd)
        return True

    def recover(self) -> list[str]:
        """After a kill: forward if everything was written, back if not."""
        intent = self._read_own(INTENT)
        left = self._carry_out(json.loads(intent)) if intent else []
        for name in os.listdir(self._fd):
            if name.startswith(DRAFT):
                self._remove(name)
        return left

    def _carry_out(self, intent: Mapping[str, list[str | None]]) -> list[str]:
        changed = []
        for name, (before, _) in intent.items():
            if self._read_own(DRAFT + name) is None:
                continue  # in place already
            if self._digest(name) == before:
                os.rename(DRAFT + name, name, src_dir_fd=self._fd, dst_dir_fd=self._fd)
            else:
                self._remove(DRAFT + name)
                changed.append(name)
        os.fsync(self._fd)
        self._remove(INTENT)
        return changed

    def _digest(self, name: str) -> str | None:
        found = self.read(name)
        return digest_of(found) if isinstance(found, str) else None if found is None else "unread"

    def _draft(self, name: str, text: str) -> None:
        if name != INTENT:
            _check(name)
        self._remove(DRAFT + name)
        try:
            fd = os.open(DRAFT + name, _MAKE, 0o600, dir_fd=self._fd)
            with os.fdopen(fd, "wb") as file:
                os.fchmod(fd, self._rights(name))
                file.write(text.encode("utf-8", "surrogatepass"))
                file.flush()
                os.fsync(fd)
        except OSError as error:
            raise StoreBroken(f"cannot write {name} in {self.path}: {error.strerror}") from error

    def _rights(self, name: str) -> int:
        """Who may read a file stays as its owner has set it; a new one is the owner's alone."""
        try:
            return stat.S_IMODE(os.stat(name, dir_fd=self._fd, follow_symlinks=False).st_mode) & 0o777
        except OSError:
            return 0o600

    def _read_own(self, name: str) -> str | None:
        """A file of our own making; a link in its place is not."""
        try:
            fd = os.open(name, _READ, dir_fd=self._fd)
        except OSError:
            return None
        with os.fdopen(fd, "rb") as file:
            return file.read(64 * MAX_BYTES).decode("utf-8", "surrogatepass")

    def _remove(self, name: str) -> None:
        with suppress(FileNotFoundError):
            os.unlink(name, dir_fd=self._fd)


def _check(name: str) -> None:
    if not NAME.fullmatch(name):
        raise BadInput(f"{name!r} cannot be the name of a mirrored file")


def _text(name: str, fd: int) -> str | UnreadableFile:
    found = os.fstat(fd)
    if not stat.S_ISREG(found.st_mode):
        return UnreadableFile(name, "not a plain file")
    if found.st_size > MAX_BYTES:
        return UnreadableFile(name, f"{found.st_size:,} bytes, at most {MAX_BYTES:,} are read")
    data = b""
    while len(data) <= MAX_BYTES and (part := os.read(fd, MAX_BYTES + 1 - len(data))):
        data += part
    if len(data) > MAX_BYTES:
        return UnreadableFile(name, f"it grew past {MAX_BYTES:,} bytes")
    if b"\x00" in data:
        return UnreadableFile(name, "binary")
    try:
        return data.decode()
    except UnicodeDecodeError:
        return UnreadableFile(name, "not text in UTF-8")
