"""The sleep agent's own routes, as its first clients know them: one history and one trigger for a whole org."""

from datetime import UTC, datetime
from typing import Annotated, Any

from fastapi import Header, Query
from pydantic import BaseModel, Field

from reverie.errors import NotFound
from reverie.model.base import Instant
from reverie.model.night import Night
from reverie.reverie import Reverie
from reverie.server.dependencies import Asking, ReadableOrg, Routes, WritableOrg
from reverie.server.formatting import outcome
from reverie.server.gateway.auth import Caller
from reverie.server.rest.nights import NO_SLEEPER
from reverie.space import Space

routes = Routes(tags=["sleep agent"])
NAMES = {"done": "completed", "requested": "queued"}  # the others are called alike
MOST_SPACES = 1_000
OrgId = Annotated[str | None, Query(alias="orgId", max_length=300)]
OrgHeader = Annotated[str | None, Header(alias="x-org-id", max_length=300)]


class Run(BaseModel):
    runId: str
    orgId: str
    spaceId: str
    status: str
    triggeredAt: str
    completedAt: str | None
    durationMs: int | None
    tasksCompleted: int = Field(description="Changes written.")
    tasksFailed: int = Field(description="Items that could not be done, and are tried again.")
    notes: str
    steps: dict[str, Any]


class Runs(BaseModel):
    runs: list[Run]


class Queued(BaseModel):
    status: str
    runId: str | None
    message: str
    runs: list[str] = Field(description="One for every space of the org that will sleep.")


class Scheduler(BaseModel):
    running: bool = Field(description="Whether a sleeper was heard of in the last two minutes.")
    worker: str | None
    lastAliveAt: str | None
    nextDueAt: str | None
    spaces: int
    backlog: int = Field(description="Turns that no night has read.")
    runs: dict[str, int] = Field(description="How the nights of the last day ended.")


@routes.get("/telemetry/sleep")
def sleep_history(
    org: ReadableOrg,
    caller: Asking,
    org_id: OrgId = None,
    x_org_id: OrgHeader = None,
    limit: Annotated[int, Query(ge=1, le=200)] = 10,
) -> Runs:
    """The org's last runs over all its spaces, newest first, skipped ones too."""
    check_org(org, org_id or x_org_id)
    found = [(night, space) for space in visible_spaces(org, caller) for night in space.nights(limit=limit)]
    newest = sorted(found, key=lambda pair: pair[0].requested_at, reverse=True)[:limit]
    return Runs(runs=[run_out(org, space, night) for night, space in newest])


@routes.post("/scheduler/run")
def run_scheduler(org: WritableOrg, caller: Asking, x_org_id: OrgHeader = None) -> Queued:
    """Asks for a night in every space of the org that has something new to read."""
    check_org(org, x_org_id)
    asked = [space.request_sleep("night") for space in visible_spaces(org, caller) if space.unread()]
    going = [night.id for night in asked if night.status == "requested"]
    if going:
        awaited = org.scheduler().alive
        message = "Sleep job enqueued. Follow it at /telemetry/sleep." if awaited else f"Enqueued; {NO_SLEEPER}."
        return Queued(status="queued", runId=going[0], message=message, runs=going)
    why = asked[0].why if asked else "nothing_new: no space has turns that no night has read"
    return Queued(status="skipped", runId=asked[0].id if asked else None, message=why, runs=[])


@routes.get("/metrics/scheduler")
def scheduler_metrics(org: ReadableOrg, caller: Asking) -> Scheduler:
    """Whether anything sleeps here, and what waits."""
    own = visible_spaces(org, caller)
    figures = org.scheduler(*own)
    return Scheduler(
        running=figures.alive,
        worker=figures.worker,
        lastAliveAt=None if figures.heard_at is None else iso_seconds(figures.heard_at),
        nextDueAt=None if figures.next_due_at is None else iso_seconds(figures.next_due_at),
        spaces=figures.spaces,
        backlog=figures.backlog,
        runs={NAMES.get(status, status): times for status, times in figures.ended.items()},
    )


def check_org(org: Reverie, named: str | None) -> None:
    """A caller's org follows from its key; naming another finds nothing."""
    if named not in (None, org.org, org.org_name):
        raise NotFound("org", named)


def visible_spaces(org: Reverie, caller: Caller) -> list[Space]:
    return [org.space_by_id(caller.space)] if caller.space else org.spaces(limit=MOST_SPACES)


def run_out(org: Reverie, space: Space, night: Night) -> Run:
    steps = space.night(night.id).steps
    return Run(
        runId=night.id,
        orgId=org.org,
        spaceId=space.id,
        status=NAMES.get(night.status, night.status),
        triggeredAt=iso_seconds(night.requested_at),
        completedAt=None if night.ended_at is None else iso_seconds(night.ended_at),
        durationMs=duration_ms(night),
        tasksCompleted=space.changed_rows(night.id),
        tasksFailed=int(night.counts.get("failed", 0)),
        notes=outcome(night),
        steps={
            step.step: {
                "status": "completed" if step.status == "done" else step.status,
                "durationMs": round(step.duration_ms),
                "counts": dict(step.counts),
            }
            for step in steps
        },
    )


def duration_ms(night: Night) -> int | None:
    """None while it lasts; a night that was refused took no time."""
    return None if night.ended_at is None else round((night.ended_at - (night.began_at or night.ended_at)) * 1e3)


def iso_seconds(at: Instant) -> str:
    """To the second, as this surface's clients write it.

    >>> iso_seconds(0.0)
    '1970-01-01T00:00:00Z'
    """
    return datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
