"""A space's vectors in memory: one contiguous matrix, or, for a large space, what changed since its index was made."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from typing import ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

Vectors = NDArray[np.float32]
ROW_BYTES = 200  # a ref and its places, beside the vector itself


class Matrix:
    """Rows in no order; a removed one is overwritten by the last."""

    def __init__(self, dim: int) -> None:
        self.dim = dim
        self._rows: Vectors = np.zeros((0, dim), np.float32)
        self._refs: list[str] = []
        self._place: dict[str, int] = {}

    def __len__(self) -> int:
        return len(self._refs)

    @property
    def bytes(self) -> int:
        return self._rows.nbytes + len(self._refs) * ROW_BYTES

    def seen(self, changes: int) -> int:
        """The place of the change sequence after which vectors have to be handed in: the last one that it has seen."""
        return changes

    def saw(self, changes: int) -> None:
        """Nothing to keep: the matrix lives no longer than its process."""

    def put(self, ref: str, vector: Vectors) -> None:
        place = self._place.get(ref)
        if place is None:
            place = self._place[ref] = len(self._refs)
            self._refs.append(ref)
            self._grow(place + 1)
        self._rows[place] = vector

    def remove(self, ref: str) -> None:
        place = self._place.pop(ref, None)
        if place is None:
            return
        last = self._refs.pop()
        if last != ref:
            self._refs[place] = last
            self._place[last] = place
            self._rows[place] = self._rows[len(self._refs)]

    def search(self, query: Vectors, n: int, allowed: Callable[[str], bool] | None = None) -> list[tuple[str, float]]:
        """The `n` nearest refs with their cosines, nearest first."""
        size = len(self._refs)
        if not size or not n:
            return []
        # Not `@`: BLAS would split it over all cores, and beside a night one part waits milliseconds for a core.
        cosines: Vectors = np.vecdot(self._rows[:size], query)
        if allowed is not None:
            order = (int(i) for i in np.argsort(-cosines, kind="stable") if allowed(self._refs[i]))
            nearest = [i for i, _ in zip(order, range(n), strict=False)]
        else:
            cut = max(0, size - n)
            nearest = np.argpartition(cosines, cut)[cut:].tolist() if cut else list(range(size))
        refs = self._refs
        found = sorted((-cosine, refs[i]) for i, cosine in zip(nearest, cosines[nearest].tolist(), strict=True))
        return [(ref, -cosine) for cosine, ref in found]

    def _grow(self, size: int) -> None:
        if size > len(self._rows):
            bigger = np.zeros((max(64, size, len(self._rows) * 5 // 4), self.dim), np.float32)
            bigger[: len(self._rows)] = self._rows
            self._rows = bigger


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
