"""Reverie's own routes, one file a noun."""

from fastapi import APIRouter

from reverie.server.rest import blocks, health, keeping, keys, memories, recall, spaces, turns
from reverie.server.runtime import Server, Surface

NOUNS = (health, spaces, turns, recall, blocks, memories, keeping, keys)


def surface(_server: Server) -> Surface:
    router = APIRouter()
    for noun in NOUNS:
        router.include_router(noun.routes)
    return Surface(router=router, public=("/livez", "/readyz", "/docs", "/openapi.json"))
