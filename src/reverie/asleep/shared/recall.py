"""What a recall would find for a question, as a reasoner takes it; it leaves no recall event."""

from collections.abc import Iterable

from reverie.asleep.step import Minds
from reverie.model.base import Instant
from reverie.model.hits import Asking
from reverie.model.memories import Memory
from reverie.model.night import Night
from reverie.model.thinking import Evidence
from reverie.store.reader import Reader
from reverie.store.reading import memories

MOST = 8  # memories an answer may draw on


def memories_for(night: Night, reader: Reader, minds: Minds, question: str) -> dict[str, Memory]:
    """What holds of it, best first; turns that no night has read are left to the awake side."""
    assert minds.search is not None
    hits = minds.search(reader.space, question, Asking(k=MOST), night.now)
    known = memories.by_ids(reader, [hit.id for hit in hits if hit.kind != "turn"])
    return {hit.id: known[hit.id] for hit in hits if hit.id in known and holds(known[hit.id], night.now)}


def holds(memory: Memory, now: Instant) -> bool:
    """Whether it is neither over nor overtaken."""
    return not memory.stale and (memory.valid_until is None or memory.valid_until > now)


def as_evidence(found: Iterable[Memory]) -> list[Evidence]:
    return [
        Evidence(
            memory.id,
            memory.text,
            memory.said_at,
            memory.speaker or "",
            memory.confidence,
            memory.trust,
            memory.kind,
            memory.subject,
            memory.predicate,
            memory.value,
            memory.quote,
            memory.about,
            str(memory.metadata.get("when") or ""),
            memory.happened_at,
        )
        for memory in found
    ]
