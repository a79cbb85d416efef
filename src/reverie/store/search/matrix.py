"""A space's vectors in memory, as one contiguous matrix: a search is one scan."""

from collections.abc import Callable

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
