"""Tool calls that a model wrote out as text, as small ones do, and text that may turn out to be one."""

import json
import re
from collections.abc import Collection
from typing import Any

from reverie.minds.llm.client import ToolCall

_TAGGED = re.compile(r"</?tool_call>|```(?:json)?", re.IGNORECASE)
LONGEST = 4_000  # characters


def may_be_call(text: str) -> bool:
    """Whether a text that has just begun may become a tool call: then nobody is shown it yet.

    >>> may_be_call("<tool"), may_be_call('{"name"'), may_be_call("You live in Kiel")
    (True, True, False)
    """
    begun = text.lstrip().lower()
    marks = ("<tool_call>", "```json")
    return begun.startswith("{") or (bool(begun) and any(mark.startswith(begun[: len(mark)]) for mark in marks))


def written_calls(text: str, names: Collection[str]) -> tuple[ToolCall, ...]:
    """The calls of known tools that a text consists of, each once; none if it says anything else. What was cut off in
    the middle of a further call counts as far as it came.

    >>> written_calls('<tool_call>{"name": "remember", "arguments": {"text": "tea"}}</tool_call>', ["remember"])
    (ToolCall(id='written-0', name='remember', arguments={'text': 'tea'}),)
    """
    bare = _TAGGED.sub("\n", text[:LONGEST]).strip()
    found: list[ToolCall] = []
    while bare:
        begun = bare
        call, bare = _first(bare)
        if call is None and found and begun.startswith("{"):
            break
        if call is None or call.get("name") not in names:
            return ()
        given = call.get("arguments", call.get("parameters", {}))
        arguments = json.loads(given) if isinstance(given, str) and given.startswith("{") else given
        if not isinstance(arguments, dict):
            return ()
        if (call["name"], arguments) not in [(one.name, one.arguments) for one in found]:
            found.append(ToolCall(f"written-{len(found)}", str(call["name"]), arguments))
    return tuple(found)


def _first(text: str) -> tuple[dict[str, Any] | None, str]:
    try:
        found, end = json.JSONDecoder(strict=False).raw_decode(text)
    except (ValueError, RecursionError):
        return None, ""
    return (found if isinstance(found, dict) else None), text[end:].strip()
