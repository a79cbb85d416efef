"""What every request passes, in this order: place, key, rate, body, room; then the short way or the app."""

import asyncio
import logging
import time
from collections.abc import Mapping

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from reverie.errors import ReverieError
from reverie.server.errors import UNEXPECTED, NoKey, Overloaded, WrongPlace, problem_of
from reverie.server.gateway import fast_routes, idempotency
from reverie.server.gateway.auth import Caller, check_not_from_a_page, check_place
from reverie.server.gateway.limits import ClientGone
from reverie.server.gateway.responder import Responder
from reverie.server.state import SERVER, STOPWATCH, Server

log = logging.getLogger("reverie.server")
STOPPING = 5  # seconds: another may listen here by then
WITHOUT_BODY = ("GET", "HEAD", "OPTIONS", "TRACE")
MOST_PASSED_ON = 32 * 2**20  # bytes: what the providers take
SOCKET_PEER = "127.0.0.1"  # who comes by the home's socket has no address, and is on this machine
IN_PATH = "/t/"  # where a client that sends no header of its own puts the key


class Gateway:
    """Plain ASGI: the framework's own layers would cost a hot call more than all its work."""

    def __init__(self, app: ASGIApp, server: Server) -> None:
        self._app = app
        self._server = server

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
        elif scope["type"] == "http":
            scope = with_key_of_path(scope) if scope["path"].startswith(IN_PATH) else scope
            await self._http(scope, receive, Responder(self._server, scope, send))
        else:
            await send({"type": "websocket.close", "code": 1008})

    async def _http(self, scope: Scope, receive: Receive, responder: Responder) -> None:
        SERVER.set(self._server)
        self._server.asked_at = time.monotonic()
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
        check_not_from_a_page(headers)
        if (key := server.sessions.key_of(scope["path"], headers)) is not None:
            headers.setdefault("x-reverie-key", key)
        caller = await self._caller(scope, headers)
        scope.setdefault("state", {})["caller"] = caller
        if caller.key is not None:
            server.rate.take(caller.key)
        body = None
        if scope["method"] not in WITHOUT_BODY:
            most = MOST_PASSED_ON if server.passing_on(scope["path"]) else None
            body = await server.bodies.read(caller.key or "owner", receive, headers, most)
            receive = _receive_again(body, receive)
        with server.in_flight.admitted():
            await self._answer(caller, scope, receive, responder, headers, body)

    async def _caller(self, scope: Scope, headers: Mapping[str, str]) -> Caller:
        auth = self._server.auth
        peer = (scope.get("client") or (SOCKET_PEER,))[0]
        try:
            known = auth.cached_caller(headers, peer)
            return known if known is not None else await self._server.run(auth.stored_caller, headers)
        except NoKey:
            self._server.rate.take(f"stranger {peer}")  # nobody guesses for long
            raise

    async def _answer(
        self,
        caller: Caller,
        scope: Scope,
        receive: Receive,
        responder: Responder,
        headers: Mapping[str, str],
        body: bytes | None,
    ) -> None:
        other = self._server.passing_on(scope["path"])
        if body is None or other is not None:
            await (other or self._app)(scope, receive, responder.send)
            return
        key = headers.get("idempotency-key")
        fast = fast_routes.find(scope, key) if self._server.serving.hot else None
        if fast is not None:
            await fast_routes.answer(self._server, caller, fast, body, key, responder)
        elif key is not None and scope["method"] == "POST":
            request = idempotency.Request(caller, scope, body, key)
            await idempotency.answer_once(self._server, self._app, request, receive, responder)
        else:
            await self._app(scope, receive, responder.send)


def with_key_of_path(scope: Scope) -> Scope:
    """`/t/rv_…/v1/spaces` is `/v1/spaces` with that key. Nobody behind this sees the key in the path, nor logs it."""
    key, _, rest = scope["path"].removeprefix("/t/").partition("/")
    raw = scope.get("raw_path", b"").removeprefix(f"/t/{key}".encode("utf-8", "surrogateescape"))
    own = () if any(name == b"x-reverie-key" for name, _ in scope["headers"]) else ((b"x-reverie-key", key.encode()),)
    return {**scope, "path": f"/{rest}", "raw_path": raw or b"/", "headers": [*scope["headers"], *own]}


def _headers(scope: Scope) -> dict[str, str]:
    """Header values may come with blanks around them; the app gets them without too."""
    if sum(name == b"host" for name, _ in scope["headers"]) > 1:
        raise WrongPlace("a request has one Host")
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
