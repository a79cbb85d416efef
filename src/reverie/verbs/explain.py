"""Why a memory stands where it does: its evidence against every gate, its tier, and what would change either."""

from dataclasses import dataclass

from reverie.model.memories import Memory
from reverie.policy.care.tiering import Placement, Standing
from reverie.policy.core.promotion import PromotionVerdict, RecallCounts
from reverie.store.tables import blocks, memories
from reverie.verbs.base import Verbs


@dataclass(frozen=True, slots=True)
class Explanation:
    memory: Memory
    counted: RecallCounts  # the evidence: real recalls and restatements, nothing else
    verdict: PromotionVerdict  # every signal against every gate
    would_change: tuple[str, ...]  # what is missing
    promoted: str | None  # the night that promoted it
    core: tuple[str, ...]  # labels of the blocks that hold it
    standing: Standing  # what decides its tier
    placement: Placement  # the tier it belongs in now, with its reason


class ExplainVerbs(Verbs):
    def explain(self, memory: str) -> Explanation:
        """Everything that a night would look at, worked out now; nothing is written."""
        from reverie.asleep.steps.promote.evidence import PromotionJudge
        from reverie.asleep.steps.tier import RECENT, standing_of
        from reverie.policy.care.tiering import place
        from reverie.policy.core.hints import would_change
        from reverie.store.reading.log import usage_of

        found, now = memories.by_id(self._db, self.id, memory), self._now()
        (judged,) = PromotionJudge(self._db, self.id, now).judge([found])
        usage = usage_of(self._db, self.id, (found.id, *found.sources), now - RECENT, now)
        standing = standing_of(found, memories.edges_of(self._db, self.id, [found.id]), usage, now)
        promoted = found.metadata.get("promoted")
        return Explanation(
            found,
            judged.counted,
            judged.verdict,
            tuple(would_change(judged.verdict, judged.counted, now)),
            str(promoted) if promoted else None,
            tuple(self._holding(found.id)),
            standing,
            place(standing),
        )

    def _holding(self, memory: str) -> list[str]:
        return [
            block.label
            for block in blocks.attached(self._db, self.id)
            if any(memory in sources for sources in blocks.sentence_sources(self._db, block.id).values())
        ]
