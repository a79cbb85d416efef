"""Secrets are taken out of a text before anything is stored: precise shapes, a cheap look first.

The hot path pays for a handful of substring searches; a pattern runs only where one of its marks occurs.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from re import Match
from typing import Any

from reverie.policy.safety.secret_checks import labelled
from reverie.policy.safety.secret_shapes import DIGIT_RUNS, GENERATED, PRIVATE, SPOKEN, Shape

LONG_WORD = 16
RUN_OF_DIGITS = 11
_NO_DIGIT = bytes(i for i in range(256) if not 48 <= i <= 57)
_PRIVATE_TAG = re.compile(r"<\s{0,3}(?P<end>/?)\s{0,3}private\b[^<>]{0,200}>", re.IGNORECASE)
_OPENED = re.compile(r"<\s{0,3}private\b[^<>]{0,200}\Z", re.IGNORECASE)
_SECRET_NAME = re.compile(
    r"(?i)(?:.*[_. -])?(?:passw(?:or)?d|pwd|passphrase|passcode|secret|api[_-]?key|(?:access|auth|refresh|id|bearer)[_-]?token"
    r"|private[_-]?key|secret[_-]?key|client[_-]?secret|authorization|cookie)"
)


@dataclass(frozen=True, slots=True)
class Redacted:
    text: str
    count: int = 0
    kinds: tuple[str, ...] = ()


class Redactor:
    """Takes secrets out of texts and of whatever JSON holds; `kept` are the kinds that somebody wants to keep."""

    def __init__(self, kept: Iterable[str] = ()) -> None:
        self.kept = frozenset(kept)
        self._generated, self._spoken, self._digits = (
            tuple(shape for shape in table if shape.kind not in self.kept) for table in (GENERATED, SPOKEN, DIGIT_RUNS)
        )

    def redact(self, text: str) -> Redacted:
        """The text without its secrets, how many there were and of which kinds."""
        found: list[str] = []
        text = self._without_private(text, found)
        words = [word for word in text.split() if len(word) >= LONG_WORD]
        lower = text.lower()
        # Keys before passwords: "password: sk-…" is a key, and counts once.
        if words:
            long = "\n".join(words).lower()
            for shape in self._generated:
                text = _take_out(shape, text, long if shape.kind == "api_key" else lower, found)
        for shape in self._spoken:
            text = _take_out(shape, text, lower, found)
        if len(text.encode(errors="ignore").translate(None, _NO_DIGIT)) >= RUN_OF_DIGITS:
            for shape in self._digits:
                text = _take_out(shape, text, lower, found)
        return Redacted(text, len(found), tuple(dict.fromkeys(found))) if found else Redacted(text)

    def text(self, text: str) -> str:
        return self.redact(text).text

    def value(self, value: Any) -> Any:
        """Whatever JSON holds, without the secrets in its keys and values. The same object if there are none."""
        if isinstance(value, str):
            return self.redact(value).text
        if isinstance(value, Mapping):
            clean = {self.value(key): self._named(key, held) for key, held in value.items()}
            return value if clean == value else clean
        if isinstance(value, (list, tuple)):
            items = [self.value(item) for item in value]
            return value if items == list(value) else type(value)(items)
        return value

    def _named(self, name: Any, value: Any) -> Any:
        """What stands under "password" is one, whatever it looks like."""
        named = isinstance(name, str) and isinstance(value, str) and _SECRET_NAME.fullmatch(name[:200])
        if named and "secret" not in self.kept and not value.startswith("[redacted") and labelled(value):
            return "[redacted:secret]"
        return self.value(value)

    def _without_private(self, text: str, found: list[str]) -> str:
        """Without `<private>…</private>`, also nested, and to the end where it is never closed."""
        if "<" not in text or PRIVATE in self.kept:
            return text
        kept, depth, start = list[str](), 0, 0
        for tag in _PRIVATE_TAG.finditer(text):
            if not tag["end"] and not depth:
                kept.append(text[start : tag.start()] + "[private]")
                found.append(PRIVATE)
            depth = max(0, depth - 1) if tag["end"] else depth + 1
            start = tag.end() if not depth else start
        if depth or not found:
            return "".join(kept) if depth else text
        return "".join((*kept, text[start:]))


def _take_out(shape: Shape, text: str, lower: str, found: list[str]) -> str:
    for mark in shape.marks:
        if mark in lower:
            break
    else:
        return text

    def replace(match: Match[str]) -> str:
        group = match.lastgroup or 0
        start, end = match.span()
        before, after = match.span(group)
        secret = match[group]
        if shape.within is not None:
            inner = Shape(shape.kind, ("",), shape.within, shape.real)
            return text[start:before] + _take_out(inner, secret, "", found) + text[after:end]
        if not shape.real(secret):
            return match[0]
        found.append(shape.kind)
        return f"{text[start:before]}[redacted:{shape.kind}]{text[after:end]}"

    return shape.pattern.sub(replace, text)


_ALL = Redactor()


def redact(text: str) -> Redacted:
    """The text without its secrets of any kind.

    >>> redact("my key is sk-abcdefghijklmnop1234567890, password: hunter2")
    Redacted(text='my key is [redacted:api_key], password: [redacted:password]', count=2, kinds=('api_key', 'password'))
    >>> redact("The password is on the whiteboard. <private>I lie.</private> Bye.").text
    'The password is on the whiteboard. [private] Bye.'
    """
    return _ALL.redact(text)
