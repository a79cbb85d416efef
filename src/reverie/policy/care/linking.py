"""Which two memories belong together, how strongly, and why. Candidates are found elsewhere, never all pairs."""

import math
from collections.abc import Iterable
from dataclasses import dataclass

from reverie.language.words import jaccard
from reverie.model.memories import Relation, Tier


@dataclass(frozen=True, slots=True)
class LinkWeights:
    same_source: float = 0.15
    shared_tag: float = 0.20
    same_tier: float = 0.05
    keep: float = 0.5
    least: float = 0.35  # an edge's weight is clamped to 0.35-1
    best: float = 2.5  # links that are made for a new memory, on average


WEIGHTS = LinkWeights()


@dataclass(frozen=True, slots=True)
class Linkable:
    id: str
    tags: frozenset[str]
    sources: frozenset[str]  # where it comes from: a session, a file
    tier: Tier = "hot"


@dataclass(frozen=True, slots=True)
class Link:
    """Two memories, in the order of their ids, so that a pair has one link however it was found."""

    a: str
    b: str
    relation: Relation
    score: float
    weight: float
    kept: bool
    why: str


def link(a: Linkable, b: Linkable, w: LinkWeights = WEIGHTS) -> Link:
    """Jaccard of tags + 0.15 same source + 0.20 any shared tag + 0.05 same tier; kept from 0.5.

    >>> tea = Linkable("m2", frozenset({"tea", "kitchen"}), frozenset({"s1"}))
    >>> cup = Linkable("m1", frozenset({"tea", "cup"}), frozenset({"s1"}))
    >>> found = link(tea, cup)
    >>> found.a, round(found.score, 3), found.relation, found.why  # 1/3 + 0.15 + 0.20 + 0.05
    ('m1', 0.733, 'same_source', 'shared tags: tea; same source; same tier')
    """
    shared, same_source, same_tier = a.tags & b.tags, bool(a.sources & b.sources), a.tier == b.tier
    score = (
        jaccard(a.tags, b.tags) + w.same_source * same_source + w.shared_tag * bool(shared) + w.same_tier * same_tier
    )
    first, second = sorted((a.id, b.id))
    return Link(
        first,
        second,
        "same_source" if same_source else "related",
        score,
        weight=min(1.0, max(w.least, score)),
        # The score alone would keep no pair without one of these today; a change of weights must not either.
        kept=score >= w.keep and (bool(shared) or same_source) and a.id != b.id,
        why=_why(shared, same_source, same_tier),
    )


def best_links(links: Iterable[Link], memories: int = 12, w: LinkWeights = WEIGHTS) -> list[Link]:
    """The links worth keeping among so many new memories, each pair once, the strongest first."""
    kept = {(found.a, found.b): found for found in links if found.kept}
    most = math.ceil(w.best * memories)
    return sorted(kept.values(), key=lambda found: (-found.score, found.a, found.b))[:most]


def _why(shared: frozenset[str], same_source: bool, same_tier: bool) -> str:
    said = [f"shared tags: {', '.join(sorted(shared))}"] if shared else []
    said += ["same source"] if same_source else []
    said += ["same tier"] if same_tier else []
    return "; ".join(said) or "nothing in common"
