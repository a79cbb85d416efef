"""JSON edited where it stands: everything that is not meant keeps its bytes."""

import json
import re
from collections.abc import Iterable
from typing import Any, NamedTuple

_BLANK = re.compile(r"[ \t\n\r]*")
_read = json.JSONDecoder().raw_decode


class NotReadable(Exception):
    """Not the JSON that was looked for: it is left as it is."""


class Part(NamedTuple):
    """A value, and where it stands in the text."""

    value: Any
    start: int
    end: int


class Edit(NamedTuple):
    """What takes the place of a piece of the text; where start and end are the same, it is put in between."""

    start: int
    end: int
    text: str


def members(text: str, at: int = 0) -> dict[str, Part]:
    """The members of the object that begins there.

    >>> members('{"model": "m"}')["model"]
    Part(value='m', start=10, end=13)
    """
    return _members(text, at)[0]


def whole_object(text: str, listed: str) -> dict[str, Part]:
    """The members of the object that the text is. Of the one named by `listed`, if it is a list, its elements.

    >>> found = whole_object('{"model": "m", "messages": [1, {}]}', "messages")
    >>> [item.start for item in found["messages"].value]
    [28, 31]
    """
    found, end = _members(text, 0, listed)
    if _skip(text, end) != len(text):
        raise NotReadable
    return found


def edited(text: str, edits: Iterable[Edit]) -> str:
    """
    >>> edited("abcd", [Edit(1, 1, "-"), Edit(2, 3, "C")])
    'a-bCd'
    """
    pieces, at = [], 0
    for edit in sorted(edits):
        pieces += [text[at : edit.start], edit.text]
        at = edit.end
    return "".join((*pieces, text[at:]))


def written(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _members(text: str, at: int, listed: str = "") -> tuple[dict[str, Part], int]:
    found: dict[str, Part] = {}
    at = _skip(text, _expect(text, _skip(text, at), "{"))
    while text[at : at + 1] != "}":
        name, at = _name(text, at)
        one = _elements(text, at) if name == listed and text[at : at + 1] == "[" else _part(text, at)
        found[name] = one
        at = _next(text, one.end, "}")
    return found, at + 1


def _elements(text: str, at: int) -> Part:
    start, found = at, []
    at = _skip(text, _expect(text, at, "["))
    while text[at : at + 1] != "]":
        one = _part(text, at)
        found.append(one)
        end = one.end
        if text.startswith(",{", end):  # as clients write it: nothing to look for
            at = end + 1
        elif text.startswith(", {", end):
            at = end + 2
        else:
            at = _next(text, end, "]")
    return Part(found, start, at + 1)


def _part(text: str, at: int) -> Part:
    try:
        value, end = _read(text, at)
    except (ValueError, RecursionError):
        raise NotReadable from None
    return Part(value, at, end)


def _name(text: str, at: int) -> tuple[str, int]:
    """A member's name, and where its value begins."""
    name, _, at = _part(text, at)
    if not isinstance(name, str):
        raise NotReadable
    return name, _skip(text, _expect(text, _skip(text, at), ":"))


def _next(text: str, at: int, closing: str) -> int:
    """Where the next one begins, or the closing mark stands."""
    at = _skip(text, at)
    return at if text[at : at + 1] == closing else _skip(text, _expect(text, at, ","))


def _expect(text: str, at: int, mark: str) -> int:
    if text[at : at + 1] != mark:
        raise NotReadable
    return at + 1


def _skip(text: str, at: int) -> int:
    found = _BLANK.match(text, at)
    return found.end() if found else at
