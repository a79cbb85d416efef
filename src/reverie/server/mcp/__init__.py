"""MCP: how coding agents attach memory. The same eight tools over stdio and over HTTP at /mcp."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from mcp.server.transport_security import TransportSecuritySettings

from reverie.reverie import Reverie
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

    return Surface(mounts={PATH: app}, lifespan=lifespan)


def serve_stdio(memory: Reverie) -> None:
    """Until the client closes its end."""
    access = LocalAccess(memory)
    try:
        build(access).run("stdio")
    finally:
        access.close()
