"""The best of many values: which they are, and in which order equals come."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

BLOCK = 32  # values


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
