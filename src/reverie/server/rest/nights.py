"""Nights over HTTP: asked for, followed as a stream of events, read, taken back.

A night runs in the sleeper's process: what the stream sends is what the store says.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import asdict, replace
from typing import Annotated, Any

from fastapi import Query, Request
from fastapi.responses import StreamingResponse
from pydantic import BaseModel, Field

from reverie.errors import NotFound
from reverie.model.base import Instant
from reverie.model.night import Change, DiaryEntry, Night, NightKind, NightReport, NightStep, Status
from reverie.model.rhythm import Due, GateAnswer
from reverie.policy.sleep.verdict import NightVerdict, verdict
from reverie.server.dependencies import Id, Readable, Routes, Writable, the_server
from reverie.server.rest.shared import After, Limit, Page, Strict, page
from reverie.server.state import Server
from reverie.server.streams import EVENT_STREAM, check_room, counted_stream, event

LOOK_EVERY = 0.25  # seconds
BREATHE_EVERY = 15.0  # a comment, so that nothing in between takes the silence for the end
OVER = ("done", "failed", "skipped", "cancelled", "undone")
routes = Routes(prefix="/v1/spaces/{space}", tags=["nights"])
diary_routes = Routes(prefix="/v1/spaces/{space}", tags=["records"])
Before = Annotated[float | None, Query(ge=0, le=1e11, allow_inf_nan=False, description="`next` of the page before.")]
NO_SLEEPER = "it waits for a sleeper: start `reverie worker`, or serve with `reverie up`"


class SleepIn(Strict):
    kind: NightKind = Field(default="night", description="A nap reads only what is new.")


class SleepReply(BaseModel):
    night: str = Field(description="Follow it under this id.")
    status: Status = Field(description="`requested`, or `skipped`.")
    why: str


class SleepState(BaseModel):
    """Why the space sleeps or does not."""

    due: Due | None
    next: Due | None
    answers: list[GateAnswer]
    retry_at: Instant | None
    sleeper: bool = Field(description="Whether a sleeper was heard of lately.")


class NightOut(BaseModel):
    night: Night
    steps: list[NightStep]
    verdict: NightVerdict = Field(description="How it went: good, warning, critical, quiet or running, with reasons.")


class Undone(BaseModel):
    rows: dict[str, int] = Field(description="How many rows of each kind were put back.")


class Released(BaseModel):
    released: int


class Cancelled(BaseModel):
    cancelled: bool = Field(description="False: it had already ended.")


class Pause(Strict):
    paused: bool = True


@routes.post("/sleep", status_code=202)
def request_sleep(space: Writable, body: SleepIn | None = None) -> SleepReply:
    """Asks the sleeper for a night and answers at once; `skipped` with the reason if a gate is closed."""
    night = space.request_sleep((body or SleepIn()).kind)
    waits = night.status == "requested" and not space.sleeper_alive()
    return SleepReply(night=night.id, status=night.status, why=NO_SLEEPER if waits else night.why)


@routes.get("/sleep")
def explain_sleep(space: Readable) -> SleepState:
    """What is due, and every gate's answer."""
    report = space.explain_sleep()
    return SleepState(
        due=report.due,
        next=report.next,
        answers=report.answers,
        retry_at=report.retry_at,
        sleeper=space.sleeper_alive(),
    )


@routes.post("/pause")
def pause_nights(space: Writable, body: Pause) -> Pause:
    """No trigger fires while a space is paused; a person still may."""
    space.pause(body.paused)
    return body


@routes.get("/nights")
def list_nights(
    space: Readable,
    status: Annotated[list[Status], Query()] = [],
    limit: Limit = 20,
    after: After = None,
) -> Page[Night]:
    """Newest first, skipped ones too."""
    if after is not None:
        space.night(after)
    return page(space.nights(limit=limit + 1, after=after, statuses=tuple(status)), limit, lambda night: night.id)


