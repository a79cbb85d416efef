"""A large space's documents as an inverted index in a file that nights write, so that no process has to build it."""

import hashlib
from array import array
from collections.abc import Iterable, Sequence, Set
from functools import cached_property, lru_cache
from itertools import accumulate
from pathlib import Path
from typing import Any, Protocol, Self

import numpy as np
from numpy.typing import NDArray

from reverie.model.base import Instant
from reverie.model.hits import RAW_KINDS
from reverie.policy.recall.bm25 import WEIGHTS
from reverie.store.files import mapped
from reverie.store.search.segments import (
    QUARTERS,
    TOGETHER,
    Holding,
    Mask,
    Postings,
    Scores,
    Segment,
    Slots,
    alive_in,
)

REMEMBERED = 20_000  # refs
MOST_QUARTERS = 2**8 - 1  # a word that stands in a text more than sixty times weighs no more there
FIELDS = tuple(int(weight * QUARTERS) for weight in (WEIGHTS.body, WEIGHTS.context, WEIGHTS.extra))


class Written(Protocol):
    """An index entry, as far as a file holds it."""

    @property
    def ref(self) -> str: ...
    @property
    def body(self) -> Sequence[str]: ...
    @property
    def context(self) -> Sequence[str]: ...
    @property
    def extra(self) -> Sequence[str]: ...
    @property
    def names(self) -> frozenset[str]: ...
    @property
    def kind(self) -> str: ...
    @property
    def session(self) -> str | None: ...
    @property
    def said_at(self) -> Instant | None: ...
    @property
    def drawn_from(self) -> tuple[str, ...] | None: ...


def lexicon_path(folder: Path, relation: str) -> Path:
    return folder / f"{relation}.words"


@lru_cache(4_096)
def key(term: str, *, name: bool = False) -> int:
    """What a term is looked up by: two terms of one space share theirs once in a million million files."""
    return int.from_bytes(hashlib.blake2b(term.encode(), digest_size=8, person=b"name" if name else b"").digest())


