"""The thin adapters in their real frameworks: what one session was told, the next one knows."""

import asyncio
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from reverie import Reverie
from reverie.space import Space
from tests.judges.guides import run_guide

SAID = "My sister Frieda keeps bees in Lisbon."
ASKED = "Who keeps bees?"
pytestmark = pytest.mark.filterwarnings("ignore")


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Reverie]:
    with Reverie.open(tmp_path, embedder="none", durable=False) as memory:
        yield memory


@pytest.fixture
def space(memory: Reverie) -> Space:
    return memory.space("ada")


def test_google_adk_finds_an_earlier_session_and_stores_it_once(memory: Reverie) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from google.adk.events import Event
        from google.adk.sessions import InMemorySessionService
        from google.genai import types

        from reverie.adapters.google_adk import ReverieMemoryService

    async def run() -> list[str]:
        sessions, service = InMemorySessionService(), ReverieMemoryService(memory.space)
        session = await sessions.create_session(app_name="app", user_id="ada")
        content = types.Content(role="user", parts=[types.Part(text=SAID)])
        await sessions.append_event(session, Event(author="user", content=content))
        session = await sessions.get_session(app_name="app", user_id="ada", session_id=session.id)
        for _ in range(2):
            await service.add_session_to_memory(session)
        other = await service.search_memory(app_name="app", user_id="eve", query=ASKED)
        assert other.memories == []
        found = await service.search_memory(app_name="app", user_id="ada", query=ASKED)
        return [entry.content.parts[0].text for entry in found.memories]

    assert asyncio.run(run()) == [SAID]


def test_agent_framework_gets_memory_as_instructions_and_logs_both_sides(space: Space) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from agent_framework import Agent, BaseChatClient, ChatResponse, Message

        from reverie.adapters.agent_framework import ReverieContext

    seen: list[str] = []

    class Echo(BaseChatClient):
        def _inner_get_response(self, *, messages: Any, stream: bool, options: Any, **_: Any) -> Any:
            seen.append(str(options.get("instructions") or "") + " ".join(m.text for m in messages))

            async def answer() -> ChatResponse:
                return ChatResponse(messages=[Message("assistant", ["Noted."])])

            return answer()

    async def run() -> None:
        agent = Agent(client=Echo(), context_providers=[ReverieContext(space)])
        await agent.run(SAID)
        await agent.run(ASKED)

    asyncio.run(run())
    assert "Lisbon" in seen[1]
    assert [turn.text for turn in space.turns()] == [SAID, "Noted.", ASKED, "Noted."]


def test_llama_index_has_a_block_of_what_is_known(space: Space) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from llama_index.core.llms import ChatMessage
        from llama_index.core.memory import Memory

        from reverie.adapters.llama_index import ReverieBlock

    async def run() -> str:
        block = ReverieBlock(space, priority=1)
        await block.aput([ChatMessage(role="user", content=SAID)], session_id="s1")
        memory = Memory.from_defaults(session_id="s2", memory_blocks=[block], tokenizer_fn=str.split)
        await memory.aput(ChatMessage(role="user", content=ASKED))
        return " ".join(str(message.content) for message in await memory.aget())

    assert "Lisbon" in asyncio.run(run())
    assert [(turn.session, turn.text) for turn in space.turns()] == [("s1", SAID)]


def test_pydantic_ai_sees_memory_and_has_its_tools(space: Space) -> None:
    from pydantic_ai import Agent
    from pydantic_ai.messages import ModelResponse, TextPart
    from pydantic_ai.models.function import AgentInfo, FunctionModel

    from reverie.adapters.pydantic_ai import ReverieMemory

    seen: list[tuple[str, list[str]]] = []

    def answer(messages: list[Any], info: AgentInfo) -> ModelResponse:
        seen.append((str(info.instructions), [tool.name for tool in info.function_tools]))
        return ModelResponse(parts=[TextPart("Noted.")])

    agent = Agent(FunctionModel(answer), capabilities=[ReverieMemory(space)])
    agent.run_sync(SAID)
    agent.run_sync(ASKED)
    assert "Lisbon" in seen[1][0]
    assert seen[1][1] == ["recall_memory", "remember"]
    assert [turn.text for turn in space.turns()] == [SAID, "Noted.", ASKED, "Noted."]


def test_the_lines_of_the_guide_hold(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    run_guide("agents-sdk.md", "Google ADK", "Microsoft Agent Framework", "LlamaIndex", "pydantic-ai")
