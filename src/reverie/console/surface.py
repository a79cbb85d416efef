"""The console as one way into the server: its screens, its files, the door, and how it says that something is wrong."""

from fastapi import APIRouter
from starlette.responses import RedirectResponse, Response

from reverie.console import assets
from reverie.console.screens import (
    answers,
    blocks,
    connect,
    context,
    inbox,
    live,
    memory,
    nights,
    overview,
    records,
    settings,
    topology,
)
from reverie.console.shell import ROOT, Anywhere
from reverie.server.dependencies import Routes
from reverie.server.state import Server, Surface

SCREENS = (overview, memory, context, nights, inbox, blocks, answers, topology, records, live, connect, settings)
door = Routes(include_in_schema=False)


@door.get(ROOT, response_model=None)
def spaces(here: Anywhere) -> Response:
    """The spaces; where there is only one, its overview."""
    found = here.spaces
    if len(found) == 1:
        return here.with_cookie(RedirectResponse(f"{ROOT}/{found[0].id}", 303))
    return here.page("spaces.html", spaces=found)


@door.get("/", response_model=None)
async def front() -> Response:
    """Whoever opens the server's address is led here."""
    return RedirectResponse(ROOT, 307)


def surface(_server: Server) -> Surface:
    router = APIRouter()
    router.add_api_route(f"{assets.ROOT}/{{name}}", assets.read_asset, include_in_schema=False)
    router.include_router(door)
    for screen in SCREENS:
        router.include_router(screen.routes)
    return Surface(router=router, public=("/", *(f"{assets.ROOT}/{name}" for name in assets.NAMES)), owns=(ROOT,))
