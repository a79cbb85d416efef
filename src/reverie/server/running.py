"""Where this user's server of a home listens: a small file in the home, written by the server, read by its clients.

Only the standard library, and little of it: a command or a hook that asks a server has no time for more.
"""

import json
import os
import socket
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from reverie import __version__
from reverie.config import Config, shown
from reverie.files import write_whole
from reverie.token import find_token

NAME = "server.json"
CONNECT_SECONDS = 1.0
ANSWER_SECONDS = 30.0
PIECE = 65_536


SAME = ("org", "embedder", "store_secrets")  # settings in which a client must agree with the server that it asks


@dataclass(frozen=True, slots=True)
class Running:
    """A server that serves a home: its process, where it listens, and what it serves."""

    pid: int
    address: str  # http://127.0.0.1:8283
    serves: Mapping[str, str]  # the version, the store, and the settings that a client must share
    socket: str | None = None  # a Unix socket beside it, where there is one


@dataclass(frozen=True, slots=True)
class Reply:
    """What a server answered."""

    status: int
    body: bytes

    @property
    def ok(self) -> bool:
        return 200 <= self.status < 300

    def json(self) -> Any:
        """Its body, read; None where it is none."""
        try:
            return json.loads(self.body)
        except ValueError:
            return None


class NoServer(OSError):
    """Nobody answers there: the caller does it by itself."""


def served(config: Config) -> dict[str, str]:
    """What a server with these settings serves; a client of other settings does its work by itself."""
    store = shown(config["store"]) or str(Path(config["home"]).expanduser().resolve())
    return {"version": __version__, "store": store, **{name: config[name] for name in SAME}}


def note(home: Path, running: Running) -> None:
    """Says that a server runs; its last word is `leave`."""
    write_whole(home / NAME, [json.dumps(asdict(running)) + "\n"])


def leave(home: Path, pid: int) -> None:
    """Takes the note away, if it is still that process's own."""
    found = _read(home)
    if found is not None and found.pid == pid:
        with suppress(OSError):
            (home / NAME).unlink()


def find(home: Path) -> Running | None:
    """The server of a home, if its process lives; None if there is none, or the note is somebody else's."""
    found = _read(home)
    return found if found is not None and _lives(found.pid) else None


def ask(home: Path, running: Running, method: str, path: str, body: object = None) -> Reply:
    """One request to a server of this home, with the home's token. Raises NoServer if nobody answers there."""
    sent = False
    try:
        with _connected(running) as line:
            request = _request(running, method, path, body, find_token(home))
            sent = True
            line.sendall(request)
            return _reply(line)
    except (OSError, ValueError) as gone:
        if not sent:
            raise NoServer(f"no server answers at {running.address}") from gone
        raise


def _read(home: Path) -> Running | None:
    try:
        fd = os.open(home / NAME, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0))
    except OSError:
        return None
    with os.fdopen(fd, encoding="utf-8", errors="replace") as file:
        if hasattr(os, "geteuid") and os.fstat(fd).st_uid not in (os.geteuid(), 0):
            return None
        try:
            return Running(**json.loads(file.read(10_000)))
        except (TypeError, ValueError):
            return None


def _lives(pid: int) -> bool:
    if os.name == "nt":  # there a signal would end it; the connection will tell
        return True
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except (PermissionError, OverflowError):
        return False
    return True


def _connected(running: Running) -> socket.socket:
    if running.socket is not None and hasattr(socket, "AF_UNIX"):
        line = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        line.settimeout(CONNECT_SECONDS)
        line.connect(running.socket)
    else:
        place = urlsplit(running.address)
        line = socket.create_connection((place.hostname or "", place.port or 80), CONNECT_SECONDS)
    line.settimeout(ANSWER_SECONDS)
    return line


def _request(running: Running, method: str, path: str, body: object, token: str | None) -> bytes:
    content = b"" if body is None else json.dumps(body).encode()
    headers = [
        f"{method} {path} HTTP/1.1",
        f"host: {urlsplit(running.address).netloc}",
        "content-type: application/json",
        f"content-length: {len(content)}",
        "connection: close",
        *([f"x-reverie-key: {token}"] if token else []),
    ]
    return "\r\n".join(headers).encode() + b"\r\n\r\n" + content


def _reply(line: socket.socket) -> Reply:
    """A whole answer: to its end, because the connection is closed after it."""
    pieces = []
    while piece := line.recv(PIECE):
        pieces.append(piece)
    head, found, body = b"".join(pieces).partition(b"\r\n\r\n")
    if not found:
        raise OSError("the server broke off")
    lines = head.split(b"\r\n")
    status = int(lines[0].split(b" ", 2)[1])
    if any(one.lower().replace(b" ", b"") == b"transfer-encoding:chunked" for one in lines[1:]):
        body = _joined(body)
    return Reply(status, body)


def _joined(chunks: bytes) -> bytes:
    """
    >>> _joined(b"4\\r\\n{\\"a\\"\\r\\n3\\r\\n:1}\\r\\n0\\r\\n\\r\\n")
    b'{"a":1}'
    """
    parts = []
    while chunks:
        size, _, chunks = chunks.partition(b"\r\n")
        length = int(size.split(b";")[0] or b"0", 16)
        if not length:
            break
        parts.append(chunks[:length])
        chunks = chunks[length + 2 :]
    return b"".join(parts)
