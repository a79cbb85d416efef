"""What all Letta routes share: an agent is a space, and bodies may say more than we read."""

from collections.abc import Callable, Iterator
from datetime import datetime
from typing import Annotated, Any

from fastapi import Depends, Path, Request
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from reverie.errors import NotFound
from reverie.model.base import Instant, instant_of
from reverie.model.spaces import Scope
from reverie.server.auth import Caller
from reverie.server.letta.profile import Profile
from reverie.server.rest.shared import MAX_ID, the_caller, the_server
from reverie.server.runtime import Server
from reverie.space import Space

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


def agent_to(scope: Scope) -> Callable[..., Any]:
    async def found(request: Request, agent_id: Annotated[str, Path(max_length=MAX_ID)]) -> Space:
        server, caller = the_server(request), the_caller(request)
        caller.must(scope)
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
