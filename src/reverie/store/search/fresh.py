"""Vectors of turns that no night has read, embedded behind their appends: held in memory, never written."""

import threading
from collections import Counter, OrderedDict
from collections.abc import Callable, Collection, Sequence, Set
from itertools import takewhile
from typing import NamedTuple

from reverie.store.search.matrix import Vectors

MOST = 4_000  # turns over all spaces, about 2 KB each; the spaces that were written to longest ago go first


class FreshTurn(NamedTuple):
    ref: str
    seq: int
    vectors: Vectors


class FreshVectors:
    """What one process has embedded of each space's tail. A night's own vectors take their place."""

    def __init__(self, most: int = MOST) -> None:
        self._most = most
        self._spaces: OrderedDict[tuple[str, str], dict[str, FreshTurn]] = OrderedDict()
        self._cleared: Counter[str] = Counter()
        self._guard = threading.Lock()
        self.listeners: list[Callable[[str, Sequence[FreshTurn] | None], None]] = []  # told in the order of changes

    def put(self, space: str, embedder: str, made: Collection[FreshTurn], cleared: int = 0) -> None:
        """Holds these, unless the space was cleared since `cleared` was asked for: one may be of a forgotten turn."""
        with self._guard:
            if self._cleared[space] != cleared:
                return
            held = self._spaces.setdefault((space, embedder), {})
            held.update({turn.ref: turn for turn in made})
            if made:
                self._tell(space, tuple(made))
            self._spaces.move_to_end((space, embedder))
            while sum(map(len, self._spaces.values())) > self._most and len(self._spaces) > 1:
                self._spaces.popitem(last=False)
            for ref in list(held)[: max(0, len(held) - self._most)]:
                del held[ref]

    def of(self, space: str, embedder: str) -> Collection[FreshTurn]:
        """Those of a space, in the order in which they were embedded."""
        with self._guard:
            return tuple(self._spaces.get((space, embedder), {}).values())

    def unlike(self, space: str, embedder: str, taken: Set[str]) -> tuple[Set[str], list[FreshTurn]]:
        """Which of `taken` are no longer held, and what is held besides them."""
        with self._guard:
            held = self._spaces.get((space, embedder), {})
            last = list(takewhile(lambda turn: turn.ref not in taken, reversed(held.values())))
            if len(held) == len(taken) + len(last):  # as nearly always: what is new comes last
                return frozenset(), last[::-1]
            return taken - held.keys(), [turn for ref, turn in held.items() if ref not in taken]

    def spaces(self, embedder: str) -> list[str]:
        """Those that have any of that embedder."""
        with self._guard:
            return [space for space, name in self._spaces if name == embedder]

    def count(self, space: str, embedder: str) -> int:
        return len(self._spaces.get((space, embedder), ()))

    def drop(self, space: str, embedder: str, refs: Collection[str]) -> None:
        with self._guard:
            for ref in refs:
                self._spaces.get((space, embedder), {}).pop(ref, None)

    def clear(self, space: str) -> None:
        """Lets go of a whole space: a turn of it was forgotten, and the next one's vector may hold its meaning."""
        with self._guard:
            self._cleared[space] += 1
            self._tell(space, None)
            for key in [key for key in self._spaces if key[0] == space]:
                del self._spaces[key]

    def cleared(self, space: str) -> int:
        """How often that has happened."""
        return self._cleared[space]

    def _tell(self, space: str, made: Sequence[FreshTurn] | None) -> None:
        for tell in self.listeners:
            tell(space, made)
