"""What `reverie mcp` answers before its server is there: just what that server would say, and nothing of it twice."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS

from reverie.server.mcp.front import ENVELOPE, LISTS, Front
from scripts.mcp_lists import LATER, METHODS, lists, said, said_later
from tests.support.served import ROOT

STORED = json.loads(LISTS.read_text("utf-8"))
CLIENT = {"capabilities": {"roots": {"listChanged": True}}, "clientInfo": {"name": "test", "version": "1"}}


def message(method: str, id: Any = None, **params: Any) -> bytes:
    asked = {"jsonrpc": "2.0", "method": method, **({} if id is None else {"id": id})}
    return json.dumps({**asked, **({"params": params} if params else {})}).encode() + b"\n"


def opening(version: str = "2025-06-18", id: Any = 1) -> bytes:
    return message("initialize", id, protocolVersion=version, **CLIENT)


def test_the_stored_lists_are_those_of_the_server() -> None:
    """If they differ: python scripts/mcp_lists.py."""
    assert lists() == STORED


@pytest.mark.parametrize("version", [*HANDSHAKE_PROTOCOL_VERSIONS, "1999-01-01"])
def test_the_front_says_what_the_server_says_in_every_version(version: str) -> None:
    front = Front(STORED)
    asked = [opening(version), *(message(method, n) for n, method in enumerate(METHODS, 2))]
    answers = [json.loads(front.receive(line)[0] or b"")["result"] for line in asked]
    assert answers == said(version, *METHODS)


def test_the_front_says_what_the_server_says_where_there_is_no_handshake() -> None:
    meta = dict(zip(ENVELOPE, (STORED["later_version"], {"name": "test", "version": "1"}, {}), strict=True))
    asked = [message(method, n, _meta=meta) for n, method in enumerate(LATER)]
    front = Front(STORED)
    answers = [json.loads(front.receive(line)[0] or b"")["result"] for line in asked]
    assert answers == said_later(*LATER)
    meta[ENVELOPE[0]] = "2027-01-01"
    assert Front(STORED).receive(message("tools/list", 1, _meta=meta)) == (None, True)


def test_the_server_sees_the_handshake_and_its_late_answer_is_dropped() -> None:
    front = Front(STORED)
    assert front.receive(opening(id="a"))[1] is True
    assert front.passes(b'{"jsonrpc":"2.0","method":"notifications/message","params":{}}')
    assert not front.passes(b'{"jsonrpc":"2.0","id":"a","result":{}}')
    assert front.passes(b'{"jsonrpc":"2.0","id":"a","result":{}}')


@pytest.mark.parametrize(
    "line",
    [
        b"no json",
        b"[]",
        message("tools/list", 7, cursor="next"),
        message("tools/list", 7, _meta={"io.modelcontextprotocol/protocolVersion": "2026-07-28"}),
        message("tools/list"),  # a notification
        message("tools/call", 7, name="memory_search"),
        message("resources/list", 7),
        opening(id=8),  # a second one
    ],
)
def test_what_is_not_plain_is_the_servers(line: bytes) -> None:
    front = Front(STORED)
    front.receive(opening())
    assert front.receive(line) == (None, True)


def test_without_a_plain_handshake_everything_is_the_servers() -> None:
    front = Front(STORED)
    assert front.receive(message("initialize", 1, protocolVersion="2025-06-18", capabilities={})) == (None, True)
    assert front.receive(message("tools/list", 2)) == (None, True)


def test_everything_is_answered_once_when_a_client_asks_all_at_once_and_leaves(home: Path) -> None:
    """Nothing is lost while the server loads: what was asked is done before it ends."""
    adds = [message("tools/call", n, name="memory_add", arguments={"text": f"Fact number {n}."}) for n in range(10, 20)]
    asked = [opening(), message("notifications/initialized"), message("tools/list", 2), *adds, message("ping", "last")]
    env = {**os.environ, "REVERIE_HOME": str(home), "REVERIE_EMBEDDER": "none", "PYTHONPATH": str(ROOT / "src")}
    command = [sys.executable, "-m", "reverie", "mcp"]
    with subprocess.Popen(command, env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(b"".join(asked))
        process.stdin.flush()
        ids = [json.loads(process.stdout.readline())["id"] for _ in range(13)]
        process.stdin.close()
        assert process.stdout.read() == b""
        assert process.wait(20) == 0
    assert ids[:2] == [1, 2]
    assert sorted(map(str, ids)) == sorted(map(str, [1, 2, *range(10, 20), "last"]))
