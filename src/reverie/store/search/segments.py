"""A part of a space's inverted index, and its search: BM25 over the slots that hold one of the words, and no others."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from reverie.policy.recall.bm25 import WEIGHTS, name_rarity, rarity, saturated
from reverie.store.search.coarse import nth_largest

Scores = NDArray[np.float64]
Mask = NDArray[np.bool_]
Slots = NDArray[Any]  # places in a segment, ascending
Quarters = NDArray[Any]
QUARTERS = 4  # field weights are whole quarters
MOST = WEIGHTS.k1 + 1  # what a term's saturated frequency stays below
EQUALS = 4  # times as many as are wanted: so many equal ones are put into the order of their refs
LONG = 4_000  # a term in so many slots is worth a look at whether it can still change the best


class Postings(NamedTuple):
    """The slots that hold a term, each once, and its weighted count there, in quarters."""

    slots: Slots
    quarters: Quarters

    def among(self, kept: Mask) -> "Postings":
        alive = kept[self.slots]
        return Postings(self.slots[alive], self.quarters[alive])


class Found(NamedTuple):
    """The best slots, in no order."""

    refs: list[str]
    scores: Scores
    dated: Scores  # infinite where nobody knows when
    at: Scores  # when it was said; infinite for what was derived


class Segment(ABC):
    """Slots are given in order and never moved; a removed one is only marked dead."""

    lengths: NDArray[Any]
    said_at: Scores  # not a number where nobody said it
    said: Mask  # whether it was said, not derived
    alive: Mask
    kind_codes: NDArray[Any]
    session_codes: NDArray[Any]

    def __init__(self) -> None:
        self.gone = 0
        self.total = 0.0  # the lengths of those that are alive, together
        self.kinds: dict[str, int] = {}  # with their codes
        self.sessions: dict[str | None, int] = {}
        self._scores: Scores = np.zeros(0)

    @property
    @abstractmethod
    def size(self) -> int:
        """How many slots there are, dead ones too."""

    def __len__(self) -> int:
        return self.size - self.gone

    @abstractmethod
    def postings(self, term: str) -> Postings | None:
        """Where a term occurs among what is alive."""

    @abstractmethod
    def spoken(self, term: str) -> Slots | None:
        """What was said by the person of that name; None if nobody ever had it."""

    @abstractmethod
    def names_of(self, slots: Slots) -> list[str]:
        """The refs in these slots."""

    @abstractmethod
    def slot_of(self, ref: str) -> int | None:
        """Where something is that is alive."""

    def remove(self, ref: str) -> bool:
        slot = self.slot_of(ref)
        if slot is None:
            return False
        self.alive[slot] = False
        self.gone += 1
        self.total -= float(self.lengths[slot])
        return True

    def mask(self, kinds: Sequence[str], session: str | None, span: tuple[float, float] | None) -> Mask:
        """Which slots are of these kinds, this session and this time. An entry's own never change."""
        allowed = self.alive.copy()
        if kinds:
            allowed &= np.isin(self.kind_codes, [self.kinds.get(kind, -1) for kind in kinds])
        if session is not None:
            allowed &= self.session_codes == self.sessions.get(session, -1)
        if span is not None:
            allowed &= (self.said_at >= span[0]) & (self.said_at < span[1])
        return allowed

    def scores(self) -> Scores:
        """Zeros, one for each slot: the same array every time, so used under the index's lock."""
        if len(self._scores) < self.size:
            self._scores = np.zeros(self.size * 5 // 4)
        else:
            self._scores[:] = 0.0
        return self._scores[: self.size]


class QueryWord(NamedTuple):
    """What one word says, in each segment: its postings, or the slots of those who have that name."""

    most: float  # what it can add to a score
    weight: float
    where: Sequence[Postings | Slots | None]

    def add(self, scores: Scores, segment: Segment, n: int, mean: float) -> None:
        """To every slot that holds it."""
        held = self.where[n]
        if isinstance(held, Postings):
            lengths = segment.lengths[held.slots] / mean
            scores[held.slots] += self.weight * saturated(held.quarters / QUARTERS, lengths)
        elif held is not None:
            scores[held] += self.weight

    def add_to(self, some: Slots, scores: Scores, segment: Segment, n: int, mean: float) -> None:
        """To those of `some` slots that hold it."""
        held = self.where[n]
        if held is None:
            return
        slots = held.slots if isinstance(held, Postings) else held
        if not len(slots):
            return
        places = np.minimum(np.searchsorted(slots, some), len(slots) - 1)
        holding = slots[places] == some
        mine, places = some[holding], places[holding]
        if isinstance(held, Postings):
            lengths = segment.lengths[mine] / mean
            scores[mine] += self.weight * saturated(held.quarters[places] / QUARTERS, lengths)
        else:
            scores[mine] += self.weight

    def slots(self, n: int) -> int:
        held = self.where[n]
        return 0 if held is None else len(held.slots if isinstance(held, Postings) else held)


def evidence(segments: Sequence[Segment], terms: Sequence[str]) -> list[QueryWord]:
    """What each word says, the weightiest first."""
    documents = sum(map(len, segments))
    found: list[QueryWord] = []
    for term in terms:
        held = [segment.postings(term) for segment in segments]
        spoken = [segment.spoken(term) for segment in segments]
        named = any(slots is not None for slots in spoken)
        holding = sum(len(postings.slots) for postings in held if postings is not None)
        weight = (name_rarity if named else rarity)(documents, holding) if holding else 0.0
        if weight:
            found.append(QueryWord(weight * MOST, weight, held))
        if named:
            found.append(QueryWord(WEIGHTS.spoken, WEIGHTS.spoken, spoken))
    return sorted(found, key=lambda one: -one.most)


def best(segments: Sequence[Segment], n: int, terms: Sequence[str], masks: Sequence[Mask] | None) -> Found:
    """The `n` best of each segment, and those that equal the last of them."""
    documents = sum(map(len, segments))
    if not documents or not n:
        return Found([], np.zeros(0), np.zeros(0), np.zeros(0))
    mean = max(1.0, sum(segment.total for segment in segments) / documents)
    words = evidence(segments, terms)
    found = [
        _best(segment, place, n, words, mean, None if masks is None else masks[place])
        for place, segment in enumerate(segments)
        if segment.size
    ]
    refs = [ref for one in found for ref in one.refs]
    return Found(refs, *(np.concatenate(parts) for parts in zip(*(one[1:] for one in found), strict=True)))


def _best(segment: Segment, place: int, n: int, words: Sequence[QueryWord], mean: float, mask: Mask | None) -> Found:
    scores = segment.scores()
    slots: Slots | None = None
    for i, word in enumerate(words):
        if slots is not None:
            word.add_to(slots, scores, segment, place, mean)
            continue
        if mask is None and i and word.slots(place) > LONG:
            slots = _contenders(scores, n, sum(later.most for later in words[i:]))
        if slots is None:
            word.add(scores, segment, place, mean)
        else:
            word.add_to(slots, scores, segment, place, mean)
    if slots is None:
        slots = _above_zero(scores if mask is None else scores * mask)
    slots = _first(slots, scores, segment.said_at, n)
    dated = np.nan_to_num(segment.said_at[slots], nan=np.inf)
    return Found(segment.names_of(slots), scores[slots], dated, np.where(segment.said[slots], dated, np.inf))


def _contenders(scores: Scores, n: int, more: float) -> Slots | None:
    """The slots that can still be among the `n` best when words that add at most `more` are yet to come.

    None while a slot that holds none of the earlier words can be among them too.
    """
    found = _above_zero(scores)
    if len(found) < n:
        return None
    own = scores[found]
    least = nth_largest(own, n)
    return found[own + more >= least] if least > more else None


def _above_zero(scores: Scores) -> Slots:
    return np.flatnonzero(scores > 0)  # of numbers it takes many times as long as of booleans


def _first(slots: Slots, scores: Scores, said_at: Scores, n: int) -> Slots:
    """The `n` best slots, in no order; of the last equal ones, those that were said first, all of one moment."""
    if len(slots) <= n:
        return slots
    own = scores[slots]
    least = nth_largest(own, n)
    better, equal = slots[own > least], slots[own == least]
    room = n - len(better)
    if len(equal) > room:
        at = np.nan_to_num(said_at[equal], nan=np.inf)
        equal = equal[at <= np.partition(at, room - 1)[room - 1]][: n * EQUALS]
    return np.concatenate([better, equal])