class LexiconFile(Segment):
    """Slots are in the order of their refs, which are found by halving."""

    def __init__(self, arrays: mapped.Arrays, noted: dict[str, Any]) -> None:
        super().__init__()
        self.lengths: NDArray[Any] = arrays["lengths"]
        self._said_at: Scores = arrays["said_at"]
        self._said: Mask = arrays["said"]
        self.kind_codes, self.session_codes = arrays["kinds"], arrays["sessions"]
        self.kinds = {kind: code for code, kind in enumerate(noted["kinds"])}
        self.sessions = {session: code for code, session in enumerate(noted["sessions"])}
        self.total = float(noted["total"])
        self.alive: Mask = np.ones(len(arrays["refs"]), bool)
        self._refs, self._keys, self._starts = arrays["refs"], arrays["keys"], arrays["starts"]
        self._marks = arrays["marks"]
        self._drawn, self._drawn_starts = arrays["drawn"], arrays["drawn_starts"]
        self._some_derived = not self._said.all()
        self._looked_up: set[str] = set()  # refs that were asked for lately
        self._slots: dict[str, int] = {}  # of refs that were asked for lately; -1 for those that are not here
        self._derived: dict[str, tuple[int, list[str]]] = {}  # of those that are derived the slot, and from what

    @classmethod
    def open(cls, folder: Path, relation: str) -> Self | None:
        """The file, ready to be searched; None if it is gone or torn."""
        try:
            return cls(*mapped.opened(lexicon_path(folder, relation)))
        except (OSError, ValueError, KeyError):
            return None

    @property
    def size(self) -> int:
        return len(self._refs)

    @cached_property
    def dated(self) -> Scores:  # type: ignore[override]
        return np.where(np.isnan(self._said_at), np.inf, self._said_at)

    @cached_property
    def at(self) -> Scores:  # type: ignore[override]
        return np.where(self._said, self.dated, np.inf)

    def holding(self, terms: Sequence[str]) -> list[Holding]:
        both = self._held([*map(key, terms), *[key(term, name=True) for term in terms]])
        words, names = both[: len(terms)], both[len(terms) :]
        held = [word.slots for word in words if word is not None]
        counts = iter(alive_in(held, self.alive) if held and self.gone else map(len, held))
        return [
            Holding(word, 0 if word is None else next(counts), None if name is None else name.slots)
            for word, name in zip(words, names, strict=True)
        ]

    def names_of(self, slots: Slots) -> list[str]:
        refs = mapped.texts(self._refs[slots])
        if self._some_derived:
            self._note(refs, slots)
        return refs

    def slot_of(self, ref: str) -> int | None:
        wanted = ref.encode()
        if len(wanted) > self._refs.itemsize:  # as in `_look_up`
            return None
        slot = int(self._refs.searchsorted(np.array(wanted, self._refs.dtype)))
        there = slot < self.size and self._refs[slot] == wanted and self.alive[slot]
        return slot if there else None

    def slots_of(self, refs: Sequence[str]) -> Slots:
        if len(self._slots) > REMEMBERED:
            self._slots = {}
        known = self._slots
        if unknown := [ref for ref in refs if ref not in known]:
            known.update(zip(unknown, self._find(unknown).tolist(), strict=True))
        return np.array([known[ref] for ref in refs], np.intp)

    def _find(self, refs: Sequence[str]) -> Slots:
        """The slot of each, by halving; -1 for one that is not there."""
        if not self.size:
            return np.full(len(refs), -1)
        longest = self._refs.itemsize  # asked for a longer one, numpy would copy them all
        encoded = [some if len(some := ref.encode()) <= longest else b"" for ref in refs]
        wanted = np.array(encoded, self._refs.dtype)
        slots = np.minimum(self._refs.searchsorted(wanted), self.size - 1)
        return np.where(self._refs[slots] == wanted, slots, -1)

    def drawn_from(self, lists: Iterable[Sequence[str]]) -> dict[str, Sequence[str]]:
        """What the refs in these lists that are derived and alive were drawn from."""
        if not self._some_derived:
            return {}
        if len(self._looked_up) > REMEMBERED:  # before asking which are known: those that are must still be there after
            self._looked_up, self._derived = set(), {}
        refs = set().union(*lists)
        if unknown := refs - self._looked_up:
            self._look_up(unknown)
        found = ((ref, *self._derived[ref]) for ref in refs & self._derived.keys())
        if not self.gone:
            return {ref: sources for ref, _, sources in found}
        return {ref: sources for ref, slot, sources in found if self.alive[slot]}

    def _look_up(self, refs: Set[str]) -> None:
        """Finds their slots, all at once, because one by one takes fifty times as long."""
        self._looked_up |= refs
        if not self.size:
            return
        longest = self._refs.itemsize  # asked for a longer one, numpy would copy them all
        encoded = sorted([some for ref in refs if len(some := ref.encode()) <= longest])  # so neighbours come together
        wanted = np.array(encoded, self._refs.dtype)
        slots = np.minimum(self._refs.searchsorted(wanted), self.size - 1)
        there = (self._refs[slots] == wanted).nonzero()[0]
        self._note([encoded[i].decode() for i in there.tolist()], slots[there])

    def _note(self, refs: Sequence[str], slots: Slots) -> None:
        """Remembers what the refs in these slots were drawn from, where they are derived."""
        self._looked_up.update(refs)
        derived = (~self._said[slots]).nonzero()[0].tolist()
        new = [place for place in derived if refs[place] not in self._derived]
        if not new:
            return
        found = slots[new]
        spans = zip(self._drawn_starts[found].tolist(), self._drawn_starts[found + 1].tolist(), strict=True)
        sources = [mapped.texts(self._drawn[start:end]) for start, end in spans]
        named = [refs[place] for place in new]
        self._derived |= zip(named, zip(found.tolist(), sources, strict=True), strict=True)

    def _held(self, keys: Sequence[int]) -> list[Postings | None]:
        """The postings of each key; None where there is no such key."""
        if not self.size:
            return [None] * len(keys)
        wanted = np.array(keys, np.uint64)
        places = np.minimum(self._keys.searchsorted(wanted), len(self._keys) - 1)
        there = (self._keys[places] == wanted).tolist()
        spans = zip(there, self._starts[places].tolist(), self._starts[places + 1].tolist(), strict=True)
        return postings_of_each([self._marks[a:b] if yes else None for yes, a, b in spans])


