"""Messages are turns: sent, answered, listed."""

from contextlib import suppress
from typing import Annotated, Any

from fastapi import Query
from fastapi.responses import StreamingResponse
from pydantic import Field

from reverie.errors import NotFound
from reverie.server.dependencies import Routes
from reverie.server.letta import exchange_runs
from reverie.server.letta.conversations import DEFAULT, compacted, find_in, system_message
from reverie.server.letta.exchange import LettaExchange, TalkIn
from reverie.server.letta.listing import Thread, messages_in
from reverie.server.letta.shapes import agent_shape
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
)
from reverie.server.letta.streams import event_stream
from reverie.server.streams import EVENT_STREAM, check_room
from reverie.space import Space

routes = Routes(prefix="/v1/agents/{agent_id}", tags=["letta"])
NOTHING = "Nothing was said since."


class CancelIn(Body):
    run_ids: list[str] | None = Field(default=None, max_length=100)


@routes.post("/messages", response_model=None)
async def send(server: TheServer, agent: WritableAgent, body: TalkIn) -> Any:
    """The answer, or with `streaming` the answer as it comes."""
    if body.streaming:
        return await stream(server, agent, body)
    return await server.talk(lambda: exchange_runs.answered_now(LettaExchange(server, agent, body)))


@routes.post("/messages/stream", response_model=None)
async def stream(server: TheServer, agent: WritableAgent, body: TalkIn) -> StreamingResponse:
    body.checked_messages()
    check_room(server)
    return StreamingResponse(event_stream(LettaExchange(server, agent, body)), media_type=EVENT_STREAM)


@routes.post("/messages/async")
async def send_async(server: TheServer, agent: WritableAgent, body: TalkIn) -> Shape:
    """Answers at once with a run to ask for later: it is kept for a day."""
    body.checked_messages()
    return (await server.run(exchange_runs.start, LettaExchange(server, agent, body))).shape()


@routes.get("/messages")
def list_messages(
    agent: ReadableAgent,
    page: Cursor = cursor(100, "desc"),
    include_return_message_types: Annotated[list[str] | None, Query()] = None,
    conversation_id: str | None = None,
) -> list[Shape]:
    """What was said, after the system message; of one conversation, or of all."""
    named = None if conversation_id is None else find_in(agent, conversation_id)
    if conversation_id is not None and named is None:
        raise NotFound("conversation", conversation_id)
    thread = Thread(agent, None, system_message(agent, DEFAULT)) if named is None else Thread.of(named)
    return messages_in(thread, page, include_return_message_types)


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
    agent.end_session(DEFAULT)
    return agent_shape(agent)


@routes.post("/summarize")
def summarize(agent: WritableAgent) -> Shape:
    """Takes what was said out of the context, and asks for a nap that reads it."""
    default = find_in(agent, DEFAULT)
    done = None if default is None else compacted(default)
    return done or {"summary": NOTHING, "num_messages_before": 1, "num_messages_after": 1}
