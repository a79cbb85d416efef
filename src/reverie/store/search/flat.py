"""A large space on SQLite: its vectors in a file of bytes, as the table has them, which is scanned.

A first look takes the question in bytes too, and the question itself decides among what that finds: nothing is missed,
and the file is made in no time. Past some hundred thousand rows they lie by cells, and the nearest cells alone are
scanned (`cells.py`).
"""

from collections.abc import Sequence
from itertools import accumulate
from pathlib import Path
from typing import Any, Self

import numpy as np

from reverie.policy.care.quantize import SCALE, quantized_rows
from reverie.store.files import mapped
from reverie.store.search.cells import Cells
from reverie.store.search.cells import made as made_cells
from reverie.store.search.coarse import AT_ONCE, TOO_MANY, Bytes, Places, Rounded, candidates, worth_it
from reverie.store.search.matrix import Layered, Made, Vectors, nearest, nearest_first, with_names

SCANNED = 300_000  # vectors; more are not compared one by one


def flat_path(folder: Path, relation: str) -> Path:
    return folder / f"{relation}.flat"


class FlatFile(Layered):
    """Searches such a file. It is mapped, not read, and processes share the pages."""

    most = 1_000_000_000

    def __init__(self, made: Made, arrays: mapped.Arrays, noted: dict[str, Any]) -> None:
        super().__init__(made)
        self._refs, self._bytes, self._steps = arrays["refs"], arrays["bytes"], arrays["steps"]
        self._bounds = (0.0, float(noted["longest"]))  # no row was moved: its bytes are what it is
        self.several = bool(noted["several"])
        self._cells = Cells(arrays["centres"], arrays["starts"]) if "centres" in arrays else None
        self.exact = self._cells is None

    @classmethod
    def open(cls, folder: Path, made: Made) -> Self | None:
        """The file, ready to be searched; None if it is gone or torn."""
        try:
            arrays, noted = mapped.opened(flat_path(folder, made.relation))
            return None if arrays["bytes"].shape[1] != made.dim else cls(made, arrays, noted)
        except (OSError, ValueError, KeyError):
            return None

    def __len__(self) -> int:
        return len(self._refs)

    def _by_index(self, query: Vectors, n: int) -> list[tuple[str, float]]:
        places = self._candidates(query, n) if worth_it(len(self), n) else None
        if places is None:
            return self._by_scan(query)
        best, cosines = nearest(self._cosines(query, places), n)
        return with_names(self._named(places[best]), cosines)

    def _candidates(self, query: Vectors, n: int) -> Places | None:
        parts = (slice(None),) if self._cells is None else self._cells.nearest(query, TOO_MANY * n)
        return candidates(self._bytes, self._steps, self._bounds, query, n, parts)

    def _by_scan(self, query: Vectors) -> list[tuple[str, float]]:
        parts = [slice(start, start + AT_ONCE) for start in range(0, len(self), AT_ONCE)]
        cosines = [self._cosines(query, part) for part in parts]
        return nearest_first(self._named(slice(None)), np.concatenate(cosines)) if cosines else []

    def _cosines(self, query: Vectors, places: Places | slice) -> Vectors:
        exact: Vectors = np.vecdot(self._bytes[places].astype(np.float32), query)
        return exact * self._steps[places]

    def _named(self, places: Places | slice) -> list[str]:
        return mapped.texts(self._refs[places])


class Flat:
    """The content of a file while it is made."""

    def __init__(self, dim: int, scanned: int = SCANNED) -> None:
        self.dim = dim
        self._scanned = scanned
        self._rows: list[Bytes] = [np.zeros((0, dim), np.int8)]  # in parts, as they came
        self._steps: list[Vectors] = [np.zeros(0, np.float32)]  # the size of a step in each row
        self._size = 0
        self._held: dict[str, tuple[int, int]] = {}  # where the rows of a ref begin, and how many they are

    def __contains__(self, ref: str) -> bool:
        return ref in self._held

    def load(self, folder: Path, made: Made) -> bool:
        """Goes on from a file; False if it cannot be read."""
        file = FlatFile.open(folder, made)
        if file is None:
            return False
        order = np.argsort(file._refs, kind="stable")  # those of one ref follow each other
        refs, counts = np.unique(file._refs, return_counts=True)
        self._take([ref.decode() for ref in refs.tolist()], counts.tolist(), file._bytes[order], file._steps[order])
        return True

    def put(self, found: Sequence[tuple[str, Vectors | None]]) -> None:
        """Adds or replaces the vectors of refs; None removes them."""
        for ref, rows in found:
            if rows is None:
                self._held.pop(ref, None)
            else:
                rounded = Rounded(rows)
                self._take([ref], [len(rows)], rounded.rows, rounded.steps)

    def put_kept(self, refs: Sequence[str], blobs: Sequence[bytes]) -> None:
        """Adds or replaces the vectors of refs, as the table keeps them with one byte a number."""
        if not blobs:
            return
        width = self.dim + SCALE.itemsize
        rows, scales = quantized_rows(b"".join(blobs), sum(map(len, blobs)) // width)
        self._take(refs, [len(blob) // width for blob in blobs], rows, np.where(scales > 0, scales, np.float32(1.0)))

    def _take(self, refs: Sequence[str], counts: Sequence[int], rows: Bytes, steps: Vectors) -> None:
        starts = accumulate(counts, initial=self._size)
        self._held.update(zip(refs, zip(starts, counts, strict=False), strict=True))
        self._rows.append(rows)
        self._steps.append(steps)
        self._size += len(rows)

    def save(self, folder: Path, relation: str) -> None:
        starts, counts = np.array([*self._held.values()], np.int64).reshape(-1, 2).T
        refs = np.repeat(np.array([ref.encode() for ref in self._held] or [b""], np.bytes_)[: len(counts)], counts)
        places = np.repeat(starts - np.cumsum(counts) + counts, counts) + np.arange(len(refs))
        rows, steps = np.concatenate(self._rows)[places], np.concatenate(self._steps)[places]
        by_cell = mapped.Arrays()
        if len(rows) > self._scanned:
            order, cells = made_cells(rows)
            refs, rows, steps = refs[order], rows[order], steps[order]
            by_cell = {"centres": cells.centres, "starts": cells.starts}
        noted = {"longest": _longest(rows, steps), "several": len(refs) > len(self._held)}
        mapped.save(flat_path(folder, relation), {**by_cell, "refs": refs, "bytes": rows, "steps": steps}, noted)


def _longest(rows: Bytes, steps: Vectors) -> float:
    """The length of the longest of these vectors."""
    parts = (slice(start, start + AT_ONCE) for start in range(0, len(rows), AT_ONCE))
    lengths = (np.linalg.norm(rows[part].astype(np.float32), axis=1) * steps[part] for part in parts)
    return max((float(some.max()) for some in lengths), default=0.0)
