"""MCP: how coding agents attach memory. The same eight tools over stdio and over HTTP at /mcp."""

import json
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from mcp.server.auth.middleware.bearer_auth import AuthenticatedUser
from mcp.server.auth.provider import AccessToken
from mcp.server.transport_security import TransportSecuritySettings
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from reverie.reverie import Reverie
from reverie.server.gateway.auth import Caller
from reverie.server.mcp.access import LocalAccess, RemoteAccess
from reverie.server.mcp.tools import build
from reverie.server.state import Server, Surface

PATH = "/mcp"
METHODS = (
    "initialize", "ping", "tools/list", "resources/list", "resources/read", "resources/templates/list",
    "prompts/list", "prompts/get", "notifications/initialized",
)  # fmt: skip
TOOLS = (
    "memory_search", "memory_get", "memory_add", "memory_update", "memory_forget", "memory_context", "sleep_now",
    "sleep_status",
)  # fmt: skip
CALLS = frozenset((*METHODS, *TOOLS))


def surface(server: Server) -> Surface:
    mcp = build(RemoteAccess(server))
    # The gate in front checks place and key before a request gets here.
    trusted = TransportSecuritySettings(enable_dns_rebinding_protection=False)
    app = mcp.streamable_http_app(streamable_http_path="/", transport_security=trusted)

    @asynccontextmanager
    async def lifespan() -> AsyncIterator[None]:
        async with mcp.session_manager.run():
            yield

    return Surface(mounts={PATH: OwnSessions(app, server)}, lifespan=lifespan)


class McpRoute:
    """Stands in the scope for a route, so that requests are counted under the path of MCP."""

    path = PATH


class OwnSessions:
    """Tells the SDK who calls, so that a session answers only to the key that began it; counts calls by name."""

    def __init__(self, app: ASGIApp, server: Server) -> None:
        self._app = app
        self._server = server

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        scope["route"] = McpRoute
        caller: Caller = scope["state"]["caller"]
        known = AccessToken(token="", client_id=caller.key or caller.org, scopes=[])
        first = await receive() if scope["method"] == "POST" else None
        began = time.perf_counter()
        await self._app({**scope, "user": AuthenticatedUser(known)}, _again(first, receive), send)
        if first is not None:
            self._server.metrics.count_call("mcp", called(first.get("body", b"")), time.perf_counter() - began)


def _again(first: Message | None, receive: Receive) -> Receive:
    """A `receive` that gives a message again that was looked at."""
    waiting = [] if first is None else [first]

    async def again() -> Message:
        return waiting.pop() if waiting else await receive()

    return again


def called(body: bytes) -> str:
    """What a request calls: the tool's name or the method, of those that there are.

    >>> called(b'{"method": "tools/call", "params": {"name": "memory_search"}}'), called(b'{"method": "evil"}')
    ('memory_search', 'other')
    """
    try:
        asked = json.loads(body)
    except (ValueError, RecursionError):
        return "other"
    asked = asked if isinstance(asked, dict) else {}
    params = asked.get("params")
    named = params.get("name") if asked.get("method") == "tools/call" and isinstance(params, dict) else None
    return next((name for name in (named, asked.get("method")) if name in CALLS), "other")


def serve_stdio(memory: Reverie) -> None:
    """Until the client closes its end."""
    access = LocalAccess(memory)
    try:
        build(access).run("stdio")
    finally:
        access.close()
