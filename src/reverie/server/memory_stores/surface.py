"""The way in for the Anthropic SDK's `beta.memory_stores` and `beta.dreams`."""

from fastapi import APIRouter

from reverie.server.memory_stores import dreams, memories, stores
from reverie.server.memory_stores.shared import error_reply
from reverie.server.openapi.document import errors_as
from reverie.server.state import Server, Surface

ERROR = {
    "type": "object",
    "title": "MemoryStoreError",
    "required": ["type", "error"],
    "properties": {
        "type": {"const": "error", "description": "That it is one."},
        "error": {
            "type": "object",
            "description": "What is wrong.",
            "required": ["type", "message"],
            "properties": {
                "type": {"type": "string", "description": "Anthropic's name for the kind of error."},
                "message": {"type": "string", "description": "What is wrong, and the next move."},
            },
        },
    },
}
router = APIRouter(responses=errors_as(ERROR))
for noun in (stores, memories, dreams):
    router.include_router(noun.routes)


def surface(_server: Server) -> Surface:
    return Surface(router=router, owns=("/v1/memory_stores", "/v1/dreams"), error_body=error_reply)
