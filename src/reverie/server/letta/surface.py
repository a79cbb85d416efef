"""The Letta-compatible way in: `letta-client` works unchanged, and its agents sleep.

The routes are not in our OpenAPI document: their contract is letta-client's own, and its strict mode tests them.
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import APIRouter

from reverie.server.letta import (
    agent_file_routes,
    agents,
    archives,
    async_runs,
    blocks,
    catalogue,
    messages,
    passages,
    runs,
    sleeptime,
    tools,
)
from reverie.server.letta.shared import error_detail
from reverie.server.state import Server, Surface

NOUNS = ("agents", "blocks", "passages", "archives", "runs", "groups", "tools", "tags", "models", "health")
OWNED = tuple(f"/v1/{noun}/" for noun in NOUNS)

router = APIRouter(include_in_schema=False)
for noun in (catalogue, agent_file_routes, agents, blocks, passages, messages, runs, archives, sleeptime, tools):
    router.include_router(noun.routes)


def surface(server: Server) -> Surface:
    @asynccontextmanager
    async def lifespan() -> AsyncIterator[None]:
        await server.run(async_runs.keep_sent, server)
        yield

    return Surface(router=router, public=("/v1/health/",), owns=OWNED, error_body=error_detail, lifespan=lifespan)