class _Numbers(dict[str, int]):
    """Terms with their numbers, in the order in which they were first asked for."""

    def __missing__(self, term: str) -> int:
        self[term] = number = len(self)
        return number


class Builder:
    """Gathers the entries of a space, in any order; of one that comes twice the last counts."""

    def __init__(self, num: int | None = None) -> None:
        """With `num`, the terms of the entries come without the space's number, which is this one."""
        self._begins = "" if num is None else f"{num}_"
        self._terms, self._names = _Numbers(), _Numbers()
        self._kinds: dict[str, int] = {}
        self._sessions: dict[str | None, int] = {}
        self._refs: list[bytes] = []
        self._drawn: list[bytes] = []
        self._drawn_starts = array("q", [0])
        self._kind, self._session, self._said_at = array("b"), array("i"), array("d")
        self._term, self._counts = array("i"), array("i")  # all terms, one after the other; how many in each field
        self._name, self._speaking = array("i"), array("i")

    def put(self, entry: Written) -> None:
        slot = len(self._refs)
        self._refs.append(entry.ref.encode())
        self._kind.append(self._kinds.setdefault(entry.kind, len(self._kinds)))
        self._session.append(self._sessions.setdefault(entry.session, len(self._sessions)))
        self._said_at.append(np.nan if entry.said_at is None else entry.said_at)
        for words in (entry.body, entry.context, entry.extra):
            self._term.extend(map(self._terms.__getitem__, words))
            self._counts.append(len(words))
        for name in entry.names:
            self._name.append(self._names[name])
            self._speaking.append(slot)
        self._drawn += [source.encode() for source in entry.drawn_from or ()]
        self._drawn_starts.append(len(self._drawn))

    def save(self, folder: Path, relation: str) -> None:
        """Writes the file."""
        last = {ref: place for place, ref in enumerate(self._refs)}
        refs = sorted(last)
        kept = np.array([last[ref] for ref in refs], np.int64)
        slots = np.full(len(self._refs), -1, np.int64)  # where each entry goes; -1 for one that came again
        slots[kept] = np.arange(len(kept))
        counts = np.array(self._counts, np.int32).reshape(-1, len(FIELDS))
        lengths, kinds = counts.sum(axis=1, dtype=np.int32)[kept], np.array(self._kind)[kept]
        starts, ends = np.array(self._drawn_starts)[:-1][kept], np.array(self._drawn_starts)[1:][kept]
        drawn = [
            ref for start, end in zip(starts.tolist(), ends.tolist(), strict=True) for ref in self._drawn[start:end]
        ]
        arrays = {
            "refs": _texts(refs),
            "lengths": lengths,
            "said_at": np.array(self._said_at)[kept],
            "said": np.isin(kinds, [code for kind, code in self._kinds.items() if kind in RAW_KINDS]),
            "kinds": kinds,
            "sessions": np.array(self._session)[kept],
            "drawn": _texts(drawn),
            "drawn_starts": fitting(np.concatenate([[0], np.cumsum(ends - starts)])),
            **self._inverted(slots, counts),
        }
        noted = {"kinds": list(self._kinds), "sessions": list(self._sessions), "total": int(lengths.sum())}
        mapped.save(lexicon_path(folder, relation), arrays, noted)

    def _inverted(self, moved: NDArray[np.int64], counts: NDArray[np.int32]) -> mapped.Arrays:
        """All postings, term by term in the order of their keys, each in the order of its slots."""
        terms = len(self._terms)
        keys = np.array(
            [key(self._begins + term) for term in self._terms] + [key(name, name=True) for name in self._names],
            np.uint64,
        )
        rank = np.empty(len(keys), np.int64)
        order = np.argsort(keys)
        rank[order] = np.arange(len(order))
        marks = rank[np.array(self._term, np.int64)] << SLOT_BITS
        marks |= np.repeat(moved, counts.sum(axis=1))
        marks <<= WEIGHT_BITS
        marks |= np.repeat(np.tile(np.array(FIELDS, np.int64), len(counts)), counts.ravel())
        spoken = rank[np.array(self._name, np.int64) + terms] << SLOT_BITS | moved[np.array(self._speaking, np.int64)]
        marks = np.concatenate([marks, spoken << WEIGHT_BITS | QUARTERS])
        return {"keys": keys[order], **_postings(marks[marks >= 0], len(keys))}


