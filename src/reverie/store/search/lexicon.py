"""A space's inverted index in memory: the same words and the same scores on SQLite and on Postgres, in microseconds."""

from array import array
from collections import defaultdict, deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from reverie.model.base import Instant
from reverie.model.hits import RAW_KINDS
from reverie.policy.recall.bm25 import WEIGHTS, name_rarity, rarity, saturated

Scores = NDArray[np.float64]
Mask = NDArray[np.bool_]
Slots = NDArray[np.intp]

POSTING_BYTES = 4
TERM_BYTES = 200  # the key, its array, their slack
ENTRY_BYTES = 300
NOBODY: frozenset[str] = frozenset()


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
QUARTERS = 4


def mark(slot: int, weight: float) -> int:
    return slot << WEIGHT_BITS | int(weight * QUARTERS)


def frequencies(postings: "array[int]", size: int) -> Scores:
    """The weighted count of a term in every slot."""
    marks = np.array(postings)  # a copy: a view of the array's memory would forbid it to grow
    weights = (marks & (1 << WEIGHT_BITS) - 1) / QUARTERS
    return np.bincount(marks >> WEIGHT_BITS, weights, size).astype(np.float64, copy=False)


def _first(slots: Slots, scores: Scores, said_at: Scores, n: int) -> Slots:
    """The `n` best of more slots than that, in no order; of the last equal ones, those that were said first."""
    if not n:
        return slots[:0]
    own = scores[slots]
    least = np.partition(own, len(own) - n)[len(own) - n]
    better, equal = slots[own > least], slots[own == least]
    room = n - len(better)
    earliest = np.argpartition(said_at[equal], room - 1)[:room]
    return np.concatenate([better, equal[earliest]])


def _no_postings() -> "array[int]":
    return array("i")


