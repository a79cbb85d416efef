"""A part of a space's inverted index, and its search: BM25 over the slots that hold one of the words, and no others."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from itertools import accumulate
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
TOGETHER = 4_000  # slots of several words that are scored in one go: more would no longer fit into the nearest caches
LONG = 4_000  # a term in so many slots is worth a look at whether it can still change the best


class Postings(NamedTuple):
    """The slots that hold a term, each once, and its weighted count there, in quarters."""

    slots: Slots
    quarters: Quarters

    def among(self, kept: Mask) -> "Postings":
        alive = kept[self.slots]
        return Postings(self.slots[alive], self.quarters[alive])


class Holding(NamedTuple):
    """What a segment says about a word."""

    postings: Postings | None  # where it occurs among what is alive
    spoken: Slots | None  # what was said by the person of that name; None if nobody ever had it


class Found(NamedTuple):
    """The best slots of all segments, in no order."""

    segments: Sequence["Segment"]
    place: NDArray[np.intp]  # which of these each slot is in
    slots: Slots
    scores: Scores
    dated: Scores  # infinite where nobody knows when
    at: Scores  # when it was said; infinite for what was derived

    def at_places(self, places: NDArray[np.intp]) -> "Found":
        """Those at these places, in their order."""
        segments, place, slots, scores, dated, at = self
        return Found(segments, place[places], slots[places], scores[places], dated[places], at[places])

    def refs(self) -> list[str]:
        if len(self.segments) == 1:
            return self.segments[0].names_of(self.slots)
        refs = np.empty(len(self.slots), object)
        for place, segment in enumerate(self.segments):
            mine = self.place == place
            refs[mine] = segment.names_of(self.slots[mine])
        named: list[str] = refs.tolist()
        return named

    def first(self, n: int) -> "Found":
        """The `n` best; of equals those that were said first, and then by their names."""
        if len(self.slots) <= n:
            return self
        order = np.lexsort((self.dated, -self.scores))
        last, after = order[n - 1], order[n]
        if self.scores[last] != self.scores[after] or self.dated[last] != self.dated[after]:
            return self.at_places(order[:n])
        equal = (self.scores == self.scores[last]) & (self.dated == self.dated[last])
        better, tied = order[:n][~equal[order[:n]]], np.flatnonzero(equal)
        by_name = sorted(zip(self.at_places(tied).refs(), tied.tolist(), strict=True))
        return self.at_places(np.array([*better, *(place for _, place in by_name[: n - len(better)])], np.intp))

    def ordered(self) -> list[str]:
        """The refs, best first; equals in the order in which they were said, and then by their names."""
        best = self.at_places(np.lexsort((self.at, -self.scores)))
        scores, at, refs = best.scores, best.at, best.refs()
        if ((scores[1:] == scores[:-1]) & (at[1:] == at[:-1])).any():
            return [ref for _, _, ref in sorted(zip((-scores).tolist(), at.tolist(), refs, strict=True))]
        return refs


class Segment(ABC):
    """Slots are given in order and never moved; a removed one is only marked dead."""

    lengths: NDArray[Any]
    dated: Scores  # infinite where nobody knows when
    at: Scores  # when it was said; infinite for what was derived
    alive: Mask
    kind_codes: NDArray[Any]
    session_codes: NDArray[Any]

    def __init__(self) -> None:
        self.gone = 0
        self.total = 0.0  # the lengths of those that are alive, together
        self.kinds: dict[str, int] = {}  # with their codes
        self.sessions: dict[str | None, int] = {}

    @property
    @abstractmethod
    def size(self) -> int:
        """How many slots there are, dead ones too."""

    def __len__(self) -> int:
        return self.size - self.gone

    @abstractmethod
    def holding(self, terms: Sequence[str]) -> list[Holding]:
        """What it says about each of these words."""

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
            allowed &= (self.dated >= span[0]) & (self.dated < span[1])
        return allowed


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
    for term in zip(*(segment.holding(terms) for segment in segments), strict=True):
        held, spoken = [one.postings for one in term], [one.spoken for one in term]
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
    slots, scores = [np.zeros(0, np.intp) for _ in segments], [np.zeros(0) for _ in segments]
    if documents and n:
        mean = max(1.0, sum(segment.total for segment in segments) / documents)
        words = evidence(segments, terms)
        for place, segment in enumerate(segments):
            if segment.size:
                mask = None if masks is None else masks[place]
                slots[place], scores[place] = _best(segment, place, n, words, mean, mask)
    pairs = list(zip(segments, slots, strict=True))
    return Found(
        segments,
        np.repeat(np.arange(len(segments)), [len(its) for its in slots]),
        np.concatenate(slots),
        np.concatenate(scores),
        np.concatenate([segment.dated[its] for segment, its in pairs]),
        np.concatenate([segment.at[its] for segment, its in pairs]),
    )


def _best(
    segment: Segment, place: int, n: int, words: Sequence[QueryWord], mean: float, mask: Mask | None
) -> tuple[Slots, Scores]:
    """The best slots, with their scores."""
    together = sum(held <= TOGETHER for held in accumulate(word.slots(place) for word in words))
    scores = _scored(segment, place, words[:together], mean)
    slots: Slots | None = None
    for i, word in enumerate(words[together:], start=together):
        if slots is None and mask is None and i and word.slots(place) > LONG:
            slots = _contenders(scores, n, sum(later.most for later in words[i:]))
        if slots is None:
            word.add(scores, segment, place, mean)
        else:
            word.add_to(slots, scores, segment, place, mean)
    if slots is None:
        slots = _above_zero(scores if mask is None else scores * mask)
    slots = _first(slots, scores, segment.dated, n)
    return slots, scores[slots]


def _scored(segment: Segment, place: int, words: Sequence[QueryWord], mean: float) -> Scores:
    """What these words add to each slot, one after the other, in one go: most have few slots, and every call costs."""
    held = [(word.weight, where) for word in words if (where := word.where[place]) is not None]
    if not held:
        return np.zeros(segment.size)
    slots = [where.slots if isinstance(where, Postings) else where for _, where in held]
    quarters = [where.quarters if isinstance(where, Postings) else np.zeros(len(where), np.uint16) for _, where in held]
    each = np.concatenate(slots)
    added = np.repeat([weight for weight, _ in held], [len(its) for its in slots])
    frequency, lengths = np.concatenate(quarters) / QUARTERS, segment.lengths[each] / mean
    spoken = None if all(isinstance(where, Postings) for _, where in held) else frequency == 0.0
    gained = added * saturated(frequency, lengths)
    if spoken is not None:
        gained[spoken] = added[spoken]
    return np.bincount(each, gained, minlength=segment.size).astype(np.float64, copy=False)


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


def _first(slots: Slots, scores: Scores, dated: Scores, n: int) -> Slots:
    """The `n` best slots, in no order; of the last equal ones, those that were said first, all of one moment."""
    if len(slots) <= n:
        return slots
    own = scores[slots]
    least = nth_largest(own, n)
    better, equal = slots[own > least], slots[own == least]
    room = n - len(better)
    if len(equal) > room:
        at = dated[equal]
        equal = equal[at <= np.partition(at, room - 1)[room - 1]][: n * EQUALS]
    return np.concatenate([better, equal])
