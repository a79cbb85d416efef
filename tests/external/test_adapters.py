"""Adapters whose framework is in every environment: Anthropic's memory tool and pydantic-ai."""

from typing import Any

import pytest
from anthropic.lib.tools import ToolError
from pydantic_ai import Agent
from pydantic_ai.messages import ModelResponse, TextPart
from pydantic_ai.models.function import AgentInfo, FunctionModel

from reverie import Reverie
from reverie.adapters.memory_tool import ReverieMemoryTool
from reverie.adapters.pydantic_ai import ReverieMemory

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
    agent.run_sync(SAID)
    agent.run_sync("Who keeps bees?")
    assert "Lisbon" in seen[1]
    assert [turn.role for turn in space.turns()] == ["user", "assistant"] * 2
