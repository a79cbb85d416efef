"""REM gathers what belongs together: what two or more episodes say of one topic becomes a note that cites them.

Only what is worth keeping counts, which is what facts hold: greetings, questions and pasted text make no topic.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from reverie.asleep.shared import derived
from reverie.asleep.shared.episodes import Scene, scenes
from reverie.asleep.shared.items import Attempts
from reverie.asleep.step import Minds
from reverie.language.speech import utterances
from reverie.model.base import derived_memory_id
from reverie.model.changes import Changes, Revision
from reverie.model.memories import Edge, Memory
from reverie.model.night import Night
from reverie.model.thinking import Episode, NoteDraft
from reverie.policy.care.decay import WEIGHTS as DECAY
from reverie.policy.care.decay import gone_stale
from reverie.policy.care.grouping import Topical, replaced_by, topics
from reverie.store.reader import Reader
from reverie.store.reading import facts, memories, work

NOTES = 10  # of one batch
STEP = "consolidate"
MOST_NEW = 1_000  # facts of one night
EARLIER = 1_000  # facts that new ones are gathered with: the latest
IMPORTANCE = 0.9
CONFIDENCE = 0.85


@dataclass(frozen=True, slots=True)
class Gathered:
    """A topic as it is written, and the episodes that speak of it, the oldest first."""

    topic: str
    episodes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class NewNote:
    """A new note, what it was made of, and the notes that it takes the place of."""

    note: Memory
    episodes: tuple[Memory, ...]
    replaced: tuple[Memory, ...]


def consolidate(night: Night, reader: Reader, minds: Minds, cursor: str | None) -> Changes:
    """The cursor is how many topics have been looked at, the best first."""
    new, _ = work.recent(reader, ("fact",), cursor=None, limit=MOST_NEW)
    found = _gathered(reader, new)
    done = int(cursor or 0)
    made = _written(night, reader, minds, found[done : done + NOTES])
    return replace(made, cursor=str(done + NOTES) if done + NOTES < len(found) else None)


def consolidate_again(night: Night, reader: Reader, minds: Minds, items: Sequence[str]) -> Changes:
    """A topic that failed is recorded under one of its episodes, and is gathered anew."""
    drawn = memories.made_of_each(reader, items, "fact").values()
    made = _written(night, reader, minds, _gathered(reader, [fact for found in drawn for fact in found]))
    return replace(made, tried=(*made.tried, *items))


def _written(night: Night, reader: Reader, minds: Minds, part: Sequence[Gathered]) -> Changes:
    known = memories.by_ids(reader, (id for group in part for id in group.episodes))
    notes = memories.made_of_each(reader, known, "note")
    before = set(work.failed_before(reader, STEP))
    told = {group: scenes(reader, [known[id] for id in group.episodes if id in known]) for group in part}
    minds.reasoner.prepare(notes=[(its, group.topic) for group in part if len(its := _heard(told[group])) > 1])
    noted: list[NewNote] = []
    attempts = Attempts()
    for group in part:
        with attempts.item(*([id for id in group.episodes if id in before] or group.episodes[:1])):
            made = _new_note(night, minds, group.topic, told[group], notes)
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


def _gathered(reader: Reader, new: Sequence[Memory]) -> list[Gathered]:
    """What new facts and the latest of the earlier ones name in common."""
    known = {fact.id: fact for fact in (*facts.latest(reader, EARLIER), *new) if _counts(fact)}
    heard = memories.by_ids(reader, {source for fact in known.values() for source in fact.sources})
    aside = work.set_aside(reader, STEP) | work.suppressed(reader)
    ready = {id for id, memory in heard.items() if _readable(memory) and id not in aside}
    statements = [
        Topical.of(fact.id, episode, fact.dated, fact.quote)
        for fact in known.values()
        if (episode := next((source for source in fact.sources if source in ready), None)) is not None
    ]
    speakers = {fact.speaker for fact in known.values() if fact.speaker}
    return [Gathered(topic.shown, topic.episodes) for topic in topics(statements, {fact.id for fact in new}, speakers)]


def _counts(fact: Memory) -> bool:
    return bool(fact.quote) and not fact.stale and not fact.quarantined


def _readable(memory: Memory) -> bool:
    return memory.kind == "episode" and memory.block is None and not memory.stale and not memory.quarantined


def _new_note(
    night: Night, minds: Minds, topic: str, told: Sequence[Scene], notes: Mapping[str, Sequence[Memory]]
) -> NewNote | None:
    heard = _heard(told)
    draft = minds.reasoner.note(heard, topic) if len(heard) > 1 else None
    if draft is None or not _sound(draft, told):
        return None
    cited = [scene.memory for scene in told if scene.memory.id in draft.sources]
    note = derived.new_memory(
        night,
        "note",
        derived_memory_id(night.space, "note", *sorted(episode.id for episode in cited)),
        draft.text,
        cited,
        sources=tuple(dict.fromkeys(source for episode in cited for source in (*_turns(episode), episode.id))),
        title=draft.title,
        importance=IMPORTANCE,
        confidence=CONFIDENCE,
    )
    return NewNote(note, tuple(cited), replaced_by(note, [old for e in cited for old in notes.get(e.id, ())]))


def _heard(told: Sequence[Scene]) -> list[Episode]:
    return [said for scene in told if (said := scene.heard).text]


def _turns(episode: Memory) -> Iterable[str]:
    return (source for source in episode.sources if source != episode.id)


def _sound(draft: NoteDraft, told: Sequence[Scene]) -> bool:
    cited = set(draft.sources)
    return len(cited) >= 2 and cited <= {scene.memory.id for scene in told} and bool(draft.text.strip())


def _demoted(noted: Sequence[NewNote]) -> list[Revision]:
    """A note stands before the episodes whose words it holds; what a person asked for keeps its own weight."""
    episodes = {e.id: e for one in noted for e in one.episodes if _holds(one.note, e)}
    return [
        Revision(episode.id, episode.version, {"importance": DECAY.noted})
        for episode in episodes.values()
        if episode.importance > DECAY.noted and not (episode.asked or episode.pinned or episode.correction)
    ]


def _holds(note: Memory, episode: Memory) -> bool:
    return all(sentence.text in note.text for sentence in utterances(episode.text))


def _retired(night: Night, noted: Sequence[NewNote]) -> list[Revision]:
    old = {note.id: note for one in noted for note in one.replaced}
    return [Revision(note.id, note.version, gone_stale(note) | {"valid_until": night.now}) for note in old.values()]


def _edges(night: Night, one: NewNote) -> list[Edge]:
    return [
        Edge(night.space, one.note.id, old.id, "supersedes", 1.0, night.now, night.id, "says more on the same topic")
        for old in one.replaced
    ]
