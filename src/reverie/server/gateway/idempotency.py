"""Idempotency-Key: the same POST twice is done once, and answered alike."""

import hashlib
from dataclasses import dataclass
from functools import partial

from starlette.types import ASGIApp, Message, Receive, Scope

from reverie.errors import BadInput, Conflict, KeyReused
from reverie.model.spaces import StoredReply
from reverie.server.gateway.auth import Caller
from reverie.server.gateway.responder import Responder
from reverie.server.state import Server

GIVE_UP = 60.0  # seconds after which a request that never ended may be tried again
REPLAYED = (b"idempotency-replayed", b"true")
LONGEST = 200


@dataclass(frozen=True, slots=True)
class Request:
    caller: Caller
    scope: Scope
    body: bytes
    key: str

    @property
    def route(self) -> str:
        return f"{self.scope['method']} {self.scope['path']}"

    @property
    def own_key(self) -> str:
        """One caller's key is no other's: a reply must not reach somebody who may see less."""
        return f"{self.caller.key or 'operator'}:{self.key}"

    @property
    def digest(self) -> str:
        return hashlib.blake2b(self.scope["query_string"] + b"\n" + self.body, digest_size=16).hexdigest()


async def answer_once(server: Server, app: ASGIApp, request: Request, receive: Receive, responder: Responder) -> None:
    """Answers the request, or what it came to before. Errors are not kept: the same key may be tried again."""
    check(request.key)
    replies, place = server.org(request.caller).replies, (request.own_key, request.route)
    now = server.reverie.now()
    known = await server.run(partial(replies.claim, *place, request.digest, give_up=GIVE_UP))
    if known is not None:
        await _replay(known, request, responder)
        return
    held = _HeldReply(responder)
    try:
        await app(request.scope, receive, held.send)
    finally:
        if held.whole and 200 <= held.status < 300:
            await server.run(replies.settle, *place, held.status, held.body.decode())
        else:
            await server.run(replies.release, *place)
    await held.pass_on()
    await server.run(server.sweep, now)


def check(key: str) -> None:
    if not key or len(key) > LONGEST:
        raise BadInput(f"an idempotency key has 1 to {LONGEST} characters")


async def _replay(known: StoredReply, request: Request, responder: Responder) -> None:
    if known.digest != request.digest:
        raise KeyReused("this idempotency key was used for another request", key=request.key)
    if known.running:
        raise Conflict("the first request with this key is still being answered", next_move="Try again in a second.")
    await responder.reply(known.status, known.body.encode(), (REPLAYED,))


class _HeldReply:
    """Holds an answer back until it is stored; a stream is passed on as it comes, and not kept."""

    def __init__(self, responder: Responder) -> None:
        self.status = 0
        self.body = b""
        self.whole = False
        self._responder = responder
        self._held: list[Message] = []
        self._streams = False

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
            self._streams = (b"content-type", b"text/event-stream") in [(n, v[:17]) for n, v in message["headers"]]
        if self._streams:
            await self._responder.send(message)
            return
        self._held.append(message)
        self.body += message.get("body", b"")
        self.whole = message["type"] == "http.response.body" and not message.get("more_body", False)

    async def pass_on(self) -> None:
        for message in self._held:
            await self._responder.send(message)
