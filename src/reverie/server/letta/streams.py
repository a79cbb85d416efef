"""An exchange as server-sent events: whole messages, or the answer as it comes."""

import json
from collections.abc import AsyncIterator, Generator

from reverie.agent.primary import Event
from reverie.errors import ReverieError
from reverie.model.base import new_id
from reverie.server.letta.shapes import message_shape
from reverie.server.letta.shared import Shape
from reverie.server.letta.talking import END, Exchange, messages_of

CHUNKS = {"text": ("assistant_message", "content"), "thinking": ("reasoning_message", "reasoning")}


async def told(exchange: Exchange) -> AsyncIterator[str]:
    """Each piece is made in a worker thread: the loop waits for no model and no disk."""
    server = exchange.server
    pieces = shapes(exchange)
    server.streams += 1
    try:
        while (piece := await server.run(next, pieces, None)) is not None:
            yield data(piece)
        yield "data: [DONE]\n\n"
    finally:
        server.streams -= 1
        pieces.close()


def shapes(exchange: Exchange) -> Generator[Shape, None, None]:
    """Messages, then why it stopped, then what it cost."""
    began, reply, id = exchange.now(), None, new_id("message")
    try:
        for event in exchange.events():
            if event.kind == "end":
                reply = event.reply
            elif exchange.given.stream_tokens and event.kind in CHUNKS:
                yield chunk(exchange, event, id)
    except ReverieError as error:
        yield {"message_type": "error_message", "error_type": error.code, "message": error.message, "run_id": ""}
        yield {**END, "stop_reason": "error"}
        return
    if not exchange.given.stream_tokens:
        yield from filter(exchange.given.wants, messages_of(reply, exchange.now()))
    yield END
    yield exchange.usage(reply, began)


def chunk(exchange: Exchange, event: Event, id: str) -> Shape:
    """A piece of a message; the pieces of one message have one id."""
    kind, name = CHUNKS[event.kind]
    return message_shape(kind, id, exchange.now(), **{name: event.text})


def data(piece: Shape) -> str:
    return f"data: {json.dumps(piece, ensure_ascii=False)}\n\n"
