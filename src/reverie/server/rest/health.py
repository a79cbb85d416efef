"""Whether the server lives, whether it is ready, and what Prometheus wants to know."""

from fastapi import Request, Response
from fastapi.responses import JSONResponse
from pydantic import BaseModel

from reverie import __version__
from reverie.model.base import DAY, Instant
from reverie.model.spaces import Gauges
from reverie.server.dependencies import Routes, the_server

routes = Routes(tags=["health"])
PROMETHEUS = "text/plain; version=0.0.4; charset=utf-8"


class HealthOut(BaseModel):
    status: str
    version: str = __version__
    why: str = ""


@routes.get("/livez")
async def live() -> HealthOut:
    """The process lives."""
    return HealthOut(status="ok")


@routes.get("/readyz", response_model=HealthOut, responses={503: {"description": "Not now, and why."}})
def ready(request: Request) -> Response:
    """Ready while the store answers and the server is not about to stop; `degraded` if nights fail or nobody sleeps."""
    server = the_server(request)
    if server.draining:
        return JSONResponse(HealthOut(status="unready", why="the server is stopping").model_dump(), 503)
    trouble = troubles(*server.gauges())  # fails, as it should, if the store is gone
    return JSONResponse(HealthOut(status="degraded" if trouble else "ok", why="; ".join(trouble)).model_dump())


@routes.get("/metrics", response_class=Response, responses={200: {"content": {PROMETHEUS: {}}}})
def metrics(request: Request) -> Response:
    """In Prometheus' text format; needs a key where the server needs one."""
    return Response(the_server(request).metrics.text(), media_type=PROMETHEUS)


def troubles(found: Gauges, now: Instant) -> list[str]:
    """Silence is never health."""
    said = []
    if found.failing_spaces:
        said.append(f"the nights of {found.failing_spaces} spaces keep failing")
    if found.oldest_unread_at is not None and now - found.oldest_unread_at > DAY:
        said.append(f"{found.unread_turns} turns wait, the oldest for over a day: is a sleeper running?")
    return said
