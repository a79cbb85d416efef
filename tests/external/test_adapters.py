"""Adapters whose framework is in every environment: Anthropic's memory tool and pydantic-ai."""

import asyncio
from typing import Any

import pytest
from anthropic.lib.tools import ToolError
from prometheus_client import REGISTRY
from pydantic_ai import Agent
from pydantic_ai.messages import ModelResponse, TextPart
from pydantic_ai.models.function import AgentInfo, FunctionModel

from reverie import Reverie
from reverie.adapters.memory_tool import ReverieMemoryTool
from reverie.adapters.pydantic_ai import ReverieMemory
from reverie.errors import UsageError

SAID = "My sister Frieda keeps bees in Lisbon."


def test_claudes_files_are_kept_with_versions_recalled_and_taken_back(memory: Reverie) -> None:
    space = memory.space("claude")
    tool: Any = ReverieMemoryTool(space)

    def does(command: str, **more: Any) -> str:
        return str(tool.call({"command": command, **more}))

    assert does("create", path="/memories/people/f.md", file_text=SAID) == (
        "File created successfully at: /memories/people/f.md"
    )
    assert does("view", path="/memories").splitlines()[2:] == ["38B\t/memories/people/", "38B\t/memories/people/f.md"]
    assert "hens" in does("str_replace", path="/memories/people/f.md", old_str="bees", new_str="hens")
    assert [hit.text for hit in space.recall("Frieda")] == [SAID.replace("bees", "hens")]
    assert [version.value for version in space.shelf("files").history()] == [SAID, SAID.replace("bees", "hens")]
    with pytest.raises(ToolError, match="would escape"):
        does("view", path="/memories/../etc/passwd")
    does("delete", path="/memories/people")
    assert space.recall("Frieda") == []


def test_a_pydantic_ai_agent_knows_what_an_earlier_run_was_told(memory: Reverie) -> None:
    space = memory.space("agent")
    seen: list[str] = []

    def answer(_messages: list[Any], info: AgentInfo) -> ModelResponse:
        seen.append(str(info.instructions))
        return ModelResponse(parts=[TextPart("Noted.")])

    agent = Agent(FunctionModel(answer), capabilities=[ReverieMemory(space)])
    for said in (SAID, "Who keeps bees?"):
        asyncio.run(agent.run(said))
    assert "Lisbon" in seen[1]
    assert [turn.role for turn in space.turns()] == ["user", "assistant"] * 2


def test_every_call_of_an_adapter_is_counted_and_timed_by_its_name(memory: Reverie) -> None:
    def counted(name: str, status: str) -> float:
        labels = {"surface": "memory-tool", "name": name, "status": status}
        return REGISTRY.get_sample_value("reverie_calls_total", labels) or 0.0

    tool: Any = ReverieMemoryTool(memory.space("counted"))
    before = counted("create", "ok"), counted("create", "error"), counted("view", "ok")
    tool.call({"command": "create", "path": "/memories/f.md", "file_text": SAID})
    with pytest.raises(ToolError):
        tool.call({"command": "create", "path": "/memories/f.md", "file_text": SAID})
    tool.call({"command": "view", "path": "/memories/f.md"})
    after = counted("create", "ok"), counted("create", "error"), counted("view", "ok")
    assert [now - then for now, then in zip(after, before, strict=True)] == [1, 1, 1]
    timed = REGISTRY.get_sample_value("reverie_call_seconds_count", {"surface": "memory-tool", "name": "create"})
    assert timed == counted("create", "ok") + counted("create", "error")


def test_a_store_in_the_place_of_a_space_is_told_with_the_next_move(memory: Reverie) -> None:
    given: Any = memory
    with pytest.raises(UsageError, match="takes a space, not Reverie") as told:
        ReverieMemoryTool(given)
    with pytest.raises(UsageError):
        ReverieMemory(given)
    assert "memory.space(" in told.value.__notes__[0], "a traceback shows it"
