"""REM gathers what belongs together: two or more episodes on one topic become a note that cites them."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from reverie.asleep.shared import derived
from reverie.asleep.shared.episodes import Scene, scenes
from reverie.asleep.shared.items import Attempts
from reverie.asleep.step import Minds
from reverie.language.words import stem
from reverie.model.base import derived_id
from reverie.model.changes import Changes, Revision
from reverie.model.memories import Edge, Memory
from reverie.model.night import Night
from reverie.model.thinking import NoteDraft
from reverie.policy.care.decay import WEIGHTS as DECAY
from reverie.policy.care.decay import gone_stale
from reverie.policy.care.grouping import WEIGHTS, Topical, groups, replaced_by
from reverie.store.reader import Reader
from reverie.store.reading import memories, vectors, work

NOTES = 10  # of one batch
STEP = "consolidate"
MOST_NEW = 1_000  # episodes of one night
EARLIER = 8  # earlier episodes that a rare word brings in
IMPORTANCE = 0.9
CONFIDENCE = 0.85


@dataclass(frozen=True, slots=True)
class NewNote:
    """A new note, what it was made of, and the notes that it takes the place of."""

    note: Memory
    episodes: tuple[Memory, ...]
    replaced: tuple[Memory, ...]


def consolidate(night: Night, reader: Reader, minds: Minds, cursor: str | None) -> Changes:
    """The cursor is the last group that has been looked at: groups are in the order of their first episode."""
    new, _ = work.recent(reader, ("episode",), cursor=None, limit=MOST_NEW)
    found = _groups(reader, new)
    done = int(cursor or 0)
    made = _written(night, reader, minds, found[done : done + NOTES])
    return replace(made, cursor=str(done + NOTES) if done + NOTES < len(found) else None)


def consolidate_again(night: Night, reader: Reader, minds: Minds, items: Sequence[str]) -> Changes:
    """A group that failed is recorded under one of its episodes, and is put together anew."""
    known = memories.by_ids(reader, items).values()
    standing = [memory for memory in known if not memory.stale and not memory.quarantined]
    made = _written(night, reader, minds, _groups(reader, standing))
    return replace(made, tried=(*made.tried, *items))


def _written(night: Night, reader: Reader, minds: Minds, part: Sequence[tuple[str, ...]]) -> Changes:
    known = memories.by_ids(reader, (id for group in part for id in group))
    notes = memories.made_of_each(reader, known, "note")
    before = set(work.failed_before(reader, STEP))
    noted: list[NewNote] = []
    attempts = Attempts()
    for group in part:
        episodes = [known[id] for id in group if id in known and not known[id].stale]
        with attempts.item(*([id for id in group if id in before] or group[:1])):
            made = _new_note(night, reader, minds, episodes, notes)
            noted += [made] if made is not None else []
    new = [one.note for one in noted]
    return Changes(
        memories=tuple(new),
        documents=tuple(map(derived.document, new)),
        vectors=derived.vectors(minds, new),
        revisions=(*_demoted(noted), *_retired(night, noted)),
        gone_documents=tuple(old.id for one in noted for old in one.replaced),
        edges=tuple(edge for one in noted for edge in _edges(night, one)),
        tried=attempts.tried,
        failed=attempts.failed,
        counts={"groups": len(part), "notes_written": len(new), "replaced": sum(len(one.replaced) for one in noted)},
    )


def _groups(reader: Reader, new: Sequence[Memory]) -> list[tuple[str, ...]]:
    """New episodes and the earlier ones that share a rare word with them, in groups."""
    aside = work.set_aside(reader, STEP) | work.suppressed(reader)
    seen = vectors.occurrences(reader, (word for episode in new for word in _words(episode)), most=WEIGHTS.common + 1)
    rare = [word for word, n in seen.items() if 2 <= n <= WEIGHTS.common]
    sharing = {id for ids in vectors.containing(reader, rare, EARLIER).values() for id in ids}
    earlier = memories.by_ids(reader, sharing - {episode.id for episode in new}).values()
    old = [m for m in earlier if m.kind == "episode" and not m.stale and not m.quarantined]
    topical = [_topical(episode) for episode in (*new, *old) if episode.block is None and episode.id not in aside]
    return groups(topical, seen, {episode.id for episode in new})


def _topical(episode: Memory) -> Topical:
    return Topical(episode.id, episode.dated, _words(episode))


def _words(episode: Memory) -> frozenset[str]:
    """What it is about: its tags say it in few words."""
    return frozenset(stem(tag) for tag in episode.tags)


def _new_note(
    night: Night, reader: Reader, minds: Minds, episodes: Sequence[Memory], notes: Mapping[str, Sequence[Memory]]
) -> NewNote | None:
    told = scenes(reader, episodes)
    draft = minds.reasoner.note([scene.episode for scene in told]) if len(told) > 1 else None
    if draft is None or not _sound(draft, told):
        return None
    cited = [scene.memory for scene in told if scene.memory.id in draft.sources]
    note = derived.new_memory(
        night,
        "note",
        derived_id("mem", night.space, "note", *sorted(episode.id for episode in cited)),
        draft.text,
        cited,
        sources=tuple(dict.fromkeys(source for episode in cited for source in (*_turns(episode), episode.id))),
        title=draft.title,
        importance=IMPORTANCE,
        confidence=CONFIDENCE,
    )
    return NewNote(note, tuple(cited), replaced_by(note, [old for e in cited for old in notes.get(e.id, ())]))


def _turns(episode: Memory) -> Iterable[str]:
    return (source for source in episode.sources if source != episode.id)


def _sound(draft: NoteDraft, told: Sequence[Scene]) -> bool:
    cited = set(draft.sources)
    return len(cited) >= 2 and cited <= {scene.memory.id for scene in told} and bool(draft.text.strip())


def _demoted(noted: Sequence[NewNote]) -> list[Revision]:
    """A note stands before the episodes it speaks for; what a person asked for keeps its own weight."""
    episodes = {episode.id: episode for one in noted for episode in one.episodes}
    return [
        Revision(episode.id, episode.version, {"importance": DECAY.noted})
        for episode in episodes.values()
        if episode.importance > DECAY.noted and not (episode.asked or episode.pinned or episode.correction)
    ]


def _retired(night: Night, noted: Sequence[NewNote]) -> list[Revision]:
    old = {note.id: note for one in noted for note in one.replaced}
    return [Revision(note.id, note.version, gone_stale(note) | {"valid_until": night.now}) for note in old.values()]


def _edges(night: Night, one: NewNote) -> list[Edge]:
    return [
        Edge(night.space, one.note.id, old.id, "supersedes", 1.0, night.now, night.id, "says more on the same topic")
        for old in one.replaced
    ]
