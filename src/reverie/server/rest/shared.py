"""What all REST routes share: the caller's space, cursors, and calls into the library off the event loop."""

import inspect
from collections.abc import Callable, Sequence
from functools import wraps
from typing import Annotated, Any, Generic, TypeVar

from fastapi import APIRouter, Depends, Path, Query, Request
from pydantic import BaseModel, ConfigDict

from reverie.model.spaces import Scope
from reverie.reverie import Reverie
from reverie.server.gateway.auth import Caller
from reverie.server.state import SERVER, Server
from reverie.space import Space

T = TypeVar("T")
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


class Strict(BaseModel):
    """A request body: a field that is not known is a mistake, and told."""

    model_config = ConfigDict(extra="forbid")


class Page(BaseModel, Generic[T]):
    """A part of a list. `next` goes into `after` for the part that follows; null at the end."""

    items: list[T]
    next: str | None = None


def page(found: Sequence[T], limit: int, cursor: Callable[[T], str]) -> Page[T]:
    """`found` was asked with `limit + 1`, so that the last page is known to be the last."""
    shown = list(found[:limit])
    return Page(items=shown, next=cursor(shown[-1]) if len(found) > limit else None)


Limit = Annotated[int, Query(ge=1, le=200, description="How many items at most.")]
After = Annotated[str | None, Query(max_length=MAX_ID, description="`next` of the page before.")]
SpaceId = Annotated[str, Path(max_length=MAX_ID, description="A space's id, or its name.", examples=["alice"])]
Id = Annotated[str, Path(max_length=MAX_ID)]


def the_server(request: Request) -> Server:
    server: Server = request.app.state.server
    return server


def the_caller(request: Request) -> Caller:
    caller: Caller = request.state.caller
    return caller


def space_to(scope: Scope) -> Callable[..., Any]:
    async def found(request: Request, space: SpaceId) -> Space:
        server, caller = the_server(request), the_caller(request)
        caller.must(scope)
        return await server.run(server.space, caller, space)

    return found


def org_to(scope: Scope) -> Callable[..., Any]:
    async def found(request: Request) -> Reverie:
        server, caller = the_server(request), the_caller(request)
        caller.must(scope)
        return server.org(caller)

    return found


Asking = Annotated[Caller, Depends(the_caller)]
Readable = Annotated[Space, Depends(space_to("read"))]
Writable = Annotated[Space, Depends(space_to("write"))]
Administered = Annotated[Space, Depends(space_to("admin"))]
ReadableOrg = Annotated[Reverie, Depends(org_to("read"))]
WritableOrg = Annotated[Reverie, Depends(org_to("write"))]
AdministeredOrg = Annotated[Reverie, Depends(org_to("admin"))]
