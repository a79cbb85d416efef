"""The way in for the Anthropic SDK's `beta.memory_stores` and `beta.dreams`."""

from fastapi import APIRouter

from reverie.server.memory_stores import dreams, memories, stores
from reverie.server.memory_stores.shared import error_reply
from reverie.server.state import Server, Surface

router = APIRouter(include_in_schema=False)
for noun in (stores, memories, dreams):
    router.include_router(noun.routes)


def surface(_server: Server) -> Surface:
    return Surface(router=router, owns=("/v1/memory_stores", "/v1/dreams"), error_body=error_reply)
