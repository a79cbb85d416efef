"""What several adapters use: words that follow an entry into memory, texts of messages, calls off the loop."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, ParamSpec, TypeVar

from reverie.model.hits import Hit
from reverie.space import Space

P = ParamSpec("P")
T = TypeVar("T")
MOST_SAID = 100_000  # characters of an entry that memory takes up
TEXT_PARTS = ("text", "input_text", "output_text")


async def off_loop(call: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Awaits a call of the library in a thread; once begun it is finished, whoever stops waiting for it."""
    return await asyncio.shield(asyncio.to_thread(partial(call, *args, **kwargs)))


def renewed(space: Space, old: str | None, text: str, **metadata: Any) -> str | None:
    """The memory that carries a text to recall and to nights, as an agent's words; the one before it is taken back."""
    if old is not None:
        space.retract(old)
    if not text.strip():
        return None
    return space.remember(text[:MOST_SAID], metadata=metadata, surface="agent").id


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
