"""`reverie-hook` as an agent runs it: a process of its own that never fails, with a server, without, and after one."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from reverie import Reverie
from reverie.agents import local_server
from tests.support.agent_session import DIRECTIVE, FACT, event
from tests.support.served import ROOT
from tests.support.waiting import alive, until

ENV = {**os.environ, "PYTHONPATH": str(ROOT / "src"), "REVERIE_EMBEDDER": "none"}
QUESTION = "When do we deploy the billing service to staging?"


def hook(home: Path, given: Any, *more: str) -> Any:
    """What an agent gets: the JSON that was printed, or None."""
    said = given if isinstance(given, str) else json.dumps(given)
    command = [sys.executable, "-m", "reverie.agents.hook", "claude-code", "--home", str(home), *more]
    run = subprocess.run(command, input=said, capture_output=True, text=True, env=ENV, timeout=30, check=False)
    assert (run.returncode, run.stderr) == (0, "")
    return json.loads(run.stdout) if run.stdout else None


def context(found: Any) -> str:
    return "" if found is None else str(found["hookSpecificOutput"]["additionalContext"])


@pytest.fixture
def store(home: Path) -> Iterator[Path]:
    yield home
    found = local_server.find(str(home))
    if found is not None and alive(found["pid"]):
        os.kill(found["pid"], signal.SIGTERM)
        until(lambda: not alive(found["pid"]))


def up(home: Path) -> dict[str, Any]:
    until(lambda: (local_server.ask(str(home), "GET", "/readyz") or (0,))[0] == 200)
    found = local_server.find(str(home))
    assert found is not None
    return found


def test_a_session_without_a_server_loses_nothing_and_the_next_one_knows_it(store: Path, tmp_path: Path) -> None:
    with Reverie.open(store, embedder="none") as memory:
        memory.space().append("user", DIRECTIVE, "before", channel=str(tmp_path))
        memory.space().briefing(str(tmp_path))
    begun = hook(store, event("SessionStart", tmp_path, source="startup"))
    assert DIRECTIVE in context(begun)
    assert hook(store, event("UserPromptSubmit", tmp_path, prompt=FACT, prompt_id="p1")) is None
    assert hook(store, event("SessionStart", tmp_path, source="resume")) is None  # it still stands there
    assert DIRECTIVE in context(hook(store, event("SessionStart", tmp_path, source="compact")))  # it was cut away
    first = up(store)
    assert oct(Path(first["socket"]).stat().st_mode)[-3:] == "600"
    texts = until(lambda: [t["text"] for t in turns(store) if t["text"] == FACT])
    assert texts == [FACT]

    asked = {"prompt": QUESTION, "prompt_id": "p2"}
    found = context(until(lambda: hook(store, event("UserPromptSubmit", tmp_path, "other", **asked))))
    assert FACT in found
    os.kill(first["pid"], signal.SIGKILL)
    until(lambda: not alive(first["pid"]))
    assert hook(store, event("Stop", tmp_path, last_assistant_message="On Mondays.", prompt_id="p2")) is None
    assert up(store)["pid"] != first["pid"]  # its stale socket was noticed, and replaced
    until(lambda: [t["text"] for t in turns(store)].count("On Mondays.") == 1)
    assert [t["text"] for t in turns(store)].count(QUESTION) == 1


def turns(home: Path) -> list[dict[str, Any]]:
    reply = local_server.ask(str(home), "GET", "/v1/spaces/{space}/turns?limit=200", None, 10)
    assert reply is not None
    found: list[dict[str, Any]] = reply[1]["items"]
    return found


@pytest.mark.parametrize("given", ["", "no json", "[1]", '{"hook_event_name": 7}', '{"session_id": "s"}'])
def test_whatever_it_is_given_it_prints_nothing_and_is_content(home: Path, given: str) -> None:
    assert hook(home, given) is None
    assert not (home / "spool").exists()


def test_it_loads_nothing_that_takes_time() -> None:
    code = "import sys, reverie.agents.hook; print(*sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=ENV, check=True)
    slow = {"numpy", "pathlib", "subprocess", "asyncio", "http", "email", "dataclasses", "typer", "reverie.reverie"}
    assert slow.isdisjoint(run.stdout.split())


def test_a_server_that_nobody_asks_ends_and_leaves_no_trace_of_itself(home: Path) -> None:
    env = {**ENV, "REVERIE_SERVER_IDLE_MINUTES": "0.01"}
    command = [sys.executable, "-m", "reverie", "--home", str(home), "up", "--socket"]
    run = subprocess.run(command, env=env, cwd=home, capture_output=True, timeout=60, check=False)
    assert run.returncode == 0
    assert b"listens at unix:" in run.stderr
    assert not (home / local_server.FILE).exists()
    assert not (home / local_server.SOCKET).exists()
