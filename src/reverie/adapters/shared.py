"""What several adapters use: texts of messages, hits as lines, calls off the loop."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, ParamSpec, TypeVar

from reverie.model.hits import Hit

P = ParamSpec("P")
T = TypeVar("T")
TEXT_PARTS = ("text", "input_text", "output_text")


async def off_loop(call: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Awaits a call of the library in a thread; once begun it is finished, whoever stops waiting for it."""
    return await asyncio.shield(asyncio.to_thread(partial(call, *args, **kwargs)))


def text_of(content: Any) -> str:
    """The words of a message's content: a text, or a list of parts of which some are texts.

    >>> text_of([{"type": "input_text", "text": "Hello."}, {"type": "input_image", "image_url": "…"}])
    'Hello.'
    """
    if isinstance(content, str):
        return content
    if not isinstance(content, Sequence):
        return ""
    parts = (part for part in content if isinstance(part, Mapping) and part.get("type") in TEXT_PARTS)
    return "\n".join(str(part.get("text") or "") for part in parts)


def lines_of(hits: Sequence[Hit]) -> str:
    """Hits as a prompt shows them, one a line."""
    return "\n".join(f"- {hit.text}" for hit in hits)
