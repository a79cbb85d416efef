"""Which memories have earned a place in core: six signals of real use, four gates, and what a near miss lacks.

Evidence is what the awake side did (recalls) and what the user said again in another session. Nothing that a night
wrote, read or computed counts, so no number of nights lifts a memory that nobody asked for.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from math import log

from reverie.model.base import DAY, Instant, Trust, day_of
from reverie.model.memories import Memory
from reverie.model.turns import RecallEvent
from reverie.policy.decision import Decision


@dataclass(frozen=True, slots=True)
class PromotionWeights:
    relevance: float = 0.30
    frequency: float = 0.24
    diversity: float = 0.15
    recency: float = 0.15
    consolidation: float = 0.10
    richness: float = 0.06
    # where each signal is full
    recalls_full: int = 10
    queries_full: int = 5
    half_life_days: float = 14.0
    one_day: float = 0.2
    days_share: float = 0.55
    days_full: int = 5
    span_share: float = 0.45
    span_full: float = 7.0
    tags_full: int = 6
    # candidate truths
    truth_relevance: float = 0.45
    truth_recalls: float = 0.25
    truth_recalls_full: int = 6
    truth_days: float = 0.20
    truth_days_full: int = 3
    truth_tags: float = 0.10
    # gates
    min_score: float = 0.60
    min_recalls: int = 3
    min_queries: int = 2
    min_days: int = 2


WEIGHTS = PromotionWeights()


@dataclass(frozen=True, slots=True)
class RecallCounts:
    """The evidence for one memory, counted."""

    recalls: int = 0  # real recalls, plus sessions in which the user said it again
    queries: int = 0  # distinct
    days: int = 0  # distinct
    relevance: float = 0.0  # mean over its recalls
    span_days: float = 0.0  # from the first evidence to the last
    last_at: Instant | None = None
    tags: int = 0


@dataclass(frozen=True, slots=True)
class Signals:
    """Six numbers from 0 to 1, and the score they make."""

    relevance: float
    frequency: float
    diversity: float
    recency: float
    consolidation: float
    richness: float
    score: float


@dataclass(frozen=True, slots=True)
class Passed:
    """One gate: what it saw, what it wants."""

    gate: str
    value: float
    needed: float

    @property
    def ok(self) -> bool:
        return self.value >= self.needed

    @property
    def lack(self) -> str:
        value = f"{self.value:.2f}" if self.gate == "score" else f"{self.value:.0f}"
        return f"{self.gate} {value}, needs {self.needed:g}"


@dataclass(frozen=True, slots=True)
class PromotionVerdict:
    """One memory's outcome with every signal against every gate. `refused`: what no evidence could outweigh."""

    memory: str
    promoted: bool
    why: str
    signals: Signals
    truth: float  # REM's score as a candidate truth
    gates: tuple[Passed, ...]
    fast_lane: bool = False
    refused: bool = False

    @property
    def lacks(self) -> tuple[str, ...]:
        return tuple(gate.lack for gate in self.gates if not gate.ok)

    @property
    def distance(self) -> float:
        """How far from passing: the sum of what each gate misses, as shares of what it needs."""
        return sum(1.0 - gate.value / gate.needed for gate in self.gates if not gate.ok)


def count(events: Sequence[RecallEvent], restated: Sequence[Instant] = (), tags: int = 0) -> RecallCounts:
    """Count a memory's recall events, and the instants at which the user said it again in a session of its own."""
    at = [*(event.at for event in events), *restated]
    days = {*(event.day for event in events), *(day_of(instant) for instant in restated)}
    return RecallCounts(
        recalls=len(at),
        queries=len({event.query for event in events}),
        days=len(days),
        relevance=sum(event.score for event in events) / len(events) if events else 0.0,
        span_days=(max(at) - min(at)) / DAY if at else 0.0,
        last_at=max(at, default=None),
        tags=tags,
    )


def signals(counted: RecallCounts, now: Instant, w: PromotionWeights = WEIGHTS) -> Signals:
    """`0.30 relevance + 0.24 frequency + 0.15 diversity + 0.15 recency + 0.10 consolidation + 0.06 richness`.

    >>> three = RecallCounts(recalls=3, queries=3, days=2, relevance=0.8, span_days=1, last_at=0.0, tags=2)
    >>> round(signals(three, now=3 * DAY).score, 3)
    0.648
    >>> signals(RecallCounts(), now=0.0).score
    0.0
    """
    relevance = _clamp(counted.relevance)
    frequency = _clamp(log(1 + counted.recalls) / log(1 + w.recalls_full))
    diversity = _clamp(counted.queries / w.queries_full)
    recency = 0.0 if counted.last_at is None else _clamp(0.5 ** ((now - counted.last_at) / DAY / w.half_life_days))
    spread = consolidation(counted.days, counted.span_days, w)
    # Tags are given by nights: they round off what was recalled, and count for nothing on their own.
    richness = _clamp(counted.tags / w.tags_full) if counted.recalls else 0.0
    score = (
        w.relevance * relevance
        + w.frequency * frequency
        + w.diversity * diversity
        + w.recency * recency
        + w.consolidation * spread
        + w.richness * richness
    )
    return Signals(relevance, frequency, diversity, recency, spread, richness, score)


