"""The server of a home as its own user reaches it: found by a small file, asked over its socket, started when missing.

A hook has no time: only the standard library is imported here, and little of it.
"""

import json
import os
import socket
import sys
import time
from typing import Any

FILE, SOCKET, LOCK, STARTING, TOKEN = "server.json", "server.sock", "server.lock", "server.starting", "token"
START_SECONDS = 10.0  # a server is there after two or three; after so many another start is tried
MOST = 16_000_000  # bytes of a reply
LONGEST_PATH = 100  # of a socket: systems allow 104 to 108

NO_ANSWER = (504, None)

Found = dict[str, Any]


def find(home: str) -> Found | None:
    """What the server of this home says of itself (pid, socket or address, space); None if none does."""
    try:
        with open(os.path.join(home, FILE), encoding="utf-8") as file:
            found = json.load(file)
    except (OSError, ValueError):
        return None
    return found if isinstance(found, dict) and (found.get("socket") or found.get("port")) else None


def ask(home: str, method: str, path: str, body: Any = None, seconds: float = 1.0) -> tuple[int, Any] | None:
    """Status and JSON of the server's reply; None if there is no server, NO_ANSWER if it does not answer in time.

    `{space}` in the path is the space that the server works on by default.
    """
    found = find(home)
    if found is None:
        return None
    try:
        with _connected(found, seconds) as link:
            link.sendall(_request(home, method, path.replace("{space}", str(found.get("space"))), body))
            return _reply(link, time.monotonic() + seconds)
    except TimeoutError:
        return NO_ANSWER
    except (OSError, ValueError):
        return None


def _connected(found: Found, seconds: float) -> socket.socket:
    if found.get("socket"):
        link = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        target: Any = found["socket"]
    else:
        link = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        target = ("127.0.0.1", int(found["port"]))
    link.settimeout(seconds)
    try:
        link.connect(target)
    except BaseException:
        link.close()
        raise
    return link


def _request(home: str, method: str, path: str, body: Any) -> bytes:
    with open(os.path.join(home, TOKEN), encoding="ascii") as file:
        token = file.read(1_000).strip()
    raw = b"" if body is None else json.dumps(body).encode()
    head = f"{method} {path} HTTP/1.1\r\nhost: localhost\r\nx-reverie-key: {token}\r\nconnection: close\r\n"
    return f"{head}content-type: application/json\r\ncontent-length: {len(raw)}\r\n\r\n".encode() + raw


def _reply(link: socket.socket, deadline: float) -> tuple[int, Any]:
    """The server closes the connection after its reply, so that all until then is the reply."""
    parts, size = [], 0
    while True:
        link.settimeout(max(0.001, deadline - time.monotonic()))
        part = link.recv(65_536)
        if not part:
            break
        parts.append(part)
        size += len(part)
        if size > MOST:
            raise ValueError("the reply has no end")
    head, _, body = b"".join(parts).partition(b"\r\n\r\n")
    return int(head.split(None, 2)[1]), json.loads(body) if body else None


def start(home: str) -> bool:
    """Starts a server detached, unless somebody has just done so; it ends by itself when nobody asks for long."""
    if not _first_to_start(home):
        return False
    command = [sys.executable, "-m", "reverie", "--home", home, "up", "--socket"]
    environment = {name: value for name, value in os.environ.items() if not name.startswith("CLAUDE")}
    log = os.path.join(home, "server.log")
    if hasattr(os, "posix_spawn"):
        try:
            _spawn(command, environment, log, home)
            return True
        except NotImplementedError:
            pass
    import subprocess

    with open(log, "ab") as out:
        more: dict[str, Any] = {"start_new_session": True}
        if os.name == "nt":
            flags = ("DETACHED_PROCESS", "CREATE_NEW_PROCESS_GROUP", "CREATE_NO_WINDOW")
            more = {"creationflags": sum(getattr(subprocess, flag, 0) for flag in flags)}
        subprocess.Popen(command, cwd=home, env=environment, stdin=subprocess.DEVNULL, stdout=out, stderr=out, **more)
    return True


def _spawn(command: list[str], environment: dict[str, str], log: str, home: str) -> None:
    """Without `subprocess`, whose import would take a tenth of a hook's time; `env` leaves the agent's directory."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
    actions = [
        (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
        (os.POSIX_SPAWN_OPEN, 1, log, flags, 0o600),
        (os.POSIX_SPAWN_DUP2, 1, 2),
    ]
    program = "import os,sys;os.chdir(sys.argv[1]);os.execv(sys.argv[2],sys.argv[2:])"
    whole = [sys.executable, "-S", "-c", program, home, *command]
    os.posix_spawn(sys.executable, whole, environment, file_actions=actions, setsid=True)


def _first_to_start(home: str) -> bool:
    """Of several hooks at once, one starts the server; a start that led to nothing is forgotten after a while."""
    mark = os.path.join(home, STARTING)
    try:
        if time.time() - os.stat(mark).st_mtime < START_SECONDS:
            return False
        os.unlink(mark)
    except OSError:
        pass
    try:
        os.makedirs(home, 0o700, exist_ok=True)
        os.close(os.open(mark, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    except OSError:
        return False
    return True
