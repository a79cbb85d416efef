"""A night as a stream of events. It runs in the sleeper's process: what is told is what the store says."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from dataclasses import asdict
from typing import Any

from reverie.errors import NotFound
from reverie.model.night import Night, NightStep
from reverie.server.errors import Overloaded
from reverie.server.runtime import Server
from reverie.verbs.sleep import NightReport

LOOK_EVERY = 0.25  # seconds
BREATHE_EVERY = 15.0  # a comment, so that nothing in between takes the silence for the end
MOST_STREAMS = 64
OVER = ("done", "failed", "skipped", "cancelled", "undone")


def check_room(server: Server) -> None:
    if server.streams >= MOST_STREAMS:
        raise Overloaded(f"{server.streams} streams are open already", retry_after=5)


async def follow(server: Server, read: Callable[[], NightReport]) -> AsyncIterator[str]:
    """Each change once, first what is; then `end`. Reading again after a break starts from what is then."""
    server.streams += 1
    try:
        async for event in _told(server, read):
            yield event
    finally:
        server.streams -= 1


async def _told(server: Server, read: Callable[[], NightReport]) -> AsyncIterator[str]:
    told: dict[str, Any] = {}
    silent = 0.0
    while not server.draining:
        try:
            report = await server.run(read)
        except NotFound:  # its space was deleted meanwhile: there is nothing more to tell
            return
        for name, value in changed(told, report):
            silent = 0.0
            yield event(name, value)
        if report.night.status in OVER:
            yield event("end", {"night": report.night.id, "status": report.night.status})
            return
        await asyncio.sleep(LOOK_EVERY)
        silent += LOOK_EVERY
        if silent >= BREATHE_EVERY:
            silent = 0.0
            yield ": still here\n\n"


def changed(told: dict[str, Any], report: NightReport) -> list[tuple[str, Any]]:
    """What has not been told yet, in order; remembers it as told."""
    now: dict[str, Night | NightStep] = {"": report.night, **{step.step: step for step in report.steps}}
    news = [key for key, value in now.items() if told.get(key) != value]
    told.update(now)
    return [("step" if key else "night", asdict(now[key])) for key in news]


def event(name: str, value: Any) -> str:
    return f"event: {name}\ndata: {json.dumps(value, ensure_ascii=False, default=str)}\n\n"
