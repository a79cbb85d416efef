"""Runs are nights, and exchanges that nobody waited for."""

import heapq
from collections.abc import Iterable, Iterator
from typing import Annotated

from fastapi import HTTPException, Query
from fastapi.responses import StreamingResponse

from reverie.errors import NotFound
from reverie.model.night import Night
from reverie.server.dependencies import Asking, Id, Routes
from reverie.server.formatting import outcome
from reverie.server.gateway.auth import Caller
from reverie.server.letta import exchange_runs, steps
from reverie.server.letta.exchange_runs import ExchangeRun
from reverie.server.letta.shapes import STATUS, message_shape, run_shape
from reverie.server.letta.shared import (
    Cursor,
    Shape,
    TheServer,
    cursor,
    message_id,
    night_id,
    page_of,
    the_agent,
    visible_agents,
)
from reverie.server.state import Server
from reverie.space import Space

routes = Routes(prefix="/v1/runs", tags=["letta"])
PART = 100
RAN = ("requested", "running", "done", "failed", "cancelled", "undoing", "undone")  # what was skipped never was a run
Names = Annotated[list[str], Query(max_length=100)]


@routes.get("/")
def list_runs(
    server: TheServer,
    caller: Asking,
    page: Cursor = cursor(100, "desc"),
    agent_id: str | None = None,
    agent_ids: Names = [],
    statuses: Names = [],
    active: bool = False,
    conversation_id: str | None = None,
    background: bool | None = None,
    stop_reason: str | None = None,
) -> list[Shape]:
    """Exchanges and nights, of some agents or of all that the key may see."""
    caller.must("read")
    named = [*agent_ids, *([agent_id] if agent_id else [])]
    agents = [the_agent(server, caller, id) for id in named] if named else list(visible_agents(server, caller))

    def _fits(run: Shape) -> bool:
        return (
            conversation_id in (None, run.get("conversation_id"))
            and background in (None, run["background"])
            and stop_reason in (None, run["stop_reason"])
        )

    wanted = {"created", "running"} if active else set(statuses) or {*STATUS.values(), "cancelled"}
    found = (run for run in oldest_first(server, caller.org, agents) if run["status"] in wanted and _fits(run))
    return list(page_of(found, page, lambda run: str(run["id"])))


def oldest_first(server: Server, org: str, agents: Iterable[Space]) -> Iterator[Shape]:
    known = {agent.id: agent for agent in agents}
    talked = (run.shape() for run in exchange_runs.oldest_first(server, org) if run.space in known)
    slept = [[run_shape(night) for night in nights_of(agent)][::-1] for agent in known.values()]
    return heapq.merge(talked, *slept, key=lambda run: run["created_at"])


def nights_of(agent: Space) -> Iterator[Night]:
    """Newest first."""
    after = None
    while found := agent.nights(limit=PART, after=after, statuses=RAN):
        yield from found
        after = found[-1].id


def the_run(server: Server, caller: Caller, id: str) -> tuple[Space, Night] | ExchangeRun:
    caller.must("read")
    run = exchange_runs.find(server, caller.org, id)
    if run is None:
        return the_night(server, caller, id)
    if caller.space not in (None, run.space):
        raise NotFound("run", id)
    return run


def the_night(server: Server, caller: Caller, id: str) -> tuple[Space, Night]:
    try:
        if not id.startswith("run-"):
            raise NotFound("run", id)
        space, night = server.org(caller).find_night(night_id(id))
        return the_agent(server, caller, space.id), night
    except NotFound:
        raise NotFound("run", id) from None


@routes.get("/{run_id}")
def read_run(server: TheServer, caller: Asking, run_id: Id) -> Shape:
    run = the_run(server, caller, run_id)
    return run.shape() if isinstance(run, ExchangeRun) else run_shape(run[1])


@routes.get("/{run_id}/messages")
def run_messages(server: TheServer, caller: Asking, run_id: Id, page: Cursor = cursor(100, "asc")) -> list[Shape]:
    """Of a night: what it did, in one sentence."""
    run = the_run(server, caller, run_id)
    return list(
        page_of(run.messages if isinstance(run, ExchangeRun) else story(run[1]), page, lambda one: str(one["id"]))
    )


def story(night: Night) -> list[Shape]:
    said = outcome(night) or night.status
    at = night.ended_at or night.requested_at
    return [message_shape("assistant_message", message_id(night.id), at, content=f"{night.kind}: {said}")]


@routes.get("/{run_id}/steps")
def run_steps(server: TheServer, caller: Asking, run_id: Id, page: Cursor = cursor(100, "asc")) -> list[Shape]:
    run = the_run(server, caller, run_id)
    return list(page_of(steps.of_run(run), page, lambda step: str(step["id"])))


@routes.get("/{run_id}/usage")
def run_usage(server: TheServer, caller: Asking, run_id: Id) -> Shape:
    run = the_run(server, caller, run_id)
    if isinstance(run, ExchangeRun):
        return {name: run.usage.get(name, 0) for name in ("completion_tokens", "prompt_tokens", "total_tokens")}
    return {"total_tokens": run[1].tokens}


@routes.get("/{run_id}/trace")
def run_trace(server: TheServer, caller: Asking, run_id: Id) -> list[Shape]:
    """The night's steps with their durations and counts."""
    run = the_run(server, caller, run_id)
    if isinstance(run, ExchangeRun):
        return []
    steps = run[0].night(run[1].id).steps
    return [{"name": s.step, "status": s.status, "duration_ms": s.duration_ms, "counts": dict(s.counts)} for s in steps]


@routes.post("/{run_id}/stream", response_model=None)
def stream_run(server: TheServer, caller: Asking, run_id: Id) -> StreamingResponse:
    """The messages of an exchange as a stream, when it has ended."""
    run = the_run(server, caller, run_id)
    if not isinstance(run, ExchangeRun):
        raise HTTPException(400, "This run is a night; its events are at /v1/spaces/{id}/nights/{night}/events")
    return exchange_runs.stream_of(server, caller.org, run_id)


@routes.post("/{run_id}/undo")
def undo_run(server: TheServer, caller: Asking, run_id: Id) -> Shape:
    """Not in Letta: takes a night back, row by row; refused, with its name, if a later one rests on it."""
    caller.must("write")
    space, night = the_night(server, caller, run_id)
    return {"rows": space.undo(night.id)}
