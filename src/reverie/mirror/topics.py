"""What a space has to tell, topic by topic: its blocks first, then what people have corrected, then whom it knows."""

from reverie.language.sentences import sentences
from reverie.mirror.pages import TYPES, Topic
from reverie.model.base import Trust
from reverie.model.blocks import Block
from reverie.model.filters import Filter
from reverie.model.memories import Memory
from reverie.store.db import Database
from reverie.store.tables import blocks, memories

MOST_PROFILES = 500
MOST_CORRECTIONS = 100


def topics_of(db: Database, space: str) -> list[Topic]:
    core = [_block(block) for block in blocks.attached(db, space) if block.value.strip()]
    corrections = [
        memory
        for memory in memories.listed(db, space, Filter(kinds=("fact",)), limit=5_000)
        if memory.correction and memory.valid_until is None
    ]
    people = [
        memory
        for memory in memories.listed(db, space, Filter(kinds=("profile",)), limit=MOST_PROFILES)
        if not memory.stale and memory.subject and memory.trust >= Trust.ASSISTANT
    ]
    people.sort(key=lambda memory: (-memory.importance, memory.subject))
    return [*core, *_feedback(corrections[-MOST_CORRECTIONS:]), *map(_profile, people)]


def _block(block: Block) -> Topic:
    lines = tuple(line for line in block.value.splitlines() if line.strip())
    return Topic(block.label, block.description, TYPES.get(block.label, "reference"), lines)


def _feedback(corrections: list[Memory]) -> list[Topic]:
    if not corrections:
        return []
    lines = tuple(" ".join(memory.text.split()) for memory in corrections)
    return [Topic("feedback", "What the user has corrected; it outweighs everything else.", "feedback", lines)]


def _profile(memory: Memory) -> Topic:
    about = memory.subject or ""
    name = "user-profile" if about == "user" else f"about-{about}"
    return Topic(name, f"What is known about {about}.", "reference", tuple(sentences(memory.text)))
