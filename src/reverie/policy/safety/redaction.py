"""Secrets are taken out of a text before anything is stored: precise shapes, a cheap look first.

The hot path pays for a handful of substring searches; a pattern runs only where one of its marks occurs.
"""

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from re import Match
from typing import Any, TypeVar, cast

from reverie.policy.safety.secrets.checks import labelled
from reverie.policy.safety.secrets.reading import finds
from reverie.policy.safety.secrets.shapes import (
    CARD_ENDS,
    DIGIT_RUNS,
    GENERATED,
    OF_COMMANDS,
    OF_STATES,
    PRIVATE,
    SPOKEN,
    TOKEN_SHAPES,
    Shape,
    compiled,
)

T = TypeVar("T")
Taken = tuple[str, str]  # the kind of a secret, and the secret
LONG_WORD = 16
REPEATED = 6
NAMES = 2_000
LONGEST_NAME = 24
_LONG_WORD = re.compile(rf"\S{{{LONG_WORD},}}")
RUN_OF_DIGITS, STATE_DIGITS = 11, 6
_OF_PROGRAMS = re.compile(r"[-/][a-z/]|[=\n\[|_:(]|\d")  # no command or setting is without one of these
_NO_DIGIT = bytes(i for i in range(256) if not 48 <= i <= 57)
_PRIVATE_TAG = re.compile(r"<\s{0,3}(?P<end>/?)\s{0,3}private\b[^<>]{0,200}>", re.IGNORECASE)
_SECRET_NAME = re.compile(
    r"(?i)(?:^|[_. -])(?:passw(?:or)?d|pwd|passphrase|passcode|secret|api[_-]?key|authorization|cookie"
    r"|(?:access|auth|refresh|bearer)[_-]?token|(?:private|secret)[_-]?key|client[_-]?secret)\Z"
)


@dataclass(frozen=True, slots=True)
class Redacted:
    text: str
    count: int = 0
    kinds: tuple[str, ...] = ()


class _Table:
    """Shapes, and their marks in one row: the hot path asks for each mark once."""

    def __init__(self, shapes: Iterable[Shape]) -> None:
        self.shapes = tuple(shapes)
        self._marks = tuple((mark, n) for n, shape in enumerate(self.shapes) for mark in shape.marks)

    def marked(self, lower: str) -> list[Shape]:
        """Those of which a mark occurs in the text, in their order."""
        return [self.shapes[n] for n in dict.fromkeys([n for mark, n in self._marks if mark in lower])]