@routes.get("/nights/{night}")
def read_night(space: Readable, night: Id) -> NightOut:
    """One night with its steps: durations, counts, errors."""
    found = space.night(night)
    return NightOut(night=found.night, steps=list(found.steps), verdict=verdict(found.night))


@routes.get("/nights/{night}/diff")
def night_diff(
    space: Readable, night: Id, limit: Limit = 50, after: Annotated[int, Query(ge=-1, le=2**62)] = -1
) -> Page[Change]:
    """What a night changed, row by row, in its order."""
    found = [without_bytes(change) for change in space.night_diff(night, limit=limit + 1, after=after)]
    return page(found, limit, lambda change: str(change.n))


@routes.get(
    "/nights/{night}/events", response_class=StreamingResponse, responses={200: {"content": {EVENT_STREAM: {}}}}
)
async def night_events(space: Readable, night: Id, request: Request) -> StreamingResponse:
    """The night as it goes, as server-sent events: `night`, `step`, and `end` when it is over."""
    server = the_server(request)
    check_room(server)
    await server.run(space.night, night)
    return StreamingResponse(follow(server, lambda: space.night(night)), media_type=EVENT_STREAM)


@routes.post("/nights/{night}/cancel")
def cancel_night(space: Writable, night: Id) -> Cancelled:
    """Stops a night at its next batch; what it has done stays and can be undone."""
    space.night(night)
    return Cancelled(cancelled=space.cancel(night))


@routes.post("/nights/{night}/undo")
def undo_night(space: Writable, night: Id) -> Undone:
    """Takes a night back; refused, with its name, if a later one rests on it."""
    return Undone(rows=space.undo(night))


@routes.post("/nights/{night}/redo")
def redo_night(space: Writable, night: Id) -> Released:
    """Lets the next night think again about what an undo held back."""
    return Released(released=space.redo(night))


@diary_routes.get("/diary")
def read_diary(space: Readable, limit: Limit = 30, after: Before = None) -> Page[DiaryEntry]:
    """The story of each night, newest first."""
    return page(space.diary(limit=limit + 1, before=after), limit, lambda entry: repr(entry.at))


def without_bytes(change: Change) -> Change:
    """Vectors and packed texts are bytes: only their size is shown."""

    def sized(columns: Mapping[str, Any] | None) -> Mapping[str, Any] | None:
        if columns is None:
            return None
        return {name: f"({len(value)} bytes)" if isinstance(value, bytes) else value for name, value in columns.items()}

    return replace(change, before=sized(change.before), after=sized(change.after))


async def follow(server: Server, read: Callable[[], NightReport]) -> AsyncIterator[str]:
    """Each change once, first what is; then `end`. Reading again after a break starts from what is then."""
    with counted_stream(server):
        async for piece in _changes(server, read):
            yield piece


async def _changes(server: Server, read: Callable[[], NightReport]) -> AsyncIterator[str]:
    sent: dict[str, Any] = {}
    silent = 0.0
    while not server.draining:
        try:
            report = await server.run(read)
        except NotFound:  # its space was deleted meanwhile: there is nothing more to say
            return
        for name, value in unsent(sent, report):
            silent = 0.0
            yield event(value, name)
        if report.night.status in OVER:
            yield event({"night": report.night.id, "status": report.night.status}, "end")
            return
        await asyncio.sleep(LOOK_EVERY)
        silent += LOOK_EVERY
        if silent >= BREATHE_EVERY:
            silent = 0.0
            yield ": still here\n\n"


def unsent(sent: dict[str, Any], report: NightReport) -> list[tuple[str, Any]]:
    """What was not sent yet, in order; counts it as sent."""
    now: dict[str, Night | NightStep] = {"": report.night, **{step.step: step for step in report.steps}}
    news = [key for key, value in now.items() if sent.get(key) != value]
    sent.update(now)
    return [("step" if key else "night", asdict(now[key])) for key in news]
