"""Every memory gets tags that say what it is about; rare words tell more. Manual tags are never touched."""

from collections.abc import Sequence

from reverie.asleep.step import BATCH, Minds
from reverie.model.base import DAY
from reverie.model.changes import Changes, Revision
from reverie.model.memories import Memory
from reverie.model.night import Night
from reverie.model.rhythm import Sleeping
from reverie.policy.care.tagging import WEIGHTS, Frequencies, auto_tags, words_of
from reverie.store.reader import Reader
from reverie.store.reading import care, memories, vectors, work


def tag(night: Night, reader: Reader, minds: Minds, cursor: str | None) -> Changes:
    """First what has no tags, then what a night tagged too long ago. The cursor: part, memories in the space, place."""
    part, total, place = (cursor or f"new {memories.count(reader)} ").split(" ", 2)
    if part == "new":
        untagged = memories.page if work.reprocesses(reader, "tag") else care.untagged
        batch = untagged(reader, after=place, limit=BATCH)
        following = f"new {total} {batch[-1].id}" if len(batch) == BATCH else f"old {total} 0"
        return _tagged(night, reader, batch, int(total), following)
    done = int(place)
    limit = min(BATCH, Sleeping.of_night(night).cap("care") - done)
    old = care.tagged_before(reader, night.now - WEIGHTS.old_after_days * DAY, limit=limit) if limit > 0 else []
    following = f"old {total} {done + len(old)}" if len(old) == BATCH else ""
    return _tagged(night, reader, old, int(total), following or None)


def _tagged(night: Night, reader: Reader, batch: Sequence[Memory], total: int, cursor: str | None) -> Changes:
    words = {memory.id: words_of(memory.text) for memory in batch}
    frequencies = Frequencies(total, vectors.occurrences(reader, (word for its in words.values() for word in its)))
    revisions = [_revision(night, memory, frequencies) for memory in batch]
    return Changes(
        revisions=tuple(revisions),
        keywords=words,
        counts={"tagged": len(batch)},
        cursor=cursor,
    )


def _revision(night: Night, memory: Memory, frequencies: Frequencies) -> Revision:
    source = memory.metadata.get("source")
    given = (source.lower(),) if isinstance(source, str) and source else ()
    tags = auto_tags(memory.text, memory.origin, frequencies, given)
    return Revision(memory.id, memory.version, {"auto_tags": tags, "last_tagged_at": night.now})
