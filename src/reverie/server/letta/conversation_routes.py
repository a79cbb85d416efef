"""Conversations over HTTP: made, listed, talked in, forked, compacted, deleted."""

from typing import Annotated, Any, Literal

from fastapi import HTTPException, Query
from fastapi.responses import StreamingResponse
from pydantic import Field

from reverie.errors import NotFound
from reverie.model.spaces import Verb
from reverie.server.dependencies import Asking, Id, Routes
from reverie.server.gateway.auth import Caller
from reverie.server.letta import exchange_runs
from reverie.server.letta.conversations import (
    DEFAULT,
    SHELF,
    LettaConversation,
    compacted,
    compile_system,
    create,
    the_conversation,
)
from reverie.server.letta.exchange import LettaExchange, TalkIn
from reverie.server.letta.listing import Thread, messages_in
from reverie.server.letta.shared import Body, Cursor, Shape, TheServer, cursor, page_of, the_agent, turn_id
from reverie.server.letta.streams import event_stream
from reverie.server.state import Server
from reverie.server.streams import EVENT_STREAM, check_room

routes = Routes(prefix="/v1/conversations", tags=["letta"])
AgentId = Annotated[str | None, Query(max_length=300)]
NONE_ACTIVE = "No active runs found for this conversation"


class ConversationPatch(Body):
    summary: str | None = Field(default=None, max_length=20_000)
    description: str | None = Field(default=None, max_length=20_000)
    model: str | None = Field(default=None, max_length=300)
    context_window_limit: int | None = Field(default=None, ge=1, le=10**9)
    archived: bool | None = None


class ConversationIn(ConversationPatch):
    hidden: bool = False


class WhoseIn(Body):
    """Of which agent, where `default` is meant."""

    agent_id: str | None = Field(default=None, max_length=300)


class ConversationTalkIn(TalkIn):
    """The answer comes as a stream unless it is asked for whole."""

    agent_id: str | None = Field(default=None, max_length=300)
    streaming: bool = True


def found(server: Server, caller: Caller, verb: Verb, id: str, agent: str | None = None) -> LettaConversation:
    caller.must(verb)
    return the_conversation(server, caller, id, agent)


@routes.post("/")
def create_conversation(
    server: TheServer,
    caller: Asking,
    agent_id: Annotated[str, Query(max_length=300)],
    body: ConversationIn | None = None,
) -> Shape:
    """A conversation of an agent, with its system message: the memory as it stands now."""
    caller.must("write")
    given = (body or ConversationIn()).model_dump(exclude_none=True)
    return create(the_agent(server, caller, agent_id), given).shape()


@routes.get("/")
def list_conversations(
    server: TheServer,
    caller: Asking,
    page: Cursor = cursor(50, "desc"),
    agent_id: AgentId = None,
    summary_search: str = "",
    archive_status: Literal["unarchived", "archived", "all"] = "unarchived",
) -> list[Shape]:
    """Those of one agent, or of all that the key may see."""
    caller.must("read")
    org = server.org(caller)
    wanted = agent_id and the_agent(server, caller, agent_id).id
    states = {"unarchived": (False,), "archived": (True,), "all": (True, False)}[archive_status]
    entries = [
        entry
        for entry in org.entries(SHELF)
        if wanted in (None, entry.space)
        and caller.space in (None, entry.space)
        and entry.key != DEFAULT
        and not entry.value.get("hidden")
        and bool(entry.value.get("archived")) in states
        and summary_search.lower() in (entry.value.get("summary") or "").lower()
    ]
    shown = page_of(entries, page, lambda entry: entry.key)
    spaces = {entry.space: org.space_by_id(entry.space) for entry in shown}
    return [
        LettaConversation(spaces[one.space], one.key, one.value, one.created_at, one.updated_at).shape()
        for one in shown
    ]


@routes.get("/{conversation_id}")
def read_conversation(server: TheServer, caller: Asking, conversation_id: Id, agent_id: AgentId = None) -> Shape:
    """The conversation, with the ids of the messages that are in context."""
    return found(server, caller, "read", conversation_id, agent_id).shape()


@routes.patch("/{conversation_id}")
def change_conversation(server: TheServer, caller: Asking, conversation_id: Id, body: ConversationPatch) -> Shape:
    """What is given is changed."""
    conversation = found(server, caller, "write", conversation_id)
    return conversation.changed(**body.model_dump(exclude_unset=True)).shape()


