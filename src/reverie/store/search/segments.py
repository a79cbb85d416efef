"""A part of a space's inverted index, and its search: BM25 over the slots that hold one of the words, and no others."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from functools import reduce
from itertools import accumulate, pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from reverie.policy.recall.bm25 import WEIGHTS, name_rarity, rarity, saturated
from reverie.store.search.coarse import Places, nth_largest

Scores = NDArray[np.float64]
Mask = NDArray[np.bool_]
Slots = NDArray[Any]  # places in a segment
Quarters = NDArray[Any]
QUARTERS = 4  # field weights are whole quarters
MOST = WEIGHTS.k1 + 1  # what a term's saturated frequency stays below
EQUALS = 4  # times as many as are wanted: of so many equals of one moment the names are compared
TOGETHER = 30_000  # slots of several words that are scored in one go: more would no longer fit into the nearest caches
LONG = 4_000  # a term in so many slots is worth a look at whether it can still change the best


class Postings(NamedTuple):
    """The slots that hold a term, each once, and its weighted count there, in quarters."""

    slots: Slots
    quarters: Quarters


class Holding(NamedTuple):
    """What a segment says about a word. Dead slots are left in: scored, and then dropped, all at once."""

    postings: Postings | None  # where it occurs
    alive: int  # how many of these are alive
    spoken: Slots | None  # what was said by the person of that name; None if nobody ever had it


class Found(NamedTuple):
    """The best slots of all segments, in no order."""

    segments: Sequence["Segment"]
    place: NDArray[np.intp]  # which of these each slot is in
    slots: Slots
    scores: Scores

    def at_places(self, places: NDArray[np.intp]) -> "Found":
        """Those at these places, in their order."""
        return Found(self.segments, self.place[places], self.slots[places], self.scores[places])

    def of_each(self, column: Callable[["Segment"], Scores]) -> Scores:
        """What a column of its segment says about each."""
        if len(self.segments) == 1:
            return column(self.segments[0])[self.slots]
        values = np.empty(len(self.slots))
        for place, segment in enumerate(self.segments):
            mine = (self.place == place).nonzero()[0]
            if len(mine):
                values[mine] = column(segment)[self.slots[mine]]
        return values

    def refs(self) -> list[str]:
        if len(self.segments) == 1:
            return self.segments[0].names_of(self.slots)
        named = [""] * len(self.slots)
        for place, segment in enumerate(self.segments):
            mine = (self.place == place).nonzero()[0]
            names = segment.names_of(self.slots[mine])
            if len(names) == len(named):
                return names
            for at, name in zip(mine.tolist(), names, strict=True):
                named[at] = name
        return named

    def first(self, n: int) -> "Found":
        """The `n` best, in no order; of equals those that were said first, and then by their names."""
        if len(self.slots) <= n:
            return self
        least = nth_largest(self.scores, n)
        better, equal = (self.scores > least).nonzero()[0], (self.scores == least).nonzero()[0]
        if len(better) + len(equal) > n:
            equal = equal[self.at_places(equal)._said_first(n - len(better), n * EQUALS)]
        return self.at_places(np.concatenate([better, equal]))

    def _said_first(self, n: int, most: int) -> Places:
        """Where the `n` that were said first stand; of one moment by their names, which are compared of so many."""
        dated = self.of_each(_dated)
        last = np.partition(dated, n - 1)[n - 1]
        sooner, then = (dated < last).nonzero()[0], (dated == last).nonzero()[0][:most]
        if len(sooner) + len(then) > n:
            by_name = sorted(zip(self.at_places(then).refs(), then.tolist(), strict=True))
            then = np.array([place for _, place in by_name[: n - len(sooner)]], np.intp)
        return np.concatenate([sooner, then])

    def ordered(self) -> list[str]:
        """The refs, best first; equals in the order in which they were said, and then by their names."""
        best = self.at_places(np.argsort(-self.scores, kind="stable"))
        refs, equal = best.refs(), best.scores[1:] == best.scores[:-1]
        if not equal.any():
            return refs
        run = [0, *np.cumsum(~equal).tolist()]
        return [ref for _, _, ref in sorted(zip(run, best.of_each(_at).tolist(), refs, strict=True))]


def _dated(segment: "Segment") -> Scores:
    return segment.dated


def _at(segment: "Segment") -> Scores:
    return segment.at


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

    @abstractmethod
    def slots_of(self, refs: Sequence[str]) -> Slots:
        """Where each of these is, alive or dead; -1 for one that is not there."""

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
            codes = [self.kinds[kind] for kind in kinds if kind in self.kinds]  # few: sooner compared than looked up
            allowed &= reduce(np.logical_or, (self.kind_codes == code for code in codes), np.zeros(len(allowed), bool))
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
    holding: int  # how many slots hold it, dead ones too

    def add(self, scores: Scores, segment: Segment, n: int, mean: float) -> None:
        """To every slot that holds it."""
        held = self.where[n]
        if isinstance(held, Postings):
            lengths = segment.lengths[held.slots] / mean
            scores[held.slots] += self.weight * saturated(held.quarters / QUARTERS, lengths)
        elif held is not None:
            scores[held] += self.weight

    def add_to(self, some: Mask, scores: Scores, segment: Segment, n: int, mean: float) -> None:
        """To those of `some` slots that hold it."""
        held = self.where[n]
        if isinstance(held, Postings):
            places = some[held.slots].nonzero()[0]
            mine = held.slots[places]
            lengths = segment.lengths[mine] / mean
            scores[mine] += self.weight * saturated(held.quarters[places] / QUARTERS, lengths)
        elif held is not None:
            scores[held[some[held]]] += self.weight


def evidence(segments: Sequence[Segment], terms: Sequence[str]) -> list[QueryWord]:
    """What each word says, the weightiest first."""
    documents = sum(map(len, segments))
    found: list[QueryWord] = []
    for term in zip(*(segment.holding(terms) for segment in segments), strict=True):
        held, spoken = [one.postings for one in term], [one.spoken for one in term]
        speaking = [len(slots) for slots in spoken if slots is not None]
        holding = sum([one.alive for one in term])
        weight = (name_rarity if speaking else rarity)(documents, holding) if holding else 0.0
        if weight:
            slots = sum([len(postings.slots) for postings in held if postings is not None])
            found.append(QueryWord(weight * MOST, weight, held, slots))
        if speaking:
            found.append(QueryWord(WEIGHTS.spoken, WEIGHTS.spoken, spoken, sum(speaking)))
    return sorted(found, key=lambda one: -one.most)


def best(segments: Sequence[Segment], n: int, terms: Sequence[str], masks: Sequence[Mask] | None) -> Found:
    """The `n` best slots of all segments."""
    starts = list(accumulate([segment.size for segment in segments], initial=0))
    documents = sum(map(len, segments))
    scores, slots = np.zeros(0), np.zeros(0, np.intp)
    if documents and n:
        mean = max(1.0, sum(segment.total for segment in segments) / documents)
        mask = None if masks is None else np.concatenate(masks)
        scores, slots = _scored(segments, starts, n, evidence(segments, terms), mean, mask)
    return _found(segments, starts, slots, scores).first(n)


def _found(segments: Sequence[Segment], starts: Sequence[int], slots: Slots, scores: Scores) -> Found:
    """These slots, each in its own segment."""
    if len(segments) == 1:
        return Found(segments, np.zeros(len(slots), np.intp), slots, scores[slots])
    whose = np.searchsorted(starts[1:-1], slots, side="right")
    return Found(segments, whose, slots - np.array(starts)[whose], scores[slots])


def _scored(
    segments: Sequence[Segment],
    starts: Sequence[int],
    n: int,
    words: Sequence[QueryWord],
    mean: float,
    mask: Mask | None,
) -> tuple[Scores, Slots]:
    """What the words add to each slot of all segments, one after the other, and the slots that may be among the best.

    Those of a segment begin at its place in `starts`.
    """
    together = sum([held <= TOGETHER for held in accumulate([word.holding for word in words])])
    scores = _in_one_go(segments, starts, words[:together], mean)
    parts = [(segment, slice(*its)) for segment, its in zip(segments, pairwise(starts), strict=True)]
    slots: Slots | None = None
    some = np.zeros(0, bool)  # which slots these are
    for i, word in enumerate(words[together:], start=together):
        if slots is None and i and word.holding > LONG:
            added, more = (sum([one.most for one in part]) for part in (words[:i], words[i:]))
            if added > more:
                _drop_dead(scores, parts)
                slots = _contenders(scores if mask is None else scores * mask, n, more)
            if slots is not None:
                some = np.zeros(len(scores), bool)
                some[slots] = True
        for place, (segment, its) in enumerate(parts):
            if slots is None:
                word.add(scores[its], segment, place, mean)
            else:
                word.add_to(some[its], scores[its], segment, place, mean)
    if slots is None:
        _drop_dead(scores, parts)
        slots = _above_zero(scores if mask is None else scores * mask)
    return scores, slots


def _drop_dead(scores: Scores, parts: Sequence[tuple[Segment, slice]]) -> None:
    for segment, its in parts:
        if segment.gone:
            scores[its] *= segment.alive


def alive_in(spans: Sequence[Slots], alive: Mask) -> list[int]:
    """How many of the slots of each span are alive, counted all at once."""
    held = alive[np.concatenate(spans)]
    if held.all():
        return list(map(len, spans))
    counted = np.concatenate([[0], np.cumsum(held)])
    ends = np.cumsum([len(span) for span in spans])
    living: list[int] = np.diff(counted[ends], prepend=0).tolist()
    return living


def _in_one_go(segments: Sequence[Segment], starts: Sequence[int], words: Sequence[QueryWord], mean: float) -> Scores:
    """What these words add to each slot: most have few slots, and every call costs."""
    slots, quarters, lengths, weights, counts = [], [], [], [], []
    spoken = False
    for place, segment in enumerate(segments):
        mine = []
        for word in words:
            where = word.where[place]
            if isinstance(where, Postings):
                mine.append(where.slots)
                quarters.append(where.quarters)
            elif where is not None:
                mine.append(where)
                quarters.append(np.zeros(len(where), np.uint16))
                spoken = True
            else:
                continue
            weights.append(word.weight)
            counts.append(len(mine[-1]))
        if mine:
            its = np.concatenate(mine)
            lengths.append(segment.lengths[its])
            slots.append(its + starts[place] if place else its)
    if not slots:
        return np.zeros(starts[-1])
    added, frequency = np.repeat(weights, counts), np.concatenate(quarters) / QUARTERS
    gained = added * saturated(frequency, np.concatenate(lengths) / mean)
    if spoken:
        gained[frequency == 0.0] = added[frequency == 0.0]
    return np.bincount(np.concatenate(slots), gained, minlength=starts[-1]).astype(np.float64, copy=False)


def _contenders(scores: Scores, n: int, more: float) -> Slots | None:
    """The slots that can still be among the `n` best when words that add at most `more` are yet to come.

    None while a slot that holds none of the earlier words can be among them too.
    """
    least = nth_largest(scores, n) if len(scores) >= n else 0.0
    return (scores + more >= least).nonzero()[0] if least > more else None


def _above_zero(scores: Scores) -> Slots:
    return (scores > 0).nonzero()[0]  # of numbers it takes many times as long as of booleans
