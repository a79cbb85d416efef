"""Every MCP tool, resource and prompt is tried with keys of another org and of another space, and with others' ids.

They are read from the server itself; a parameter that is not named here fails until it is.
"""

import asyncio
import json
import re
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from typing import Any

import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from reverie import Reverie
from reverie.model.spaces import VERBS
from reverie.server.app import create_app
from reverie.server.settings import ServerSettings
from tests.conftest import BACKENDS
from tests.support.crossing_world import ASKED, UUID, World, rows_of, things, world_of
from tests.support.serving import bearer

# What an argument holds: a noun of `crossing_world.things`, or several to be tried.
HELD = {"id": ("memory", "turn"), "ids": ("memory", "turn"), "space": ("space", "name"), "session": ("session",)}
PLAIN: dict[str, Any] = {
    "query": ASKED, "text": "hello", "k": 8, "include_stale": True, "budget": 2_000, "from_user": False, "tags": [],
    "dry_run": False, "kind": "nap", "count": "5", "limit": 5, "study": None, "name": "notes",
    "confirm": "0123",
}  # fmt: skip
HELD_BY_RESOURCES = {"label": ("label", "block")}


@asynccontextmanager
async def opened(app: Any, key: dict[str, str]) -> AsyncIterator[Client]:
    transport = httpx2.ASGITransport(app=app)
    async with (
        httpx2.AsyncClient(transport=transport, headers=key, base_url="http://127.0.0.1") as http,
        Client(streamable_http_client("http://127.0.0.1/mcp/", http_client=http)) as client,
    ):
        yield client


def arguments(schema: dict[str, Any], ids: Any) -> Iterator[dict[str, Any]]:
    """The arguments that must be given, with each id in its turn."""
    known = schema.get("properties", {})
    for name in known:
        assert name in HELD or name in PLAIN, f"what does {name!r} hold? Name it in {__file__}"
    needed = {name: PLAIN.get(name) for name in schema.get("required", ())}
    held = [(name, noun) for name in known for noun in HELD.get(name, ())]
    for name, noun in held:
        others = {other: ids[HELD[other][0]] for other in needed if other in HELD}
        given = {**needed, **others, name: ids[noun]}
        yield {key: [value] if key == "ids" else value for key, value in given.items()}
    if not any(name in HELD for name in needed):
        yield needed


async def asked(client: Client, ids: Any) -> list[tuple[str, bool, str]]:
    """What every tool, resource and prompt answers: its name, whether it is an error, and the text."""
    found = []
    for tool in (await client.list_tools()).tools:
        for given in arguments(tool.input_schema, ids):
            reply = await client.call_tool(tool.name, given)
            found.append((tool.name, bool(reply.is_error), str(reply.content)))
    found.append(("resources", False, str(await client.list_resources())))
    for template in (await client.list_resource_templates()).resource_templates:
        (name,) = re.findall(r"{(\w+)}", template.uri_template)
        for value in [ids[noun] for noun in HELD_BY_RESOURCES.get(name, ())] or [PLAIN[name]]:
            uri = template.uri_template.replace(f"{{{name}}}", value.replace(" ", "%20"))
            try:
                found.append((uri, False, str(await client.read_resource(uri))))
            except Exception as error:
                found.append((template.uri_template, True, str(error)))
    for prompt in (await client.list_prompts()).prompts:
        given = {argument.name: PLAIN[argument.name] for argument in prompt.arguments or ()}
        found.append((prompt.name, False, str(await client.get_prompt(prompt.name, given))))
    return found


def plain(answers: list[tuple[str, bool, str]], *all_ids: Any) -> list[tuple[str, bool, str]]:
    """Errors without ids and names; what went well differs by ids and times of one's own."""
    words = sorted({word for ids in all_ids for word in ids.values()}, key=len, reverse=True)

    def without(text: str) -> str:
        for word in words:
            text = text.replace(word, "<id>")
        return UUID.sub("<id>", text)

    return [(name.split("://")[0], wrong, without(text) if wrong else "") for name, wrong, text in answers]


@pytest.mark.parametrize("location", BACKENDS, indirect=True)
def test_no_tool_resource_or_prompt_reaches_what_is_anothers(memory: Reverie) -> None:
    world = world_of(memory)
    things(memory, "bob", "Pumpernickel")
    rivals = memory.in_org("rivals")
    rivals.space("default")
    keys = [bearer(memory, verb, space="bob") for verb in VERBS]
    keys += [bearer(rivals, verb) for verb in ("write", "review", "admin")]
    before = rows_of(world)

    async def story() -> None:
        app = create_app(memory, ServerSettings())
        async with app.router.lifespan_context(app):
            for key in keys:
                async with opened(app, key) as client:
                    await check(world, client)

    asyncio.run(asyncio.wait_for(story(), 100))
    assert rows_of(world) == before


async def check(world: World, client: Client) -> None:
    theirs, nobodys = await asked(client, world.victim), await asked(client, world.missing)
    assert len(theirs) > 15
    assert [one for one in theirs if world.secret in one[2]] == []
    assert plain(theirs, world.victim, world.missing) == plain(nobodys, world.victim, world.missing)


def test_a_session_answers_only_to_the_key_that_began_it(memory: Reverie) -> None:
    memory.space("default")
    body = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "initialize",
        "params": {
            "protocolVersion": "2025-06-18",
            "capabilities": {},
            "clientInfo": {"name": "test", "version": "1"},
        },
    }
    kinds = {"accept": "application/json, text/event-stream", "content-type": "application/json"}

    async def story() -> list[int]:
        app = create_app(memory, ServerSettings())
        transport = httpx2.ASGITransport(app=app)
        async with app.router.lifespan_context(app), httpx2.AsyncClient(transport=transport) as http:
            owner, other = bearer(memory), bearer(memory.in_org("rivals"), "admin")
            url = "http://127.0.0.1/mcp/"
            begun = await http.post(url, content=json.dumps(body), headers={**kinds, **owner})
            session = {"mcp-session-id": begun.headers["mcp-session-id"], "mcp-protocol-version": "2025-06-18"}
            ended = [await http.delete(url, headers={**kinds, **key, **session}) for key in (other, owner)]
            return [begun.status_code, *(reply.status_code for reply in ended)]

    assert asyncio.run(asyncio.wait_for(story(), 60)) == [200, 404, 200]
