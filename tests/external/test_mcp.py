"""The official client drives every tool over both transports."""

import asyncio
import json
import os
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import httpx2
import pytest
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import MCPError

from reverie import Reverie
from reverie.model.base import short_id
from reverie.server.app import create_app
from reverie.server.mcp.tools import TOOLS
from reverie.server.settings import ServerSettings
from tests.support.serving import TOKEN


async def call(client: Client, tool: str, **arguments: Any) -> dict[str, Any]:
    result = await client.call_tool(tool, arguments)
    assert not result.is_error, result.content
    assert isinstance(result.structured_content, dict)
    return result.structured_content


async def every_tool(client: Client) -> None:
    """One story through all the tools, the resources and the prompt."""
    told: list[str] = []

    async def note(progress: float, total: float | None, message: str | None) -> None:
        told.append(message or "")

    listed = (await client.list_tools()).tools
    assert [tool.name for tool in listed] == list(TOOLS)
    assert all(tool.title and tool.annotations and tool.output_schema for tool in listed)
    added = await call(client, "memory_add", text="The user lives in Hamburg.", tags=["home"])
    found = await call(client, "memory_search", query="Hamburg")
    assert found["hits"][0]["id"] == added["id"]
    assert (await call(client, "memory_get", id=added["id"]))["tags"] == ["home"]
    assert (await call(client, "memory_intents"))["intents"] == []
    slept = await client.call_tool("sleep_now", {}, progress_callback=note)
    assert (slept.structured_content or {})["status"] == "done"
    assert told[:2] == ["light: collect", "light: dedupe"]
    assert (await call(client, "sleep_status"))["nights"][0]["kind"] == "nap"
    context = await client.call_tool("memory_context", {"query": "Hamburg"})
    [plain] = context.content
    assert "Hamburg" in getattr(plain, "text", "")
    assert getattr(plain, "text", "") == (context.structured_content or {})["text"]
    assert (await call(client, "memory_get", id=short_id(added["id"])))["id"] == added["id"]
    right = await call(client, "memory_update", id=added["id"], text="The user lives in Bremen.")
    assert (await call(client, "memory_forget", ids=[right["id"]], dry_run=True))["done"] is False
    assert (await call(client, "memory_forget", ids=[short_id(right["id"])]))["memories"] == 1
    await forget_by_words(client)
    elsewhere = [await client.call_tool("memory_search", {"query": "tea", "space": "typo"}) for _ in range(2)]
    assert all(one.is_error and "no space 'typo'" in str(one.content) for one in elsewhere)  # asking makes none
    wrong = await client.call_tool("memory_get", {"id": right["id"]})
    assert wrong.is_error
    assert "no memory" in str(wrong.content)
    listed_uris = [str(one.uri) for one in (await client.list_resources()).resources]
    assert {"reverie://blocks/human", "reverie://diary/7", "reverie://nights/10"} <= set(listed_uris)
    for uri in listed_uris:
        assert (await client.read_resource(uri)).contents
    for uri, why in (("blocks/nope", "no block 'nope'"), ("diary/²", "Give a number from 1 to 100")):
        with pytest.raises(MCPError, match=why):
            await client.read_resource(f"reverie://{uri}")
    assert "What is known" in str((await client.get_prompt("load_context", {"query": "home"})).messages)


async def forget_by_words(client: Client) -> None:
    """First what would go, then just that, and nothing that has come to it meanwhile."""
    await call(client, "memory_add", text="The spare key lies under the begonia.")
    plan = await call(client, "memory_forget", query="begonia")
    assert (plan["done"], plan["memories"], "begonia" in str(plan["texts"])) == (False, 1, True)
    for given in ({}, {"confirm": "of something else"}):
        refused = await client.call_tool("memory_forget", {"query": "begonia", "dry_run": False, **given})
        assert refused.is_error
    await call(client, "memory_add", text="The begonia wants water.")
    late = {"query": "begonia", "dry_run": False, "confirm": plan["confirm"]}
    assert (await client.call_tool("memory_forget", late)).is_error
    plan = await call(client, "memory_forget", query="begonia")
    assert (await call(client, "memory_forget", **{**late, "confirm": plan["confirm"]}))["done"] is True
    assert (await call(client, "memory_search", query="begonia"))["hits"] == []
    assert (await client.call_tool("memory_forget", {})).is_error


def test_every_tool_over_stdio(home: Path) -> None:
    environment = {**os.environ, "REVERIE_HOME": str(home), "REVERIE_EMBEDDER": "none", "REVERIE_DURABLE": "no"}
    command = "from reverie.cli.main import run; run(['mcp'])"
    server = StdioServerParameters(command=sys.executable, args=["-c", command], env=environment)

    async def talk() -> None:
        async with Client(stdio_client(server)) as client:
            assert "long-term memory" in str(client.instructions)
            await every_tool(client)

    asyncio.run(asyncio.wait_for(talk(), 60))


def over_http(home: Path, story: Callable[[Callable[[str], Any]], Awaitable[None]], **serving: Any) -> str:
    """The app in this process, with its lifespan; `story` gets a way to open clients, each with its own key.

    Answers what the server tells Prometheus afterwards.
    """

    async def run() -> str:
        memory = Reverie.open(home, embedder="none", durable=False)
        app = create_app(memory, ServerSettings(**{"token": TOKEN, **serving}))
        try:
            async with app.router.lifespan_context(app):
                await story(lambda key: _client(app, key))
            metrics: bytes = app.state.server.metrics.text()
            return metrics.decode()
        finally:
            memory.close()

    return asyncio.run(asyncio.wait_for(run(), 60))


def _client(app: Any, key: str) -> Any:
    headers = {"authorization": f"Bearer {key}"} if key else {}
    transport = httpx2.ASGITransport(app=app)
    http = httpx2.AsyncClient(transport=transport, headers=headers, base_url="http://127.0.0.1", follow_redirects=True)
    return Client(streamable_http_client("http://127.0.0.1/mcp", http_client=http))


def test_every_tool_over_http(home: Path) -> None:
    async def story(open_client: Callable[[str], Any]) -> None:
        async with open_client(TOKEN) as client:
            await every_tool(client)

    metrics = over_http(home, story)
    assert 'reverie_calls_total{name="memory_add",status="ok",surface="mcp"}' in metrics
    assert 'reverie_calls_total{name="memory_get",status="error",surface="mcp"} 1.0' in metrics


def test_no_key_sees_another_orgs_memory(home: Path) -> None:
    with Reverie.open(home, embedder="none", durable=False) as memory:
        secret = memory.space("default").remember("The heron nests at the mill")
        rival = memory.in_org("rivals").keys.create("rival", "admin").secret
        reader = memory.keys.create("reader", "read").secret

    async def story(open_client: Callable[[str], Any]) -> None:
        async with open_client(rival) as client:
            assert (await call(client, "memory_search", query="heron"))["hits"] == []
            assert (await client.call_tool("memory_get", {"id": secret.id})).is_error
        async with open_client(reader) as client:
            assert (await call(client, "memory_get", id=secret.id))["id"] == secret.id
            refused = await client.call_tool("memory_add", {"text": "mine"})
            assert refused.is_error
            assert "not_allowed" in json.dumps(str(refused.content))

    over_http(home, story, require_key=True)


def test_without_a_key_the_door_is_closed(home: Path) -> None:
    async def story(open_client: Callable[[str], Any]) -> None:
        with pytest.raises(BaseException):  # noqa: B017  the client wraps the 401 in a group of its own
            async with open_client(""):
                pass

    over_http(home, story, require_key=True)
