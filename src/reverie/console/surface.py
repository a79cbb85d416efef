"""The console as one way into the server: its screens, its files, the door, and how it says that something is wrong."""

from fastapi import APIRouter

from reverie.console import assets, door
from reverie.console.screens import (
    answers,
    blocks,
    connect,
    context,
    doctor,
    inbox,
    live,
    memory,
    nights,
    overview,
    records,
    settings,
    topology,
)
from reverie.console.shell import ROOT
from reverie.server.state import Server, Surface

SCREENS = (
    overview, doctor, memory, context, nights, inbox, blocks, answers, topology, records, live, connect, settings,
)  # fmt: skip


def surface(_server: Server) -> Surface:
    router = APIRouter()
    router.add_api_route(f"{assets.ROOT}/{{name}}", assets.read_asset, include_in_schema=False)
    router.include_router(door.routes)
    for screen in SCREENS:
        router.include_router(screen.routes)
    return Surface(
        router=router,
        public=(*door.PUBLIC, *(f"{assets.ROOT}/{name}" for name in assets.NAMES)),
        owns=(ROOT,),
        error_body=door.error_page,
    )
