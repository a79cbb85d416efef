"""All that decides a memory's tier, worked out at one moment: nights move memories by it, `explain` shows it."""

from collections.abc import Sequence

from reverie.model.base import DAY, Instant
from reverie.model.memories import Edge, Memory
from reverie.policy.care.decay import decay, exemption, priority
from reverie.policy.care.tiering import Standing
from reverie.store.reading.care import Usage

RECENT = 30 * DAY  # uses and edges that count as recent
RECENT_EDGE = 7 * DAY


def standing_of(memory: Memory, edges: Sequence[Edge], usage: Usage | None, now: Instant) -> Standing:
    used_at = max(memory.used_at, usage.last_at) if usage else memory.used_at
    fading = decay(now, used_at, exempt=exemption(memory) is not None)
    return Standing(
        tier=memory.tier,
        priority=priority(memory.importance, usage.recent if usage else 0, fading),
        decay=fading,
        unused_days=max(0.0, now - used_at) / DAY,
        relationship_score=sum(edge.weight for edge in edges),
        links=len(edges),
        recent_edges=sum(now - edge.created_at <= RECENT_EDGE for edge in edges),
        pinned=memory.pinned,
        manual_tags=bool(memory.manual_tags),
    )
