"""A request passed on to its provider, and the answer passed back as it comes, byte for byte."""

import asyncio
import zlib
from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import NamedTuple

from starlette.types import Receive, Scope, Send

from reverie.errors import ModelUnavailable
from reverie.model.spaces import KEY_PREFIX
from reverie.server.gateway.limits import ClientGone
from reverie.server.proxy.upstream import (
    AnswerBroken,
    AnswerLate,
    Headers,
    NoConnection,
    Origin,
    Upstream,
    UpstreamConnection,
    message,
)

# Of one connection alone, or made anew.
HOP = frozenset(
    b"connection keep-alive proxy-authenticate proxy-authorization te trailer transfer-encoding upgrade host"
    b" content-length expect".split()
)
OURS = b"x-reverie-"
KEYS = (b"authorization", b"x-api-key")
READABLE = ("gzip", "deflate", "identity")
MOST_READ = 8 * 2**20  # bytes of an answer that are read for what it says


class ProviderDown(ModelUnavailable):
    code = "provider_down"
    next_move = "Check `proxy_openai_url` or `proxy_anthropic_url`, and that this machine reaches it."


class Asked(NamedTuple):
    """What goes to the provider."""

    method: str
    path: str
    headers: Headers
    body: bytes

    def message(self, origin: Origin) -> bytes:
        return message(origin, *self)


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
    upstream: Upstream, origin: Origin, asked: Asked, receive: Receive
) -> AsyncIterator[UpstreamConnection]:
    """The provider's answer, its body still to come. Nobody pays for an answer whose reader has gone away."""
    try:
        async with upstream.connection(origin) as answer:
            gone = asyncio.create_task(abort_when_gone(receive, answer))
            try:
                await answer.ask(asked.message(origin), bodiless=asked.method == "HEAD")
                yield answer
            except AnswerBroken:
                if gone.done():
                    raise ClientGone from None
                raise
            finally:
                gone.cancel()
    except AnswerLate as error:
        raise ProviderDown("the provider did not answer in time") from error
    except (AnswerBroken, NoConnection) as error:
        raise ProviderDown(f"the provider cannot be reached: {error}") from error


async def abort_when_gone(receive: Receive, answer: UpstreamConnection) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
    answer.abort()


def streams(answer: UpstreamConnection) -> bool:
    """Whether it comes bit by bit."""
    return answer.header(b"content-type").startswith("text/event-stream")


async def pass_back(
    answer: UpstreamConnection, more: Mapping[str, str], send: Send, reading: Reading, seen: Callable[[Reading], None]
) -> bool:
    """Sends the answer on as it comes, all but its end; False if it broke off. What comes is `seen` before it goes."""
    reading.streams = streams(answer)
    reading.encoding = answer.header(b"content-encoding").strip().lower()
    ours = [(name.encode(), value.encode("latin-1")) for name, value in more.items()]
    headers = [*passed_back(answer.headers), *ours]
    await send({"type": "http.response.start", "status": answer.status, "headers": headers})
    try:
        async for part in answer.pieces():
            reading.take(part)
            seen(reading)
            await send({"type": "http.response.body", "body": part, "more_body": True})
    except AnswerBroken:
        return False
    return True


def path_of(scope: Scope) -> str:
    """The path and the question as the client wrote them."""
    raw: bytes = scope.get("raw_path") or scope["path"].encode()
    asked: bytes = scope.get("query_string", b"")
    return (raw.split(b"?")[0] + (b"?" + asked if asked else b"")).decode("latin-1")
