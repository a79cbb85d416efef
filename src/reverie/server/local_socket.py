"""The socket of a home, for hooks and commands of its user: one server has it, and says so in a small file."""

import json
import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from reverie import __version__
from reverie.agents import local_server
from reverie.agents.local_server import FILE, LOCK, LONGEST_PATH, SOCKET, STARTING
from reverie.config import Config, shown
from reverie.files import make_directory, write_whole

BACKLOG = 128
SAME = ("org", "embedder", "store_secrets")  # settings in which a command must agree with the server that it asks
ANSWER_SECONDS = 30.0


def served(config: Config) -> dict[str, str]:
    """What a server with these settings serves: its version, its store, and what else a client must share."""
    store = shown(config["store"]) or str(Path(config["home"]).expanduser().resolve())
    return {"version": __version__, "store": store, **{name: config[name] for name in SAME}}


def ask_server(config: Config, method: str, path: str, body: Any = None) -> tuple[int, Any] | None:
    """Status and JSON of the reply; None if no server serves what these settings name, or it does not answer."""
    home = str(Path(config["home"]).expanduser())
    found = local_server.find(home)
    if found is None or found.get("serves") != served(config):
        return None
    reply = local_server.ask(home, method, path, body, ANSWER_SECONDS)
    return None if reply == local_server.NO_ANSWER else reply


def running_address(config: Config) -> str | None:
    """Where the server of this home listens for everybody else; None if none runs, or it has its socket alone."""
    if ask_server(config, "GET", "/livez") is None:
        return None
    address = str((local_server.find(str(Path(config["home"]).expanduser())) or {}).get("address") or "")
    return address if address.startswith("http") else None


@dataclass(frozen=True, slots=True)
class LocalSocket:
    """What a server listens on for its own user: a file of the home, or a port of loopback where there are no such."""

    home: Path
    bound: socket.socket

    def announce(self, config: Config, address: str) -> None:
        """Writes where the server is and what it serves, for clients of the same home. The token is in its own file."""
        name = self.bound.getsockname()
        place = {"socket": str(name)} if isinstance(name, str) else {"port": name[1]}
        told = {"pid": os.getpid(), "space": config["space"], "address": address, "serves": served(config), **place}
        write_whole(self.home / FILE, [json.dumps(told) + "\n"])
        (self.home / STARTING).unlink(missing_ok=True)


@contextmanager
def claimed(home: Path) -> Iterator[LocalSocket | None]:
    """The home's socket, for this process alone; None if a living server has it. A dead one's is replaced."""
    make_directory(home)
    home = home.resolve()  # who asks may be in another directory
    with _locked(home / LOCK) as ours:
        if not ours:
            yield None
            return
        (home / FILE).unlink(missing_ok=True)
        with _bound(home / SOCKET) as bound:
            try:
                yield LocalSocket(home, bound)
            finally:
                for name in (FILE, SOCKET):
                    (home / name).unlink(missing_ok=True)


def is_free(home: Path) -> bool:
    """Whether no living server has this home's socket."""
    make_directory(home)
    with _locked(home / LOCK) as ours:
        return ours


@contextmanager
def _locked(path: Path) -> Iterator[bool]:
    """Whether this process has the lock now; the system frees it when the process dies, however that happens."""
    with path.open("a+b") as file:
        path.chmod(0o600)
        yield _lock(file)


def _lock(file: IO[bytes]) -> bool:
    try:
        import fcntl
    except ImportError:  # Windows
        import msvcrt

        with suppress(OSError):
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined, unused-ignore]
            return True
        return False
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


@contextmanager
def _bound(path: Path) -> Iterator[socket.socket]:
    """A socket that nobody else of the machine can open; a port of loopback where the system has no such files."""
    if hasattr(socket, "AF_UNIX") and len(os.fsencode(path)) <= LONGEST_PATH:
        path.unlink(missing_ok=True)
        bound = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        before = os.umask(0o177)
        try:
            bound.bind(str(path))
        finally:
            os.umask(before)
    else:
        bound = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        bound.bind(("127.0.0.1", 0))
    with bound:
        bound.listen(BACKLOG)
        yield bound
