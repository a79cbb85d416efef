"""What several adapters use: the space, texts of messages, filters, hits as lines, calls off the loop."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import Any, ParamSpec, TypeVar

from reverie.errors import UsageError
from reverie.model.hits import Hit
from reverie.space import Space

P = ParamSpec("P")
T = TypeVar("T")
ROLES = {"user": "user", "assistant": "assistant", "system": "system", "developer": "system"}
COMPARED: Mapping[str, Callable[[Any, Any], bool]] = {
    "$eq": lambda has, wanted: has == wanted,
    "$ne": lambda has, wanted: has != wanted,
    "$gt": lambda has, wanted: float(has) > float(wanted),
    "$gte": lambda has, wanted: float(has) >= float(wanted),
    "$lt": lambda has, wanted: float(has) < float(wanted),
    "$lte": lambda has, wanted: float(has) <= float(wanted),
}
TEXT_PARTS = ("text", "input_text", "output_text")


def given_space(given: Space) -> Space:
    """The space, if it is one: the store it comes from is easily given in its place."""
    if not isinstance(given, Space):
        raise UsageError(
            f"an adapter takes a space, not {type(given).__name__}",
            next_move='Give it `memory.space("alice")`, where `memory = Reverie.open("my-agent")`.',
        )
    return given


async def off_loop(call: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Awaits a call of the library in a thread. Whoever is cancelled meanwhile is told when it has ended: what was
    begun is done then, and need not be tried again."""
    work = asyncio.ensure_future(asyncio.to_thread(partial(call, *args, **kwargs)))
    try:
        return await asyncio.shield(work)
    except asyncio.CancelledError:
        while not work.done():
            with suppress(asyncio.CancelledError):
                await asyncio.wait((work,))
        if not work.cancelled():
            work.exception()  # nobody will ask for it
        raise


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


def said_in(item: Any) -> tuple[str, str]:
    """Who says what in an item.

    >>> said_in({"role": "user", "content": "Hello."}), said_in({"type": "function_call_output", "output": "21°"})
    (('user', 'Hello.'), ('tool', '21°'))
    """
    if not isinstance(item, Mapping):
        return "user", ""
    if item.get("type") == "function_call_output":
        return "tool", text_of(item.get("output"))
    return ROLES.get(str(item.get("role")), "assistant"), text_of(item.get("content"))


def matches(has: Any, wanted: Any) -> bool:
    """Whether a value fits a filter.

    >>> matches({"age": 31, "tags": ["a"]}, {"age": {"$gt": 30}, "tags": ["a"]})
    True
    """
    if isinstance(wanted, Mapping) and any(str(name).startswith("$") for name in wanted):
        return all(_compared(name, has, value) for name, value in wanted.items())
    if isinstance(wanted, Mapping):
        return isinstance(has, Mapping) and all(matches(_at(has, name), value) for name, value in wanted.items())
    return bool(has == wanted)


def _at(has: Mapping[str, Any], path: str) -> Any:
    """The value under a name, or below names with dots between them."""
    if path in has or "." not in path:
        return has.get(path)
    first, _, rest = path.partition(".")
    return _at(has[first], rest) if isinstance(has.get(first), Mapping) else None


def _compared(operator: str, has: Any, wanted: Any) -> bool:
    if operator not in COMPARED:
        raise ValueError(f"Unsupported operator: {operator}")
    try:
        return bool(COMPARED[operator](has, wanted))
    except (TypeError, ValueError):  # nothing there, or not a number
        return False
