"""A space's inverted index in memory: the same words and the same scores on SQLite and on Postgres, in microseconds."""

from array import array
from collections import defaultdict, deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reverie.model.base import Instant
from reverie.model.hits import RAW_KINDS
from reverie.policy.recall.bm25 import WEIGHTS
from reverie.store.search.lexicon_file import LexiconFile
from reverie.store.search.segments import QUARTERS, Holding, Mask, Postings, Scores, Segment, Slots, alive_in, best

POSTING_BYTES = 4
TERM_BYTES = 200  # the key, its array, their slack
ENTRY_BYTES = 300
NOBODY: frozenset[str] = frozenset()
Masks = Sequence[Mask]  # one for each segment


@dataclass(frozen=True, slots=True)
class IndexEntry:
    """What the index holds of a turn or a memory. The terms carry the space's number already."""

    ref: str
    body: Sequence[str]
    context: Sequence[str] = ()
    extra: Sequence[str] = ()
    names: frozenset[str] = NOBODY  # the terms of who said it, or of whom it is about
    kind: str = "turn"
    session: str | None = None
    said_at: Instant | None = None
    seq: int = 0  # of a turn in the log's tail
    drawn_from: tuple[str, ...] | None = None  # what something derived stands for; None for what was said


# Where one term occurs: a mark for every place, which is the slot and, in its last three bits, the field's weight in
# quarters. One append a word: a night that changes a thousand documents is caught up with while somebody waits.
WEIGHT_BITS = 3
A_FEW = 64  # marks


def mark(slot: int, weight: float) -> int:
    return slot << WEIGHT_BITS | int(weight * QUARTERS)


def compacted(held: "array[int]") -> Postings:
    """Each slot once, with the sum of its marks."""
    if len(held) <= A_FEW:  # as a tail's words are: each call of numpy's would take as long as all of this
        sums: dict[int, int] = {}
        for place in held:
            slot = place >> WEIGHT_BITS
            sums[slot] = sums.get(slot, 0) + (place & (1 << WEIGHT_BITS) - 1)
        return Postings(np.fromiter(sums, np.intp, len(sums)), np.fromiter(sums.values(), np.intp, len(sums)))
    marks = np.array(held)  # a copy: a view of the array's memory would forbid it to grow
    slots, quarters = marks >> WEIGHT_BITS, marks & (1 << WEIGHT_BITS) - 1
    if (slots[1:] > slots[:-1]).all():
        return Postings(slots, quarters)
    first = int(slots.min())
    counted = np.bincount(slots - first, quarters)
    present = np.flatnonzero(counted)
    return Postings(present + first, counted[present])


class GrowingArray:
    """An array that grows."""

    def __init__(self, dtype: Any) -> None:
        self._held = np.zeros(64, dtype)
        self._size = 0

    @property
    def values(self) -> NDArray[Any]:
        return self._held[: self._size]

    def append(self, value: Any) -> None:
        if self._size == len(self._held):
            self._held = np.concatenate([self._held, np.zeros_like(self._held)])
        self._held[self._size] = value
        self._size += 1

    def __setitem__(self, place: int, value: Any) -> None:
        self._held[place] = value

    def __getitem__(self, place: int) -> Any:
        return self._held[place]


def _no_postings() -> "array[int]":
    return array("i")


class Growing(Segment):
    """The segment that takes up what is new."""

    def __init__(self) -> None:
        super().__init__()
        self.refs: list[str] = []
        self._slot: dict[str, int] = {}
        self.held = 0
        self._kind, self._session, self._seq = GrowingArray(np.int8), GrowingArray(np.int32), GrowingArray(np.int64)
        self._alive, self._lengths = GrowingArray(bool), GrowingArray(np.float64)
        self._dated, self._at = GrowingArray(np.float64), GrowingArray(np.float64)
        self._postings: defaultdict[str, array[int]] = defaultdict(_no_postings)
        self._names: dict[str, array[int]] = {}
        self._compacted: dict[str, tuple[int, Postings]] = {}

    @property
    def size(self) -> int:
        return len(self.refs)

    @property
    def bytes(self) -> int:
        return self.held * POSTING_BYTES + len(self._postings) * TERM_BYTES + len(self.refs) * ENTRY_BYTES

    @property
    def lengths(self) -> NDArray[Any]:  # type: ignore[override]
        return self._lengths.values

    @property
    def dated(self) -> Scores:  # type: ignore[override]
        return self._dated.values

    @property
    def at(self) -> Scores:  # type: ignore[override]
        return self._at.values

    @property
    def alive(self) -> Mask:  # type: ignore[override]
        return self._alive.values

    @property
    def kind_codes(self) -> NDArray[Any]:  # type: ignore[override]
        return self._kind.values

    @property
    def session_codes(self) -> NDArray[Any]:  # type: ignore[override]
        return self._session.values

    def put(self, entry: IndexEntry) -> int:
        slot = len(self.refs)
        self._slot[entry.ref] = slot
        self.refs.append(entry.ref)
        self._kind.append(self.kinds.setdefault(entry.kind, len(self.kinds)))
        self._alive.append(True)
        self._seq.append(entry.seq)
        self._lengths.append(0.0)
        dated = np.inf if entry.said_at is None else entry.said_at
        self._dated.append(dated)
        self._at.append(dated if entry.kind in RAW_KINDS else np.inf)
        self._session.append(self.sessions.setdefault(entry.session, len(self.sessions)))
        self.hold(slot, (entry.body, WEIGHTS.body), (entry.context, WEIGHTS.context), (entry.extra, WEIGHTS.extra))
        for name in entry.names:
            self._names.setdefault(name, array("i")).append(slot)
        return slot

    def hold(self, slot: int, *fields: tuple[Sequence[str], float]) -> None:
        """The slot is found by these words as well."""
        postings, length = self._postings, 0
        for words, weight in fields:
            place = mark(slot, weight)
            for word in words:
                postings[word].append(place)
            length += len(words)
        self._lengths[slot] += length
        self.total += length if self._alive[slot] else 0
        self.held += length

    def slot_of(self, ref: str) -> int | None:
        return self._slot.get(ref)

    def slots_of(self, refs: Sequence[str]) -> Slots:
        slot_of = self._slot.get
        return np.array([slot_of(ref, -1) for ref in refs], np.intp)

    def remove(self, ref: str) -> bool:
        removed = super().remove(ref)
        self._slot.pop(ref, None)
        return removed

    def seq_of(self, ref: str) -> int | None:
        slot = self._slot.get(ref)
        return None if slot is None else int(self._seq[slot])

    def holding(self, terms: Sequence[str]) -> list[Holding]:
        words = [self._where(term) for term in terms]
        held = [word.slots for word in words if word is not None]
        counts = iter(alive_in(held, self.alive) if held and self.gone else map(len, held))
        return [
            Holding(word, 0 if word is None else next(counts), self._spoken(term))
            for word, term in zip(words, terms, strict=True)
        ]

    def _where(self, term: str) -> Postings | None:
        held = self._postings.get(term)
        if held is None:
            return None
        known = self._compacted.get(term)
        if known is None or known[0] != len(held):
            known = self._compacted[term] = (len(held), compacted(held))
        return known[1]

    def _spoken(self, term: str) -> Slots | None:
        held = self._names.get(term)
        return None if held is None else np.array(held)

    def names_of(self, slots: Slots) -> list[str]:
        refs = self.refs
        return [refs[slot] for slot in slots.tolist()]


