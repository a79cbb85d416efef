"""The figures of a whole store at one moment, for whoever watches it."""

from dataclasses import dataclass

from reverie.model.base import Instant


@dataclass(frozen=True, slots=True)
class Gauges:
    spaces: int
    unread_turns: int
    oldest_unread_at: Instant | None
    nights: dict[str, int]  # by status
    step_seconds: dict[str, float]
    leases: int
    failing_spaces: int  # whose last runs have all failed, three or more
    tokens: dict[str, int]  # by regime
    cost: dict[str, float]
    answers_asked: int
    answers_served: int
    sleeper_seen_at: Instant | None
