"""Whether the server lives, whether it is ready, and what Prometheus wants to know."""

from fastapi import Request, Response
from fastapi.responses import JSONResponse
from pydantic import BaseModel

from reverie import __version__
from reverie.server.rest.shared import Routes, the_server
from reverie.store import keys

routes = Routes(tags=["health"])
PROMETHEUS = "text/plain; version=0.0.4; charset=utf-8"


class Health(BaseModel):
    status: str
    version: str = __version__
    why: str = ""


@routes.get("/livez")
async def live() -> Health:
    return Health(status="ok")


@routes.get(
    "/readyz",
    response_model=Health,
    responses={503: {"model": Health, "description": "Not now: `why` says what is missing."}},
)
def ready(request: Request) -> Response:
    """Ready while the store answers and the server is not about to stop."""
    server = the_server(request)
    why = "the server is stopping" if server.draining else ""
    if not why:
        keys.any_live(server.reverie.parts.db, 0.0)  # a read that fails if the store is gone
    found = Health(status="unready" if why else "ok", why=why)
    return JSONResponse(found.model_dump(), 503 if why else 200)


@routes.get("/metrics", response_class=Response, responses={200: {"content": {PROMETHEUS: {}}}})
def metrics(request: Request) -> Response:
    """In Prometheus' text format; needs a key where the server needs one."""
    return Response(the_server(request).metrics.text(), media_type=PROMETHEUS)
