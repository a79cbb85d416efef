"""How the thinking steps make a memory out of others: its trust, dates, search key and vector follow from theirs."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reverie.asleep.step import Minds
from reverie.language.calendar import date_words
from reverie.language.quoting import by_itself
from reverie.language.words import content_hash
from reverie.model.base import Origin, Trust
from reverie.model.blocks import Review
from reverie.model.changes import Vector
from reverie.model.memories import Document, Kind, Memory
from reverie.model.night import Night
from reverie.policy.care.decay import priority
from reverie.policy.safety.trust import held_back, min_trust


def new_memory(night: Night, kind: Kind, id: str, text: str, rests_on: Sequence[Memory], **fields: Any) -> Memory:
    """A memory of this night, as trusted as the least trusted of what it rests on."""
    trust, origin = least_trusted(rests_on)
    importance = fields.setdefault("importance", 0.5)
    confidence = fields.setdefault("confidence", 0.85)
    fields.setdefault("sources", tuple(memory.id for memory in rests_on))
    fields.setdefault("said_at", max((m.said_at for m in rests_on if m.said_at is not None), default=None))
    fields.setdefault("base_confidence", confidence)
    fields.setdefault("reinforced_at", fields["said_at"])
    return Memory(
        id=id,
        space=night.space,
        kind=kind,
        text=text,
        created_at=night.now,
        origin=origin,
        trust=trust,
        night=night.id,
        priority=priority(importance, 0, 0.0),
        hash=content_hash(text, night.space),
        **fields,
    )


def least_trusted(rests_on: Sequence[Memory]) -> tuple[Trust, Origin]:
    """The lowest trust among these, and the origin of the first that has it."""
    trust = min_trust(memory.trust for memory in rests_on)
    origins = [memory.origin for memory in rests_on if memory.trust == trust]
    return trust, origins[0] if origins else "unknown"


def quarantine(night: Night, memory: Memory) -> Review:
    """A text that reads as an order to the agent waits for a person before any night uses it."""
    return held_back(memory, night.now, night.id)


def document(memory: Memory) -> Document:
    """The search key of a derived memory: its words, and its day."""
    day = memory.happened_at if memory.happened_at is not None else memory.said_at
    return Document(memory.id, by_itself(memory.text, memory.quote), date_words(day) if day is not None else "")


def meaning(memory: Memory) -> str:
    """What is embedded for a memory: its quote alone, where it has one, or else its text."""
    return memory.quote or memory.text


def vectors(minds: Minds, memories: Sequence[Memory]) -> tuple[Vector, ...]:
    """A vector for each of these memories; none without an embedder."""
    return embedded(minds, [(memory.id, (meaning(memory),)) for memory in memories])


def embedded(minds: Minds, texts: Sequence[tuple[str, Sequence[str]]]) -> tuple[Vector, ...]:
    """For each ref a vector of each of its texts; none without an embedder."""
    if not texts or not minds.embedder.dim:
        return ()
    rows = iter(minds.embedder.embed([text for _, its in texts for text in its]))
    return tuple(
        Vector(ref, minds.embedder.id, b"".join(next(rows).tobytes() for _ in its), parts=len(its))
        for ref, its in texts
    )


def values(vector: Vector) -> NDArray[np.float32]:
    """The numbers of a single vector that is not quantized."""
    return np.frombuffer(vector.vec, np.float32)
