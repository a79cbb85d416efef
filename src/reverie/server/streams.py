"""Server-sent events: how many streams may be open at once, and how one event is written."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from reverie.server.errors import Overloaded
from reverie.server.state import Server

EVENT_STREAM = "text/event-stream"
MOST_STREAMS = 64


def check_room(server: Server) -> None:
    """Raises Overloaded where another stream would be one too many."""
    if server.streams >= MOST_STREAMS:
        raise Overloaded(f"{server.streams} streams are open already", retry_after=5)


@contextmanager
def counted_stream(server: Server) -> Iterator[None]:
    """Around a stream while it is open."""
    server.streams += 1
    try:
        yield
    finally:
        server.streams -= 1


def event(value: Any, name: str | None = None) -> str:
    """
    >>> event({"id": 1}, "night")
    'event: night\\ndata: {"id": 1}\\n\\n'
    """
    data = f"data: {json.dumps(value, ensure_ascii=False, default=str)}\n\n"
    return data if name is None else f"event: {name}\n{data}"
