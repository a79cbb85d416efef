"""MCP: how coding agents attach memory. The same eight tools over stdio and over HTTP at /mcp."""

import time
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

from mcp.server.auth.middleware.bearer_auth import AuthenticatedUser
from mcp.server.auth.provider import AccessToken
from mcp.server.context import CallNext, HandlerResult, ServerRequestContext
from mcp.server.transport_security import TransportSecuritySettings
from starlette.types import ASGIApp, Receive, Scope, Send

from reverie.reverie import Reverie
from reverie.server.gateway.auth import Caller
from reverie.server.mcp.access import LocalAccess, RemoteAccess
from reverie.server.mcp.tools import TOOLS, build
from reverie.server.metrics import Metrics
from reverie.server.state import Server, Surface

PATH = "/mcp"


def surface(server: Server) -> Surface:
    mcp = build(RemoteAccess(server))
    mcp.middleware.append(CallCounter(server.metrics, frozenset(TOOLS)))
    # The gate in front checks place and key before a request gets here.
    trusted = TransportSecuritySettings(enable_dns_rebinding_protection=False)
    app = mcp.streamable_http_app(streamable_http_path="/", transport_security=trusted)

    @asynccontextmanager
    async def lifespan() -> AsyncIterator[None]:
        async with mcp.session_manager.run():
            yield

    return Surface(mounts={PATH: OwnSessions(app)}, lifespan=lifespan)


class CallCounter:
    """Counts calls of tools and reads of resources for /metrics. Names that are none of ours are one."""

    def __init__(self, metrics: Metrics, tools: frozenset[str]) -> None:
        self._metrics = metrics
        self._tools = tools

    async def __call__(self, ctx: ServerRequestContext[Any, Any], call_next: CallNext) -> HandlerResult:
        name = self._name(ctx)
        if name is None:
            return await call_next(ctx)
        began, ok = time.perf_counter(), False
        try:
            result = await call_next(ctx)
            ok = not _says_error(result)
            return result
        finally:
            self._metrics.count_call("mcp", name, ok=ok, seconds=time.perf_counter() - began)

    def _name(self, ctx: ServerRequestContext[Any, Any]) -> str | None:
        if ctx.method != "tools/call":
            return ctx.method if ctx.method in ("resources/read", "prompts/get") else None
        asked = (ctx.params or {}).get("name")
        return asked if asked in self._tools else "unknown"


def _says_error(result: HandlerResult) -> bool:
    """Whether a tool answered that it could not: the SDK has it as a value or, written out, as JSON."""
    if isinstance(result, Mapping):
        return bool(result.get("isError"))
    return bool(getattr(result, "is_error", False))


class OwnSessions:
    """Tells the SDK who calls, so that a session answers only to the key that began it."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            caller: Caller = scope["state"]["caller"]
            known = AccessToken(token="", client_id=caller.key or caller.org, scopes=[])
            scope = {**scope, "user": AuthenticatedUser(known)}
        await self._app(scope, receive, send)


def serve_stdio(memory: Reverie) -> None:
    """Until the client closes its end."""
    access = LocalAccess(memory)
    try:
        build(access).run("stdio")
    finally:
        access.close()
