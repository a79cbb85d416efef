"""Which memories a list or a recall is about."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from reverie.model.base import JSON, Instant
from reverie.model.memories import Kind, Memory, Tier


@dataclass(frozen=True, slots=True)
class Filter:
    """Everything that is set must hold. Tags: all of them. Metadata: equal values."""

    kinds: tuple[Kind, ...] = ()
    tags: tuple[str, ...] = ()
    metadata: Mapping[str, JSON] = field(default_factory=dict)
    tiers: tuple[Tier, ...] = ()
    session: str | None = None
    subject: str | None = None
    after: Instant | None = None  # said at or after
    before: Instant | None = None  # said before
    min_confidence: float = 0.0
    include_stale: bool = True
    include_quarantined: bool = False

    def accepts(self, memory: Memory) -> bool:
        return self._kind_and_place(memory) and self._time(memory) and self._labels(memory)

    def _kind_and_place(self, memory: Memory) -> bool:
        return (
            (not self.kinds or memory.kind in self.kinds)
            and (not self.tiers or memory.tier in self.tiers)
            and (self.session is None or memory.session == self.session)
            and (self.subject is None or memory.subject == self.subject)
            and memory.confidence >= self.min_confidence
            and (self.include_stale or not memory.stale)
            and (self.include_quarantined or not memory.quarantined)
        )

    def _time(self, memory: Memory) -> bool:
        said = memory.dated
        return (self.after is None or said >= self.after) and (self.before is None or said < self.before)

    def _labels(self, memory: Memory) -> bool:
        return set(self.tags) <= set(memory.tags) and all(
            memory.metadata.get(key) == value for key, value in self.metadata.items()
        )
