"""What every source is read into: a message that was said, or a text that another memory kept."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from reverie.errors import BadInput
from reverie.model.base import Instant, instant_of

T = TypeVar("T")
Other = TypeVar("Other")
MAX_TEXT = 20_000  # characters of one message; tool results are cut, people's words hardly ever are
LATEST = 1e11  # seconds: as a moment that is some thousand years from now, as milliseconds it was 1973
ROLES = {"user": "user", "human": "user", "assistant": "assistant", "ai": "assistant", "tool": "tool"}


@dataclass(frozen=True, slots=True)
class ImportedMessage:
    """One message, ready to be appended. `key` is the same however often the source is read."""

    session: str
    role: str
    text: str
    origin: str
    at: Instant | None
    key: str
    speaker: str | None = None
    kind: str | None = None  # of the session: interactive if not given
    channel: str | None = None  # of the session: how it reached the agent
    source: str | None = None  # of the session: which product it is from


@dataclass(frozen=True, slots=True)
class ImportedMemory:
    """What another product had concluded: a model's words, not the user's."""

    text: str
    key: str
    at: Instant | None = None
    tags: tuple[str, ...] = ()
    metadata: Mapping[str, Any] = field(default_factory=dict)
    origin: str = "assistant"


Record = ImportedMessage | ImportedMemory | None  # None: something that is no speech, passed over and counted


def read_or(read: Callable[[], T], otherwise: Other) -> T | Other:
    """What `read` returns; `otherwise` where the data has another shape than we know: it must not end an import."""
    try:
        return read()
    except (AttributeError, KeyError, TypeError, ValueError, RecursionError):
        return otherwise


def texts_in(content: Any) -> list[str]:
    """The texts of a message's content, as chat APIs have it: a string, or parts with a `text`.

    >>> texts_in([{"type": "text", "text": "Hi."}, {"type": "image"}]), texts_in("Hi.")
    (['Hi.'], ['Hi.'])
    """
    if isinstance(content, str):
        return [content]
    parts = content if isinstance(content, list) else []
    spoken = ("text", "input_text", "output_text", None)
    found = (
        part if isinstance(part, str) else part.get("text")
        for part in parts
        if isinstance(part, str) or (isinstance(part, dict) and part.get("type") in spoken)
    )
    return [text for text in found if isinstance(text, str)]


def instant_from(stamp: Any) -> Instant | None:
    """Seconds, milliseconds, or any ISO date; None for anything else.

    >>> instant_from("2026-05-01T12:00:00Z") == instant_from(1777636800) == instant_from(1777636800000)
    True
    >>> instant_from("last week"), instant_from(-1)
    (None, None)
    """
    if isinstance(stamp, (int, float)) and not isinstance(stamp, bool):
        seconds = stamp / 1000 if stamp > LATEST else stamp
        return float(seconds) if 0 <= seconds <= LATEST else None
    try:
        return instant_of(str(stamp))
    except ValueError:
        return None


def json_of(path: Path, meant: str) -> Any:
    try:
        return json.loads(path.read_text("utf-8"))
    except (ValueError, RecursionError) as error:
        raise BadInput(f"{path} is not {meant}: {error}") from error
