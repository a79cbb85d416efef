"""REM lets confidence fade with the weeks since a memory was last reinforced.

The value follows from timestamps alone, so it does not matter how often a night looks. A night looks at a bounded
number of memories, another stretch of them each time: what it costs does not grow with what is stored. It is written
once it has moved by a hundredth, half a week's fading: each write is an entry of the undo journal.
"""

from reverie.asleep.step import BATCH, Minds
from reverie.model.base import DAY
from reverie.model.changes import Changes, Revision
from reverie.model.memories import Kind, Memory
from reverie.model.night import Night
from reverie.policy.care.decay import confidence_at, exemption
from reverie.store.reader import Reader
from reverie.store.reading import memories

FADING: tuple[Kind, ...] = ("fact", "note", "insight", "profile")  # an episode was said, however long ago
A_NIGHT = 1_000
MOVED = 0.01


def decay(night: Night, reader: Reader, minds: Minds, cursor: str | None) -> Changes:
    """The cursor: how many memories there were when the step began, and how many have been looked at."""
    total, done = (int(part) for part in cursor.split()) if cursor else (_count(reader), 0)
    size = min(BATCH * 4, A_NIGHT - done, total - done)
    if size <= 0:
        return Changes()
    start = (_first(night, total) + done) % total
    looked_at = memories.by_age(reader, FADING, start=start, limit=min(size, total - start))
    revisions = tuple(revision for memory in looked_at if (revision := _faded(night, memory)) is not None)
    done += len(looked_at)
    return Changes(
        revisions=revisions,
        counts={"considered": len(looked_at), "faded": len(revisions)},
        cursor=f"{total} {done}" if looked_at and done < min(total, A_NIGHT) else None,
    )


def _count(reader: Reader) -> int:
    return sum(memories.count_by_kind(reader).get(kind, 0) for kind in FADING)


def _first(night: Night, total: int) -> int:
    """Where this night's stretch begins: the days move it on, so that every memory has its turn."""
    return 0 if total <= A_NIGHT else int(night.now // DAY) * A_NIGHT % total


def _faded(night: Night, memory: Memory) -> Revision | None:
    base = memory.base_confidence if memory.base_confidence is not None else memory.confidence
    since = memory.reinforced_at or memory.dated
    exempt = exemption(memory) is not None
    sure = confidence_at(base, since, night.now, memory.corroborations, exempt=exempt)
    if abs(sure - memory.confidence) < MOVED:
        return None
    return Revision(memory.id, memory.version, {"confidence": sure})