class Lexicon:
    """Slots are given in order and never moved; a removed one is only marked dead, until the index is made anew."""

    def __init__(self) -> None:
        self._postings: defaultdict[str, array[int]] = defaultdict(_no_postings)
        self._names: dict[str, array[int]] = {}
        self._slot: dict[str, int] = {}
        self._entries: list[tuple[str, str, int]] = []  # ref, kind, seq
        self.drawn_from: dict[str, tuple[str, ...]] = {}
        self._alive = bytearray()
        self._length = array("d")
        self._said_at = array("d")
        self._session = array("i")
        self._sessions: dict[str | None, int] = {}
        self._recent: dict[str | None, deque[tuple[int, Sequence[str]]]] = {}
        self._tail: deque[tuple[int, str]] = deque()  # turns in their order: the oldest are read first
        self._held = 0

    def __len__(self) -> int:
        return len(self._slot)

    def __contains__(self, ref: str) -> bool:
        return ref in self._slot

    @property
    def bytes(self) -> int:
        return self._held * POSTING_BYTES + len(self._postings) * TERM_BYTES + len(self._entries) * ENTRY_BYTES

    @property
    def worn(self) -> bool:
        """Whether more slots are dead than alive: then making the index anew is cheaper."""
        return len(self._entries) > 1_000 and len(self._entries) > 2 * len(self._slot)

    def put(self, entry: IndexEntry) -> None:
        """Adds an entry, in the place of an older one with the same `ref`."""
        self.remove(entry.ref)
        slot = len(self._entries)
        self._slot[entry.ref] = slot
        self._entries.append((entry.ref, entry.kind, entry.seq))
        self._alive.append(1)
        self._length.append(0.0)
        self._said_at.append(np.nan if entry.said_at is None else entry.said_at)
        self._session.append(self._sessions.setdefault(entry.session, len(self._sessions)))
        self._hold(slot, (entry.body, WEIGHTS.body), (entry.context, WEIGHTS.context), (entry.extra, WEIGHTS.extra))
        if entry.drawn_from is not None:
            self.drawn_from[entry.ref] = entry.drawn_from
        for name in entry.names:
            self._names.setdefault(name, array("i")).append(slot)

    def put_turn(self, entry: IndexEntry) -> None:
        """Adds a turn of the log's tail; it becomes context of its session's turns just before it as well."""
        self.put(entry)
        self._tail.append((entry.seq, entry.ref))
        slot = self._slot[entry.ref]
        recent = self._recent.setdefault(entry.session, deque(maxlen=3))
        for (earlier, _), weight in zip(reversed(recent), WEIGHTS.next, strict=False):
            self._hold(earlier, (entry.body, weight))
        if len(recent) == 3:
            self._hold(slot, (recent[0][1], WEIGHTS.third_before))
        recent.append((slot, entry.body))

    def remove(self, ref: str) -> None:
        slot = self._slot.pop(ref, None)
        if slot is not None:
            self._alive[slot] = 0
            self.drawn_from.pop(ref, None)

    def remove_turns(self, upto: int) -> None:
        """Removes turns up to that place of the log: a night has made documents of them."""
        while self._tail and self._tail[0][0] <= upto:
            seq, ref = self._tail.popleft()
            slot = self._slot.get(ref)
            if slot is not None and self._entries[slot][2] == seq:
                self.remove(ref)

    def search(self, terms: Iterable[str], n: int, mask: Mask | None = None) -> list[str]:
        """The `n` best refs, best first.

        What was said is, where it scores the same, in the order of the talk: where only a name tells, people say first
        who they are. Other equals are in the order of their refs, the same in every process.
        """
        scores = self._scores(terms)
        if mask is not None:
            scores = scores * mask
        found = np.flatnonzero(scores)
        said_at = np.nan_to_num(np.array(self._said_at), nan=np.inf)
        if len(found) > n:
            found = _first(found, scores, said_at, n)
        entries = (self._entries[slot] for slot in found.tolist())
        best = [
            (score, at if kind in RAW_KINDS else np.inf, ref)
            for score, at, (ref, kind, _) in zip(
                (-scores[found]).tolist(), said_at[found].tolist(), entries, strict=True
            )
        ]
        return [ref for _, _, ref in sorted(best)]

    def mask(
        self, *, kinds: Sequence[str] = (), session: str | None = None, span: tuple[float, float] | None = None
    ) -> Mask | None:
        """Which slots are of these kinds, this session and this time; None for all. An entry's own never change."""
        allowed: Mask | None = None
        if kinds:
            allowed = np.fromiter((kind in kinds for _, kind, _ in self._entries), bool, len(self._entries))
        if session is not None:
            same: Mask = np.array(self._session) == self._sessions.get(session, -1)
            allowed = same if allowed is None else allowed & same
        if span is not None:
            said = np.array(self._said_at)
            inside: Mask = (said >= span[0]) & (said < span[1])
            allowed = inside if allowed is None else allowed & inside
        return allowed

    def allows(self, mask: Mask, ref: str) -> bool:
        slot = self._slot.get(ref)
        return slot is not None and bool(mask[slot])

    def _hold(self, slot: int, *fields: tuple[Sequence[str], float]) -> None:
        postings = self._postings
        for words, weight in fields:
            place = mark(slot, weight)
            for word in words:
                postings[word].append(place)
            self._length[slot] += len(words)
            self._held += len(words)

    def _scores(self, terms: Iterable[str]) -> Scores:
        size = len(self._entries)
        scores = np.zeros(size)
        if not self._slot:
            return scores
        alive = np.array(self._alive, dtype=bool) if len(self._slot) < size else None
        lengths = np.array(self._length)
        ratio = lengths / max(1.0, float((lengths if alive is None else lengths[alive]).mean()))
        for term in terms:
            if (held := self._postings.get(term)) is not None:
                self._add_term(scores, term, frequencies(held, size), ratio, alive)
            if (spoken := self._names.get(term)) is not None:
                scores[np.array(spoken)] += WEIGHTS.spoken
        return scores if alive is None else scores * alive

    def _add_term(self, scores: Scores, term: str, frequency: Scores, ratio: Scores, alive: Mask | None) -> None:
        if alive is not None:
            frequency *= alive
        weight = (name_rarity if term in self._names else rarity)(len(self._slot), int(np.count_nonzero(frequency)))
        if weight:
            scores += weight * saturated(frequency, ratio)
