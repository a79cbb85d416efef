"""Reverie's own routes, one file a noun."""

from fastapi import APIRouter

from reverie.server.rest import (
    answers,
    blocks,
    health,
    keeping,
    keys,
    ledger,
    memories,
    nights,
    recall,
    records,
    scheduler,
    spaces,
    turns,
)
from reverie.server.runtime import Server, Surface

NOUNS = (
    health,
    spaces,
    turns,
    recall,
    answers,
    blocks,
    memories,
    nights,
    records,
    ledger,
    keeping,
    keys,
    scheduler,
)
router = APIRouter()
for noun in NOUNS:
    router.include_router(noun.routes)


def surface(_server: Server) -> Surface:
    return Surface(router=router, public=("/livez", "/readyz", "/docs", "/openapi.json"))
