"""Messages are turns: sent, answered, listed."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import islice
from typing import Annotated, Any

from fastapi import Query
from fastapi.responses import StreamingResponse
from pydantic import Field

from reverie.errors import NotFound
from reverie.model.turns import Turn
from reverie.server.dependencies import Routes
from reverie.server.letta import async_runs
from reverie.server.letta.exchange import SESSION, LettaExchange, TalkIn
from reverie.server.letta.shapes import agent_shape, turn_shape
from reverie.server.letta.shared import (
    Body,
    Cursor,
    ReadableAgent,
    Shape,
    TheServer,
    WritableAgent,
    cursor,
    night_id,
    run_id,
    turn_id,
)
from reverie.server.letta.streams import event_stream
from reverie.server.streams import EVENT_STREAM, check_room
from reverie.space import Space

routes = Routes(prefix="/v1/agents/{agent_id}", tags=["letta"])
PART = 200
SUMMARY = "The conversation is in the log, word for word. A nap condenses it{}."


class CancelIn(Body):
    run_ids: list[str] | None = Field(default=None, max_length=100)


@routes.post("/messages", response_model=None)
async def send(server: TheServer, agent: WritableAgent, body: TalkIn) -> Any:
    """The answer, or with `streaming` the answer as it comes."""
    if body.streaming:
        return await stream(server, agent, body)
    return await server.talk(LettaExchange(server, agent, body).whole)


@routes.post("/messages/stream", response_model=None)
async def stream(server: TheServer, agent: WritableAgent, body: TalkIn) -> StreamingResponse:
    body.checked_messages()
    check_room(server)
    return StreamingResponse(event_stream(LettaExchange(server, agent, body)), media_type=EVENT_STREAM)


@routes.post("/messages/async")
async def send_async(server: TheServer, agent: WritableAgent, body: TalkIn) -> Shape:
    """Answers at once with a run to ask for later: it is kept for a day."""
    body.checked_messages()
    return (await server.run(async_runs.start, LettaExchange(server, agent, body))).shape()


@routes.get("/messages")
def list_messages(
    agent: ReadableAgent,
    page: Cursor = cursor(100, "desc"),
    include_return_message_types: Annotated[list[str] | None, Query()] = None,
    conversation_id: str | None = None,
) -> list[Shape]:
    kinds = include_return_message_types
    session = conversation_id if conversation_id not in (None, "default") else None
    shown = (turn_shape(turn) for turn in turns_from(agent, page, session))
    wanted = islice((shape for shape in shown if kinds is None or shape["message_type"] in kinds), page.limit)
    return list(wanted) if page.before is None else list(wanted)[::-1]


def turns_from(agent: Space, page: Cursor, session: str | None) -> Iterator[Turn]:
    """Turns past the cursor, nearest first: away from `before`, which lists the other way round."""
    backwards = page.before is not None
    place = place_of(agent, page.before or page.after)
    newest_first = (page.order == "desc") != backwards
    while True:
        bound = {"before" if newest_first else "after": place}
        found: Sequence[Turn] = agent.turns(session, newest_first=newest_first, limit=PART, **bound)
        yield from found
        if len(found) < PART:
            return
        place = found[-1].id


def place_of(agent: Space, message: str | None) -> str | None:
    """The turn that a cursor names; one that is gone starts over."""
    if message is None:
        return None
    try:
        return agent.turn(turn_id(message)).id
    except NotFound:
        return None


@routes.post("/messages/cancel")
def cancel(agent: WritableAgent, body: CancelIn | None = None) -> Shape:
    """Stops the sleep runs named, or all that wait or are under way; what they have done stays."""
    named = (body or CancelIn()).run_ids
    under_way = agent.nights(limit=100, statuses=("requested", "running"))
    ids = [night_id(run) for run in named] if named else [night.id for night in under_way]
    return {run_id(id): "cancelled" if _cancelled(agent, id) else "failed" for id in ids}


def _cancelled(agent: Space, night: str) -> bool:
    """False for a run that is over, or that is an exchange: that is answered in a moment."""
    with suppress(NotFound):
        return agent.cancel(night)
    return False


@routes.patch("/reset-messages")
def reset(agent: WritableAgent) -> Shape:
    """Ends the conversation: the next one starts afresh. What was said stays in the log."""
    agent.end_session(SESSION)
    return agent_shape(agent)


@routes.post("/summarize")
def summarize(agent: WritableAgent) -> Shape:
    """Asks for a nap."""
    night = agent.request_sleep("nap")
    said = "" if night.status == "requested" else f", but not now: {night.why}"
    turns = len(agent.turns(SESSION, limit=1_000))
    return {"summary": SUMMARY.format(said), "num_messages_before": turns, "num_messages_after": turns}
