"""A short sample of the judge `tests/judges/claude-code`: one session of the real Claude Code, with no server yet."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from reverie import Reverie
from tests.support.served import ROOT

JUDGE = ROOT / "tests" / "judges" / "claude-code"
DIRECTIVE = "From now on always write commit messages in the imperative mood."
PROMPT = "Our billing service deploys to staging on Mondays."

pytest.importorskip("claude_agent_sdk", reason="the real Claude Code comes in the wheel of claude-agent-sdk")


@pytest.fixture
def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    monkeypatch.syspath_prepend(str(JUDGE))
    from sessions import World  # type: ignore[import-not-found]

    made = World(tmp_path)
    made.env |= {"REVERIE_EMBEDDER": "none", "PYTHONPATH": str(ROOT / "src")}
    try:
        yield made
    finally:
        made.end()
        for name in ("sessions", "fake_model"):
            sys.modules.pop(name, None)


def test_a_session_before_any_server_is_given_core_and_its_prompt_is_kept_once(world: Any) -> None:
    assert world.claude("plugin", "validate", str(ROOT / "src" / "reverie" / "agents" / "plugin")).returncode == 0
    with Reverie.open(world.store, embedder="none") as memory:
        memory.space().append("user", DIRECTIVE, "before", channel="github.com/acme/billing")
        memory.space().briefing("github.com/acme/billing")
    settings = world.home / ".claude" / "settings.json"
    world.reverie("install", "claude-code")
    (result,) = world.session(world.repo / "deep", PROMPT)
    assert not result["is_error"]
    shown = world.injected(world.model.requests[-1])
    assert [DIRECTIVE in text for part, text in shown if part == "core"] == [True]
    assert [turn["text"] for turn in world.turns()].count(PROMPT) == 1
    world.reverie("uninstall", "claude-code")
    assert not settings.exists()
