"""MCP: how coding agents attach memory. The same eight tools over stdio and over HTTP at /mcp."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from mcp.server.auth.middleware.bearer_auth import AuthenticatedUser
from mcp.server.auth.provider import AccessToken
from mcp.server.transport_security import TransportSecuritySettings
from starlette.types import ASGIApp, Receive, Scope, Send

from reverie.reverie import Reverie
from reverie.server.gateway.auth import Caller
from reverie.server.mcp.access import LocalAccess, RemoteAccess
from reverie.server.mcp.tools import build
from reverie.server.state import Server, Surface

PATH = "/mcp"


def surface(server: Server) -> Surface:
    mcp = build(RemoteAccess(server))
    # The gate in front checks place and key before a request gets here.
    trusted = TransportSecuritySettings(enable_dns_rebinding_protection=False)
    app = mcp.streamable_http_app(streamable_http_path="/", transport_security=trusted)

    @asynccontextmanager
    async def lifespan() -> AsyncIterator[None]:
        async with mcp.session_manager.run():
            yield

    return Surface(mounts={PATH: OwnSessions(app)}, lifespan=lifespan)


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
