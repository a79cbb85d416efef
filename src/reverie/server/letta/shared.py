"""What all Letta routes share: ids with Letta's prefixes, pages, errors, and an agent's space by its id.

Only the prefix of an id differs. A client asks for the next page with the last id as `after`, until a page is empty.
"""

import uuid
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any, Literal, TypeVar

from fastapi import Depends, Path, Query, Request
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from reverie.errors import NotFound
from reverie.model.base import OURS, Instant, instant_of
from reverie.model.spaces import Verb
from reverie.server.dependencies import MAX_ID, the_caller, the_server
from reverie.server.errors import Problem
from reverie.server.gateway.auth import Caller
from reverie.server.letta.profile import Profile
from reverie.server.state import Server
from reverie.space import Space


def message_id(turn: str) -> str:
    return _with_prefix("message", turn)


def turn_id(message: str) -> str:
    return _with_prefix("turn", message)


def run_id(night: str) -> str:
    return _with_prefix("run", night)


def night_id(run: str) -> str:
    return _with_prefix("night", run)


def group_id(agent: str) -> str:
    return _with_prefix("group", agent)


def archive_id(agent: str) -> str:
    return _with_prefix("archive", agent)


def folder_id(agent: str) -> str:
    return _with_prefix("source", agent)


def agent_id(other: str) -> str:
    """Of a group or an archive: both are a space, seen from another side."""
    return _with_prefix("agent", other)


def passage_id(memory: str) -> str:
    """
    >>> passage_id("mem-0f8fad5bd9cb469fa16570867728950e")
    'passage-0f8fad5b-d9cb-469f-a165-70867728950e'
    >>> passage_id("mem-23p22ce2tyepe")
    'passage-23p22ce2tyepe'
    """
    rest = memory.removeprefix("mem-")
    if OURS.fullmatch(rest):
        return f"passage-{rest}"
    try:
        return f"passage-{uuid.UUID(rest)}"
    except ValueError:
        return memory  # an importer's own: it stays as it is


def memory_ids(passage: str) -> tuple[str, ...]:
    """Which memories this may be: ids that a night derives are written without dashes."""
    rest = passage.removeprefix("passage-")
    return f"mem-{rest}", f"mem-{rest.replace('-', '')}", passage


def tool_id(name: str) -> str:
    return f"tool-{uuid.uuid5(uuid.NAMESPACE_URL, f'reverie:tool:{name}')}"


def step_id(night: str, position: int) -> str:
    return f"step-{uuid.uuid5(uuid.NAMESPACE_URL, f'{night}:{position}')}"


def _with_prefix(prefix: str, id: str) -> str:
    return f"{prefix}-{id.partition('-')[2]}"


T = TypeVar("T")
Order = Literal["asc", "desc"]
MOST = 1_000


@dataclass(frozen=True, slots=True)
class Cursor:
    """`after` and `before` are places in the order that is asked for."""

    limit: int
    order: Order = "asc"
    after: str | None = None
    before: str | None = None


def cursor(limit: int, order: Order) -> Any:
    """A dependency with a list's own defaults."""
    default_limit, default_order = limit, order

    def given(
        limit: Annotated[int | None, Query(ge=1)] = None,
        order: Order | None = None,
        ascending: bool | None = None,  # how older lists say it
        after: Annotated[str | None, Query(max_length=MAX_ID)] = None,
        before: Annotated[str | None, Query(max_length=MAX_ID)] = None,
    ) -> Cursor:
        named: Order | None = None if ascending is None else "asc" if ascending else "desc"
        return Cursor(min(limit or default_limit, MOST), order or named or default_order, after, before)

    return Depends(given)


def page_of(found: Iterable[T], page: Cursor, id_of: Callable[[T], str]) -> Sequence[T]:
    """One page of things given oldest first.

    A cursor that is gone starts over: `for agent in agents.list(): agents.delete(agent.id)` comes to its end.

    >>> page_of("abcde", Cursor(2, "desc", after="d"), str)
    ['c', 'b']
    >>> page_of("abcde", Cursor(2, before="d"), str)
    ['b', 'c']
    """
    listed = list(found)
    if page.order == "desc":
        listed.reverse()
    places = {id_of(item): place for place, item in enumerate(listed)}
    start = places.get(page.after, -1) + 1 if page.after else 0
    if page.before in places:
        end = places[page.before]
        return listed[max(start, end - page.limit) : end]
    return listed[start : start + page.limit]


def error_detail(problem: Problem) -> dict[str, Any]:
    """
    >>> error_detail(Problem(404, "not_found", "no agent 'x'", "Check the id."))["detail"]
    "no agent 'x'. Check the id."
    """
    said = f"{problem.message.rstrip('.')}. {problem.next_move}".strip()
    return {"detail": said, "code": problem.code, "data": dict(problem.data)}


Shape = dict[str, Any]
PART = 500
Tag = Annotated[str, Field(min_length=1, max_length=100)]
Tags = Annotated[list[Tag], Field(max_length=100)]


class Body(BaseModel):
    """letta-client sends dozens of options that mean nothing here; they are not an error."""

    model_config = ConfigDict(extra="ignore")


def _instant(given: Any) -> Any:
    return instant_of(str(given)) if isinstance(given, (str, datetime)) else given


Moment = Annotated[Instant, BeforeValidator(_instant), Field(ge=0, le=1e11, allow_inf_nan=False)]


def the_agent(server: Server, caller: Caller, id: str) -> Space:
    """What the caller may not see is not there; an archive is no agent."""
    space = the_space(server, caller, id, "agent")
    if Profile.of(space.record).kind != "agent":
        raise NotFound("agent", id)
    return space


def the_space(server: Server, caller: Caller, id: str, noun: str) -> Space:
    if not id.startswith("agent-"):
        raise NotFound(noun, id)
    try:
        return server.space(caller, id)
    except NotFound:
        raise NotFound(noun, id) from None


def agent_to(verb: Verb) -> Callable[..., Any]:
    async def found(request: Request, agent_id: Annotated[str, Path(max_length=MAX_ID)]) -> Space:
        server, caller = the_server(request), the_caller(request)
        caller.must(verb)
        return await server.run(the_agent, server, caller, agent_id)

    return found


ReadableAgent = Annotated[Space, Depends(agent_to("read"))]
WritableAgent = Annotated[Space, Depends(agent_to("write"))]
AdministeredAgent = Annotated[Space, Depends(agent_to("admin"))]
TheServer = Annotated[Server, Depends(the_server)]


def visible(server: Server, caller: Caller) -> Iterator[Space]:
    """Every space that the caller may see, oldest first, archives too."""
    if caller.space is not None:
        yield server.space(caller, caller.space)
        return
    org, after = server.org(caller), None
    while found := org.spaces(limit=PART, after=after):
        yield from found
        after = found[-1].id


def visible_agents(server: Server, caller: Caller) -> Iterator[Space]:
    return (space for space in visible(server, caller) if Profile.of(space.record).kind == "agent")


def has_tags(has: Sequence[str], wanted: Sequence[str], every: bool) -> bool:
    return not wanted or (all if every else any)(tag in has for tag in wanted)