def consolidation(days: int, span_days: float, w: PromotionWeights = WEIGHTS) -> float:
    """How well the evidence is spread over time.

    >>> consolidation(0, 0), consolidation(1, 0), round(consolidation(2, 1), 3), consolidation(5, 7)
    (0.0, 0.2, 0.301, 1.0)
    """
    if days <= 1:
        return w.one_day * days
    return _clamp(w.days_share * log(days) / log(w.days_full) + w.span_share * min(1.0, span_days / w.span_full))


def candidate_truth(counted: RecallCounts, w: PromotionWeights = WEIGHTS) -> float:
    """REM's score: `0.45 relevance + 0.25 ln(1+recalls)/ln(7) + 0.20 days/3 + 0.10 tags/6`.

    >>> candidate_truth(RecallCounts(tags=6)), round(candidate_truth(RecallCounts(6, days=3, relevance=1.0, tags=6)), 6)
    (0.0, 1.0)
    """
    if not counted.recalls:
        return 0.0
    recalls = _clamp(log(1 + counted.recalls) / log(1 + w.truth_recalls_full))
    days = _clamp(counted.days / w.truth_days_full)
    tags = _clamp(counted.tags / w.tags_full)
    relevance = _clamp(counted.relevance)
    return w.truth_relevance * relevance + w.truth_recalls * recalls + w.truth_days * days + w.truth_tags * tags


def judge(
    memory: Memory, counted: RecallCounts, reach: Decision, now: Instant, w: PromotionWeights = WEIGHTS
) -> PromotionVerdict:
    """Has this memory earned a place in core? `reach` is `trust.may_reach_core`'s answer for its sources."""
    found = signals(counted, now, w)
    gates = (
        Passed("score", found.score, w.min_score),
        Passed("recalls", counted.recalls, w.min_recalls),
        Passed("distinct queries", counted.queries, w.min_queries),
        Passed("distinct days", counted.days, w.min_days),
    )

    def verdict(promoted: bool, why: str, *, fast_lane: bool = False, refused: bool = False) -> PromotionVerdict:
        truth = candidate_truth(counted, w)
        return PromotionVerdict(memory.id, promoted, why, found, truth, gates, fast_lane, refused)

    if refusal := _refusal(memory, reach, now):
        return verdict(False, refusal, refused=True)
    if witness := _needs_no_witness(memory):
        return verdict(True, witness, fast_lane=True)
    lacks = [gate.lack for gate in gates if not gate.ok]
    if lacks:
        return verdict(False, "; ".join(lacks))
    return verdict(True, f"score {found.score:.2f} of {w.min_score:g}, {counted.recalls} recalls, {counted.days} days")


def fallen(verdicts: Iterable[PromotionVerdict]) -> dict[str, int]:
    """How many fell at each gate; "refused" counts those that no evidence could help."""
    tally: Counter[str] = Counter()
    for verdict in verdicts:
        if verdict.refused:
            tally["refused"] += 1
        elif not verdict.promoted:
            tally.update(gate.gate for gate in verdict.gates if not gate.ok)
    return dict(tally)


def nearest_misses(verdicts: Collection[PromotionVerdict], k: int = 3) -> list[PromotionVerdict]:
    """Those that came closest without passing, the closest first: why "nothing promoted"."""
    missed = [verdict for verdict in verdicts if not verdict.promoted and not verdict.refused]
    return sorted(missed, key=lambda verdict: (verdict.distance, verdict.memory))[:k]


def _refusal(memory: Memory, reach: Decision, now: Instant) -> str | None:
    if memory.quarantined:
        return "waits in quarantine for a review"
    if memory.excluded:
        return f"its session is left out: {memory.excluded}"
    if memory.valid_until is not None and memory.valid_until <= now:
        return "no longer holds"
    if memory.stale:
        return "stale"
    return None if reach else reach.why


def _needs_no_witness(memory: Memory) -> str | None:
    """Only a person's own words take the fast lane; a page that says "remember" asks for nothing."""
    if memory.trust < Trust.USER:
        return None
    if memory.correction:
        return "a person's correction"
    return "a person asked for it to be remembered" if memory.asked else None


def _clamp(value: float) -> float:
    return min(1.0, max(0.0, value))
