"""Writes what `reverie mcp` answers at once (`server/mcp/lists.json`), as the SDK's server says it.

    python scripts/mcp_lists.py

A test compares the file with the server, for every version of the protocol that has a handshake.
"""

import io
import json
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS, MODERN_PROTOCOL_VERSIONS

from reverie.reverie import Reverie
from reverie.server.mcp.access import LocalAccess
from reverie.server.mcp.front import ENVELOPE, LISTS
from reverie.server.mcp.tools import build

# Not resources/list: its blocks are the space's own.
METHODS = ("tools/list", "prompts/list", "resources/templates/list")
LATER = ("server/discover", *METHODS)
SECONDS = 20.0


class Replies(io.BytesIO):
    """Standard output that can still be read when it was closed."""

    def close(self) -> None:
        pass

    def lines(self) -> list[bytes]:
        return [line for line in self.getvalue().split(b"\n") if line]


class Questions(io.RawIOBase):
    """Standard input that ends when everything was answered: not before, or the rest would be dropped."""

    def __init__(self, data: bytes, replies: Replies, expected: int) -> None:
        self._data = io.BytesIO(data)
        self._replies = replies
        self._expected = expected

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        read = self._data.readinto(buffer)
        until = time.monotonic() + SECONDS
        while not read and len(self._replies.lines()) < self._expected and time.monotonic() < until:
            time.sleep(0.01)
        return read


@contextmanager
def standard_streams(stdin: Any, stdout: Any) -> Iterator[None]:
    before = sys.stdin, sys.stdout
    sys.stdin, sys.stdout = stdin, stdout
    try:
        yield
    finally:
        sys.stdin, sys.stdout = before


def said(version: str, *methods: str) -> list[Any]:
    """What the server answers to `initialize` and then to these, in that order."""
    client = {"protocolVersion": version, "capabilities": {}, "clientInfo": {"name": "lists", "version": "1"}}
    asked: list[dict[str, Any]] = [{"id": 0, "method": "initialize", "params": client}]
    asked += [
        {"method": "notifications/initialized"},
        *({"id": n, "method": name} for n, name in enumerate(methods, 1)),
    ]
    return answered(asked)


def said_later(*methods: str) -> list[Any]:
    """What it answers in the version of the protocol that has no handshake."""
    meta = dict(zip(ENVELOPE, (MODERN_PROTOCOL_VERSIONS[-1], {"name": "lists", "version": "1"}, {}), strict=True))
    return answered([{"id": n, "method": name, "params": {"_meta": meta}} for n, name in enumerate(methods)])


def answered(asked: list[dict[str, Any]]) -> list[Any]:
    """The results, by their ids."""
    data = "".join(json.dumps({"jsonrpc": "2.0", **one}) + "\n" for one in asked).encode()
    replies = Replies()
    stdin = io.TextIOWrapper(io.BufferedReader(Questions(data, replies, sum("id" in one for one in asked))))
    with tempfile.TemporaryDirectory() as home, Reverie.open(home, embedder="none", durable=False) as memory:
        access = LocalAccess(memory)
        with standard_streams(stdin, io.TextIOWrapper(replies)):
            build(access).run("stdio")
        access.close()
    results = {answer["id"]: answer["result"] for answer in map(json.loads, replies.lines())}
    return [results[n] for n in sorted(results)]


def lists() -> dict[str, Any]:
    versions = list(HANDSHAKE_PROTOCOL_VERSIONS)
    opening, *found = said(versions[-1], *METHODS)
    del opening["protocolVersion"]
    return {
        "versions": versions,
        "initialize": opening,
        "lists": dict(zip(METHODS, found, strict=True)),
        "later_version": MODERN_PROTOCOL_VERSIONS[-1],
        "later_lists": dict(zip(LATER, said_later(*LATER), strict=True)),
    }


if __name__ == "__main__":
    LISTS.write_text(json.dumps(lists(), indent=1, ensure_ascii=False) + "\n", "utf-8")
