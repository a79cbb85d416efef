"""A very large space's vectors by cells: each lies with those around its centre, and a search reads the nearest cells.

Nearly all neighbours of a question lie in the cells whose centres are near it, so three tenths of the rows are compared
instead of all. Making them takes seconds, where a graph of a million vectors took an hour.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Vectors = NDArray[np.float32]
Places = NDArray[np.intp]
PROBED = 0.3  # of all rows
ROUNDS = 5  # of moving the centres; more change little
SAMPLE = 24  # vectors a cell by which the centres are found
AT_ONCE = 4_096


class Cells(NamedTuple):
    centres: Vectors
    starts: NDArray[np.int64]  # where the rows of each cell begin, and where the last one ends

    def nearest(self, query: Vectors, n: int) -> list[slice]:
        """The rows of the nearest cells, in the order of the file: three tenths of all, and at least `n` of them."""
        order = np.argsort(-np.vecdot(self.centres, query), kind="stable")
        held = np.cumsum(np.diff(self.starts)[order])
        wanted = max(PROBED * float(held[-1]), n)
        chosen = np.sort(order[: int(np.searchsorted(held, wanted)) + 1])
        begin, end = self.starts[chosen].tolist(), self.starts[chosen + 1].tolist()
        return _joined([slice(*both) for both in zip(begin, end, strict=True)])


def _joined(parts: Sequence[slice]) -> list[slice]:
    """The same rows in as few slices as may be.

    >>> _joined([slice(0, 2), slice(2, 2), slice(2, 5), slice(7, 8)])
    [slice(0, 5, None), slice(7, 8, None)]
    """
    joined: list[slice] = []
    for part in parts:
        if joined and joined[-1].stop == part.start:
            joined[-1] = slice(joined[-1].start, part.stop)
        elif part.start < part.stop:
            joined.append(part)
    return joined


def made(rows: NDArray[np.int8]) -> tuple[Places, Cells]:
    """The order of these rows by cells, and the cells: by direction alone. The same for the same rows, on every run."""
    random = np.random.default_rng(7)
    count = max(16, int(len(rows) ** 0.5))
    sample = _unit(rows[np.sort(random.choice(len(rows), min(len(rows), count * SAMPLE), replace=False))])
    centres = sample[random.choice(len(sample), count, replace=len(sample) < count)]
    for _ in range(ROUNDS):
        centres = _moved(centres, sample, random)
    cell = _cells_of(rows, centres)
    order = np.argsort(cell, kind="stable")
    return order, Cells(centres, np.searchsorted(cell[order], np.arange(count + 1)))


def _moved(centres: Vectors, sample: Vectors, random: np.random.Generator) -> Vectors:
    """Each centre in the middle of what is nearest to it; one that has nothing goes elsewhere."""
    cell = _cells_of(sample, centres)
    sums = np.zeros_like(centres)
    np.add.at(sums, cell, sample)
    empty = np.bincount(cell, minlength=len(centres)) == 0
    sums[empty] = sample[random.choice(len(sample), int(empty.sum()))]
    return _unit(sums)


def _unit(rows: NDArray[np.int8] | Vectors) -> Vectors:
    """Rows of the same direction and of length one."""
    whole: Vectors = rows.astype(np.float32)
    lengths: Vectors = np.maximum(np.linalg.norm(whole, axis=1, keepdims=True), np.float32(1e-12))
    return whole / lengths


def _cells_of(rows: NDArray[np.int8] | Vectors, centres: Vectors) -> Places:
    parts = (rows[start : start + AT_ONCE].astype(np.float32) for start in range(0, len(rows), AT_ONCE))
    return np.concatenate([np.argmax(part @ centres.T, axis=1) for part in parts])
