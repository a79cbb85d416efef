"""What every request passes, in this order: place, key, rate, room, size; then the short way or the app."""

import asyncio
import logging
from collections.abc import Mapping

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from reverie.errors import ReverieError
from reverie.server.errors import UNEXPECTED, NoKey, Overloaded, problem_of
from reverie.server.gateway import fast_routes, idempotency
from reverie.server.gateway.auth import Caller, check_place
from reverie.server.gateway.limits import ClientGone, read_body
from reverie.server.gateway.responder import Responder
from reverie.server.state import SERVER, STOPWATCH, Server

log = logging.getLogger("reverie.server")
STOPPING = 5  # seconds: another may listen here by then
WITHOUT_BODY = ("GET", "HEAD", "OPTIONS", "TRACE")


class Gateway:
    """Plain ASGI: the framework's own layers would cost a hot call more than all its work."""

    def __init__(self, app: ASGIApp, server: Server) -> None:
        self._app = app
        self._server = server

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
        elif scope["type"] == "http":
            await self._http(scope, receive, Responder(self._server, scope, send))
        else:
            await send({"type": "websocket.close", "code": 1008})

    async def _http(self, scope: Scope, receive: Receive, responder: Responder) -> None:
        SERVER.set(self._server)
        STOPWATCH.set(responder.stopwatch)
        try:
            await self._admit(scope, receive, responder)
        except ReverieError as error:
            await responder.refuse(problem_of(error))
        except ClientGone:
            pass
        except asyncio.CancelledError:  # the server stops, and this took longer than it waits
            if responder.started:
                raise
            await responder.refuse(problem_of(Overloaded("the server is stopping", retry_after=STOPPING)))
        except Exception:
            log.exception("%s %s failed", scope["method"], scope["path"])
            if responder.started:
                raise
            await responder.refuse(UNEXPECTED)

    async def _admit(self, scope: Scope, receive: Receive, responder: Responder) -> None:
        headers = _headers(scope)
        server = self._server
        check_place(headers, server.serving)
        if server.is_public(scope["path"]):
            await self._app(scope, receive, responder.send)
            return
        caller = await self._caller(scope, headers)
        scope.setdefault("state", {})["caller"] = caller
        if caller.key is not None:
            server.rate.take(caller.key)
        with server.in_flight.admitted():
            await self._answer(caller, scope, receive, responder, headers)

    async def _caller(self, scope: Scope, headers: Mapping[str, str]) -> Caller:
        auth = self._server.auth
        try:
            known = auth.cached_caller(headers)
            return known if known is not None else await self._server.run(auth.stored_caller, headers)
        except NoKey:
            self._server.rate.take(f"stranger {(scope.get('client') or ('?',))[0]}")  # nobody guesses for long
            raise

    async def _answer(
        self, caller: Caller, scope: Scope, receive: Receive, responder: Responder, headers: Mapping[str, str]
    ) -> None:
        if scope["method"] in WITHOUT_BODY:
            await self._app(scope, receive, responder.send)
            return
        body = await read_body(receive, headers, self._server.serving.max_body)
        key = headers.get("idempotency-key")
        fast = fast_routes.find(scope, key) if self._server.serving.hot else None
        if fast is not None:
            await fast_routes.answer(self._server, caller, fast, body, key, responder)
        elif key is not None and scope["method"] == "POST":
            request = idempotency.Request(caller, scope, body, key)
            await idempotency.answer_once(self._server, self._app, request, _receive_again(body, receive), responder)
        else:
            await self._app(scope, _receive_again(body, receive), responder.send)


def _headers(scope: Scope) -> dict[str, str]:
    """Header values may come with blanks around them; the app gets them without too."""
    scope["headers"] = [(name, value.strip()) for name, value in scope["headers"]]
    return {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}


def _receive_again(body: bytes, receive: Receive) -> Receive:
    """A `receive` that gives the body again, then what really comes: the client going away."""
    given = False

    async def again() -> Message:
        nonlocal given
        if given:
            return await receive()
        given = True
        return {"type": "http.request", "body": body, "more_body": False}

    return again
