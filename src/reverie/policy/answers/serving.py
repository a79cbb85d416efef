"""May a precomputed answer be given now? Close enough by its own bar, past the guards, fresh, sure and trusted.

The bar is the one knob: `max_wrong_hits` says how many of the hits may be wrong, the measured curve below says how
close two questions must be for that, and each entry's own accepted and rejected hits move its bar from there.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from reverie.model.answers import Answer
from reverie.model.base import Instant, Trust
from reverie.policy.answers.closeness import Closeness
from reverie.policy.answers.guards.compare import Guarded
from reverie.policy.decision import Decision

NEVER = 1.01  # a bar that nothing reaches
PRIOR = 20.0  # hits that the measured curve counts for against an entry's own: it takes evidence to leave it
# Measured with `bench/anticipation.py`: share of wrong hits, guards passed, among pairs at least this close.
CURVE: tuple[tuple[float, float], ...] = (
    (0.80, 0.205), (0.85, 0.170), (0.90, 0.108), (0.92, 0.082), (0.93, 0.071), (0.94, 0.059), (0.95, 0.053),
    (0.955, 0.050), (0.96, 0.046), (0.97, 0.040), (0.98, 0.032), (0.985, 0.027), (0.99, 0.022), (0.995, 0.018),
    (1.00, 0.012),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class ServingLimits:
    max_wrong_hits: float = 0.02
    min_confidence: float = 0.6
    min_trust: Trust = Trust.USER  # less trusted evidence may never be an answer's only evidence
    near: float = 0.80  # as close as this, an answer that may not be given is still prepared reasoning


DEFAULT_LIMITS = ServingLimits()


@dataclass(frozen=True, slots=True)
class AnswerHit:
    """An entry that may answer: how close its question is, what the guards say, whether it is fresh."""

    answer: Answer
    close: Closeness
    guarded: Guarded
    fresh: Decision


@dataclass(frozen=True, slots=True)
class Served:
    """`near`: not to be given, but worth showing to the model that answers."""

    kind: Literal["hit", "near", "miss"]
    why: str

    def __bool__(self) -> bool:
        return self.kind == "hit"


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a serving came to: how close the question was, and whether the answer was right."""

    similarity: float
    accepted: bool


def decide(hit: AnswerHit, space: str, now: Instant, limits: ServingLimits = DEFAULT_LIMITS) -> Served:
    """The first objection decides; only a lack of closeness leaves an answer near."""
    why = _unusable(hit.answer, space, now, limits) or ("" if hit.fresh else hit.fresh.why)
    if why:
        return Served("miss", why)
    if not hit.guarded.ok:
        return Served("miss", hit.guarded.why)
    if hit.close.score < hit.answer.threshold:
        why = f"similar by {hit.close.score:.3f}, needs {hit.answer.threshold:.3f}"
        return Served("near" if hit.close.score >= limits.near else "miss", why)
    return Served("hit", f"similar by {hit.close.score:.3f} ({hit.close.why})")


def _unusable(answer: Answer, space: str, now: Instant, limits: ServingLimits) -> str:
    if answer.space != space:
        return "belongs to another space"
    if answer.dropped:
        return f"dropped: {answer.dropped}"
    if now >= answer.expires_at:
        return "expired"
    if answer.confidence < limits.min_confidence:
        return f"confidence {answer.confidence:.2f}, needs {limits.min_confidence:.2f}"
    if answer.trust < limits.min_trust:
        return f"rests on {answer.trust.name.lower()} alone"
    return ""


def expected_wrong(similarity: float) -> float:
    """The measured share of wrong hits at this bar, between the points of the curve on a straight line.

    >>> expected_wrong(0.965)
    0.043
    """
    below = CURVE[0]
    for point in CURVE:
        if similarity <= point[0]:
            span = point[0] - below[0]
            part = (similarity - below[0]) / span if span else 0.0
            return round(below[1] + max(0.0, part) * (point[1] - below[1]), 6)
        below = point
    return CURVE[-1][1]


def starting_bar(max_wrong_hits: float) -> float:
    """Where an entry without a history begins: the lowest bar that the curve holds good enough.

    >>> starting_bar(0.05), starting_bar(0.02)
    (0.955, 0.993)
    """
    return next((bar for bar in _BARS if expected_wrong(bar) <= max_wrong_hits), NEVER)


_BARS = tuple(i / 1000 for i in range(800, 1001))


def learned_bar(outcomes: Sequence[Outcome], max_wrong_hits: float = DEFAULT_LIMITS.max_wrong_hits) -> float:
    """The lowest bar above which the entry's own hits and the curve together keep within the target.

    >>> learned_bar([]) == starting_bar(0.02)
    True
    >>> learned_bar([Outcome(1.0, accepted=False)])
    1.01
    """
    start = starting_bar(max_wrong_hits)
    seen = {round(outcome.similarity, 3) for outcome in outcomes if outcome.accepted}  # below these nothing is known
    bars = sorted(seen | {bar for bar in (*_BARS, start) if bar >= start})
    return next((bar for bar in bars if _estimate(bar, outcomes) <= max_wrong_hits), NEVER)


def _estimate(bar: float, outcomes: Sequence[Outcome]) -> float:
    """Share of wrong hits at or above a bar: what was seen, with the curve as `PRIOR` hits seen before."""
    above = [outcome for outcome in outcomes if outcome.similarity >= bar]
    wrong = sum(1 for outcome in above if not outcome.accepted)
    return (wrong + PRIOR * expected_wrong(bar)) / (len(above) + PRIOR)
