"""Why a memory stands where it does, and what would change that, said so that a person can do it."""

from dataclasses import dataclass

from reverie.model.base import DAY, Instant
from reverie.model.memories import Memory
from reverie.policy.care.tiering import Placement, Standing
from reverie.policy.core.promotion import WEIGHTS, PromotionVerdict, PromotionWeights, RecallCounts, signals


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


MOST = 60  # recalls that are worth foretelling


def would_change(
    verdict: PromotionVerdict, counted: RecallCounts, now: Instant, w: PromotionWeights = WEIGHTS
) -> list[str]:
    """The steps that are missing, each on its own line; nothing for what is promoted.

    >>> from reverie.policy.core.promotion import Passed
    >>> gates = (Passed("score", 0.4, 0.6), Passed("recalls", 1, 3))
    >>> found = PromotionVerdict("m", False, "", signals(RecallCounts(), 0.0), 0.0, gates)
    >>> would_change(found, RecallCounts(recalls=1), 0.0)[0]
    '2 more recalls, or the user saying it again in 2 more sessions'
    """
    if verdict.promoted:
        return []
    if verdict.refused:
        return [f"nothing by use alone: {verdict.why}"]
    lacking = {
        gate.gate: int(gate.needed - gate.value) for gate in verdict.gates if not gate.ok and gate.gate != "score"
    }
    told = [_said(gate, n) for gate, n in lacking.items() if n > 0]
    if any(gate.gate == "score" and not gate.ok for gate in verdict.gates):
        told.append(_score(counted, now, w))
    return [*told, "a person asking for it to be remembered, which needs no witness"]


def _said(gate: str, n: int) -> str:
    many = "s" if n > 1 else ""
    if gate == "recalls":
        return f"{n} more recall{many}, or the user saying it again in {n} more session{many}"
    if gate == "distinct queries":
        return f"being found by {n} more question{many} in other words"
    return f"being asked for on {n} more day{many}"


def _score(counted: RecallCounts, now: Instant, w: PromotionWeights) -> str:
    """How far recalls like the best ones, one a day with a new question, would have to go on."""

    def after(more: int) -> float:
        later = RecallCounts(
            recalls=counted.recalls + more,
            queries=counted.queries + more,
            days=counted.days + more,
            relevance=(counted.relevance * counted.recalls + 0.9 * more) / (counted.recalls + more),
            span_days=counted.span_days + more,
            last_at=now + more * DAY,
            tags=counted.tags,
        )
        return signals(later, now + more * DAY, w).score

    more = next((n for n in range(1, MOST) if after(n) >= w.min_score), MOST)
    return f"a score of {w.min_score:g}: about {more} recall{'s' if more > 1 else ''} on days of their own"
