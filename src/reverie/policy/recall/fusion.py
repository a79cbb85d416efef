"""Which lists of candidates are fused: what was said comes first, and what was drawn from it speaks for it.

A fact is a second way to find the turn that it was drawn from, so it lends that turn a part of its own place. It is a
hit itself as well, a little below what was said. Measured on LoCoMo after a night: with facts in one list with the
turns, wrong ones push turns out of the first five.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from reverie.policy.recall.ranking import WEIGHTS, Ranked, Ranking


@dataclass(frozen=True, slots=True)
class FusionWeights:
    words: float = 1.0
    meaning: float = 0.5
    drawn: float = 0.3  # what the facts that were drawn from a turn lend it
    derived: float = 0.7  # of the above, for what was not said but derived


FUSION = FusionWeights()
ENOUGH = 0.5
DrawnFrom = Mapping[str, Sequence[str]]  # what was derived -> what it was drawn from; what was said is not in it


@dataclass(frozen=True, slots=True)
class Candidates:
    """Refs by words (one list for each index that was asked) and by meaning, best first."""

    words: Sequence[Sequence[str]]
    meaning: Sequence[str]

    def without(self, rejected: set[str], depth: int) -> "Candidates":
        """What may not be shown gives up its place to those after it; the same object where there is nothing to do."""
        if not rejected and all(len(refs) <= depth for refs in (*self.words, self.meaning)):
            return self
        return Candidates([_kept(refs, rejected, depth) for refs in self.words], _kept(self.meaning, rejected, depth))


def rankings(candidates: Candidates, drawn_from: DrawnFrom, w: FusionWeights = FUSION) -> list[Ranking]:
    """
    >>> for ranking in rankings(Candidates([["fact", "turn"]], ["fact"]), {"fact": ["turn"]}):
    ...     print(ranking.name, ranking.ids, ranking.weight, ranking.places)
    words ['turn'] 1.0 None
    words ['fact'] 0.7 [1]
    meaning ['fact'] 0.35 [1]
    drawn ['turn'] 0.3 None
    """
    found: list[Ranking] = []
    for refs in candidates.words:
        found += _split("words", refs, w.words, drawn_from, w)
    found += _split("meaning", candidates.meaning, w.meaning, drawn_from, w)
    if drawn_from and not drawn_from.keys().isdisjoint(candidates.meaning):
        lent = dict.fromkeys(source for ref in candidates.meaning for source in drawn_from.get(ref, ()))
        found.append(Ranking("drawn", list(lent), w.drawn))
    return [ranking for ranking in found if ranking.ids]


class InOrder:
    """Candidates, best first, by their places alone: the order in which they are worth reading.

    Few are read, so few are put in order: as many as are asked for.
    """

    def __init__(self, lists: Sequence[Ranking]) -> None:
        fused: dict[str, float] = {}
        for _, refs, weight, places in lists:
            shares = reciprocals(weight, len(refs)) if places is None else [weight / (WEIGHTS.k + at) for at in places]
            if not fused and len(added := dict(zip(refs, shares, strict=False))) == len(refs):
                fused = added
                continue
            known = fused.get
            for ref, share in zip(refs, shares, strict=False):
                fused[ref] = known(ref, 0.0) + share
        self._fused = fused

    def __len__(self) -> int:
        return len(self._fused)

    def part(self, start: int, stop: int) -> list[str]:
        """Those at these places; equals in the order of their names.

        >>> InOrder([Ranking("words", ["a", "c", "b"]), Ranking("meaning", ["b"])]).part(0, 2)
        ['b', 'a']
        """
        fused = self._fused
        least = sorted(fused.values())[-stop] if stop < len(fused) else 0.0
        best = sorted([(-score, ref) for ref, score in fused.items() if score >= least])
        return [ref for _, ref in best[start:stop]]


@cache
def _reciprocals(weight: float, size: int) -> tuple[float, ...]:
    return tuple(weight / (WEIGHTS.k + place) for place in range(1, size + 1))


def reciprocals(weight: float, size: int) -> Sequence[float]:
    """What each place of a list is worth, for at least so many places."""
    return _reciprocals(weight, max(256, 1 << (size - 1).bit_length()))


def too_little(ranked: Sequence[Ranked], k: int, enough: float = ENOUGH) -> bool:
    """Whether the archive must help: fewer than `k` hits are at least half as relevant as a hit could be.

    >>> too_little([Ranked("a", 0.9, 0.9, {}), Ranked("b", 0.2, 0.2, {})], k=2)
    True
    """
    return sum(hit.relevance >= enough for hit in ranked) < k


def _split(name: str, refs: Sequence[str], weight: float, drawn_from: DrawnFrom, w: FusionWeights) -> list[Ranking]:
    """What was said is placed among what was said; what was derived keeps its place among all."""
    if not drawn_from or drawn_from.keys().isdisjoint(refs):
        return [Ranking(name, refs, weight)]
    said, derived, places = [], [], []
    for place, ref in enumerate(refs, start=1):
        if ref in drawn_from:
            derived.append(ref)
            places.append(place)
        else:
            said.append(ref)
    return [Ranking(name, said, weight), Ranking(name, derived, round(weight * w.derived, 3), places)]


def _kept(refs: Sequence[str], rejected: set[str], depth: int) -> list[str]:
    return [ref for ref in refs if ref not in rejected][:depth]
