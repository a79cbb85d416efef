"""The whole server as one ASGI app: ways in, one gate in front, one shape of errors."""

from collections.abc import AsyncIterator, Callable, Coroutine, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from dataclasses import replace
from importlib import import_module
from typing import Any

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from fastapi.responses import Response
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.routing import BaseRoute, Match, Route
from starlette.types import ASGIApp, Receive, Scope, Send

from reverie import __version__
from reverie.errors import ReverieError
from reverie.reverie import Reverie
from reverie.server import rest
from reverie.server.errors import Problem, framework_problem, invalid_request, problem_of, unstorable
from reverie.server.gateway.gateway import Gateway
from reverie.server.gateway.responder import written
from reverie.server.openapi import document as openapi
from reverie.server.settings import ServerSettings
from reverie.server.state import Server, Surface


def surface_in(module: str) -> Callable[[Server], Surface]:
    """The surface of a module, which is loaded when it is made: a server for hooks has no second to spare."""

    def made(server: Server) -> Surface:
        surface: Surface = import_module(module).surface(server)
        return surface

    return made


# Each makes a Surface from the server: routes, mounted apps, what needs no key, how its errors look.
# Another way in is one function in a module of its own, and one entry here.
SURFACES: tuple[Callable[[Server], Surface], ...] = (
    rest.surface,
    surface_in("reverie.server.letta.surface"),
    surface_in("reverie.server.memory_stores.surface"),
    surface_in("reverie.server.mcp.surface"),
    surface_in("reverie.server.mem0.surface"),
    surface_in("reverie.server.proxy.surface"),
    surface_in("reverie.console.surface"),
)
LOCAL_SURFACES = (rest.surface,)  # of a server that only hooks and commands of its own user reach

METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE")

HANDLED: Mapping[type[Exception], Callable[[Any], Problem]] = {
    ReverieError: problem_of,
    RequestValidationError: lambda error: invalid_request(error.errors()),
    HTTPException: lambda error: framework_problem(error.status_code, str(error.detail), error.headers),
    UnicodeEncodeError: unstorable,
    OverflowError: unstorable,
}


def create_app(
    reverie: Reverie,
    serving: ServerSettings | None = None,
    *,
    surfaces: Sequence[Callable[[Server], Surface]] = SURFACES,
) -> FastAPI:
    """An app over an open store. It ends its threads with its lifespan; closing the store is left to the caller."""
    server = Server(reverie, serving or ServerSettings.of(reverie.config))
    app = FastAPI(
        title="Reverie",
        version=__version__,
        description="Sleep-time compute for AI agents: a memory that gets better while nobody is waiting.",
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
        lifespan=_lifespan(server),
        responses=openapi.ERRORS,
        generate_unique_id_function=openapi.operation_id,
    )
    app.state.server = server
    for make in surfaces:
        _add_surface(app, server, make(server))
    for kind, problem in HANDLED.items():
        app.add_exception_handler(kind, _handler(server, problem))
    app.add_middleware(Gateway, server=server)
    openapi.install(app, [path for surface in server.surfaces for path in surface.public])
    return app


def _add_surface(app: FastAPI, server: Server, surface: Surface) -> None:
    server.surfaces.append(surface)
    if surface.router is not None:
        app.include_router(surface.router)
    for path, mounted in surface.mounts.items():
        app.router.routes.append(Route(path, _WithoutSlash(mounted), include_in_schema=False))
        app.mount(path, mounted)


class _WithoutSlash:
    """A mounted app answers at its bare path too: clients are told `…/mcp`, and not all follow a redirect."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        path = scope["path"]
        await self._app({**scope, "path": f"{path}/", "root_path": scope.get("root_path", "") + path}, receive, send)


def _lifespan(server: Server) -> Callable[[FastAPI], AbstractAsyncContextManager[None]]:
    @asynccontextmanager
    async def lifespan(_app: FastAPI) -> AsyncIterator[None]:
        async with AsyncExitStack() as stack:
            stack.callback(server.close)
            for surface in server.surfaces:
                if surface.lifespan is not None:
                    await stack.enter_async_context(surface.lifespan())
            yield

    return lifespan


def _handler(
    server: Server, problem: Callable[[Any], Problem]
) -> Callable[[Request, Exception], Coroutine[Any, Any, Response]]:
    async def handle(request: Request, error: Exception) -> Response:
        found = problem(error)
        if found.status == 405:
            allowed = allowed_methods(request)
            if request.method == "OPTIONS":
                return Response(status_code=204, headers={"allow": allowed})
            found = replace(found, headers={"allow": allowed})
        path = request.url.path
        found = server.misplaced(found, path) if isinstance(error, HTTPException) else found
        body, headers = written(server.error_body(found, path), found)
        return Response(body, found.status, {"content-type": "application/json", **headers})

    return handle


def allowed_methods(request: Request) -> str:
    """Every method that a path has; the framework names those of the first route alone."""
    routes: Sequence[BaseRoute] = request.app.router.routes

    def has(method: str) -> bool:
        return any(route.matches({**request.scope, "method": method})[0] is Match.FULL for route in routes)

    return ", ".join([method for method in METHODS if has(method)] + ["OPTIONS"])