class Redactor:
    """Takes secrets out of texts and of whatever JSON holds; `kept` are the kinds that somebody wants to keep."""

    def __init__(self, kept: Iterable[str] = ()) -> None:
        self.kept = frozenset(kept)
        self._tokens, self._long, self._spoken, self._commands, self._states, self._digits, self._card_ends = (
            _Table(shape for shape in table if shape.kind not in self.kept)
            for table in (TOKEN_SHAPES, GENERATED, SPOKEN, OF_COMMANDS, OF_STATES, DIGIT_RUNS, CARD_ENDS)
        )
        self.name = lru_cache(NAMES)(self.text)  # for names, which come again and again

    def redact(self, text: str) -> Redacted:
        """The text without its secrets, how many there were and of which kinds."""
        found: list[str] = []
        clean = self._without(text, found)
        return Redacted(clean, len(found), tuple(dict.fromkeys(found)))

    def _without(self, text: str, found: list[str]) -> str:
        taken = list[Taken]()
        text = self._without_private(text, taken)
        lower = text.lower()
        # Keys before passwords: "password: sk-…" is a key, and counts once.
        words = [word for word in text.split() if len(word) >= LONG_WORD]
        if words:
            text = self._without_tokens(text, "\n".join(words).lower(), taken)
            text = _without_shapes(self._long.marked(lower), text, taken)
        text = _without_shapes(self._spoken.marked(lower), text, taken)
        if _OF_PROGRAMS.search(lower):
            text = _without_shapes(self._commands.marked(lower), text, taken)
        digits = len(text.encode(errors="ignore").translate(None, _NO_DIGIT))
        if digits >= STATE_DIGITS:
            text = _without_shapes(self._states.marked(lower), text, taken)
        text = self._without_told(text, taken)
        if digits >= RUN_OF_DIGITS:
            text = _without_shapes(self._digits.marked(lower), text, taken)
            text = _without_shapes(self._card_ends.marked(text.lower()), text, taken)
        text = _without_repeats(text, taken)
        found += [kind for kind, _ in taken]
        return text

    def _without_told(self, text: str, taken: list[Taken]) -> str:
        """Without the secrets that the words around them tell."""
        kept, start = list[str](), 0
        for find in finds(text, text.lower()):
            if find.kind not in self.kept:
                taken.append((find.kind, text[find.start : find.end]))
                kept.append(f"{text[start : find.start]}[redacted:{find.kind}]")
                start = find.end
        return "".join((*kept, text[start:])) if kept else text

    def _without_tokens(self, text: str, long_words: str, taken: list[Taken]) -> str:
        """Tokens are long words: only in these is their beginning looked for, and only those with it are read."""
        wanted = _Table(self._tokens.marked(long_words))

        def cleaned(match: Match[str]) -> str:
            return _without_shapes(wanted.marked(match[0].lower()), match[0], taken)

        return _LONG_WORD.sub(cleaned, text) if wanted.shapes else text

    def text(self, text: str) -> str:
        return self.redact(text).text

    def key(self, text: str) -> str:
        """A caller's own key: one that holds a secret is told from others by its digest."""
        if self.name(text) == text:
            return text
        return f"[redacted:{blake2b(text.encode('utf-8', 'surrogatepass'), digest_size=12).hexdigest()}]"

    def json(self, text: str) -> str:
        """A JSON text, still one, without the secrets in it."""
        if not self.redact(text).count:
            return text
        try:
            return json.dumps(self.value(json.loads(text)), ensure_ascii=False)
        except ValueError:
            return self.text(text)

    def value(self, value: T, found: list[str] | None = None) -> T:
        """Whatever JSON holds, without the secrets in its keys and values. The same object if there are none.

        `found` is given the kind of each.
        """
        return cast(T, self._value(value, [] if found is None else found))

    def _value(self, value: Any, found: list[str]) -> Any:
        if isinstance(value, str):
            return self._without(value, found)
        if isinstance(value, Mapping):
            clean = {self._value(key, found): self._named(key, held, found) for key, held in value.items()}
            return value if clean == value else clean
        if isinstance(value, (list, tuple)):
            items = [self._value(item, found) for item in value]
            return value if items == list(value) else type(value)(items)
        return value

    def _named(self, name: Any, value: Any, found: list[str]) -> Any:
        """What stands under "password" is one, whatever it looks like."""
        named = isinstance(name, str) and isinstance(value, str) and _SECRET_NAME.search(name)
        if named and "secret" not in self.kept and not value.startswith("[redacted") and labelled(value):
            found.append("secret")
            return "[redacted:secret]"
        return self._value(value, found)

    def _without_private(self, text: str, taken: list[Taken]) -> str:
        """Without `<private>…</private>`, also nested, and to the end where it is never closed."""
        if "<" not in text or PRIVATE in self.kept:
            return text
        kept, depth, start = list[str](), 0, 0
        for tag in _PRIVATE_TAG.finditer(text):
            if not tag["end"] and not depth:
                kept.append(text[start : tag.start()] + "[private]")
                taken.append((PRIVATE, ""))
            depth = max(0, depth - 1) if tag["end"] else depth + 1
            start = tag.end() if not depth else start
        return "".join((*kept, "" if depth else text[start:])) if kept else text


def _take_out(shape: Shape, text: str, taken: list[Taken]) -> str:
    def replace(match: Match[str]) -> str:
        group = match.lastgroup or 0
        start, end = match.span()
        before, after = match.span(group)
        secret = match[group]
        if shape.within:
            inner = Shape(shape.kind, ("",), shape.within, shape.real)
            return text[start:before] + _take_out(inner, secret, taken) + text[after:end]
        if shape.before and not compiled(shape.before).search(text[max(0, start - LONGEST_NAME) : start]):
            return match[0]
        if not shape.real(secret):
            return match[0]
        taken.append((shape.kind, secret))
        return f"{text[start:before]}[redacted:{shape.kind}]{text[after:end]}"

    return shape.pattern.sub(replace, text)


def _without_shapes(shapes: Iterable[Shape], text: str, taken: list[Taken]) -> str:
    for shape in shapes:
        text = _take_out(shape, text, taken)
    return text


def _without_repeats(text: str, taken: list[Taken]) -> str:
    """What was a secret in one place is one wherever it stands in the text."""
    for kind, secret in tuple(taken):
        if len(secret) >= REPEATED and secret in text and not secret.isalpha():
            taken += [(kind, secret)] * text.count(secret)
            text = text.replace(secret, f"[redacted:{kind}]")
    return text


_ALL = Redactor()


def redact(text: str) -> Redacted:
    """The text without its secrets of any kind.

    >>> redact("my key is sk-abcdefghijklmnop1234567890, password: hunter2")
    Redacted(text='my key is [redacted:api_key], password: [redacted:password]', count=2, kinds=('api_key', 'password'))
    >>> redact("The password is on the whiteboard. <private>I lie.</private> Bye.").text
    'The password is on the whiteboard. [private] Bye.'
    """
    return _ALL.redact(text)
