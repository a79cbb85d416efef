"""What a model wrote, made readable: its thinking and fences taken off, JSON that was wrapped or cut off closed."""

import json
import re
from typing import Any

from reverie.errors import ModelFault

_FENCE = re.compile(r"```(?:json)?\s*(.*?)(?:```|\Z)", re.DOTALL | re.IGNORECASE)
_THINKING = re.compile(r"<think(?:ing)?>.*?(?:</think(?:ing)?>|\Z)", re.DOTALL | re.IGNORECASE)
_TRAILING_COMMA = re.compile(r",\s*(?=[}\]])")
_CLOSE = {"{": "}", "[": "]"}


def read_json(text: str) -> tuple[dict[str, Any], bool]:
    """The object in `text`, and whether it had to be closed because its end was missing.

    >>> read_json('Sure! ```json\\n{"facts": [1, 2,]}\\n```')
    ({'facts': [1, 2]}, False)
    >>> read_json('{"facts": [{"a": 1}, {"a": 2')
    ({'facts': [{'a': 1}]}, True)
    >>> read_json('{"program": ["a = 1", "b = a * 2", "c = a +')
    ({'program': ['a = 1', 'b = a * 2']}, True)
    """
    text = _THINKING.sub("", text).strip()
    if not text:
        raise ModelFault("empty", "the model wrote nothing")
    for candidate in (text, *_FENCE.findall(text), text[text.find("{") :] if "{" in text else ""):
        found = _object(candidate)
        if found is not None:
            return found, False
    cut = _closed(text)
    if cut is None:
        raise ModelFault("bad_json", "the model wrote no JSON object")
    return cut, True


def _object(text: str) -> dict[str, Any] | None:
    try:
        found, _ = json.JSONDecoder(strict=False).raw_decode(_TRAILING_COMMA.sub("", text.strip()))
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def _closed(text: str) -> dict[str, Any] | None:
    """Cut back to the last whole element, then close what is open: whole items are kept, half ones dropped."""
    start = text.find("{")
    if start < 0:
        return None
    body = text[start:]
    for end, stack in reversed(_boundaries(body)):
        found = _object(body[:end] + "".join(_CLOSE[bracket] for bracket in reversed(stack)))
        if found is not None:
            return found
    return None


def _boundaries(body: str) -> list[tuple[int, str]]:
    """Where an inner object, an array, or a text in an array has just ended, with the brackets still open there."""
    found: list[tuple[int, str]] = []
    stack, quoted, escaped = "", False, False
    for place, char in enumerate(body):
        if quoted:
            escaped, quoted = (char == "\\" and not escaped), (char != '"' or escaped)
            if not quoted and stack.endswith("["):
                found.append((place + 1, stack))
        elif char == '"':
            quoted = True
        elif char in _CLOSE:
            stack += char
        elif char in "}]" and stack:
            stack = stack[:-1]
            if stack:
                found.append((place + 1, stack))
    return found[-50:]  # a bounded number of tries, newest first


def plain(text: str, cut: bool = False) -> str:
    """What a model wrote, without its thinking and its fences; the last line of a cut answer may be half, and goes.

    >>> plain("<think>hm</think>```\\n1 K tea\\n2 K ru", cut=True)
    '1 K tea'
    """
    text = _THINKING.sub("", text).replace("```", "").strip()
    if cut:
        text = text.rpartition("\n")[0]
    if not text:
        raise ModelFault("empty", "the model wrote nothing")
    return text
