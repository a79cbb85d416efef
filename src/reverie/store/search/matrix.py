"""A space's vectors in memory: one contiguous matrix, or, for a large space, what changed since its index was made."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import compress, islice
from typing import ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from reverie.model.turns import is_turn
from reverie.store.search.coarse import Coarse, Places, equals_by_name

Vectors = NDArray[np.float32]
Filter = Callable[[Sequence[str]], Sequence[bool]]  # of each ref whether it may be found
ROW_BYTES = 200  # a ref and its places, beside the vector itself
FEW = 4  # times as many as are wanted: so many are put in order as quickly as the best of them are found


class Matrix:
    """Rows in no order; a removed one is overwritten by the last. A ref with several is as near as its nearest."""

    def __init__(self, dim: int) -> None:
        self.dim = dim
        self._rows: Vectors = np.zeros((0, dim), np.float32)
        self._coarse = Coarse(dim)
        self._refs: list[str] = []  # of each row
        self._places: dict[str, list[int]] = {}

    def __len__(self) -> int:
        return len(self._refs)

    @property
    def bytes(self) -> int:
        return self._rows.nbytes + self._coarse.bytes + len(self._refs) * ROW_BYTES

    def seen(self, changes: int) -> int:
        """The place of the change sequence after which vectors have to be handed in: the last one that it has seen."""
        return changes

    def saw(self, changes: int) -> None:
        """Nothing to keep: the matrix lives no longer than its process."""

    def put(self, ref: str, vectors: Vectors) -> None:
        """One vector, or several as rows, in place of those that the ref has."""
        rows = np.atleast_2d(vectors)
        places = self._places.get(ref, ())
        if len(places) != len(rows):
            self.remove(ref)
            places = self._places[ref] = list(range(len(self._refs), len(self._refs) + len(rows)))
            self._refs += [ref] * len(rows)
            self._grow(len(self._refs))
        self._rows[places] = rows
        self._coarse.changed(places)

    def remove(self, ref: str) -> None:
        for place in sorted(self._places.pop(ref, ()), reverse=True):
            last = self._refs.pop()
            if place < len(self._refs):
                self._refs[place] = last
                its = self._places[last]
                its[its.index(len(self._refs))] = place
                self._rows[place] = self._rows[len(self._refs)]
                self._coarse.changed([place])

    def search(
        self,
        query: Vectors,
        n: int,
        allowed: Filter | None = None,
        share: float = 1.0,  # noqa: ARG002 - as in `Layered`
    ) -> list[tuple[str, float]]:
        """The `n` nearest refs with their cosines, nearest first."""
        size = len(self._refs)
        if not size or not n:
            return []
        if allowed is not None:
            cosines = self._cosines(query, None)
            order = (int(i) for i in np.argsort(-cosines, kind="stable"))
            return _first(_those(((self._refs[i], float(cosines[i])) for i in order), allowed, n), n)
        rows = n if size == len(self._places) else 2 * n
        found = self._nearest(query, rows, n)
        while len(found) < n and rows < size:
            rows *= 4
            found = self._nearest(query, rows, n)
        return found

    def nearer(self, query: Vectors, least: float) -> list[tuple[str, float]]:
        """The refs of rows that are at least so near, with their cosines, nearest first; one that has several such
        rows comes several times."""
        if not self._refs:
            return []
        cosines, refs = self._cosines(query, None), self._refs
        places = (cosines >= least).nonzero()[0]
        return nearest_first([refs[i] for i in places.tolist()], cosines[places])

    def _cosines(self, query: Vectors, places: Places | None) -> Vectors:
        """Of the rows at these places, or of all."""
        # Not `@`: BLAS would split it over all cores, and beside a night one part waits milliseconds for a core.
        rows = self._rows[: len(self._refs)] if places is None else self._rows[places]
        cosines: Vectors = np.vecdot(rows, query)
        return cosines

    def _nearest(self, query: Vectors, rows: int, n: int) -> list[tuple[str, float]]:
        """Up to `n` refs of the nearest `rows` rows, nearest first."""
        places = self._coarse.candidates(self._rows[: len(self._refs)], query, rows)
        cosines, refs = self._cosines(query, places), self._refs
        best, cosines = nearest(cosines, rows)
        named = [refs[i] for i in (best if places is None else places[best]).tolist()]
        return _first(with_names(named, cosines), n)

    def _grow(self, size: int) -> None:
        if size > len(self._rows):
            bigger = np.zeros((max(64, size, len(self._rows) * 5 // 4), self.dim), np.float32)
            bigger[: len(self._rows)] = self._rows
            self._rows = bigger


def nearest(cosines: Vectors, n: int) -> tuple[Places, Vectors]:
    """The places of the `n` largest, nearest first, and their values; of many, few are put in order."""
    size = len(cosines)
    if size > FEW * n:
        some = np.argpartition(cosines, size - n)[size - n :]
        best = some[np.argsort(-cosines[some])]
    else:
        best = np.argsort(-cosines)[:n]
    return best, cosines[best]


def nearest_first(refs: Sequence[str], cosines: Vectors) -> list[tuple[str, float]]:
    """Refs with their cosines, nearest first; equally near ones in the order of their names."""
    order, ordered = nearest(cosines, len(cosines))
    return with_names([refs[i] for i in order.tolist()], ordered)


def with_names(refs: list[str], cosines: Vectors) -> list[tuple[str, float]]:
    """Refs, nearest first, with their cosines; equally near ones in the order of their names."""
    return list(zip(equals_by_name(refs, cosines[1:] == cosines[:-1]), cosines.tolist(), strict=True))


def _first(hits: Iterable[tuple[str, float]], n: int) -> list[tuple[str, float]]:
    """The first `n` refs, each once, at its first place."""
    if isinstance(hits, list) and len(dict(head := hits[:n])) == len(head):  # as nearly always
        return head
    found: dict[str, float] = {}
    for ref, cosine in hits:
        found.setdefault(ref, cosine)
        if len(found) == n:
            break
    return list(found.items())


def _those(hits: Iterable[tuple[str, float]], allowed: Filter, n: int) -> Iterator[tuple[str, float]]:
    """Those hits that are allowed; `n` at a time are asked about."""
    rest = iter(hits)
    while some := list(islice(rest, n)):
        yield from compress(some, allowed([ref for ref, _ in some]))


SPARE = 20  # neighbours more than are asked for, where some may be out of date: seldom are many of them near
AMPLE = 1.5  # times as many as hold enough of what is allowed on average
OVERFETCH = 10  # a filtered search looks at so many times more neighbours before it reads the whole index


class Made(NamedTuple):
    """An index as the table `near` names it."""

    relation: str  # the table's name, or the file's without its ending
    dim: int
    seen: int  # the place of the space's change sequence that it has caught up with


class Layered(ABC):
    """The same searches as `Matrix`. Nothing here changes the index: only nights do."""

    most: ClassVar[int]  # neighbours that the index can name; whoever wants more has it read whole
    several = True  # whether a ref may have several vectors in it
    exact = False  # whether more neighbours begin with those that are named when fewer are asked for

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

    def put(self, ref: str, vectors: Vectors) -> None:
        self._outdate(ref)
        self._fresh.put(ref, vectors)

    def remove(self, ref: str) -> None:
        self._outdate(ref)
        self._fresh.remove(ref)

    def _outdate(self, ref: str) -> None:
        if not is_turn(ref):  # no index holds one
            self._stale.add(ref)

    def search(
        self, query: Vectors, n: int, allowed: Filter | None = None, share: float = 1.0
    ) -> list[tuple[str, float]]:
        """About the `n` nearest refs with their cosines, nearest first. `share` is how much of all is allowed.

        Exactly those where the index cannot name enough: then all its vectors are compared.
        """
        if not n:
            return []
        spare = n if self.several else min(len(self._stale), SPARE)
        nearest: list[tuple[str, float]] = []
        for wanted in self._looks(n, spare, None if allowed is None else share):
            if len(nearest) < n:
                nearest = self._indexed(query, n, wanted, allowed)
        if len(nearest) < n:
            nearest = _first(self._kept(self._by_scan(query), allowed, n), n)
        least = nearest[-1][1] if len(nearest) == n else -np.inf
        if fresh := self._fresh.nearer(query, least):
            both = nearest + _first(fresh if allowed is None else _those(fresh, allowed, n), n)
            both.sort(key=lambda hit: (-hit[1], hit[0]))
            nearest = _first(both, n)
        return nearest

    def _looks(self, n: int, spare: int, share: float | None) -> list[int]:
        """How many neighbours the index is asked for, and for how many if these were too few. `share`: of them so many
        are allowed, about; None if nothing is filtered."""
        if share is not None:
            enough = int(AMPLE * (n + spare) / max(share, 1 / OVERFETCH))
            return [enough, n * OVERFETCH] if self.exact and enough < n * OVERFETCH else [n * OVERFETCH]
        return [n + spare, 2 * n] if spare == SPARE else [n + spare]

    def _indexed(self, query: Vectors, n: int, wanted: int, allowed: Filter | None) -> list[tuple[str, float]]:
        """The `n` nearest refs among the `wanted` that the index names; none if it cannot name so many."""
        if wanted > self.most:
            return []
        found = self._kept(self._by_index(query, wanted), allowed, n)
        return _first(found, n) if self.several else list(islice(found, n))

    def _kept(self, hits: Iterable[tuple[str, float]], allowed: Filter | None, n: int) -> Iterable[tuple[str, float]]:
        """Those that may be shown, `n` at a time: to ask of all that were looked at takes longer than the search."""
        if not self._stale and allowed is None:
            return list(hits)
        current = (hit for hit in hits if hit[0] not in self._stale)
        return current if allowed is None else _those(current, allowed, n)

    @abstractmethod
    def _by_index(self, query: Vectors, n: int) -> Iterable[tuple[str, float]]:
        """About the `n` nearest vectors, nearest first."""

    @abstractmethod
    def _by_scan(self, query: Vectors) -> Iterable[tuple[str, float]]:
        """All of them, nearest first."""
