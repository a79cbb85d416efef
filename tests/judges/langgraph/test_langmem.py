"""LangMem's tools on our store, in a real LangGraph graph: what one run keeps, the next finds, and a night reads."""

import warnings
from pathlib import Path
from typing import Any

import pytest
from langchain_core.messages import AIMessage
from langgraph.graph import START, MessagesState, StateGraph
from langgraph.prebuilt import ToolNode

from reverie import Reverie
from reverie.adapters.langgraph import ReverieStore
from tests.judges.guides import run_guide

with warnings.catch_warnings():  # it imports what LangGraph has moved
    warnings.simplefilter("ignore")
    from langmem import create_manage_memory_tool, create_search_memory_tool

NAMESPACE = ("memories", "{user}")


def graph(store: ReverieStore) -> Any:
    """A graph of LangMem's tools alone; the model's calls are written by the test."""
    tools = [create_manage_memory_tool(NAMESPACE), create_search_memory_tool(NAMESPACE)]
    made = StateGraph(MessagesState)
    made.add_node("tools", ToolNode(tools))
    made.add_edge(START, "tools")
    return made.compile(store=store)


def called(app: Any, user: str, name: str, **arguments: Any) -> Any:
    call = {"name": name, "args": arguments, "id": "1", "type": "tool_call"}
    said = app.invoke({"messages": [AIMessage("", tool_calls=[call])]}, {"configurable": {"user": user}})
    return said["messages"][-1].content


def test_what_langmem_keeps_it_finds_again_for_that_user_alone(tmp_path: Path) -> None:
    with Reverie.open(tmp_path, durable=False) as memory:
        app = graph(ReverieStore(memory.space("agent")))
        told = called(app, "ada", "manage_memory", content="Ada keeps bees in Lisbon.", action="create")
        assert "created memory" in told
        assert "Lisbon" in called(app, "ada", "search_memory", query="where are the bees?")
        assert "Lisbon" not in called(app, "eve", "search_memory", query="where are the bees?")


def test_what_langmem_keeps_is_recalled_and_read_by_nights(tmp_path: Path) -> None:
    with Reverie.open(tmp_path, durable=False) as memory:
        space = memory.space("agent")
        called(graph(ReverieStore(space)), "ada", "manage_memory", content="Ada keeps bees in Lisbon.", action="create")
        assert "Lisbon" in space.recall("who keeps bees?")[0].text
        assert space.sleep().status == "done"
        assert "Lisbon" in space.recall("who keeps bees?")[0].text


def test_the_lines_of_the_guide_hold(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    run_guide("langgraph.md")
