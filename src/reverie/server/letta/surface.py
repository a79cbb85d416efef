"""The Letta-compatible way in: `letta-client` works unchanged, and its agents sleep.

What they answer is letta-client's own contract, and its strict mode tests it; the OpenAPI document names them all.
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import APIRouter

from reverie.server.letta import (
    access,
    agent_file_routes,
    agent_folders,
    agents,
    archives,
    blocks,
    catalogue,
    conversation_routes,
    exchange_runs,
    folders,
    message_search,
    messages,
    passages,
    runs,
    sleeptime,
    steps,
    tools,
)
from reverie.server.letta.shared import error_detail
from reverie.server.openapi.document import errors_as
from reverie.server.state import Server, Surface

NOUNS = (
    "agents",
    "blocks",
    "conversations",
    "messages",
    "passages",
    "archives",
    "folders",
    "runs",
    "steps",
    "groups",
    "tools",
    "tags",
    "models",
    "health",
)
NAMED = (*NOUNS, "client-side-access-tokens", *access.REFUSED)
OWNED = tuple(f"/v1/{noun}{end}" for noun in NAMED for end in ("/", ""))

ERROR = {
    "type": "object",
    "title": "LettaError",
    "required": ["detail"],
    "properties": {
        "detail": {"type": "string", "description": "What is wrong, and the next move."},
        "code": {"type": "string", "description": "Stable and machine-readable."},
        "data": {"type": "object", "description": "The figures."},
    },
}
router = APIRouter(responses=errors_as(ERROR))
for noun in (
    catalogue,
    agent_file_routes,
    agents,
    blocks,
    passages,
    messages,
    message_search,
    conversation_routes,
    runs,
    steps,
    archives,
    sleeptime,
    tools,
    folders,
    agent_folders,
    access,
):
    router.include_router(noun.routes)
router.include_router(access.refusals)


def surface(server: Server) -> Surface:
    @asynccontextmanager
    async def lifespan() -> AsyncIterator[None]:
        await server.run(exchange_runs.keep_sent, server)
        yield

    return Surface(router=router, public=("/v1/health/",), owns=OWNED, error_body=error_detail, lifespan=lifespan)
