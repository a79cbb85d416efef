"""What a client of `reverie mcp` meets first: its opening questions are answered at once, from a file.

Loading the SDK and the store takes seconds, in which a client would wait for nothing but lists that never change. They
lie in `lists.json`, made from the SDK's own server (`scripts/mcp_lists.py`) and tested to be equal to what it says. All
other messages go to that server, which runs behind this in the same process; its answers come back as they are. Only
the standard library is imported here.
"""

import json
import os
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

LISTS = Path(__file__).with_name("lists.json")
FIRST_SECONDS = 0.2  # that the server behind waits with its loading for the first question
LAST_SECONDS = 5.0  # for what is still to be written when the server has ended
PIECE = 65_536
ENVELOPE = VERSION, CLIENT, CAPABILITIES = tuple(
    f"io.modelcontextprotocol/{name}" for name in ("protocolVersion", "clientInfo", "clientCapabilities")
)


class Front:
    """Decides for each message who answers it. Holds what it has answered in the server's place."""

    def __init__(self, lists: dict[str, Any]) -> None:
        self._lists = lists
        self._opened = False
        self._greeted = False  # the handshake was ours
        self._answered: list[Any] = []  # ids whose answer by the server comes too late

    def receive(self, line: bytes) -> tuple[bytes | None, bool]:
        """Our answer to a client's message, if it is ours to give; and whether the server behind must see it."""
        message = _message(line)
        first, self._opened = not self._opened, True
        method = message.get("method")
        if first and method == "initialize" and _plain_opening(message):
            self._greeted = True
            self._answered.append(message["id"])
            return _answer(message["id"], self._greeting(message["params"]["protocolVersion"])), True
        known = self._lists["lists" if self._greeted else "later_lists"]
        plain = _asks_for_all(message, () if self._greeted else (self._lists["later_version"],))
        if method in known and _has_id(message) and plain:
            return _answer(message["id"], known[method]), False
        return None, True

    def passes(self, line: bytes) -> bool:
        """Whether what the server says goes to the client: not what was answered before it."""
        if not self._answered:
            return True
        message = _message(line)
        if "method" in message or message.get("id") not in self._answered:
            return True
        self._answered.remove(message["id"])
        return False

    def _greeting(self, wanted: str) -> dict[str, Any]:
        versions: list[str] = self._lists["versions"]
        chosen = wanted if wanted in versions else versions[-1]
        return {**self._lists["initialize"], "protocolVersion": chosen}


def _message(line: bytes) -> dict[str, Any]:
    try:
        found = json.loads(line)
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


def _has_id(message: dict[str, Any]) -> bool:
    return isinstance(message.get("id"), (int, str)) and not isinstance(message.get("id"), bool)


def _plain_opening(message: dict[str, Any]) -> bool:
    """An opening that the server would not refuse; what is odd is left to it."""
    params = message.get("params")
    if not _has_id(message) or message.get("jsonrpc") != "2.0" or not isinstance(params, dict):
        return False
    client = params.get("clientInfo")
    named = isinstance(client, dict) and all(isinstance(client.get(name), str) for name in ("name", "version"))
    can = params.get("capabilities")
    plain = isinstance(can, dict) and all(isinstance(each, dict) for each in can.values())
    return named and plain and isinstance(params.get("protocolVersion"), str)


def _asks_for_all(message: dict[str, Any], versions: tuple[str, ...]) -> bool:
    """All of a list, and nothing besides that only the server understands: no page of it, no other version.

    Since 2026-07-28 there is no handshake: each message says by itself who asks, in which version.
    """
    params = message.get("params") or {}
    if message.get("jsonrpc") != "2.0" or not isinstance(params, dict) or set(params) - {"_meta"}:
        return False
    meta = params.get("_meta") or {}
    if not isinstance(meta, dict) or set(meta) - {"progressToken", *(ENVELOPE if versions else ())}:
        return False
    return not versions or (
        meta.get(VERSION) in versions and all(isinstance(meta.get(key), dict) for key in (CLIENT, CAPABILITIES))
    )


def _answer(id: Any, result: Any) -> bytes:
    return json.dumps({"jsonrpc": "2.0", "id": id, "result": result}, separators=(",", ":")).encode() + b"\n"


def serve(behind: Callable[[], None]) -> None:
    """Answers a client on standard input and output, with `behind` as the server, until the client closes its end."""
    client_in, client_out = os.dup(0), os.dup(1)
    to_server, server_out = os.pipe(), os.pipe()
    os.dup2(to_server[0], 0)
    os.dup2(server_out[1], 1)
    os.close(to_server[0])
    os.close(server_out[1])
    relay = Relay(Front(json.loads(LISTS.read_text("utf-8"))), client_out)
    threading.Thread(target=relay.inward, args=(client_in, to_server[1]), name="reverie-front-in", daemon=True).start()
    outward = threading.Thread(target=relay.outward, args=(server_out[0],), name="reverie-front-out", daemon=True)
    outward.start()
    relay.asked.wait(FIRST_SECONDS)
    try:
        behind()
    finally:
        sys.stdout.flush()
        os.dup2(client_out, 1)  # the server's end of the pipe is closed: the rest is written, then the thread ends
        outward.join(LAST_SECONDS)


class Relay:
    """Carries lines both ways, each whole."""

    def __init__(self, front: Front, client: int) -> None:
        self.asked = threading.Event()  # something was asked and, if it was for us, answered
        self._front = front
        self._client = client
        self._writing = threading.Lock()

    def inward(self, client: int, server: int) -> None:
        """From the client, until it closes its end; then the server's is closed too."""
        with os.fdopen(client, "rb", buffering=PIECE) as lines, os.fdopen(server, "wb", buffering=0) as behind:
            for line in lines:
                with self._writing:  # what the front decides on, and what it says of it, is one act
                    answer, forward = self._front.receive(line)
                    if answer is not None:
                        _write(self._client, answer)
                self.asked.set()
                if forward:
                    try:
                        _write(behind.fileno(), line)
                    except OSError:  # the server has ended
                        return
        self.asked.set()

    def outward(self, server: int) -> None:
        with os.fdopen(server, "rb", buffering=PIECE) as lines:
            for line in lines:
                with self._writing:
                    if self._front.passes(line):
                        _write(self._client, line)


def _write(fd: int, data: bytes) -> None:
    while data:
        data = data[os.write(fd, data) :]
