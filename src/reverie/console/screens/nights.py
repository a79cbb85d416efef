"""Nights: the list, one night step by step (live while it runs) with all that it changed, run now, and undo."""

from typing import Annotated

from fastapi import Query
from starlette.responses import Response, StreamingResponse

from reverie.console import charts
from reverie.console.changes import readable, step_lines
from reverie.console.shell import Form, Reading, Screens, Writing
from reverie.errors import ReverieError
from reverie.model.night import NightKind
from reverie.policy.sleep.verdict import verdict
from reverie.server.rest.nights import NO_SLEEPER, follow
from reverie.server.streams import EVENT_STREAM, check_room

routes = Screens()
PAGE = 30
CHANGES = 200
STATUSES = ("done", "failed", "running", "requested", "skipped", "cancelled", "undone")
KINDS: tuple[NightKind, ...] = ("night", "nap")
Text = Annotated[str, Query(max_length=300)]


@routes.screen("/nights")
def nights(here: Reading, status: Text = "", kind: Text = "", after: Text = "") -> Response:
    wanted = (status,) if status in STATUSES else ()
    only: NightKind | None = next((one for one in KINDS if one == kind), None)
    found = here.space.nights(limit=PAGE + 1, after=after or None, statuses=wanted, kind=only)
    return here.page(
        "nights.html",
        nights=[(night, verdict(night)) for night in found[:PAGE]],
        next=found[PAGE - 1].id if len(found) > PAGE else "",
        status=status,
        statuses=STATUSES,
        kind=only or "",
        kinds=KINDS,
    )


@routes.screen("/nights/{night}")
def night_page(here: Reading, night: str, after: Annotated[int, Query(ge=-1, le=2**62)] = -1) -> Response:
    report = here.space.night(night)
    changes = here.space.night_diff(report.night.id, limit=CHANGES + 1, after=after)
    return here.page(
        "night.html",
        night=report.night,
        verdict=verdict(report.night),
        bars=charts.waterfall(report.steps),
        changes=readable(here.space, changes[:CHANGES]),
        rows=here.space.changed_rows(report.night.id),
        next=changes[CHANGES - 1].n if len(changes) > CHANGES else None,
        story=[entry for entry in here.space.diary(limit=PAGE) if entry.night == report.night.id],
        over=report.night.status not in ("requested", "running", "undoing"),
        said=step_lines(report.night.told),
    )


@routes.get("/nights/{night}/events", response_model=None)
async def night_events(here: Reading, night: str) -> Response:
    """The night as it goes: the page reads itself anew at each event."""
    check_room(here.server)
    await here.server.run(here.space.night, night)
    return StreamingResponse(follow(here.server, lambda: here.space.night(night)), media_type=EVENT_STREAM)


@routes.screen("/sleep")
def dry_run(here: Writing, kind: Text = "night", dream: Annotated[bool, Query()] = False) -> Response:
    """What waits for a night; with `dream` also what it would do, dreamed on a copy: nothing is written."""
    chosen: NightKind = "nap" if kind == "nap" else "night"
    dry = here.space.dry_run(chosen) if dream else None
    return here.page(
        "dry_run.html",
        kind=chosen,
        health=here.space.health(),
        sleeper=here.space.sleeper_alive(),
        model=here.org.config["sleeper_model"],
        night=dry and dry.night,
        changes=readable(here.space, dry.diff[:CHANGES]) if dry else [],
        rows=len(dry.diff) if dry else 0,
    )


@routes.action("/sleep")
def sleep_now(here: Writing, form: Form) -> Response:
    """Asks the sleeper; where none watches, that is said."""
    kind: NightKind = "nap" if form.get("kind") == "nap" else "night"
    asked = here.space.request_sleep(kind)
    if asked.status == "skipped":
        return here.go("nights", told=f"Not now: {asked.why}.")
    alive = here.space.sleeper_alive()
    return here.go("nights", asked.id, told="Asked for." if alive else f"Asked for; {NO_SLEEPER}.")


@routes.screen("/nights/{night}/undo")
def undo_dry(here: Writing, night: str) -> Response:
    """What would be taken back, and what rests on it, before it is."""
    found = here.space.night(night).night
    refused = here.space.undo_refusal(found.id)
    return here.page(
        "undo.html",
        night=found,
        rows=here.space.changed_rows(found.id),
        refused=refused and {"why": refused.message, "next_move": refused.next_move},
    )


@routes.action("/nights/{night}/undo")
def undo(here: Writing, night: str) -> Response:
    try:
        rows = here.space.undo(night)
    except ReverieError as refused:
        return here.go("nights", night, told=f"Not taken back: {refused.message}. {refused.next_move}")
    counts = ", ".join(f"{n} {name}" for name, n in rows.items()) or "nothing had changed"
    return here.go("nights", night, told=f"Taken back: {counts}. What it read stays as it was said.")


@routes.action("/nights/{night}/redo")
def redo(here: Writing, night: str) -> Response:
    released = here.space.redo(night)
    return here.go("nights", night, told=f"{released} sources are free for the next night.")


@routes.action("/nights/{night}/cancel")
def cancel(here: Writing, night: str) -> Response:
    stopped = here.space.cancel(night)
    return here.go("nights", night, told="It stops at its next batch." if stopped else "It had already ended.")
