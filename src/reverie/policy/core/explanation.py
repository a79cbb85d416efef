"""Why a memory stands where it does, as one object that every surface prints."""

from dataclasses import dataclass

from reverie.model.memories import Memory
from reverie.policy.care.tiering import Placement, Standing
from reverie.policy.core.promotion import PromotionVerdict, RecallCounts


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
