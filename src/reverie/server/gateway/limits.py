"""Bounds on what comes in: the rate of one key, requests at once, the size and the time of a body."""

import asyncio
import time
from collections import OrderedDict
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping, MutableMapping
from contextlib import contextmanager
from typing import Any

from reverie.server.errors import Overloaded, TooLarge, TooManyRequests, TooSlow

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
REMEMBERED = 10_000  # callers whose rate is remembered


class Rate:
    """A bucket a caller, that fills at the allowed rate and holds ten seconds of it."""

    def __init__(self, per_minute: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._per_second = per_minute / 60
        self._room = max(1.0, self._per_second * 10)
        self._clock = clock
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, caller: str) -> None:
        now = self._clock()
        left, at = self._buckets.pop(caller, (self._room, now))
        left = min(self._room, left + (now - at) * self._per_second)
        self._buckets[caller] = (max(0.0, left - 1), now) if left >= 1 else (left, now)
        if len(self._buckets) > REMEMBERED:
            self._buckets.popitem(last=False)
        if left < 1:
            raise TooManyRequests("too many requests", retry_after=(1 - left) / self._per_second)


class InFlight:
    """How many requests are being answered at this moment."""

    def __init__(self, most: int) -> None:
        self._most = most
        self.now = 0

    @contextmanager
    def admitted(self) -> Iterator[None]:
        if self.now >= self._most:
            raise Overloaded(f"{self.now} requests are being answered already", retry_after=1)
        self.now += 1
        try:
            yield
        finally:
            self.now -= 1


class Bodies:
    """Bodies that are coming in. They take no room from requests that are being answered, and their bytes are bounded.

    One caller has a quarter of all, so that nobody fills the server with what is never sent to its end.
    """

    def __init__(self, most: int, seconds: float) -> None:
        self._most = most  # bytes of one
        self._seconds = seconds
        self._all = 16 * most
        self._held: dict[str, int] = {}

    async def read(self, caller: str, receive: Receive, headers: Mapping[str, str], most: int | None = None) -> bytes:
        """The whole body, refused as soon as it is known to be too large, or when it has taken too long."""
        parts: list[bytes] = []
        try:
            async with asyncio.timeout(self._seconds):
                async for part in parts_of(receive, headers, max(self._most, most or 0)):
                    self._take(caller, len(part))
                    parts.append(part)
        except TimeoutError:
            raise TooSlow(f"the body did not come within {self._seconds:g} seconds", seconds=self._seconds) from None
        finally:
            self._give_back(caller, sum(map(len, parts)))
        return parts[0] if len(parts) == 1 else b"".join(parts)

    def _take(self, caller: str, size: int) -> None:
        held = self._held.get(caller, 0) + size
        if held > self._all / 4 or sum(self._held.values()) + size > self._all:
            raise Overloaded("too much is coming in at once", retry_after=1)
        self._held[caller] = held

    def _give_back(self, caller: str, size: int) -> None:
        left = self._held.get(caller, 0) - size
        if left > 0:
            self._held[caller] = left
        else:
            self._held.pop(caller, None)


async def parts_of(receive: Receive, headers: Mapping[str, str], most: int) -> AsyncIterator[bytes]:
    """The body, part by part, until it is known to be too large."""
    said = headers.get("content-length", "")
    if said.isdigit() and int(said) > most:
        raise TooLarge(f"a body has at most {most:,} bytes, this has {int(said):,}", limit=most)
    size = 0
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise ClientGone
        part: bytes = message.get("body", b"")
        size += len(part)
        if size > most:
            raise TooLarge(f"a body has at most {most:,} bytes", limit=most)
        yield part
        if not message.get("more_body", False):
            return


class ClientGone(Exception):
    """The client went away before it had said all."""
