"""Reverie's own routes, one file a noun."""

from fastapi import APIRouter

from reverie.server.rest import (
    answers,
    blocks,
    decisions,
    forget,
    health,
    keys,
    ledger,
    memories,
    nights,
    recall,
    scheduler,
    spaces,
    turns,
)
from reverie.server.state import Server, Surface

NOUNS = (
    health,
    spaces,
    turns,
    recall,
    answers,
    blocks,
    memories,
    nights,
    decisions,
    ledger,
    forget,
    keys,
    scheduler,
)
router = APIRouter()
for noun in NOUNS:
    router.include_router(noun.routes)
router.include_router(spaces.keeping)
router.include_router(nights.diary_routes)


def surface(_server: Server) -> Surface:
    return Surface(router=router, public=("/livez", "/readyz", "/docs", "/openapi.json"))
