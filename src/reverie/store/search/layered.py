"""A large space's vectors: an index as a night left it, and over it, in memory, what has changed since."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from typing import ClassVar

from reverie.store.search.large_spaces import Made
from reverie.store.search.matrix import Matrix
from reverie.store.tables.vectors import Vectors

OVERFETCH = 10  # a filtered search looks at so many times more neighbours before it reads the whole index


class Layered(ABC):
    """The same searches as `Matrix`. Nothing here changes the index: only nights do."""

    most: ClassVar[int]  # neighbours that the index can name; whoever wants more has it read whole

    def __init__(self, made: Made) -> None:
        self.made = made
        self._fresh = Matrix(made.dim)
        self._stale: set[str] = set()  # refs that the index no longer speaks for
        self._changes = made.seen

    @property
    def bytes(self) -> int:
        return self._fresh.bytes

    def seen(self, changes: int) -> int:
        """From which place of the change sequence it wants to hear: the index knows what is older."""
        return max(changes, self._changes)

    def saw(self, changes: int) -> None:
        self._changes = changes

    def put(self, ref: str, vector: Vectors) -> None:
        self._stale.add(ref)
        self._fresh.put(ref, vector)

    def remove(self, ref: str) -> None:
        self._stale.add(ref)
        self._fresh.remove(ref)

    def search(self, query: Vectors, n: int, allowed: Callable[[str], bool] | None = None) -> list[tuple[str, float]]:
        """About the `n` nearest refs with their cosines, nearest first; exactly those if the index cannot say."""
        if not n:
            return []
        wanted = n * OVERFETCH if allowed is not None else 2 * n if self._stale else n
        found = self._kept(self._by_index(query, wanted), allowed) if wanted <= self.most else []
        if len(found) < n:
            found = self._kept(self._by_scan(query), allowed)
        found += self._fresh.search(query, n, allowed)
        return sorted(found, key=lambda hit: (-hit[1], hit[0]))[:n]

    def _kept(
        self, hits: Iterable[tuple[str, float]], allowed: Callable[[str], bool] | None
    ) -> list[tuple[str, float]]:
        return [hit for hit in hits if hit[0] not in self._stale and (allowed is None or allowed(hit[0]))]

    @abstractmethod
    def _by_index(self, query: Vectors, n: int) -> Iterable[tuple[str, float]]: ...

    @abstractmethod
    def _by_scan(self, query: Vectors) -> Iterable[tuple[str, float]]: ...
