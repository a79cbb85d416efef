"""Messages of all agents: searched, listed, one by its id; and an answer that leaves no trace."""

from dataclasses import replace
from typing import Annotated, Any, Literal

from fastapi import Query
from pydantic import Field

from reverie.agent.ports import ContextPort
from reverie.errors import NotFound
from reverie.language.words import token_count
from reverie.model.hits import RAW_KINDS
from reverie.model.turns import Appended, Turn, is_turn
from reverie.server.dependencies import Asking, Id, Routes
from reverie.server.formatting import iso
from reverie.server.letta.conversations import DEFAULT, SYSTEM, system_message
from reverie.server.letta.listing import Thread, messages_in
from reverie.server.letta.profile import Profile
from reverie.server.letta.shapes import RULES, turn_shape
from reverie.server.letta.shared import (
    Body,
    Cursor,
    Moment,
    ReadableAgent,
    Shape,
    TheServer,
    cursor,
    page_of,
    the_agent,
    turn_id,
    visible_agents,
)
from reverie.space import Space

routes = Routes(prefix="/v1", tags=["letta"])
MOST_FOUND = 100


class MessageSearchIn(Body):
    query: str = Field(default="", max_length=100_000)
    agent_id: str | None = Field(default=None, max_length=300)
    conversation_id: str | None = Field(default=None, max_length=300)
    search_mode: Literal["vector", "fts", "hybrid"] = "hybrid"
    limit: int = Field(default=50, ge=1)
    start_date: Moment | None = None
    end_date: Moment | None = None


@routes.post("/messages/search")
def search_messages(server: TheServer, caller: Asking, body: MessageSearchIn) -> list[Shape]:
    """What was said about a query, best first: in one agent's conversations, or in all that the key may see."""
    caller.must("read")
    agents = [the_agent(server, caller, body.agent_id)] if body.agent_id else visible_agents(server, caller)
    found = [hit for agent in agents for hit in found_in(agent, body)]
    best = sorted(found, key=lambda hit: -hit[0])[: min(body.limit, MOST_FOUND)]
    return [result_shape(turn) for _, turn in best]


def found_in(agent: Space, given: MessageSearchIn) -> list[tuple[float, Turn]]:
    """(score, turn), each turn once; without a query the newest."""
    limit = min(given.limit, MOST_FOUND)
    if not given.query.strip():
        return [(turn.at, turn) for turn in agent.turns(given.conversation_id, newest_first=True, limit=limit)]
    hits = agent.recall(
        given.query,
        limit,
        session=given.conversation_id,
        kinds=RAW_KINDS,
        after=given.start_date,
        before=given.end_date,
    )
    spoken = {turn: hit.score for hit in reversed(hits) for turn in hit.turns if is_turn(turn)}
    return [(score, agent.turn(id)) for id, score in spoken.items()]


def result_shape(turn: Turn) -> Shape:
    shape = turn_shape(turn)
    return {
        "message_id": shape["id"],
        "message_type": shape["message_type"] if turn.role != "tool" else "assistant_message",
        "content": shape.get("content") or shape.get("tool_return", ""),
        "created_at": iso(turn.at),
        "agent_id": turn.space,
        "conversation_id": None if turn.session == DEFAULT else turn.session,
    }


@routes.get("/messages/")
def list_all_messages(
    server: TheServer,
    caller: Asking,
    page: Cursor = cursor(100, "desc"),
    conversation_id: str | None = None,
    include_return_message_types: Annotated[list[str] | None, Query()] = None,
) -> list[Shape]:
    """What was said to any agent that the key may see."""
    caller.must("read")
    ask = Cursor(page.limit, page.order)
    pages = [messages_in(Thread(agent, conversation_id), ask, include_return_message_types)
             for agent in visible_agents(server, caller)]  # fmt: skip
    oldest_first = sorted((shape for listed in pages for shape in listed), key=lambda shape: str(shape["date"]))
    return list(page_of(oldest_first, page, lambda shape: str(shape["id"])))


@routes.get("/messages/{message_id}")
def read_message(server: TheServer, caller: Asking, message_id: Id) -> list[Shape]:
    """One message, in a list: Letta splits some into several."""
    caller.must("read")
    org = server.org(caller)
    try:
        space, turn = org.find_turn(turn_id(message_id))
        the_agent(server, caller, space.id)
        return [turn_shape(turn)]
    except NotFound:
        pass
    try:
        space, entry = org.find_entry(SYSTEM, message_id)
        return [system_message(the_agent(server, caller, space.id), entry.value["conversation"])]
    except NotFound:
        raise NotFound("message", message_id) from None


class GenerateIn(Body):
    prompt: str = Field(min_length=1, max_length=200_000, pattern=r"\S")
    system_prompt: str | None = Field(default=None, max_length=200_000)
    override_model: str | None = Field(default=None, max_length=300)


NOT_STORED = Appended(id="", seq=0)


class Unlogged:
    """A space that an agent can ask and that remembers nothing of it."""

    def __init__(self, space: Space) -> None:
        self._space = space

    def __getattr__(self, name: str) -> Any:
        return getattr(self._space, name)

    def append(self, *_told: Any, **_more: Any) -> Appended:
        return NOT_STORED

    def context(self, query: str, budget: int, *, session: str | None = None) -> ContextPort:
        return self._space.context(query, budget, session=session, quiet=True)


@routes.post("/agents/{agent_id}/generate")
async def generate(server: TheServer, agent: ReadableAgent, body: GenerateIn) -> Shape:
    """An answer with the agent's memory before it; neither the question nor the answer is kept."""
    known = server.reverie.config["primary_model"].replace(":", "/", 1) or RULES
    if body.override_model not in (None, known):
        raise NotFound("model", str(body.override_model), next_move=f"This server answers with {known}.")
    return await server.talk(lambda: generated(agent, body, known))


def generated(agent: Space, given: GenerateIn, model: str) -> Shape:
    began = agent.now()
    system = given.system_prompt or Profile.of(agent.record).system
    asked = replace(agent.agent(), space=Unlogged(agent), precomputed=None, instructions=system, tools=())
    reply = asked.say(given.prompt)
    spent = [line for line in agent.costs("day", began) if line.regime == "awake"]
    into = sum(line.tokens_in for line in spent) or token_count(f"{system}\n{given.prompt}")
    out = sum(line.tokens_out for line in spent) or token_count(reply.text)
    usage = {"prompt_tokens": into, "completion_tokens": out, "total_tokens": into + out}
    return {"content": reply.text, "model": model, "usage": usage}
