"""Whether a model's sentence about a context holds to its lines: every number and name of it stands there."""

import re
from collections.abc import Sequence

from reverie.language.words import terms
from reverie.policy.ponder.amounts import amounts, stated

SHARE = 0.6  # of its words that the lines must hold
LONGEST = 300
_NAME = re.compile(r"(?<![.!?] )(?<!^)\b[A-Z][\w'-]{1,30}")
_FIRST = re.compile(r"^[A-Z][\w-]{1,30}")


def grounded(text: str, lines: Sequence[str], worked_out: Sequence[str] = ()) -> str | None:
    """None if the sentence is grounded; else why it is not. `worked_out` are values that code has computed.

    >>> grounded("Ben pays more rent than Ann.", ["Ann pays 400 in rent.", "Ben pays 500 in rent."])
    >>> grounded("Ben pays 700.", ["Ben pays 500 in rent."]), grounded("Carl pays.", ["Ben pays 500 in rent."])
    ('the number 700 is not in its lines', 'Carl is not in its lines')
    """
    if not lines:
        return "it names no lines"
    if not text.strip() or len(text) > LONGEST:
        return "it is empty or too long"
    source = " ".join((*lines, *worked_out))
    known = stated(source)
    for amount in amounts(text):
        if amount.value not in known:
            return f"the number {amount.shown} is not in its lines"
    words = frozenset(terms(source))
    for match in (*_NAME.finditer(text), *_FIRST.finditer(text)):
        if not _held(match[0], words, first=match.start() == 0):
            return f"{match[0]} is not in its lines"
    own = terms(text)
    held = sum(term in words for term in own)
    return None if own and held / len(own) >= SHARE else "its words are not those of its lines"


def _held(name: str, words: frozenset[str], *, first: bool) -> bool:
    """A word that begins a sentence need not be a name: only one that looks like nothing else must stand there."""
    parts = terms(name)
    return all(part in words for part in parts) or (first and name.lower() in _STARTS)


_START_WORDS = """
    the a an all both each every only no if when since because there more most fewer less after before between from how
    what who which where why does is are was were did do will can should it its their his her they he she this that
    these those total cost nobody everyone neither either in on at by with without given unless once
"""
_STARTS = frozenset(_START_WORDS.split())
