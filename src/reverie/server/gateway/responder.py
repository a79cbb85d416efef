"""One request and its answer, on the way out: timing, security headers, one count."""

import json
import time
from collections.abc import Mapping
from typing import Any

from starlette.types import Message, Scope, Send

from reverie.server.errors import Problem
from reverie.server.state import Server, Stopwatch

JSON_TYPE = (b"content-type", b"application/json")
PAGE_POLICY = (  # of our own pages: nothing inline, nothing from elsewhere
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self';"
    " base-uri 'none'; frame-ancestors 'none'"
)
PAGE_HEADERS = {
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": PAGE_POLICY,
    "referrer-policy": "same-origin",  # without a referrer, browsers send a form's Origin as null
}
SAFETY: tuple[tuple[bytes, bytes], ...] = (
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"content-security-policy", b"default-src 'none'; frame-ancestors 'none'"),
    (b"cache-control", b"no-store"),
)


class Responder:
    def __init__(self, server: Server, scope: Scope, send: Send) -> None:
        self.path: str = scope["path"]
        self.stopwatch = Stopwatch()
        self.started = False
        self._server = server
        self._scope = scope
        self._send = send
        self._began = time.perf_counter()

    async def send(self, message: Message) -> None:
        """What the app sends, with our headers. A page that sets its own policy keeps it."""
        if message["type"] == "http.response.start":
            there = {name for name, _ in message["headers"]}
            message["headers"] = [
                *message["headers"],
                *(header for header in SAFETY if header[0] not in there),
                self._timing(),
            ]
            self._count(message["status"])
        await self._send(message)

    async def reply(self, status: int, body: bytes, headers: tuple[tuple[bytes, bytes], ...] = ()) -> None:
        """A whole answer, JSON unless its headers say otherwise."""
        size = (b"content-length", str(len(body)).encode())
        start = {"type": "http.response.start", "status": status}
        there = {name for name, _ in headers}
        ours = (header for header in (JSON_TYPE, *SAFETY) if header[0] not in there)
        await self._send({**start, "headers": [size, *ours, self._timing(), *headers]})
        self._count(status)
        await self._send({"type": "http.response.body", "body": body})

    async def refuse(self, problem: Problem) -> None:
        body, headers = written(self._server.error_body(problem, self.path), problem)
        await self.reply(problem.status, body, encoded(headers))

    def _timing(self) -> tuple[bytes, bytes]:
        library, rest = self._seconds()
        return b"server-timing", f"library;dur={library * 1e3:.3f}, server;dur={rest * 1e3:.3f}".encode()

    def _seconds(self) -> tuple[float, float]:
        library = self.stopwatch.library
        return library, time.perf_counter() - self._began - library

    def _count(self, status: int) -> None:
        self.started = True
        library, rest = self._seconds()
        self._server.metrics.count_request(self._scope["method"], self._route(), status, library=library, server=rest)

    def _route(self) -> str:
        """The route's pattern, never the path: ids would make a series each."""
        route = self._scope.get("route")
        return getattr(route, "path", None) or "unmatched"


def written(body: Any, problem: Problem) -> tuple[bytes, Mapping[str, str]]:
    """An error as it goes out, with its headers: a page where its surface speaks to people, else JSON."""
    if isinstance(body, str):
        return body.encode("utf-8", "replace"), {**problem.headers, **PAGE_HEADERS}
    return dumps(body), problem.headers


def dumps(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=str).encode("utf-8", "replace")


def encoded(headers: Mapping[str, str]) -> tuple[tuple[bytes, bytes], ...]:
    return tuple((name.encode("latin-1"), value.encode("latin-1")) for name, value in headers.items())
