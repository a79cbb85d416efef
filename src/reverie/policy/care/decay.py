"""How a memory fades: pure functions of timestamps, so that many short nights and one long one agree.

Nothing here is an increment. A night that runs twice, or three hundred times in a month, computes the same numbers.
"""

from dataclasses import dataclass
from typing import Any

from reverie.model.base import DAY, WEEK, Instant, Trust
from reverie.model.memories import Memory


@dataclass(frozen=True, slots=True)
class DecayWeights:
    decay_per_day: float = 0.02  # 0.25 after 12 days, 0.6 after 30, 0.9 after 45: the tier rules meet
    per_recent_use: float = 0.05
    decay_share: float = 0.5
    per_week: float = 0.98  # of its confidence a memory keeps
    corroboration: float = 0.10  # of the distance to certainty that each independent witness closes
    floor: float = 0.15
    stale: float = 0.3  # of its importance a stale memory keeps
    noted: float = 0.4  # the importance of an episode that a note speaks for


@dataclass(frozen=True, slots=True)
class SourceWeights:
    """Starting confidence by who said it."""

    correction: float = 1.0
    user: float = 0.95
    conversation: float = 0.85
    tool: float = 0.80
    derived: float = 0.60  # the most that a model's own deduction may claim


WEIGHTS = DecayWeights()
SOURCES = SourceWeights()


def decay(now: Instant, used_at: Instant, *, exempt: bool = False, w: DecayWeights = WEIGHTS) -> float:
    """How unused a memory is, 0 to 1.

    >>> decay(30 * DAY, 0.0)
    0.6
    >>> decay(0.0, 5 * DAY)  # a clock that jumped back makes nothing fresher than fresh
    0.0
    """
    return 0.0 if exempt else min(1.0, w.decay_per_day * max(0.0, now - used_at) / DAY)


def priority(importance: float, recent_uses: int, decay: float, w: DecayWeights = WEIGHTS) -> float:
    """How much a memory deserves attention, 0 to 1.

    >>> priority(0.5, 2, 0.2)
    0.5
    """
    return _clamp(importance + w.per_recent_use * recent_uses - w.decay_share * decay)


def confidence_at(
    base: float,
    reinforced_at: Instant,
    now: Instant,
    corroborations: int = 0,
    exempt: bool = False,
    w: DecayWeights = WEIGHTS,
) -> float:
    """What is left of `base` now; each independent witness had closed a tenth of the distance to certainty.

    >>> round(confidence_at(0.95, 0.0, 10 * WEEK), 4)
    0.7762
    >>> round(confidence_at(0.5, 0.0, 0.0, corroborations=2), 4)  # 1 - 0.5 * 0.9 ** 2
    0.595
    >>> confidence_at(0.95, 0.0, 1000 * WEEK)
    0.15
    """
    doubt: float = (1.0 - _clamp(base)) * (1.0 - w.corroboration) ** corroborations
    witnessed = 1.0 - doubt
    if exempt:
        return witnessed
    weeks = max(0.0, now - reinforced_at) / WEEK
    kept: float = w.per_week**weeks
    # Time never lifts: what began below the floor stays where it began.
    return max(min(w.floor, witnessed), witnessed * kept)


def exemption(memory: Memory) -> str | None:
    """Why a memory does not fade, or None.

    >>> from dataclasses import replace
    >>> said = Memory("m", "s", "fact", "tea", ("t",), created_at=1.0, said_at=1.0)
    >>> exemption(said), exemption(replace(said, pinned=True))
    (None, 'pinned')
    """
    if memory.correction:
        return "a person's correction"
    if memory.pinned:
        return "pinned"
    if memory.asked:
        return "a person asked for it to be remembered"
    if memory.said_at is None and memory.happened_at is None:
        return "undated"
    return None


def starting_confidence(
    trust: Trust, *, correction: bool = False, derived: bool = False, w: SourceWeights = SOURCES
) -> float:
    """How sure a new fact is, by who said it; text never raises it.

    >>> starting_confidence(Trust.USER), starting_confidence(Trust.TOOL, derived=True)
    (0.95, 0.6)
    """
    if correction and trust is Trust.USER:
        return w.correction
    said = {Trust.USER: w.user, Trust.ASSISTANT: w.conversation}.get(trust, w.tool)
    return min(said, w.derived) if derived else said


def gone_stale(memory: Memory, w: DecayWeights = WEIGHTS) -> dict[str, Any]:
    """What moves when a memory goes stale: it weighs less, once, however many nights find it stale again."""
    return {"stale": True, "importance": memory.importance if memory.stale else memory.importance * w.stale}


def _clamp(value: float) -> float:
    return min(1.0, max(0.0, value))
