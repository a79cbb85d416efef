"""A large space's vectors as an HNSW index in a file of its own, made again from the table at any time."""

import hashlib
import json
import os
from collections.abc import Callable
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reverie.native import usearch

Vectors = NDArray[np.float32]
SAVE_AFTER = 5_000  # changes that a process may have to read again after a restart
BATCH = 1_000  # vectors that are added in one call: the graph then grows on all cores
ADD_EXPANSION = 64  # neighbours that a new vector looks at; with 128 making the graph takes twice as long
SEARCH_EXPANSION = 400  # that a search looks at: of the ten nearest of 40,000 it then finds 98%, with 200 it finds 95%
OVERFETCH = 10  # a filtered search looks at so many times more neighbours


@cache
def available() -> bool:
    return find_spec("usearch") is not None


class HnswFile:
    """The same searches as `Matrix`, approximate. The file and its refs are written together, refs last."""

    def __init__(self, folder: Path, space: str, embedder: str, dim: int) -> None:
        name = hashlib.blake2b(f"{space}\x1f{embedder}".encode(), digest_size=12).hexdigest()
        self._path = folder / f"{space}.{name}.usearch"
        self._dim = dim
        # Half precision: the graph's own error is larger than what it costs.
        self._index: Any = usearch().Index(
            ndim=dim, metric="ip", dtype="f16", expansion_add=ADD_EXPANSION, expansion_search=SEARCH_EXPANSION
        )
        self._key: dict[str, int] = {}
        self._refs: dict[int, str] = {}
        self._next = 0
        self._waiting: list[Vectors] = []  # the latest, not in the graph yet
        self._changes = -1
        self._unsaved = 0
        self._load()

    def __len__(self) -> int:
        return len(self._key)

    @property
    def bytes(self) -> int:
        return int(self._index.memory_usage) + 200 * len(self._key)

    def seen(self, changes: int) -> int:
        """From which place of the change sequence it wants to hear: a file knows more than its process."""
        return max(changes, self._changes)

    def saw(self, changes: int) -> None:
        self._changes = changes
        if self._unsaved >= SAVE_AFTER:
            self.save()

    def put(self, ref: str, vector: Vectors) -> None:
        self._drop(ref)
        self._key[ref] = self._next
        self._refs[self._next] = ref
        self._waiting.append(vector)
        self._next += 1
        self._unsaved += 1
        if len(self._waiting) >= BATCH:
            self._grow()

    def remove(self, ref: str) -> None:
        """What a person had forgotten must not lie on in a file: it is written again at the next save."""
        if self._drop(ref):
            forget_files(self._path.parent, self._path.name.split(".")[0])

    def leave(self, ref: str) -> None:
        """A turn that a night has read is not forgotten: the file may keep it."""
        self._drop(ref)

    def search(self, query: Vectors, n: int, allowed: Callable[[str], bool] | None = None) -> list[tuple[str, float]]:
        """About the `n` nearest refs with their cosines, nearest first."""
        if not self._key or not n:
            return []
        self._grow()
        found = self._index.search(query, n if allowed is None else n * OVERFETCH, threads=1)
        hits = [
            (self._refs[key], 1.0 - float(distance))
            for key, distance in zip(found.keys.tolist(), found.distances.tolist(), strict=True)
            if key in self._refs
        ]
        kept = [hit for hit in hits if allowed is None or allowed(hit[0])]
        return sorted(kept, key=lambda hit: (-hit[1], hit[0]))[:n]

    def save(self) -> None:
        """Whole or not at all: a reader that finds no refs, or older ones, makes its index from the table."""
        self._grow()
        self._path.parent.mkdir(parents=True, exist_ok=True)
        notes = self._notes()
        notes.unlink(missing_ok=True)
        passing = self._path.with_suffix(f".{os.getpid()}")
        self._index.save(str(passing))
        passing.replace(self._path)
        held = {"changes": self._changes, "next": self._next, "size": self._path.stat().st_size, "refs": self._refs}
        passing.write_text(json.dumps(held), "utf-8")
        passing.replace(notes)
        self._unsaved = 0

    def _load(self) -> None:
        try:
            held = json.loads(self._notes().read_text("utf-8"))
            if held["size"] != self._path.stat().st_size:
                return
            self._index.load(str(self._path))
        except (OSError, ValueError, KeyError, RuntimeError):
            self._index.reset()
            return
        self._changes, self._next = held["changes"], held["next"]
        self._refs = {int(key): ref for key, ref in held["refs"].items()}
        self._key = {ref: key for key, ref in self._refs.items()}

    def _notes(self) -> Path:
        return self._path.with_suffix(".json")

    def _drop(self, ref: str) -> bool:
        key = self._key.pop(ref, None)
        if key is None:
            return False
        self._grow()
        del self._refs[key]
        self._index.remove(key)
        return True

    def _grow(self) -> None:
        if self._waiting:
            keys = np.arange(self._next - len(self._waiting), self._next)
            self._index.add(keys, np.stack(self._waiting))
            self._waiting = []


def forget_files(folder: Path | None, space: str) -> None:
    """Takes away a space's index files, if there are any; they are made again from the table."""
    for path in folder.glob(f"{space}.*") if folder is not None else ():
        path.unlink(missing_ok=True)
