"""The ways in of the proxies: which path goes to which provider, in which API, and with how much memory."""

import asyncio
import logging
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from typing import Any

from starlette.types import Receive, Scope, Send

from reverie.config import PROXY_MODES
from reverie.errors import BadInput
from reverie.server.errors import NoKey, Problem
from reverie.server.proxy.apis import CHAT, MESSAGES, MOST_BEFORE_ID, RESPONSES, Api, SentRequest, first_id, read_answer
from reverie.server.proxy.forward import Asked, Reading, answered, pass_back, passed_on, path_of, streams
from reverie.server.proxy.memory import ProxyExchange, ProxyMemory, Remembered
from reverie.server.proxy.prepared import fits, prepared_body
from reverie.server.proxy.splice import NotReadable
from reverie.server.proxy.upstream import Upstream, origin_of
from reverie.server.state import Server, Surface

log = logging.getLogger("reverie.proxy")
COUNT_TOKENS = "/anthropic/v1/messages/count_tokens"
APIS: Mapping[str, Api] = {
    "/openai/v1/chat/completions": CHAT,
    "/openai/v1/responses": RESPONSES,
    "/anthropic/v1/messages": MESSAGES,
    COUNT_TOKENS: MESSAGES,
}
CLAUDE_CODE = "claude-cli"
PRECOMPUTED = "precomputed"  # of a request: such an answer is welcome; of an answer: it is one
OPENAI_BASE = "The base URL of an OpenAI client ends in `/openai/v1`."
ANTHROPIC_BASE = "The base URL of an Anthropic client ends in `/anthropic`."
TAILS = {
    "/chat/completions": OPENAI_BASE,
    "/responses": OPENAI_BASE,
    "/embeddings": OPENAI_BASE,
    "/v1/messages": ANTHROPIC_BASE,
    "/v1/messages/count_tokens": ANTHROPIC_BASE,
}
TOKEN_PLACE = (
    "Put the token into the base URL (`/t/rv_…/openai/v1`, `/t/rv_…/anthropic`) or the header `x-reverie-key`; the"
    " provider's key stays where it is. On the server's machine `reverie connect` prints the line to copy."
)
ERROR_TYPES = {
    401: "authentication_error",
    403: "permission_error",
    404: "not_found_error",
    413: "request_too_large",
    422: "invalid_request_error",
    429: "rate_limit_error",
    503: "overloaded_error",
}


@dataclass(frozen=True, slots=True)
class ProxyRoute:
    """Stands in the scope for a route, so that a request is counted under its provider and API."""

    path: str


@dataclass(frozen=True, slots=True)
class ProxyCall:
    """One request as it came in, and where its answer goes."""

    scope: Scope
    receive: Receive
    send: Send
    body: bytes

    @classmethod
    async def of(cls, scope: Scope, receive: Receive, send: Send) -> "ProxyCall":
        parts, more = [], True
        while more:
            message = await receive()
            parts.append(message.get("body", b""))
            more = message.get("more_body", False)
        return cls(scope, receive, send, b"".join(parts))

    @property
    def path(self) -> str:
        path: str = self.scope["path"]
        return path.rstrip("/")

    def header(self, name: str) -> str:
        found = (value for key, value in self.scope["headers"] if key == name.encode())
        return next(found, b"").decode("latin-1")


