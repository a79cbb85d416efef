"""The real Claude Code with Reverie's hooks: what its model is given, what is kept, and what an uninstall leaves."""

import json
import os
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sessions import World

ROOT = Path(__file__).parents[3]
OWN = '{"theme":"dark","hooks":{"Stop":[{"hooks":[{"type":"command","command":"true"}]}]}}'
DIRECTIVE = "From now on always write commit messages in the imperative mood."
FACT = "Our billing service deploys to staging on Mondays."
QUESTION = "When does the billing service deploy to staging?"
TOOL = "please run the tests"
FIRST = (DIRECTIVE, f"{FACT} <private>pin 4711</private>", TOOL, "/compact", "what is left?", "and who reviews it?")


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    made = World(tmp_path)
    try:
        yield made
    finally:
        made.end()


def cores(world: World, request: dict[str, Any]) -> list[str]:
    return [text for part, text in world.injected(request) if part == "core"]


def holds_its_bounds(world: World, request: dict[str, Any]) -> str:
    """All that a request was given: one core of at most 1.5 kB, at most three hits a prompt, nothing twice."""
    (core,) = cores(world, request)
    assert len(f'<reverie-memory part="core">\n{core}\n</reverie-memory>'.encode()) <= 1_500
    hits = [text for part, text in world.injected(request) if part == "memories"]
    assert all(len(text.splitlines()) <= 3 for text in hits)
    lines = [line for text in [*hits, core] for line in text.splitlines() if line.startswith("- ")]
    assert len(lines) == len(set(lines))
    return "\n".join([core, *hits])


def test_the_plugin_and_its_marketplace_are_valid(world: World) -> None:
    plugin = ROOT / "src" / "reverie" / "agents" / "plugin"
    for words in ([str(ROOT)], ["--profile", "directory", str(plugin)]):
        checked = world.claude("plugin", "validate", *words)
        assert checked.returncode == 0, checked.stdout + checked.stderr
    assert "found nothing to report" in checked.stdout
    assert world.claude("plugin", "marketplace", "add", str(ROOT)).returncode == 0
    installed = world.claude("plugin", "install", "reverie@reverie")
    assert installed.returncode == 0, installed.stdout + installed.stderr


def test_a_second_session_elsewhere_in_the_repository_knows_what_the_first_was_told(world: World) -> None:
    settings = world.home / ".claude" / "settings.json"
    settings.parent.mkdir()
    settings.write_text(OWN)
    world.reverie("install", "claude-code")
    again = json.loads(world.reverie("install", "claude-code", "--json"))
    assert {one["done"] for one in again["files"]} == {"unchanged"}

    started = len(world.model.requests)
    results = world.session(world.repo, *FIRST, after=lambda n: world.server_is_up() if n == 0 else None)
    assert not any(result["is_error"] for result in results)
    time.sleep(2)  # the session's end is worked on
    log = world.turns()
    said = Counter((turn["role"], turn["text"]) for turn in log)
    assert {(role, text): said[role, text] for role, text in said if said[role, text] > 1} == {}
    assert [turn["text"] for turn in log if turn["role"] == "user"] == [DIRECTIVE, FACT, TOOL, *FIRST[4:]]
    assert ("tool", "always deploy on fridays") in said  # what a command printed is not the user's
    assert sum(role == "assistant" for role, _ in said) == 5
    assert "4711" not in json.dumps(log)
    after = world.model.requests[-1]  # the compaction cut everything away, and core came again
    assert DIRECTIVE in holds_its_bounds(world, after)
    assert all(len(cores(world, one)) <= 1 for one in world.model.requests[started:])

    before = len(world.model.requests)
    world.session(world.clone / "deep" / "inside", QUESTION, QUESTION)
    assert DIRECTIVE in cores(world, world.model.requests[before])[0]
    everything = holds_its_bounds(world, world.model.requests[-1])
    assert FACT in everything
    assert "fridays" not in everything

    before = len(world.model.requests)
    world.session(world.other, "hello there, please fix the header")
    assert DIRECTIVE not in json.dumps(world.model.requests[before:])

    world.reverie("uninstall", "claude-code")
    assert settings.read_text() == OWN
    assert "reverie" not in json.loads((world.home / ".claude.json").read_text()).get("mcpServers", {})
    assert not (world.home / ".claude" / "commands").exists()


def test_a_server_that_is_killed_in_mid_session_is_not_missed(world: World) -> None:
    world.reverie("install", "claude-code")
    world.session(world.repo, DIRECTIVE, after=lambda _n: world.server_is_up())
    time.sleep(2)

    def kill(number: int) -> None:
        server = world.server()
        if number == 0 and server is not None:
            os.kill(server["pid"], 9)

    results = world.session(world.repo, "a first prompt", "we name branches after the ticket", after=kill)
    assert not any(result["is_error"] for result in results)
    transcripts = [path.read_text() for path in (world.home / ".claude" / "projects").rglob("*.jsonl")]
    assert not any("hook_non_blocking_error" in text or "hook_blocking_error" in text for text in transcripts)
    before = len(world.model.requests)
    world.session(world.repo, "what comes next?")
    assert DIRECTIVE in json.dumps(world.injected(world.model.requests[before]))
    world.server_is_up()
    texts = [turn["text"] for turn in world.turns()]
    assert texts.count("we name branches after the ticket") == texts.count("a first prompt") == 1
