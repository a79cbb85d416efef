"""Keywords, MinHash bands and names: one row a memory, and postings by which memories that share one are found.

Postings are an index of `memory_words` and of nothing else. They name a memory by the number of its row there, and a
space by its number: text ids would make a row three times as long, and there are some twenty-five rows a turn.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from reverie.store.catalog import BY_MEMORY
from reverie.store.db import Database, Row, Transaction, batches
from reverie.store.parts import Pace

WIDTH = 5  # bytes of a band
KINDS = ("word", "band", "name")  # each has its table of postings, with a column of this name
READ_AT_ONCE = 2_000


@dataclass(frozen=True, slots=True)
class MemoryWords:
    """What one memory is found by; `bands` is None where none were made."""

    words: tuple[str, ...] = ()
    bands: tuple[int, ...] | None = None
    names: tuple[str, ...] = ()

    @property
    def by_kind(self) -> tuple[tuple[str | int, ...], ...]:
        """In the order of `KINDS`."""
        return self.words, self.bands or (), self.names

    @property
    def columns(self) -> dict[str, object]:
        bands = None if self.bands is None else packed(self.bands)
        return {"words": " ".join(self.words), "bands": bands, "names": "\n".join(self.names)}


NOTHING = MemoryWords()


@dataclass
class _Moves:
    """Postings that go and that come, by their kind."""

    gone: dict[str, list[dict[str, object]]] = field(default_factory=lambda: {kind: [] for kind in KINDS})
    new: dict[str, list[dict[str, object]]] = field(default_factory=lambda: {kind: [] for kind in KINDS})

    def compare(self, place: tuple[int, int], before: MemoryWords, after: MemoryWords) -> None:
        """Adds what differs for a memory at (space's number, its row): what stays is not written again."""
        here = {"num": place[0], "memory": place[1]}
        for kind, old, now in zip(KINDS, before.by_kind, after.by_kind, strict=True):
            self.gone[kind] += [{kind: one, **here} for one in dict.fromkeys(old) if one not in now]
            self.new[kind] += [{kind: one, **here} for one in dict.fromkeys(now) if one not in old]

    def write(self, tx: Transaction) -> None:
        key = "num = :num AND memory = :memory"
        tx.many(f"DELETE FROM word_postings WHERE {key} AND word = :word", self.gone["word"])
        tx.many(f"DELETE FROM band_postings WHERE {key} AND band = :band", self.gone["band"])
        tx.many(f"DELETE FROM name_postings WHERE {key} AND name = :name", self.gone["name"])
        into = "(num, {0}, memory) VALUES (:num, :{0}, :memory) ON CONFLICT (num, {0}, memory) DO NOTHING"
        tx.many(f"INSERT INTO word_postings {into.format('word')}", self.new["word"])
        tx.many(f"INSERT INTO band_postings {into.format('band')}", self.new["band"])
        tx.many(f"INSERT INTO name_postings {into.format('name')}", self.new["name"])


@dataclass(frozen=True, slots=True)
class NewWords:
    """What memories get: keywords and bands in place of those they had, and more names."""

    words: Mapping[str, Iterable[str]] = field(default_factory=dict)
    bands: Mapping[str, Sequence[int]] = field(default_factory=dict)
    names: Mapping[str, Iterable[str]] = field(default_factory=dict)

    def added_to(self, had: MemoryWords, memory: str) -> MemoryWords:
        """What a memory has after the change: what is not named stays."""
        named = (" ".join(name.split("\n")) for name in self.names.get(memory, ()))
        return MemoryWords(
            tuple(dict.fromkeys(self.words[memory])) if memory in self.words else had.words,
            tuple(self.bands[memory]) if memory in self.bands else had.bands,
            tuple(dict.fromkeys((*had.names, *named))),
        )


def put(tx: Transaction, space: str, new: NewWords) -> dict[str, tuple[str, ...]]:
    """Stores what memories get; answers the names that each of them did not have."""
    memories = list(dict.fromkeys((*new.words, *new.bands, *new.names)))
    if not memories:
        return {}
    known = _rows(tx, memories)
    before = {memory: _found(known[memory]) if memory in known else NOTHING for memory in memories}
    after = {memory: new.added_to(before[memory], memory) for memory in memories}
    num = int(tx.value("SELECT num FROM spaces WHERE id = :space", space=space))
    _write(tx, num, known, {memory: found for memory, found in after.items() if found != before[memory]})
    return {memory: after[memory].names[len(before[memory].names) :] for memory in memories}


def remove_name(tx: Transaction, memory: str, name: str) -> int:
    """A memory no longer mentions this; answers 0 if it did not."""
    row = _rows(tx, [memory]).get(memory)
    found = NOTHING if row is None else _found(row)
    if row is None or name not in found.names:
        return 0
    left = MemoryWords(found.words, found.bands, tuple(one for one in found.names if one != name))
    _write(tx, row["num"], {memory: row}, {memory: left})
    return 1


def restore(tx: Transaction, num: int, rows: Sequence[Mapping[str, Any]]) -> None:
    """Stores rows of an export for the memories of the space with this number; what is there already stays."""
    ids = [str(row["memory"]) for row in rows]
    mine = tx.each(
        "SELECT m.id FROM memories m JOIN spaces s ON s.id = m.space WHERE s.num = :num AND m.id IN (:keys)",
        ids,
        num=num,
    )
    free = {row["id"] for row in mine} - _rows(tx, ids).keys()
    _write(tx, num, {}, {row["memory"]: _found(row) for row in rows if row["memory"] in free})


def _write(tx: Transaction, num: int, known: Mapping[str, Row], after: Mapping[str, MemoryWords]) -> None:
    """Writes the rows of memories and the postings that differ. `known`: the rows that there are already."""
    tx.many(
        "INSERT INTO memory_words (memory, num, words, bands, names) VALUES (:memory, :num, :words, :bands, :names)"
        " ON CONFLICT (memory) DO UPDATE SET words = excluded.words, bands = excluded.bands, names = excluded.names",
        [{"memory": memory, "num": num, **found.columns} for memory, found in after.items()],
    )
    made, moves = _rows(tx, [memory for memory in after if memory not in known]), _Moves()
    for memory, found in after.items():
        had = _found(known[memory]) if memory in known else NOTHING
        moves.compare((num, int((known.get(memory) or made[memory])["row"])), had, found)
    moves.write(tx)


def delete(tx: Transaction, memories: Sequence[str]) -> None:
    """Deletes the keywords, bands and names of memories that go away."""
    moves, found = _Moves(), _rows(tx, memories)
    for row in found.values():
        moves.compare((row["num"], row["row"]), _found(row), NOTHING)
    moves.write(tx)
    tx.many("DELETE FROM memory_words WHERE memory = :memory", [{"memory": memory} for memory in found])


def delete_of_space(db: Database, space: str, after: Callable[[], None]) -> None:
    """Deletes those of a whole space, a part at a time; calls `after` when a part is gone. Its memories still stand."""
    pace = Pace()
    ids = [row["memory"] for row in db.rows(f"SELECT memory FROM memory_words WHERE {BY_MEMORY}", space=space)]
    for part in pace.parts(ids):
        with db.write("memory", durable=False) as tx:
            delete(tx, part)
        pace.ended(tx, len(part))
        after()


def index_all(db: Database) -> None:
    """Makes the postings of every row: for a store that was put together from what could be read."""
    ids = [row["row"] for row in db.rows("SELECT row FROM memory_words ORDER BY row")]
    for part in batches(ids, READ_AT_ONCE):
        moves = _Moves()
        with db.write("memory", durable=False) as tx:
            for row in tx.rows("SELECT * FROM memory_words WHERE row BETWEEN :a AND :b", a=part[0], b=part[-1]):
                moves.compare((row["num"], row["row"]), NOTHING, _found(row))
            moves.write(tx)


def names_of(names: str) -> tuple[str, ...]:
    """Whom or what a row's memory mentions."""
    return tuple(names.split("\n")) if names else ()


def unpacked(bands: bytes) -> tuple[int, ...]:
    """The bands in a row's column.

    >>> unpacked(packed((7, 1 << 35)))
    (7, 34359738368)
    """
    return tuple(int.from_bytes(bands[i : i + WIDTH]) for i in range(0, len(bands), WIDTH))


def packed(bands: Iterable[int]) -> bytes:
    return b"".join(band.to_bytes(WIDTH) for band in bands)


def _rows(tx: Transaction, memories: Sequence[str]) -> dict[str, Row]:
    found = tx.each("SELECT * FROM memory_words WHERE memory IN (:keys)", memories)
    return {row["memory"]: row for row in found}


def _found(row: Row | Mapping[str, Any]) -> MemoryWords:
    bands = row["bands"]
    made = None if bands is None else unpacked(bytes(bands))
    return MemoryWords(tuple(row["words"].split()), made, names_of(row["names"]))
