"""What routes of every surface ask for: who calls, the space or org meant, and a worker thread to be run in."""

import inspect
from collections.abc import Callable
from functools import wraps
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Header, Path, Request

from reverie.errors import BadInput, NotAllowed
from reverie.model.spaces import Verb
from reverie.reverie import Reverie
from reverie.server.gateway.auth import Caller
from reverie.server.state import SERVER, Server
from reverie.space import Space

MAX_ID = 300


class Routes(APIRouter):
    """Plain functions run in the server's own worker threads."""

    def add_api_route(self, path: str, endpoint: Callable[..., Any], **more: Any) -> None:
        super().add_api_route(path, endpoint if inspect.iscoroutinefunction(endpoint) else in_worker(endpoint), **more)


def in_worker(call: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(call)
    async def called(*args: Any, **kwargs: Any) -> Any:
        return await SERVER.get().run(call, *args, **kwargs)

    return called


SpaceId = Annotated[str, Path(max_length=MAX_ID, description="A space's id, or its name.", examples=["alice"])]
Id = Annotated[str, Path(max_length=MAX_ID)]


IfMatch = Annotated[str | None, Header(max_length=30, description="The version that was read; a stale one conflicts.")]


def the_server(request: Request) -> Server:
    server: Server = request.app.state.server
    return server


def the_caller(request: Request) -> Caller:
    caller: Caller = request.state.caller
    return caller


def space_to(verb: Verb) -> Callable[..., Any]:
    async def found(request: Request, space: SpaceId) -> Space:
        server, caller = the_server(request), the_caller(request)
        caller.must(verb)
        return await server.run(server.space, caller, space)

    return found


def org_to(verb: Verb) -> Callable[..., Any]:
    async def found(request: Request) -> Reverie:
        server, caller = the_server(request), the_caller(request)
        caller.must(verb)
        return server.org(caller)

    return found


Asking = Annotated[Caller, Depends(the_caller)]
Readable = Annotated[Space, Depends(space_to("read"))]
Writable = Annotated[Space, Depends(space_to("write"))]
Reviewed = Annotated[Space, Depends(space_to("review"))]
Administered = Annotated[Space, Depends(space_to("admin"))]
ReadableOrg = Annotated[Reverie, Depends(org_to("read"))]
WritableOrg = Annotated[Reverie, Depends(org_to("write"))]
AdministeredOrg = Annotated[Reverie, Depends(org_to("admin"))]


def check_alone(org: Reverie, caller: Caller, block: str) -> None:
    """A key for one space changes no block that another space has too, and reads no older versions of it."""
    if caller.space is not None and org.blocks.spaces_of(block) != [caller.space]:
        raise NotAllowed("other spaces share this block", next_move="Use a key of the whole org.")


def expected_version(if_match: str | None) -> int | None:
    """The version that an If-Match names; None where any will do."""
    if if_match is None or if_match == "*":
        return None
    version = if_match.removeprefix("W/").strip('"')
    if not version.isdecimal() or len(version) > 18:
        raise BadInput("If-Match holds the version of a block, as a number")
    return int(version)
