"""What a recall would find for a question, as a reasoner takes it; it leaves no recall event."""

from collections.abc import Iterable

from reverie.asleep.step import Minds
from reverie.model.hits import Asking
from reverie.model.memories import Memory
from reverie.model.night import Night
from reverie.model.thinking import Evidence
from reverie.store.reader import Reader
from reverie.store.reading import memories

MOST = 8  # memories an answer may draw on


def memories_for(night: Night, reader: Reader, minds: Minds, question: str) -> dict[str, Memory]:
    """Best first; turns that no night has read are left to the awake side."""
    assert minds.search is not None
    hits = minds.search(reader.space, question, Asking(k=MOST), night.now)
    known = memories.by_ids(reader, [hit.id for hit in hits if hit.kind != "turn"])
    return {hit.id: known[hit.id] for hit in hits if hit.id in known}


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
        )
        for memory in found
    ]
