"""What somebody who looks on sees: what happened lately, and how memories hang together."""

from dataclasses import dataclass
from typing import Literal

from reverie.model.base import Instant
from reverie.model.memories import Edge, Memory

What = Literal["append", "recall", "answer", "night"]


@dataclass(frozen=True, slots=True)
class Happening:
    """One thing that happened in a space: a turn came in, a question was asked, an answer was served, a night ran."""

    at: Instant
    what: What
    text: str
    ref: str = ""  # the turn's, night's or answer's id
    who: str = ""  # the speaker, or how it ended
    session: str = ""
    hits: int = 0  # of a question: how many memories it brought


@dataclass(frozen=True, slots=True)
class Graph:
    """The best linked memories of a space, and the edges among them."""

    nodes: tuple[Memory, ...]
    edges: tuple[Edge, ...]
    of: int  # from how many they were chosen
