"""Search in a large space: an index as a night left it, and in memory the vectors that have changed since."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from typing import ClassVar, NamedTuple

from reverie.store.search.matrix import Matrix, Vectors

OVERFETCH = 10  # a filtered search looks at so many times more neighbours before it reads the whole index


class Made(NamedTuple):
    """An index as the table `near` names it."""

    relation: str  # the table's name, or the file's without its ending
    dim: int
    seen: int  # the place of the space's change sequence that it has caught up with


class Layered(ABC):
    """The same searches as `Matrix`. Nothing here changes the index: only nights do."""

    most: ClassVar[int]  # neighbours that the index can name; whoever wants more has it read whole

    def __init__(self, made: Made) -> None:
        self.made = made
        self._fresh = Matrix(made.dim)
        self._stale: set[str] = set()  # refs whose vector in the index is out of date
        self._changes = made.seen

    @property
    def bytes(self) -> int:
        return self._fresh.bytes

    def seen(self, changes: int) -> int:
        """The place of the change sequence after which vectors have to be handed in: the index holds the older ones."""
        return max(changes, self._changes)

    def saw(self, changes: int) -> None:
        """All vectors up to that place have been handed in."""
        self._changes = changes

    def put(self, ref: str, vector: Vectors) -> None:
        self._stale.add(ref)
        self._fresh.put(ref, vector)

    def remove(self, ref: str) -> None:
        self._stale.add(ref)
        self._fresh.remove(ref)

    def search(self, query: Vectors, n: int, allowed: Callable[[str], bool] | None = None) -> list[tuple[str, float]]:
        """About the `n` nearest refs with their cosines, nearest first.

        Exactly those where the index cannot name enough: then all its vectors are compared.
        """
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
