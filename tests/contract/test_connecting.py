"""What `reverie up` and `reverie connect` give to copy: the token where each client can carry it, and nothing void."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from reverie import Reverie
from reverie.server.connect import connections
from tests.support.conversing import COMMAND, environment
from tests.support.serving import HERE, TOKEN, running
from tests.support.waiting import until

CLIENTS = sorted(connections(HERE, TOKEN))
NAMED = {"curl", "letta-client", "mem0", "OpenAI", "Anthropic", "Claude Code by proxy", "MCP", "a base URL alone"}


def test_every_kind_of_client_has_a_line() -> None:
    assert set(CLIENTS) >= NAMED
    assert sorted(connections(HERE, None)) == CLIENTS


@pytest.mark.parametrize("client", CLIENTS)
def test_a_line_holds_the_address_and_the_token_or_asks_for_none(client: str) -> None:
    line, open_line = connections(HERE, TOKEN)[client], connections(HERE, None)[client]
    assert HERE in line
    assert line.count(TOKEN) == 1
    assert HERE in open_line
    for void in ("None", "rv_", "/t/", '""', "''", "Bearer", "x-reverie-key"):
        assert void not in open_line, void


def test_the_console_offers_the_same_lines_and_says_none_nowhere(memory: Reverie) -> None:
    space = memory.space("alice")
    for serving in ({}, {"require_key": False, "token": None}):
        with running(memory, **serving) as client:
            page = client.get(f"/console/{space.id}/connect")
            assert page.status_code == 200
            assert "MemoryClient(" in page.text
            assert "None" not in page.text


@pytest.mark.parametrize("terminal", [True, False])
def test_up_shows_the_lines_to_a_person_and_writes_no_token_into_a_log(tmp_path: Path, terminal: bool) -> None:
    ours, theirs = os.openpty() if terminal else os.pipe()
    process = subprocess.Popen(
        [sys.executable, "-c", COMMAND, "up", "--port", "0"],
        cwd=tmp_path, env=environment(tmp_path, {"sleep": "off"}), stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL, stderr=theirs,
    )  # fmt: skip
    os.close(theirs)
    os.set_blocking(ours, False)
    said = bytearray()

    def heard() -> bool:
        try:
            said.extend(os.read(ours, 65_536))
        except OSError:  # nothing yet, or nobody writes any more
            time.sleep(0.05)
        return b"Ctrl-C stops it" in said

    try:
        until(heard, 60)
    finally:
        process.send_signal(signal.SIGINT)
        process.wait(30)
        os.close(ours)
    text = said.decode()
    shown = [client for client in CLIENTS if f"  {client}: " in text]
    assert shown == (CLIENTS if terminal else [])
    assert ("rv_" in text) == terminal
    assert ("reverie connect" in text) != terminal
    assert "None" not in text
