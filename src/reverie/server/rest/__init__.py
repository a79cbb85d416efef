"""Reverie's own routes, one file a noun."""

from fastapi import APIRouter

from reverie.server.rest import (
    blocks,
    health,
    keeping,
    keys,
    ledger,
    memories,
    nights,
    recall,
    scheduler,
    spaces,
    turns,
)
from reverie.server.runtime import Server, Surface

router = APIRouter()
for noun in (health, spaces, turns, recall, blocks, memories, nights, ledger, keeping, keys, scheduler):
    router.include_router(noun.routes)


def surface(_server: Server) -> Surface:
    return Surface(router=router, public=("/livez", "/readyz", "/docs", "/openapi.json"))
