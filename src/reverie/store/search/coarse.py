"""Vectors again with one byte a number: a first look that reads a quarter of the bytes.

How far rounding moves a product is known, so whatever may be among the nearest is named here, and the exact vectors of
these few decide.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from math import sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reverie.native import int8_products, keep_heap

Vectors = NDArray[np.float32]
Bytes = NDArray[np.int8]
Places = NDArray[np.intp]
LEVELS = 127
WORTH_IT = 2_000  # rows; fewer are read whole as quickly
# A product is moved by at most |q|·|x - x'| + |x'|·|q - q'|, if all of the rounding points the same way. It does not:
# its parts are as good as random, so a product moves by that over the root of their number, times this at the very most
# (eight standard deviations).
SPREAD = 6.0
AT_ONCE = 4_096  # rows that are rounded in one go
BLOCK = 32  # values
TOO_MANY = 4  # candidates: past this share of all rows the first look has told nothing


class Rounded:
    """Rows of bytes, the size of a step in each, and how far rounding has moved any of them."""

    def __init__(self, rows: Vectors) -> None:
        steps: Vectors = np.abs(rows).max(axis=1, initial=0.0) / np.float32(LEVELS)
        self.steps = np.where(steps > 0, steps, np.float32(1.0))
        self.rows: Bytes = np.rint(rows / self.steps[:, None]).astype(np.int8)
        back = self.rows * self.steps[:, None]
        self.error = float(np.sqrt(np.square(rows - back).sum(axis=1).max(initial=0.0)))
        self.longest = float(np.sqrt(np.square(back).sum(axis=1).max(initial=0.0)))


class Coarse:
    """The bytes of a matrix's rows, place for place. Rounded when they are first searched: many at once is cheap."""

    def __init__(self, dim: int) -> None:
        self._rows: Bytes = np.zeros((0, dim), np.int8)
        self._steps: Vectors = np.zeros(0, np.float32)
        self._error = self._longest = 0.0
        self._changed: list[int] = []

    @property
    def bytes(self) -> int:
        return self._rows.nbytes + self._steps.nbytes

    def changed(self, places: Iterable[int]) -> None:
        self._changed += places

    def candidates(self, rows: Vectors, query: Vectors, n: int) -> Places | None:
        """The places of the `n` nearest rows, among others; None where reading all rows is as good."""
        if not worth_it(len(rows), n):
            return None
        self._catch_up(rows)
        size = len(rows)
        return candidates(self._rows[:size], self._steps[:size], (self._error, self._longest), query, n)

    def _catch_up(self, rows: Vectors) -> None:
        if len(rows) > len(self._rows):
            self._grow(len(rows) * 5 // 4)
        changed = np.array([place for place in self._changed if place < len(rows)], np.intp)
        self._changed = []
        for start in range(0, len(changed), AT_ONCE):
            places = changed[start : start + AT_ONCE]
            rounded = Rounded(rows[places])
            self._rows[places], self._steps[places] = rounded.rows, rounded.steps
            self._error, self._longest = max(self._error, rounded.error), max(self._longest, rounded.longest)

    def _grow(self, size: int) -> None:
        rows, steps = np.zeros((size, self._rows.shape[1]), np.int8), np.zeros(size, np.float32)
        rows[: len(self._rows)], steps[: len(self._steps)] = self._rows, self._steps
        self._rows, self._steps = rows, steps


def worth_it(size: int, n: int) -> bool:
    """Whether a first look at so many rows pays, where the `n` nearest are asked for."""
    return size >= WORTH_IT and n * TOO_MANY < size and int8_products() is not None


def candidates(
    rows: Bytes,
    steps: Vectors,
    bounds: tuple[float, float],
    query: Vectors,
    n: int,
    parts: Sequence[slice] = (slice(None),),
) -> Places | None:
    """As `Coarse.candidates`, among these parts of the rows. `bounds`: how far one of the rows was moved, and how long
    the longest is."""
    products = int8_products()
    if products is None:
        return None
    keep_heap()
    step = float(max(query.max(), -query.min())) / LEVELS or 1.0
    asked = np.rint(query / step)
    away = query - asked * step
    whole = asked.astype(np.int8)
    looked = [_products(products, rows[part], whole) * steps[part] for part in parts]
    near: Vectors = looked[0] if len(looked) == 1 else np.concatenate(looked)  # in steps of the query
    size = len(near)
    moved = sqrt(query.dot(query)) * bounds[0] + bounds[1] * sqrt(away.dot(away))
    error = moved * min(1.0, SPREAD / len(query) ** 0.5)
    least = nth_largest(near, n) - (2 * error + 1e-5) / step
    found: Places = (near >= least).nonzero()[0]
    if len(found) * TOO_MANY > size:
        return None
    if len(parts) == 1 and not parts[0].start:
        return found
    return np.concatenate([np.arange(*part.indices(len(rows))) for part in parts])[found]


def _products(products: Callable[..., Any], rows: Bytes, whole: Bytes) -> Vectors:
    """Whole numbers that single precision holds exactly."""
    found = np.empty(len(rows), np.float32)
    products(rows, whole, out=found)
    return found


def nth_largest(values: NDArray[Any], n: int) -> float:
    """The `n`-th largest of them. The `n`-th largest of the maxima of blocks is no larger, and few reach it.

    A block is any so many values: those that lie a row apart are compared a row at a time.

    >>> nth_largest(np.arange(10_000.0), 3)
    9997.0
    """
    blocks = len(values) // BLOCK
    if blocks > 2 * n:
        highest = values[: blocks * BLOCK].reshape(BLOCK, blocks).max(axis=0)
        highest.partition(blocks - n)
        values = values[values >= highest[blocks - n]]
    return float(np.partition(values, len(values) - n)[len(values) - n])


def runs(equal: NDArray[np.bool_]) -> Iterator[slice]:
    """Where equals stand together, two or more; `equal` says of each place whether the next one is as good.

    >>> list(runs(np.array([False, True, True, False, True])))
    [slice(1, 4, None), slice(4, 6, None)]
    """
    start = end = -1
    for place in equal.nonzero()[0].tolist():
        if place != end - 1:
            if end > 0:
                yield slice(start, end)
            start = place
        end = place + 2
    if end > 0:
        yield slice(start, end)


def equals_by_name(refs: list[str], equal: NDArray[np.bool_]) -> list[str]:
    """The same refs; where `equal` says that one is as good as the one after it, in the order of their names.

    >>> equals_by_name(["b", "d", "c", "a"], np.array([False, True, False]))
    ['b', 'c', 'd', 'a']
    """
    for run in runs(equal):
        refs[run] = sorted(refs[run])
    return refs