@routes.delete("/{conversation_id}")
def delete_conversation(server: TheServer, caller: Asking, conversation_id: Id) -> None:
    """Ends the conversation and lists it no more. What was said stays in the log: forget the session to delete it."""
    conversation = found(server, caller, "write", conversation_id)
    if not conversation.agent.shelf(SHELF).delete(conversation.id):
        raise NotFound("conversation", conversation_id)
    conversation.agent.end_session(conversation.session)


@routes.get("/{conversation_id}/messages")
def list_conversation_messages(
    server: TheServer,
    caller: Asking,
    conversation_id: Id,
    page: Cursor = cursor(100, "desc"),
    agent_id: AgentId = None,
    include_return_message_types: Annotated[list[str] | None, Query()] = None,
) -> list[Shape]:
    """The system message, then what was said."""
    conversation = found(server, caller, "read", conversation_id, agent_id)
    return messages_in(Thread.of(conversation), page, include_return_message_types)


@routes.post("/{conversation_id}/messages", response_model=None)
async def send_in_conversation(server: TheServer, caller: Asking, conversation_id: Id, body: ConversationTalkIn) -> Any:
    """The answer as it comes, or with `streaming: false` whole. One at a time: a second is told to wait."""
    body.checked_messages()
    conversation = await server.run(found, server, caller, "write", conversation_id, body.agent_id)
    exchange = LettaExchange(server, conversation.agent, body, conversation=conversation.id, alone=True)
    if not body.streaming:
        return await server.talk(lambda: exchange_runs.answered_now(exchange))
    check_room(server)
    await server.run(exchange.check_free)
    return StreamingResponse(event_stream(exchange), media_type=EVENT_STREAM)


@routes.post("/{conversation_id}/stream", response_model=None)
def stream_conversation(server: TheServer, caller: Asking, conversation_id: Id, body: WhoseIn | None = None) -> Any:
    """The stream of a run that is under way; refused if there is none: what is answered is in the list of messages."""
    conversation = found(server, caller, "read", conversation_id, (body or WhoseIn()).agent_id)
    runs = exchange_runs.of_conversation(server, caller.org, conversation.agent.id, conversation.id)
    if (active := next((run for run in runs if run.status == "running"), None)) is None:
        raise HTTPException(400, NONE_ACTIVE)
    return exchange_runs.stream_of(server, caller.org, active.id)


@routes.post("/{conversation_id}/cancel")
def cancel_conversation(server: TheServer, caller: Asking, conversation_id: Id, agent_id: AgentId = None) -> Shape:
    """An exchange is answered in a moment: what is under way is named as such, nothing is broken off."""
    conversation = found(server, caller, "write", conversation_id, agent_id)
    runs = exchange_runs.of_conversation(server, caller.org, conversation.agent.id, conversation.id)
    return {run.id: "failed" for run in runs if run.status == "running"}


@routes.post("/{conversation_id}/fork")
def fork_conversation(
    server: TheServer,
    caller: Asking,
    conversation_id: Id,
    agent_id: AgentId = None,
    message_id: Annotated[str | None, Query(max_length=300)] = None,
    hidden: bool = False,
) -> Shape:
    """A conversation that goes on from here, or from one of its messages; nothing is said twice in the log."""
    parent = found(server, caller, "write", conversation_id, agent_id)
    last = parent.agent.turns(parent.session, newest_first=True, limit=1)
    upto = parent.agent.turn(turn_id(message_id)) if message_id else last[0] if last else None
    base = {"conversation": parent.id, "upto": 2**53 if upto is None else upto.seq}
    kept = {name: value for name, value in parent.value.items() if name in ConversationPatch.model_fields}
    return create(parent.agent, {**kept, "hidden": hidden, "base": base}).shape()


@routes.post("/{conversation_id}/recompile")
def recompile_conversation(
    server: TheServer, caller: Asking, conversation_id: Id, dry_run: bool = False, body: WhoseIn | None = None
) -> str:
    """The system message with memory as it stands now; a dry run only shows it."""
    conversation = found(server, caller, "write", conversation_id, (body or WhoseIn()).agent_id)
    return compile_system(conversation.agent, conversation.id, dry_run=dry_run)


@routes.post("/{conversation_id}/compact")
def compact_conversation(server: TheServer, caller: Asking, conversation_id: Id, body: WhoseIn | None = None) -> Shape:
    """Takes what was said out of the context, and asks for a nap that reads it."""
    done = compacted(found(server, caller, "write", conversation_id, (body or WhoseIn()).agent_id))
    if done is None:
        raise HTTPException(400, "There are no messages in context to compact")
    return done
