"""A connection that cannot be held open by half a request: its headers and its body have a deadline and a size.

The framework asks the app only when the headers are whole, so what comes before that has to be bounded here.
"""

import asyncio
import json
from collections import OrderedDict
from typing import Any

from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol

from reverie.server.errors import Problem
from reverie.server.gateway.responder import JSON_TYPE, SAFETY
from reverie.server.settings import ServerSettings

GRACE = 5.0  # seconds after a body's own deadline, which the app answers: then nobody reads it any more
HEADERS_LATE = Problem(
    408, "too_slow", "the request's headers did not come in time", "Send them at once; see `header_seconds`."
)
HEADERS_LONG = Problem(
    431, "headers_too_large", "the request's headers are too large", "Send long values in the body instead."
)


class Unfinished:
    """Connections whose request has not come in whole, the oldest first. When there are too many, that one goes."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._waiting: OrderedDict[BoundedProtocol, None] = OrderedDict()

    def add(self, connection: "BoundedProtocol") -> None:
        self._waiting[connection] = None
        if len(self._waiting) > self._most:
            oldest, _ = self._waiting.popitem(last=False)
            oldest.end()

    def discard(self, connection: "BoundedProtocol") -> None:
        self._waiting.pop(connection, None)


class BoundedProtocol(HttpToolsProtocol):
    """uvicorn's protocol, with `serving` and `unfinished` given by `bounded`."""

    serving: ServerSettings
    unfinished: Unfinished

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self._deadline: asyncio.TimerHandle | None = None
        self._in_headers = True
        self._header_bytes = 0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._await_headers()

    def connection_lost(self, exc: Exception | None) -> None:
        self._rest()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if self._in_headers:
            if self._header_bytes == 0 and self._deadline is None:  # the next request on this connection
                self._await_headers()
            self._header_bytes += len(data)
        super().data_received(data)
        if self._in_headers and self._header_bytes > self.serving.max_headers:
            self._refuse(HEADERS_LONG)

    def on_headers_complete(self) -> None:
        size = len(self.url) + sum(len(name) + len(value) + 4 for name, value in self.headers)
        if size > self.serving.max_headers:
            self._refuse(HEADERS_LONG)
            return
        self._in_headers = False
        self._arm(self.serving.body_seconds + GRACE, self.end)
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        if not self.transport.is_closing():
            super().on_message_complete()
        self._in_headers, self._header_bytes = True, 0
        self._rest()

    def on_body(self, body: bytes) -> None:
        if not self.transport.is_closing():
            super().on_body(body)

    def end(self) -> None:
        """Closes the connection, whatever was half said."""
        self._rest()
        self.transport.abort()

    def _await_headers(self) -> None:
        self._arm(self.serving.header_seconds, lambda: self._refuse(HEADERS_LATE))

    def _arm(self, seconds: float, then: Any) -> None:
        self._rest()
        self.unfinished.add(self)
        self._deadline = self.loop.call_later(seconds, then)

    def _rest(self) -> None:
        self.unfinished.discard(self)
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _refuse(self, problem: Problem) -> None:
        """Answers by itself: there is no request yet that the app could answer."""
        self._rest()
        if self.transport.is_closing():
            return
        body = json.dumps(problem.body).encode()
        size, close = (b"content-length", str(len(body)).encode()), (b"connection", b"close")
        lines = [b"%s: %s\r\n" % header for header in (JSON_TYPE, size, close, *SAFETY)]
        self.transport.write(b"".join((STATUS_LINE[problem.status], *lines, b"\r\n", body)))
        self.transport.close()


def bounded(serving: ServerSettings) -> type[BoundedProtocol]:
    """The protocol with one server's own bounds."""
    own = {"serving": serving, "unfinished": Unfinished(serving.max_unfinished)}
    return type("Connection", (BoundedProtocol,), own)
