"""An exchange as server-sent events: whole messages, or the answer as it comes."""

import threading
from collections.abc import AsyncIterator, Generator
from dataclasses import replace

from reverie.agent.primary import Event
from reverie.errors import ReverieError
from reverie.model.base import new_id
from reverie.server.letta import exchange_runs
from reverie.server.letta.exchange import END, LettaExchange, messages_of
from reverie.server.letta.shapes import message_shape
from reverie.server.letta.shared import Shape
from reverie.server.streams import counted_stream, event

CHUNKS = {"text": ("assistant_message", "content"), "thinking": ("reasoning_message", "reasoning")}


async def event_stream(exchange: LettaExchange) -> AsyncIterator[str]:
    """Each piece is made in a thread of its own: the loop waits for no model and no disk."""
    server, pieces = exchange.server, Pieces(shapes(exchange))
    with counted_stream(server):
        try:
            while (piece := await server.talk(pieces.next)) is not None:
                yield event(piece)
            yield "data: [DONE]\n\n"
        finally:
            server.talk_later(pieces.close)


class Pieces:
    """A generator that is closed by one thread while another may still wait in it: after its next piece."""

    def __init__(self, made: Generator[Shape, None, None]) -> None:
        self._made = made
        self._lock = threading.Lock()

    def next(self) -> Shape | None:
        with self._lock:
            return next(self._made, None)

    def close(self) -> None:
        """What has been shown by then is in the log."""
        with self._lock:
            self._made.close()


def shapes(exchange: LettaExchange) -> Generator[Shape, None, None]:
    """Messages, then why it stopped, then what it cost. The run of it is stored at the end."""
    began, reply, id = exchange.now(), None, new_id("message")
    run = exchange_runs.begun(exchange)
    try:
        for part in exchange.events():
            if part.kind == "end":
                reply = part.reply
            elif exchange.given.stream_tokens and part.kind in CHUNKS:
                yield run.marked(chunk(exchange, part, id))
    except ReverieError as error:
        exchange_runs.keep(exchange, replace(run, status="failed", error=error.message, ended=exchange.now()))
        yield {"message_type": "error_message", "error_type": error.code, "message": error.message, "run_id": run.id}
        yield {**END, "stop_reason": "error"}
        return
    made = [run.marked(message) for message in messages_of(reply, exchange.now()) if exchange.given.wants(message)]
    usage, ended = exchange.usage(reply, began), exchange.now()
    exchange_runs.keep(exchange, replace(run, status="completed", messages=made, usage=usage, ended=ended))
    if not exchange.given.stream_tokens:
        yield from made
    yield END
    yield usage


def chunk(exchange: LettaExchange, part: Event, id: str) -> Shape:
    """A piece of a message; the pieces of one message have one id."""
    kind, name = CHUNKS[part.kind]
    return message_shape(kind, id, exchange.now(), **{name: part.text})
