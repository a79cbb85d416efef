"""Everything that a night would look at in one memory, worked out now; nothing is written."""

from reverie.asleep.steps.promote.evidence import PromotionJudge
from reverie.asleep.steps.tier import RECENT, standing_of
from reverie.model.base import Instant
from reverie.policy.care.tiering import place
from reverie.policy.core.hints import Explanation, would_change
from reverie.store.db import Database
from reverie.store.reading.log import usages_of
from reverie.store.tables import blocks, memories


def explain(db: Database, space: str, id: str, now: Instant) -> Explanation:
    """Its evidence against every gate, its tier, and what would change either."""
    memory = memories.by_id(db, space, id)
    (judged,) = PromotionJudge(db, space, now).judge([memory])
    usage = usages_of(db, space, [memory], now - RECENT, now).get(memory.id)
    standing = standing_of(memory, memories.edges_of(db, space, [memory.id]), usage, now)
    promoted = memory.marks.get("promoted")
    return Explanation(
        memory,
        judged.counted,
        judged.verdict,
        tuple(would_change(judged.verdict, judged.counted, now)),
        str(promoted) if promoted else None,
        tuple(_blocks_holding(db, space, memory.id)),
        standing,
        place(standing),
    )


def _blocks_holding(db: Database, space: str, memory: str) -> list[str]:
    return [
        block.label
        for block in blocks.attached(db, space)
        if any(memory in sources for sources in blocks.sentence_sources(db, block.id).values())
    ]