class Lexicon:
    """What is new, and behind it the file that a night wrote of a large space, if there is one."""

    def __init__(self, file: LexiconFile | None = None) -> None:
        self._file = file
        self._new = Growing()
        self._segments: list[Segment] = [self._new] if file is None else [file, self._new]
        self._drawn_from: dict[str, Sequence[str]] = {}
        self._recent: dict[str | None, deque[tuple[int, Sequence[str]]]] = {}
        self._tail: deque[tuple[int, str]] = deque()  # turns in their order: the oldest are read first

    def __len__(self) -> int:
        return sum(map(len, self._segments))

    def __contains__(self, ref: str) -> bool:
        return any(segment.slot_of(ref) is not None for segment in reversed(self._segments))

    @property
    def bytes(self) -> int:
        return self._new.bytes + (0 if self._file is None else self._file.size)

    @property
    def new(self) -> int:
        """How many entries are not in the file."""
        return self._new.size

    @property
    def worn(self) -> bool:
        """Whether more slots are dead than alive: then making the index anew is cheaper."""
        return self._new.size > 1_000 and self._new.size > 2 * len(self._new)

    def put(self, entry: IndexEntry) -> int:
        """Adds an entry, in the place of an older one with the same `ref`; answers its slot among what is new."""
        self.remove(entry.ref)
        if entry.drawn_from is not None:
            self._drawn_from[entry.ref] = entry.drawn_from
        return self._new.put(entry)

    def put_turn(self, entry: IndexEntry) -> None:
        """Adds a turn of the log's tail; it becomes context of its session's turns just before it as well."""
        slot = self.put(entry)
        self._tail.append((entry.seq, entry.ref))
        recent = self._recent.setdefault(entry.session, deque(maxlen=3))
        for (earlier, _), weight in zip(reversed(recent), WEIGHTS.next, strict=False):
            self._new.hold(earlier, (entry.body, weight))
        if len(recent) == 3:
            self._new.hold(slot, (recent[0][1], WEIGHTS.third_before))
        recent.append((slot, entry.body))

    def remove(self, ref: str) -> None:
        self._drawn_from.pop(ref, None)
        for segment in self._segments:
            segment.remove(ref)

    def remove_turns(self, upto: int) -> None:
        """Removes turns up to that place of the log: a night has made documents of them."""
        while self._tail and self._tail[0][0] <= upto:
            seq, ref = self._tail.popleft()
            if self._new.seq_of(ref) == seq:
                self.remove(ref)

    def search(self, terms: Iterable[str], n: int, mask: Masks | None = None) -> list[str]:
        """The `n` best refs, best first.

        What was said is, where it scores the same, in the order of the talk: where only a name tells, people say first
        who they are. Other equals are in the order of their refs, the same in every process.
        """
        return best(self._segments, n, list(terms), mask).ordered()

    def drawn_from(self, lists: Iterable[Sequence[str]]) -> Mapping[str, Sequence[str]]:
        """What the refs in these lists that are derived were drawn from, and perhaps the same of others."""
        old = {} if self._file is None else self._file.drawn_from(lists)
        return {**old, **self._drawn_from} if old else self._drawn_from

    def mask(
        self, *, kinds: Sequence[str] = (), session: str | None = None, span: tuple[float, float] | None = None
    ) -> Masks | None:
        """Which slots are of these kinds, this session and this time; None for all."""
        if not kinds and session is None and span is None:
            return None
        return [segment.mask(kinds, session, span) for segment in self._segments]

    def allows(self, mask: Masks, refs: Sequence[str]) -> list[bool]:
        """Of each whether it is in a slot that the mask lets through; it lets no dead ones through."""
        found = np.zeros(len(refs), bool)
        for segment, allowed in zip(self._segments, mask, strict=True):
            if len(allowed):
                slots = segment.slots_of(refs)
                found |= (slots >= 0) & allowed[slots]
        passed: list[bool] = found.tolist()
        return passed
