"""Reverie's own routes, one file a noun."""

from fastapi import APIRouter

from reverie.server.rest import (
    answers,
    blocks,
    decisions,
    forget,
    health,
    hooks,
    intents,
    keys,
    ledger,
    memories,
    nights,
    recall,
    scheduler,
    spaces,
    studies,
    turns,
)
from reverie.server.state import Server, Surface

# In the order in which the reference lists them.
ROUTES = (
    health.routes,
    spaces.routes,
    turns.routes,
    recall.routes,
    answers.routes,
    hooks.routes,
    intents.routes,
    blocks.routes,
    memories.routes,
    studies.routes,
    nights.routes,
    decisions.routes,
    nights.diary_routes,
    ledger.routes,
    forget.routes,
    spaces.keeping,
    keys.routes,
    scheduler.routes,
)
router = APIRouter()
for routes in ROUTES:
    router.include_router(routes)


def surface(_server: Server) -> Surface:
    return Surface(router=router, public=("/livez", "/readyz", "/docs", "/openapi.json"))
