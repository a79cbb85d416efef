"""The way to a provider: HTTP/1.1 on connections that are used again. Bytes go and come as they are.

A general client costs a request more than all the rest of the proxy does, and writes headers of its own.
"""

import asyncio
import base64
import ssl
import time
from collections import deque
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from functools import lru_cache
from typing import NamedTuple
from urllib.parse import SplitResult, unquote, urlsplit
from urllib.request import getproxies, proxy_bypass

import httptools

Headers = list[tuple[bytes, bytes]]
CONNECT_SECONDS = 10.0
ANSWER_SECONDS = 600.0  # between two pieces of an answer: models think
IDLE_SECONDS = 60.0
MOST_IDLE = 64  # connections to one provider
MOST_AHEAD = 2**18  # bytes of an answer that wait for a slow reader
PORTS = {"http": 80, "https": 443}
WITH_LENGTH = ("POST", "PUT", "PATCH")  # say so when they have no body


class AnswerBroken(Exception):
    """The provider ended the connection before its answer was whole, or does not speak HTTP."""


class AnswerLate(AnswerBroken):
    """It took longer than one waits."""


class NoConnection(Exception):
    """The provider cannot be reached."""


class Origin(NamedTuple):
    """Where a provider listens, and where its paths begin."""

    scheme: str
    host: str
    port: int
    path: str

    @property
    def name(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == PORTS[self.scheme] else f"{host}:{self.port}"


@lru_cache
def origin_of(url: str) -> Origin:
    """
    >>> origin_of("https://api.openai.com/v1"), origin_of("http://[::1]:11434").name
    (Origin(scheme='https', host='api.openai.com', port=443, path='/v1'), '[::1]:11434')
    """
    try:
        place = urlsplit(url)
        port = place.port or PORTS[place.scheme]
    except (ValueError, KeyError):
        raise NoConnection("its address is not a URL") from None
    if not place.hostname:
        raise NoConnection("its address names no host")
    host = place.hostname if place.hostname.isascii() else place.hostname.encode("idna").decode()
    return Origin(place.scheme, host, port, place.path.rstrip("/"))


class UpstreamConnection(asyncio.Protocol):
    """A connection with at most one question open on it, and that question's answer."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._transport: asyncio.Transport | None = None
        self.lost: asyncio.Future[None] = self._loop.create_future()
        self.idle_since = 0.0
        self._begin()

    def _begin(self, *, bodiless: bool = False) -> None:
        self._parser = httptools.HttpResponseParser(self)
        self._bodiless = bodiless
        self._waiting: asyncio.Future[None] | None = None
        self._ready: deque[bytes] = deque()
        self._ahead = 0
        self._broken: AnswerBroken | None = None
        self._begun = False
        self.status = 0
        self.headers: Headers = []
        self.whole = False
        self.reusable = False
        self.abandoned = False  # it was ended from here

    def header(self, name: bytes) -> str:
        return next((value for key, value in self.headers if key == name), b"").decode("latin-1")

    @property
    def transport(self) -> asyncio.Transport:
        assert self._transport is not None
        return self._transport

    @property
    def usable(self) -> bool:
        return self._broken is None and not self.transport.is_closing()

    async def ask(self, message: bytes, *, bodiless: bool = False) -> None:
        """Sends a request; returns when the answer's headers are there. `bodiless`: no body comes in any case."""
        self._begin(bodiless=bodiless)
        self.transport.resume_reading()
        self.transport.write(message)
        while not self._begun:
            await self._more()

    async def pieces(self) -> AsyncIterator[bytes]:
        """The answer's body, as it comes."""
        while True:
            while self._ready:
                part = self._ready.popleft()
                self._ahead -= len(part)
                yield part
            if self.whole:
                return
            self.transport.resume_reading()
            await self._more()

    def abort(self) -> None:
        """Ends the connection now; whoever waits for an answer is told."""
        self.abandoned = True
        self._fail(AnswerBroken("the connection was ended"))
        if self._transport is not None:
            self._transport.abort()

    async def secure(self, context: ssl.SSLContext, host: str) -> None:
        """Goes on encrypted."""
        made = await self._loop.start_tls(self.transport, self, context, server_hostname=host)
        assert made is not None
        self._transport = made

    async def _more(self) -> None:
        if self._broken is not None:
            raise self._broken
        self._waiting = self._loop.create_future()
        timer = self._loop.call_later(ANSWER_SECONDS, self._fail, AnswerLate("no answer in time"))
        try:
            await self._waiting
        finally:
            timer.cancel()
            self._waiting = None

    def _fail(self, error: AnswerBroken) -> None:
        self._broken = self._broken or error
        self._wake()

    def _wake(self) -> None:
        if self._waiting is not None and not self._waiting.done():
            self._waiting.set_result(None)

    # What the loop and the parser call

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        if self.whole:  # nobody asked
            self.transport.abort()
            return
        try:
            self._parser.feed_data(data)
        except (httptools.HttpParserError, httptools.HttpParserUpgrade):
            self._fail(AnswerBroken("not HTTP"))
            self.transport.abort()
        self._wake()

    def eof_received(self) -> None:
        """The end of an answer that has no length of its own."""
        if self._begun and not (self.header(b"content-length") or self.header(b"transfer-encoding")):
            self.whole = True
            self._wake()

    def connection_lost(self, exc: Exception | None) -> None:
        self._fail(AnswerBroken(type(exc).__name__ if exc else "the connection was ended"))
        if not self.lost.done():
            self.lost.set_result(None)

    def on_header(self, name: bytes, value: bytes) -> None:
        self.headers.append((name.lower(), value))

    def on_headers_complete(self) -> None:
        self.status = self._parser.get_status_code()
        if self.status >= 200:  # else the real answer is still to come
            self._begun, self.reusable = True, self._parser.should_keep_alive()
            self.whole = self._bodiless

    def on_body(self, part: bytes) -> None:
        self._ready.append(part)
        self._ahead += len(part)
        if self._ahead > MOST_AHEAD:
            self.transport.pause_reading()

    def on_message_complete(self) -> None:
        if self._begun:
            self.whole = True
        else:
            self.headers = []


class Upstream:
    """The connections to all providers."""

    def __init__(self) -> None:
        self._idle: dict[Origin, deque[UpstreamConnection]] = {}
        self._all: set[UpstreamConnection] = set()
        self._tls: ssl.SSLContext | None = None

    @asynccontextmanager
    async def connection(self, origin: Origin) -> AsyncIterator[UpstreamConnection]:
        """A connection for one request. It is used again if its answer was read to the end."""
        connection = self._idle_one(origin) or await self._connect(origin)
        try:
            yield connection
        finally:
            idle = self._idle.setdefault(origin, deque())
            if connection.whole and connection.reusable and connection.usable and len(idle) < MOST_IDLE:
                connection.idle_since = time.monotonic()
                idle.append(connection)
            else:
                connection.abort()

    def _idle_one(self, origin: Origin) -> UpstreamConnection | None:
        """The one that was used last."""
        idle = self._idle.get(origin)
        while idle:
            connection = idle.pop()
            if connection.usable and time.monotonic() - connection.idle_since < IDLE_SECONDS:
                return connection
            connection.abort()
        return None

    async def _connect(self, origin: Origin) -> UpstreamConnection:
        connection = UpstreamConnection()
        try:
            async with asyncio.timeout(CONNECT_SECONDS):
                await self._open(connection, origin)
        except BaseException as error:
            connection.abort()
            if isinstance(error, OSError | AnswerBroken):  # a timeout and TLS's errors are OSErrors too
                raise NoConnection(type(error).__name__) from error
            raise
        self._all.add(connection)
        connection.lost.add_done_callback(lambda _: self._all.discard(connection))
        return connection

    async def _open(self, connection: UpstreamConnection, origin: Origin) -> None:
        loop = asyncio.get_running_loop()
        between = proxy_between(origin)
        if between is not None:
            await loop.create_connection(lambda: connection, between.hostname or "", between.port or PORTS["http"])
        if between is not None and origin.scheme == "https":
            await connection.ask(tunnel(origin, between), bodiless=True)
            if connection.status != 200:
                raise NoConnection(f"the proxy on the way answered {connection.status}")
            await connection.secure(self._context(), origin.host)
        elif between is None:
            context = self._context() if origin.scheme == "https" else None
            await loop.create_connection(lambda: connection, origin.host, origin.port, ssl=context)

    def _context(self) -> ssl.SSLContext:
        if self._tls is None:
            from httpx2 import create_ssl_context  # it knows where certificates are on every system

            self._tls = create_ssl_context()
            self._tls.set_alpn_protocols(["http/1.1"])
        return self._tls

    async def close(self) -> None:
        """Ends all connections, and waits until they are gone."""
        going = list(self._all)
        for connection in going:
            connection.abort()
        await asyncio.gather(*(connection.lost for connection in going))


def message(origin: Origin, method: str, path: str, headers: Iterable[tuple[bytes, bytes]], body: bytes) -> bytes:
    """A request's bytes."""
    between = origin.scheme == "http" and proxy_between(origin)
    target = f"http://{origin.name}{origin.path}{path}" if between else f"{origin.path}{path}"
    lines = [f"{method} {target} HTTP/1.1".encode("latin-1"), b"host: " + origin.name.encode()]
    lines += [name + b": " + value for name, value in headers]
    if between and (given := credentials(between)):
        lines.append(given)
    if body or method in WITH_LENGTH:
        lines.append(b"content-length: %d" % len(body))
    return b"\r\n".join((*lines, b"", body))


def tunnel(origin: Origin, between: SplitResult) -> bytes:
    """What asks a proxy on the way for a connection to the provider."""
    place = f"{origin.host}:{origin.port}".encode()
    lines = [b"CONNECT " + place + b" HTTP/1.1", b"host: " + place, credentials(between)]
    return b"\r\n".join((*(line for line in lines if line), b"", b""))


def credentials(between: SplitResult) -> bytes:
    if between.username is None:
        return b""
    given = f"{unquote(between.username)}:{unquote(between.password or '')}".encode()
    return b"proxy-authorization: Basic " + base64.b64encode(given)


@lru_cache
def proxy_between(origin: Origin) -> SplitResult | None:
    """The proxy that the environment names for the way to this provider, as `HTTPS_PROXY` does."""
    known = getproxies()
    found = known.get(origin.scheme) or known.get("all")
    if not found or proxy_bypass(origin.host):
        return None
    return urlsplit(found if "://" in found else f"http://{found}")
