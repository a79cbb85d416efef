"""A request passed on to its provider, and the answer passed back as it comes, byte for byte."""

import asyncio
import zlib
from collections.abc import AsyncIterator, Iterable, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field

import httpx2
from starlette.types import Receive, Scope, Send

from reverie.errors import ModelUnavailable
from reverie.model.spaces import KEY_PREFIX

Headers = list[tuple[bytes, bytes]]
# Of one connection alone, or made anew.
HOP = frozenset(
    b"connection keep-alive proxy-authenticate proxy-authorization te trailer transfer-encoding upgrade host"
    b" content-length expect".split()
)
OURS = b"x-reverie-"
KEYS = (b"authorization", b"x-api-key")
READABLE = ("gzip", "deflate", "identity")
CONNECT_SECONDS = 10.0
ANSWER_SECONDS = 600.0  # between two pieces of an answer: models think
MOST_READ = 8 * 2**20  # bytes of an answer that are read for what it says


class ProviderDown(ModelUnavailable):
    code = "provider_down"
    next_move = "Check `proxy_openai_url` or `proxy_anthropic_url`, and that this machine reaches it."


class Upstream:
    """One client for all providers, made when the first request is passed on: it takes a while."""

    def __init__(self) -> None:
        self._client: httpx2.AsyncClient | None = None

    def client(self) -> httpx2.AsyncClient:
        self._client = self._client or open_client()
        return self._client

    async def close(self) -> None:
        if self._client is not None:
            await self._client.aclose()


def open_client() -> httpx2.AsyncClient:
    """Sends what it is given: no headers, cookies or redirects of its own."""
    client = httpx2.AsyncClient(
        timeout=httpx2.Timeout(ANSWER_SECONDS, connect=CONNECT_SECONDS),
        limits=httpx2.Limits(max_connections=512, max_keepalive_connections=64, keepalive_expiry=60),
    )
    client.headers.clear()
    return client


def passed_on(headers: Iterable[tuple[bytes, bytes]], *, read: bool) -> Headers:
    """The client's headers as the provider gets them: not ours, nor a key of ours in the place of the provider's.

    `read`: the answer will be read here, so it must come in an encoding that can be.

    >>> given = [(b"x-api-key", b"rv_x"), (b"authorization", b"Bearer sk-1"), (b"x-reverie-mode", b"off")]
    >>> passed_on(given, read=False)
    [(b'authorization', b'Bearer sk-1')]
    """
    kept = [(name, value) for name, value in headers if name not in HOP and not name.startswith(OURS)]
    theirs = [(name, value) for name, value in kept if not (name in KEYS and _is_ours(value))]
    return [(name, _readable(value) if read and name == b"accept-encoding" else value) for name, value in theirs]


def _is_ours(value: bytes) -> bool:
    return value.split(b" ")[-1].startswith(KEY_PREFIX.encode())


def _readable(encodings: bytes) -> bytes:
    """
    >>> _readable(b"gzip, deflate, br, zstd"), _readable(b"br")
    (b'gzip, deflate', b'identity')
    """
    named = [one.strip() for one in encodings.decode("latin-1").split(",")]
    return (", ".join(one for one in named if one.split(";")[0] in READABLE) or "identity").encode()


def passed_back(headers: Iterable[tuple[bytes, bytes]]) -> Headers:
    """The provider's headers as the client gets them."""
    named = [(name.lower(), value) for name, value in headers]
    return [(name, value) for name, value in named if name not in HOP - {b"content-length"} and name != b"date"]


@dataclass
class Reading:
    """What an answer says, gathered while it passes."""

    streams: bool = False
    encoding: str = ""
    pieces: list[bytes] = field(default_factory=list)
    size: int = 0

    def take(self, part: bytes) -> None:
        self.size += len(part)
        if self.size <= MOST_READ:
            self.pieces.append(part)

    @property
    def body(self) -> bytes:
        """Decoded, as far as it came."""
        raw = b"".join(self.pieces)
        if self.encoding not in ("gzip", "deflate"):
            return raw
        with suppress(zlib.error):
            return zlib.decompressobj(zlib.MAX_WBITS | 32).decompress(raw, MOST_READ)
        return b""


@asynccontextmanager
async def answered(
    client: httpx2.AsyncClient, method: str, url: str, headers: Headers, body: bytes
) -> AsyncIterator[httpx2.Response]:
    """The provider's answer, its body still to come."""
    request = httpx2.Request(method, url, headers=headers, content=body or None)
    try:
        response = await client.send(request, stream=True)
    except httpx2.TimeoutException as error:
        raise ProviderDown("the provider did not answer in time") from error
    except (httpx2.HTTPError, httpx2.InvalidURL, OSError) as error:
        raise ProviderDown(f"the provider cannot be reached: {type(error).__name__}") from error
    try:
        yield response
    finally:
        await response.aclose()


def streams(response: httpx2.Response) -> bool:
    """Whether it comes bit by bit."""
    return response.headers.get("content-type", "").startswith("text/event-stream")


async def pass_back(response: httpx2.Response, more: Mapping[str, str], send: Send, reading: Reading) -> bool:
    """Sends the answer on as it comes; False if the provider broke it off."""
    reading.streams = streams(response)
    reading.encoding = response.headers.get("content-encoding", "").strip().lower()
    ours = [(name.encode(), value.encode("latin-1")) for name, value in more.items()]
    headers = [*passed_back(response.headers.raw), *ours]
    await send({"type": "http.response.start", "status": response.status_code, "headers": headers})
    try:
        async for part in response.aiter_raw():
            reading.take(part)
            await send({"type": "http.response.body", "body": part, "more_body": True})
    except httpx2.HTTPError:
        return False
    return True


async def client_gone(receive: Receive) -> None:
    """Returns when the client has gone away."""
    while (await receive())["type"] != "http.disconnect":
        pass


async def unless_gone(work: "asyncio.Task[bool]", receive: Receive) -> bool:
    """What the work comes to; False if the client went away first: nobody pays for an answer that nobody reads."""
    gone = asyncio.create_task(client_gone(receive))
    try:
        await asyncio.wait((work, gone), return_when=asyncio.FIRST_COMPLETED)
        if not work.done():
            work.cancel()
            with suppress(asyncio.CancelledError):
                await work
            return False
        return work.result()
    finally:
        gone.cancel()


def path_of(scope: Scope) -> str:
    """The path and the question as the client wrote them."""
    raw: bytes = scope.get("raw_path") or scope["path"].encode()
    asked: bytes = scope.get("query_string", b"")
    return (raw.split(b"?")[0] + (b"?" + asked if asked else b"")).decode("latin-1")
