"""Where a memory lives: hot if anything speaks for it, archive only if everything speaks against it."""

from collections.abc import Mapping
from dataclasses import dataclass

from reverie.model.memories import Tier

SUMMARY_SENTENCES: Mapping[str, int] = {"warm": 5, "archive": 3}  # that a long memory is shown by, in each tier


@dataclass(frozen=True, slots=True)
class TierWeights:
    hot_priority: float = 0.65
    hot_decay: float = 0.25
    hot_days: float = 3
    hot_relationship: float = 6
    hot_edges: int = 4
    warm_priority: float = 0.3
    warm_days: float = 21
    warm_relationship: float = 3
    archive_days: float = 30
    archive_decay: float = 0.6
    archive_links: int = 2
    cold_days: float = 45
    cold_decay: float = 0.8


WEIGHTS = TierWeights()


@dataclass(frozen=True, slots=True)
class Standing:
    """All that decides a memory's tier."""

    tier: Tier
    priority: float
    decay: float
    unused_days: float
    relationship_score: float = 0.0
    links: int = 0
    recent_edges: int = 0
    pinned: bool = False
    manual_tags: bool = False


@dataclass(frozen=True, slots=True)
class Placement:
    tier: Tier
    reason: str
    why: str
    changed: bool


def place(standing: Standing, w: TierWeights = WEIGHTS) -> Placement:
    """The tier a memory belongs in, with its reason. Placing it there and asking again changes nothing.

    >>> place(Standing("hot", priority=0.2, decay=0.7, unused_days=35)).reason
    'stale_and_low_priority'
    """
    tier, reason, why = _hot(standing, w) or _warm(standing, w) or _archive(standing, w) or _between(standing)
    return Placement(tier, reason, why, changed=tier != standing.tier)


_Found = tuple[Tier, str, str] | None


def _hot(s: Standing, w: TierWeights) -> _Found:
    if s.pinned:
        return "hot", "manual_pin", "pinned"
    if s.priority >= w.hot_priority:
        return "hot", "high_priority", f"priority {s.priority:.2f}, hot from {w.hot_priority:g}"
    if s.unused_days <= w.hot_days:
        return "hot", "recent_access", f"used {s.unused_days:.1f} days ago, hot up to {w.hot_days:g}"
    if s.decay <= w.hot_decay:
        return "hot", "low_decay", f"decay {s.decay:.2f}, hot up to {w.hot_decay:g}"
    if s.relationship_score >= w.hot_relationship:
        return "hot", "dense_graph", f"relationship score {s.relationship_score:.1f}, hot from {w.hot_relationship:g}"
    if s.recent_edges >= w.hot_edges:
        return "hot", "active_connections", f"{s.recent_edges} recent edges, hot from {w.hot_edges}"
    return None


def _warm(s: Standing, w: TierWeights) -> _Found:
    if s.priority >= w.warm_priority:
        return "warm", "moderate_priority", f"priority {s.priority:.2f}, warm from {w.warm_priority:g}"
    if s.unused_days <= w.warm_days:
        return "warm", "recently_accessed", f"used {s.unused_days:.0f} days ago, warm up to {w.warm_days:g}"
    if s.manual_tags:
        return "warm", "manual_tags_present", "a person tagged it"
    if s.relationship_score >= w.warm_relationship:
        why = f"relationship score {s.relationship_score:.1f}, warm from {w.warm_relationship:g}"
        return "warm", "connected_graph", why
    return None


def _archive(s: Standing, w: TierWeights) -> _Found:
    """Asked after hot and warm said no, so priority is low and no person has tagged it."""
    faded = s.unused_days >= w.archive_days and s.decay >= w.archive_decay
    if not faded or s.links > w.archive_links or s.recent_edges:
        return None
    why = f"unused for {s.unused_days:.0f} days, priority {s.priority:.2f}, decay {s.decay:.2f}, {s.links} links"
    if s.unused_days >= w.cold_days and s.decay >= w.cold_decay and s.links == 0:
        return "archive", "cold_and_disconnected", why
    return "archive", "stale_and_low_priority", why


def _between(s: Standing) -> tuple[Tier, str, str]:
    """Neither warm enough nor cold enough: it cools to warm, but what is archived stays archived until it is used."""
    if s.tier == "archive":
        return "archive", "not_used_again", "nothing calls it back"
    return "warm", "cooling", f"unused for {s.unused_days:.0f} days, not cold enough to archive"
