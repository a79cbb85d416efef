"""Terminals and locales that know less than UTF-8: text goes in whole and comes out readable, never as a traceback."""

import codecs
import io
import re
import sys

PLAIN = {"✓": "+", "✗": "x", "·": ".", "…": "...", "→": "->", "“": '"', "”": '"', "’": "'", "–": "-", "—": "-"}
HANDLER = "reverie-plain"
# What a terminal acts on instead of showing it, and marks that turn a line's direction around.
UNPRINTABLE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


def tolerate() -> None:
    """From now on a character that the terminal does not know is written as one that it does."""
    codecs.register_error(HANDLER, _plain)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=HANDLER)


def as_utf8(text: str) -> str:
    """What a narrow locale has read byte by byte, as the UTF-8 that it was.

    >>> as_utf8(b"K\\xc3\\xb6ln".decode("ascii", "surrogateescape"))
    'Köln'
    """
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def printable(text: str) -> str:
    """Text from the world is data, for a terminal too: it moves no cursor, sets no title, hides nothing.

    >>> printable("tea\\x1b[2J and milk\\r\\n")
    'tea�[2J and milk\\n'
    """
    return UNPRINTABLE.sub("\N{REPLACEMENT CHARACTER}", text.replace("\r\n", "\n"))


def speaks_all(stream: object) -> bool:
    """Whether every character can be written there."""
    return str(getattr(stream, "encoding", "")).lower().replace("-", "").startswith("utf")


def _plain(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return "".join(PLAIN.get(sign, "?") for sign in error.object[error.start : error.end]), error.end
