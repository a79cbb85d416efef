"""The real Claude Code, from the wheel of its SDK, runs sessions through the proxy to a provider on loopback."""

import json
import os
import subprocess
from collections.abc import Iterator
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from reverie import Reverie
from reverie.server.proxy import memory as proxy_memory
from tests.support.live import live
from tests.support.provider import FakeProvider, provider
from tests.support.serving import TOKEN
from tests.support.waiting import until

KEY = "The spare key is with Ana."
PROVIDER_KEY = "sk-ant-fake-0123456789"
FIRST = "Where is the spare key? I prefer tea."
TASK = "Please always look for the red tag in all the files."


class ClaudeCode:
    """The program, with a home and a working directory of its own."""

    def __init__(self, folder: Path, base: str) -> None:
        spec = find_spec("claude_agent_sdk")
        assert spec is not None
        self._program = str(Path(str(spec.origin)).parent / "_bundled" / "claude")
        self._work = folder / "work"
        self._work.mkdir()
        self._env = {
            "HOME": str(folder),
            "PATH": os.environ["PATH"],
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
            "DISABLE_AUTOUPDATER": "1",
            "ANTHROPIC_BASE_URL": base,
            "ANTHROPIC_API_KEY": PROVIDER_KEY,
            "ANTHROPIC_CUSTOM_HEADERS": "x-reverie-space: alice",
        }

    def say(self, prompt: str, *flags: str) -> Any:
        done = subprocess.run(
            [self._program, "-p", prompt, "--output-format", "json", *flags],
            env=self._env, cwd=self._work, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120,
            check=True,
        )  # fmt: skip
        return json.loads(done.stdout)


def model(request: Any) -> Any:
    """Calls a tool where it is asked to, sends a subagent where it is asked to, else says that it understood."""
    last = json.dumps(request["messages"][-1])
    tools = {tool.get("name") for tool in request.get("tools", ())}
    if "run the tests" in last and "Bash" in tools:
        return {"name": "Bash", "input": {"command": "echo 4 passed", "description": "tests"}, "id": "toolu_tests"}
    if "send somebody" in last and "Agent" in tools:
        given = {"description": "look", "prompt": TASK, "subagent_type": "Explore", "run_in_background": False}
        return {"name": "Agent", "input": given, "id": "toolu_agent"}
    return "Understood."


@pytest.fixture
def upstream(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeProvider]:
    monkeypatch.setattr(proxy_memory, "DEADLINE", 10.0)
    with provider(model) as made:
        yield made


def plain(message: Any) -> Any:
    """A message as a prompt cache sees it: breakpoints do not count, nor whether one text is a list."""
    content = message["content"]
    parts = [{"type": "text", "text": content}] if isinstance(content, str) else content
    return message["role"], [{name: value for name, value in part.items() if name != "cache_control"} for part in parts]


def test_claude_code_runs_sessions_through_the_proxy(tmp_path: Path, upstream: FakeProvider) -> None:
    with Reverie.open(tmp_path / "home", embedder="none", durable=False) as memory:
        alice = memory.space("alice")
        alice.remember(KEY)
        memory.warm()
        with live(memory, providers={"/anthropic": upstream.url}) as address:
            code = ClaudeCode(tmp_path, f"{address}/t/{TOKEN}/anthropic")
            session = code.say(FIRST)["session_id"]
            code.say("Please run the tests now.", "--resume", session, "--allowedTools", "Bash")
            until(lambda: len(alice.turns()) >= 5, 20)
            ran = list(upstream.requests)
            code.say("Please send somebody to look.", "--resume", session, "--allowedTools", "Agent")
            code.say("Which tea do I prefer?")
            until(lambda: any("Which tea" in turn.text for turn in alice.turns(limit=100)), 20)
        turns = alice.turns(limit=100)
        said = [(turn.role, turn.text) for turn in turns]

    assert KEY in json.dumps(ran[0].json["messages"][0]), "the first prompt has memory"
    # Its own messages alone: how it sends a model's thinking again is its own affair.
    sent = [[plain(message) for message in one.json["messages"] if message["role"] == "user"] for one in ran]
    assert all(later[: len(earlier)] == earlier for earlier, later in pairwise(sent)), "prefix-stable, with a tool call"
    assert said[:5] == [
        ("user", FIRST),
        ("assistant", "Understood."),
        ("user", "Please run the tests now."),
        ("tool", "4 passed"),
        ("assistant", "Understood."),
    ]
    assert {turn.session for turn in turns[:5]} == {session}
    tasks = {(turn.role, turn.origin, turn.session == session) for turn in turns if turn.text == TASK}
    assert tasks == {("user", "assistant", False)}, "a subagent's user is no person"
    asked = next(one for one in upstream.requests if "Which tea" in json.dumps(one.json["messages"][0]))
    assert "I prefer tea" in json.dumps(asked.json["messages"][0]), "a second session knows the first"
    files = [path for path in (tmp_path / "home").rglob("*") if path.is_file()]
    assert [path for path in files if PROVIDER_KEY.encode() in path.read_bytes()] == []
