"""What was said twice is kept once: the survivor keeps all sources and counts, the other leaves the index."""

from dataclasses import dataclass, field

from reverie.asleep.step import BATCH, Minds
from reverie.language.words import tokens
from reverie.model.changes import Changes, Revision
from reverie.model.memories import Memory
from reverie.model.night import Night
from reverie.policy.care.decay import gone_stale
from reverie.policy.care.dedupe import bands, near, survivor
from reverie.store.reader import Reader
from reverie.store.reading import memories, vectors, work

MIN_WORDS = 4  # "Yes, I do" says something else in every conversation


@dataclass
class Duplicates:
    """The duplicates of one batch. A memory that has been merged away can no longer survive another."""

    exact: int = 0
    near: int = 0
    survivors: dict[str, Memory] = field(default_factory=dict)
    sources: dict[str, tuple[str, ...]] = field(default_factory=dict)
    merged: dict[str, Memory] = field(default_factory=dict)
    sessions: dict[str, set[str | None]] = field(default_factory=dict)

    def merge(self, kept: Memory, gone: Memory) -> None:
        self.survivors[kept.id] = kept
        self.merged[gone.id] = gone
        inherited = (*self.sources.pop(gone.id, ()), *gone.sources)
        known = (*kept.sources, *self.sources.get(kept.id, ()))
        more = tuple(source for source in dict.fromkeys(inherited) if source not in known)
        self.sources[kept.id] = (*self.sources.get(kept.id, ()), *more)
        self.sessions.setdefault(kept.id, set()).add(gone.session)


def dedupe(night: Night, reader: Reader, minds: Minds, cursor: str | None) -> Changes:
    batch, rest = work.news(reader, ("episode",), cursor=cursor, limit=BATCH)
    new = [memory for memory in batch if not memory.stale and len(tokens(memory.text)) >= MIN_WORDS]
    keys = {memory.id: bands(memory.text) for memory in new}
    found = _duplicates(reader, new, keys)
    return Changes(
        revisions=(*map(_retired, found.merged.values()), *_heard_again(found)),
        gone_documents=tuple(found.merged),
        sources={kept: more for kept, more in found.sources.items() if more and kept not in found.merged},
        bands=tuple((band, memory) for memory, its in keys.items() for band in its),
        counts={"considered": len(batch), "exact": found.exact, "near": found.near},
        cursor=rest,
    )


def _duplicates(reader: Reader, new: list[Memory], keys: dict[str, tuple[int, ...]]) -> Duplicates:
    found = Duplicates()
    same = memories.same_text(reader, (memory.hash for memory in new))
    sharing = vectors.in_bands(reader, [band for its in keys.values() for band in its])
    ids = {id for its in sharing.values() for id in its}
    known = memories.by_ids(reader, ids) | {memory.id: memory for memory in new}
    for memory in new:
        for band in keys[memory.id]:  # so that later ones of this batch meet it too
            sharing.setdefault(band, []).append(memory.id)
        if memory.id not in found.merged:
            candidates = [*same.get(memory.hash, []), *_candidates(memory, keys[memory.id], sharing, known)]
            _settle(found, memory, candidates)
    return found


def _candidates(
    memory: Memory, keys: tuple[int, ...], sharing: dict[int, list[str]], known: dict[str, Memory]
) -> list[Memory]:
    ids = dict.fromkeys(id for band in keys for id in sharing.get(band, ()) if id in known and id != memory.id)
    return [known[id] for id in ids]


def _settle(found: Duplicates, memory: Memory, candidates: list[Memory]) -> None:
    """Against the first that says the same; one is enough, because duplicates of it have met before."""
    for other in candidates:
        if other.id == memory.id or other.id in found.merged or not _comparable(memory, other):
            continue
        exact = other.hash == memory.hash
        if exact or near(memory.text, other.text):
            kept = survivor(found.survivors.get(other.id, other), memory)
            found.merge(kept, memory if kept.id == other.id else other)
            found.exact += exact
            found.near += not exact
            return


def _comparable(a: Memory, b: Memory) -> bool:
    """Two persons who say the same are two witnesses; a deferred append waits for its block; what has ended and is said
    again is so anew."""
    alive = not (a.stale or b.stale or a.valid_until or b.valid_until) and b.kind == "episode"
    alive = alive and a.block is None and b.block is None
    return alive and a.quarantined == b.quarantined and a.origin == b.origin and a.speaker == b.speaker


def _retired(gone: Memory) -> Revision:
    return Revision(gone.id, gone.version, gone_stale(gone))


def _heard_again(found: Duplicates) -> list[Revision]:
    """Said again in another session is an independent witness; in the same one it is an echo."""
    revisions = []
    for kept in found.survivors.values():
        if kept.id in found.merged:
            continue
        witnesses = len(found.sessions[kept.id] - {kept.session})
        if witnesses:
            moved = {"corroborations": kept.corroborations + witnesses, "reinforced_at": _last_said(found, kept)}
            revisions.append(Revision(kept.id, kept.version, moved))
    return revisions


def _last_said(found: Duplicates, kept: Memory) -> float:
    same = [memory for memory in found.merged.values() if memory.hash == kept.hash or near(memory.text, kept.text)]
    return max(memory.dated for memory in (kept, *same))