class Provider:
    """One provider under a path of ours."""

    def __init__(self, server: Server, memory: ProxyMemory, upstream: Upstream, prefix: str, url: str) -> None:
        self._server = server
        self._memory = memory
        self._upstream = upstream
        self._prefix = prefix
        self._url = url

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        call = await ProxyCall.of(scope, receive, send)
        api = APIS.get(call.path) if scope["method"] == "POST" else None
        scope["route"] = ProxyRoute(call.path if api else f"{self._prefix}/…")
        mode = self._mode(call)
        try:
            text = "" if api is None or mode == "off" else call.body.decode()
            exchange = self._exchange(call, api, api.read(text), mode) if api and text else None
        except (NotReadable, UnicodeDecodeError):  # the provider says what is wrong with it
            exchange = None
        if api is None or exchange is None or not (exchange.reads or exchange.writes):
            await self._forward(call, call.body)
            return
        found = await self._memory.look(exchange)
        self._server.metrics.count_call("proxy", api.name, ok=found.status != "skipped", seconds=found.seconds)
        self._server.metrics.count_proxied(api.name, found.status)
        if found.answer is not None:
            await self._answer(call, api, exchange, found)
            return
        added = {exchange.request.turns[n].item: block for n, block in found.blocks.items()}
        body = api.with_blocks(text, exchange.request, added).encode()
        await self._forward(call, body, Keeper(self._memory, api, exchange, found))

    def _mode(self, call: ProxyCall) -> str:
        mode = call.header("x-reverie-mode") or self._server.serving.proxy_mode
        if mode not in PROXY_MODES:
            raise BadInput(f"x-reverie-mode is one of {', '.join(PROXY_MODES)}, not {mode!r}")
        return mode

    def _exchange(self, call: ProxyCall, api: Api, request: SentRequest, mode: str) -> ProxyExchange | None:
        caller = call.scope["state"]["caller"]
        program = call.header("user-agent").partition("/")[0].strip()[:100] or None
        if program == CLAUDE_CODE and not request.tools:  # it asks for a title, or whether the key works
            return None
        named = call.header("x-reverie-session") or call.header("x-claude-code-session-id")
        session, subagent = self._memory.session_of(named, request), bool(call.header("x-claude-code-agent-id"))
        if subagent:  # nights read the two apart
            session = f"{session[:100]}/{call.header('x-claude-code-agent-id')[:80]}"
        return ProxyExchange(
            caller,
            call.header("x-reverie-space") or caller.space or self._server.reverie.config["space"],
            session,
            request,
            program,
            reads=caller.may("read"),
            writes=mode == "read-write" and caller.may("write") and call.path != COUNT_TOKENS,
            subagent=subagent,
            prepared=call.header("x-reverie-answer") == PRECOMPUTED
            and call.path != COUNT_TOKENS
            and fits(api, request.values),
        )

    async def _answer(self, call: ProxyCall, api: Api, exchange: ProxyExchange, found: Remembered) -> None:
        """Gives a prepared answer. What was asked is kept; the answer is memory's own words, and is not."""
        body, kind = prepared_body(api, exchange.request, found.answer or "", self._server.reverie.now())
        ours = [(name.encode(), value.encode()) for name, value in headers_of(found).items()]
        headers = [(b"content-type", kind), (b"content-length", b"%d" % len(body)), *ours]
        await call.send({"type": "http.response.start", "status": 200, "headers": headers})
        await call.send({"type": "http.response.body", "body": body})
        async with self._memory.order(exchange):
            await self._memory.keep_sent(exchange)

    async def _forward(self, call: ProxyCall, body: bytes, keeper: "Keeper | None" = None) -> None:
        """Passes the request on and the answer back; what was said is kept behind it."""
        headers = passed_on(call.scope["headers"], read=keeper is not None)
        path = path_of(call.scope).removeprefix(self._prefix)
        asked = Asked(call.scope["method"], path, headers, body)
        reading, more = Reading(), keeper.headers if keeper else {}
        async with answered(self._upstream, origin_of(self._url), asked, call.receive) as answer:
            if keeper is not None:
                keeper.begun(answer.status, streams(answer))
            seen = keeper.seen if keeper else lambda _: None
            whole = await pass_back(answer, more, call.send, reading, seen)
            broken = not whole and not answer.abandoned
        if whole:
            await call.send({"type": "http.response.body", "body": b""})
        elif broken:  # the client learns it by a connection that ends too early, as it would without us
            log.warning("the provider broke off its answer in the middle: %s", call.path)
        if keeper is not None:
            await keeper.ended(reading, whole)


class Keeper:
    """Keeps one exchange: of a stream what was sent while it comes, of a short answer all behind it."""

    def __init__(self, memory: ProxyMemory, api: Api, exchange: ProxyExchange, found: Remembered) -> None:
        self._memory = memory
        self._api = api
        self._exchange = exchange
        self._found = found
        self._order = memory.order(exchange)
        self._accepted = self._named = False
        self._sending: asyncio.Task[None] | None = None

    @property
    def headers(self) -> dict[str, str]:
        return headers_of(self._found)

    def begun(self, status: int, streams: bool) -> None:
        """A request that the provider refuses was said to nobody, and will be sent again."""
        self._accepted = 200 <= status < 300
        if streams:
            self._sending = asyncio.create_task(self._keep_sent_in_order())

    def seen(self, reading: Reading) -> None:
        """What follows on this answer may come as soon as its client has read it: by then its id is known."""
        if self._api is not RESPONSES or self._named:
            return
        if id := first_id(reading.body):
            self._memory.name_answer(self._exchange, id)
        self._named = bool(id) or reading.size > MOST_BEFORE_ID  # then it has none

    async def ended(self, reading: Reading, whole: bool) -> None:
        if self._sending is not None:
            await self._sending
        async with self._order:
            if self._sending is None:
                await self._keep_sent()
            if self._accepted:
                answer = read_answer(self._api, reading.body, reading.streams)
                answer = answer if whole else replace(answer, whole=False)
                await self._memory.keep_answer(self._exchange, answer, self._found.blocks.values())

    async def _keep_sent(self) -> None:
        await self._memory.note(self._exchange)
        if self._accepted:
            await self._memory.keep_sent(self._exchange)

    async def _keep_sent_in_order(self) -> None:
        async with self._order:
            await self._keep_sent()


def headers_of(found: Remembered) -> dict[str, str]:
    return {
        "x-reverie-memory": found.status,
        "x-reverie-memories": str(found.memories),
        "x-reverie-ms": f"{found.seconds * 1e3:.1f}",
        "x-reverie-answer": "live" if found.answer is None else PRECOMPUTED,
    }


def error_body(problem: Problem) -> dict[str, Any]:
    """An error of ours as the clients of either provider read one."""
    said = f"{problem.message}. {TOKEN_PLACE if problem.code == NoKey.code else problem.next_move}"
    kind = ERROR_TYPES.get(problem.status, "api_error")
    return {"type": "error", "error": {"type": kind, "code": problem.code, "message": said, "param": None}}


def surface(server: Server) -> Surface:
    memory, upstream = ProxyMemory(server), Upstream()
    urls = server.serving.providers

    @asynccontextmanager
    async def lifespan() -> AsyncIterator[None]:
        try:
            yield
        finally:
            await upstream.close()
            memory.close()

    passing = {f"{prefix}/": Provider(server, memory, upstream, prefix, url) for prefix, url in urls.items()}
    return Surface(passes_on=passing, owns=tuple(passing), error_body=error_body, tails=TAILS, lifespan=lifespan)
