"""From lists of candidates to one explained order: fuse by rank, then weigh what is known about each memory.

Scores of two indexes do not compare, ranks do. What is known about a memory (importance, confidence, age, …) moves it
a little; only being stale or no longer valid moves it far.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import NamedTuple

from reverie.model.base import DAY, Instant
from reverie.model.memories import Tier


@dataclass(frozen=True, slots=True)
class RankWeights:
    k: float = 10.0  # of reciprocal rank fusion; 60 was measured to be worse
    importance: float = 0.10
    confidence: float = 0.10
    recency: float = 0.02
    recency_half_life_days: float = 30.0
    warm: float = 0.995
    archive: float = 0.98
    stale: float = 0.5
    invalid: float = 0.5
    asks: float = 0.85  # a question is near to every question like it, and states nothing
    links: float = 0.05


WEIGHTS = RankWeights()


class Ranking(NamedTuple):
    """One list of ids, best first, and how much its word counts. An id that comes twice counts at its first place."""

    name: str
    ids: Sequence[str]
    weight: float = 1.0
    places: Sequence[int] | None = None  # where they stand, if not one after the other


class Traits(NamedTuple):
    """What ranking knows about a memory or a turn. The defaults are a turn's: nothing moves it."""

    importance: float = 0.5
    confidence: float = 1.0
    used_at: Instant | None = None
    tier: Tier = "hot"
    stale: bool = False
    valid_from: Instant | None = None
    valid_until: Instant | None = None
    asks: bool = False


class Ranked(NamedTuple):
    """`relevance` is 0-1: the fused score over the best that the lists could give. `parts` explains `score`."""

    id: str
    score: float
    relevance: float
    parts: dict[str, float]


NOTHING_KNOWN = Traits()
Links = Mapping[str, Iterable[tuple[str, float]]]  # id -> its neighbours with the weight of the edge


def fuse(
    rankings: Sequence[Ranking], w: RankWeights = WEIGHTS, only: Collection[str] | None = None
) -> dict[str, dict[str, float]]:
    """Each id's share from each list, 0-1: all of them add up to its relevance. With `only`, of these ids alone.

    >>> fused = fuse([Ranking("text", ["a", "b"]), Ranking("meaning", ["b"], 0.5)])
    >>> round(sum(fused["b"].values()), 4)  # (1/12 + 0.5/11) / (1.5/11)
    0.9444
    """
    best = best_possible(rankings, w)
    fused: dict[str, dict[str, float]] = {}
    for name, ids, weight, places in rankings:
        full = weight / best
        placed = zip(ids, places or range(1, len(ids) + 1), strict=True)
        for id_, place in placed if only is None else [one for one in placed if one[0] in only]:
            share = full / (w.k + place)
            if (shares := fused.get(id_)) is None:
                fused[id_] = {name: share}
            else:
                shares.setdefault(name, share)
    return fused


def best_possible(rankings: Sequence[Ranking], w: RankWeights = WEIGHTS) -> float:
    """The fused score of an id that comes first wherever it can: in the weightiest list of each name."""
    names: dict[str, float] = {}
    for name, ids, weight, _ in rankings:
        if ids:
            names[name] = max(weight, names.get(name, 0.0))
    return sum(names.values()) / (w.k + 1) or 1.0


def rank(
    rankings: Sequence[Ranking],
    traits: Mapping[str, Traits],
    now: Instant,
    links: Links | None = None,
    w: RankWeights = WEIGHTS,
    only: Collection[str] | None = None,
) -> list[Ranked]:
    """Every candidate of the lists, best first; ties go by id, so that the order is the same on every machine.

    `now` is the moment whose truth counts: with `as_of` it lies in the past. With `only`, others keep their places in
    the lists but are not answered.
    """
    ranked = [
        _weigh(id_, shares, traits.get(id_, NOTHING_KNOWN), now, w) for id_, shares in fuse(rankings, w, only).items()
    ]
    if links:
        ranked = _raise_neighbours(ranked, links, w)
    ranked.sort(key=lambda hit: (-hit.score, hit.id))
    return ranked


