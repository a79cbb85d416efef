"""Whether the server lives, whether it is ready, and what Prometheus wants to know."""

from fastapi import Request, Response
from fastapi.responses import JSONResponse
from pydantic import BaseModel

from reverie import __version__
from reverie.errors import NotAllowed
from reverie.model.base import DAY, Instant
from reverie.model.spaces import Gauges
from reverie.server.dependencies import Asking, ReadableOrg, Routes, the_server

routes = Routes(tags=["health"])
PROMETHEUS = "text/plain; version=0.0.4; charset=utf-8"


class HealthOut(BaseModel):
    status: str
    version: str = __version__
    why: str = ""


@routes.get("/livez")
async def check_live() -> HealthOut:
    """The process lives."""
    return HealthOut(status="ok")


@routes.get("/readyz", response_model=HealthOut, responses={503: {"description": "Not now, and why."}})
def check_ready(request: Request) -> Response:
    """Ready while the store answers and the server is not about to stop; `degraded` if nights fail or nobody sleeps."""
    server = the_server(request)
    if server.draining:
        return JSONResponse(HealthOut(status="unready", why="the server is stopping").model_dump(), 503)
    trouble = troubles(*server.gauges())  # fails, as it should, if the store is gone
    return JSONResponse(HealthOut(status="degraded" if trouble else "ok", why="; ".join(trouble)).model_dump())


@routes.get("/metrics", response_class=Response, responses={200: {"content": {PROMETHEUS: {}}}})
def read_metrics(request: Request, org: ReadableOrg, caller: Asking) -> Response:
    """In Prometheus' text format, of the whole store: for a key of the org that the server was started for."""
    caller.must_see_all()
    if org.org != the_server(request).reverie.org:
        raise NotAllowed("these are the figures of the whole store", next_move="Use a key of the operator's org.")
    return Response(the_server(request).metrics.text(), media_type=PROMETHEUS)


def troubles(found: Gauges, now: Instant) -> list[str]:
    """Silence is never health. Whoever asks has shown no key, so that figures are left out."""
    said = []
    if found.failing_spaces:
        said.append("the nights of a space keep failing")
    if found.oldest_unread_at is not None and now - found.oldest_unread_at > DAY:
        said.append("turns wait, the oldest for over a day: is a sleeper running?")
    return said