# While a file is made, a mark is one occurrence of a term: the term's rank, the slot, the field's weight in quarters.
# Sorted, they are the file; one sort of numbers takes a tenth of the time of counting words entry by entry.
SLOT_BITS, WEIGHT_BITS = 32, 4


def _postings(marks: NDArray[np.int64], keys: int) -> mapped.Arrays:
    """Each slot of a term once, with the sum of its weights, and where each of the `keys` begins."""
    marks.sort()
    weights = (marks & (1 << WEIGHT_BITS) - 1).astype(np.int32)
    marks >>= WEIGHT_BITS
    first = np.concatenate([[0], np.flatnonzero(marks[1:] != marks[:-1]) + 1]) if len(marks) else np.zeros(0, np.int64)
    quarters = np.add.reduceat(weights, first) if len(first) else weights
    marks = marks[first]
    starts = np.searchsorted(marks, np.arange(keys + 1, dtype=np.int64) << SLOT_BITS)
    slots = marks & (1 << SLOT_BITS) - 1
    return {"starts": fitting(starts), "marks": marks_of(slots, np.minimum(quarters, MOST_QUARTERS))}


# In a file, a mark is a slot that holds a term, and in its last byte the weighted count there, in quarters: four bytes,
# or eight in a space of more than sixteen million documents.
COUNT_BITS = 8


def marks_of(slots: NDArray[Any], quarters: NDArray[Any]) -> NDArray[Any]:
    return fitting(slots.astype(np.int64) << COUNT_BITS | quarters)


def postings_of(marks: NDArray[Any]) -> Postings:
    slots = marks >> COUNT_BITS
    return Postings(slots.view(f"i{slots.itemsize}"), marks.astype(np.uint8))


def postings_of_each(spans: Sequence[NDArray[Any] | None]) -> list[Postings | None]:
    """The postings of each span; those of few slots are taken apart together, because every call costs."""
    sizes = [0 if span is None else len(span) for span in spans]
    if sum(sizes) > TOGETHER:
        return [None if span is None else postings_of(span) for span in spans]
    held = [span for span in spans if span is not None]
    slots, quarters = postings_of(np.concatenate(held)) if held else Postings(np.zeros(0), np.zeros(0))
    ends = accumulate(sizes)
    return [
        None if span is None else Postings(slots[end - size : end], quarters[end - size : end])
        for span, size, end in zip(spans, sizes, ends, strict=True)
    ]


def fitting(values: NDArray[Any]) -> NDArray[Any]:
    """The same numbers, none below zero, in four bytes each where they fit."""
    small = not len(values) or int(values.max()) < 2**32
    return values.astype(np.uint32 if small else np.uint64)


def written(folder: Path, relation: str, entries: Iterable[Written], num: int | None = None) -> None:
    """Writes a file of these entries; `num` as in `Builder`."""
    builder = Builder(num)
    for entry in entries:
        builder.put(entry)
    builder.save(folder, relation)


def _texts(texts: list[bytes]) -> NDArray[np.bytes_]:
    return np.array(texts, np.bytes_) if texts else np.zeros(0, "S1")