def _weigh(id_: str, parts: dict[str, float], known: Traits, now: Instant, w: RankWeights) -> Ranked:
    """Only what moves the score is named in its parts: a factor of 1 explains nothing. (A hot loop, so unrolled.)"""
    relevance = score = sum(parts.values())
    importance, confidence, used_at, tier, stale, valid_from, valid_until, asking = known
    if importance != 0.5:
        parts["importance"] = factor = 1.0 + w.importance * (importance - 0.5) * 2
        score *= factor
    if confidence != 1.0:
        parts["confidence"] = factor = 1.0 - w.confidence * (1.0 - confidence)
        score *= factor
    if used_at is not None:
        half_lives = max(0.0, now - used_at) / DAY / w.recency_half_life_days
        parts["recency"] = factor = 1.0 + w.recency * 0.5**half_lives
        score *= factor
    if tier != "hot":
        parts["tier"] = factor = w.warm if tier == "warm" else w.archive
        score *= factor
    if stale:
        parts["stale"] = w.stale
        score *= w.stale
    if not holds(valid_from, valid_until, now):
        parts["validity"] = w.invalid
        score *= w.invalid
    if asking:
        parts["asks"] = w.asks
        score *= w.asks
    return Ranked(id_, score, relevance, parts)


def holds(valid_from: Instant | None, valid_until: Instant | None, now: Instant) -> bool:
    """
    >>> holds(None, None, 5.0), holds(6.0, None, 5.0), holds(None, 5.0, 5.0)
    (True, False, False)
    """
    return (valid_from is None or valid_from <= now) and (valid_until is None or now < valid_until)


def _raise_neighbours(ranked: list[Ranked], links: Links, w: RankWeights) -> list[Ranked]:
    """A memory whose neighbour answers the query well is raised a little; edges bring in nothing on their own."""
    relevance = {hit.id: hit.relevance for hit in ranked}
    raised: list[Ranked] = []
    for hit in ranked:
        near = 0.0
        for other, weight in links.get(hit.id, ()):
            near = max(near, weight * relevance.get(other, 0.0))
        if near:
            factor = 1.0 + w.links * near
            hit = Ranked(hit.id, hit.score * factor, hit.relevance, {**hit.parts, "links": factor})
        raised.append(hit)
    return raised


def relevances(scores: Sequence[float]) -> list[float]:
    """What stands beside each hit of a list: its score, at most 1, and never less than that of a hit below it.

    A fact that was moved up to its sentence is shown with that sentence's score: it stands there for it.

    >>> relevances([0.4, 1.02, 0.7])
    [1.0, 1.0, 0.7]
    """
    highest_below = accumulate((min(1.0, score) for score in reversed(scores)), max)
    return list(highest_below)[::-1]


def facts_first(order: Sequence[str], drawn: Mapping[str, Sequence[str]]) -> list[str]:
    """The same ids, each fact moved up to just before the first of its sentences that stands above it.

    `drawn`: facts that hold, with the sentences they were drawn from. A sentence lifts the best of its facts only.

    >>> facts_first(["said", "other", "fact", "second"], {"fact": ["said"], "second": ["said"]})
    ['fact', 'said', 'other', 'second']
    """
    place = {ref: i for i, ref in enumerate(order)}
    lifted: dict[str, str] = {}  # sentence -> the fact that goes before it
    for fact in (ref for ref in order if ref in drawn):
        above = [ref for ref in drawn[fact] if ref in place and place[ref] < place[fact]]
        first = min(above, key=place.__getitem__, default=None)
        if first is not None and first not in lifted:
            lifted[first] = fact
    moved = set(lifted.values())
    ordered: list[str] = []
    for ref in order:
        if ref in lifted:
            ordered.append(lifted[ref])
        if ref not in moved:
            ordered.append(ref)
    return ordered
