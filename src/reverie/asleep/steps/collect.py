"""Light sleep begins: new turns become episodes, what a person gave is taken over, used and neglected memories get
their scores. Decay and priority are functions of timestamps, so that many short nights and one long one agree."""

from collections.abc import Collection, Sequence
from dataclasses import replace

from reverie.asleep.shared.derived import quarantine
from reverie.asleep.shared.episodes import as_said, vectors
from reverie.asleep.step import BATCH, Minds
from reverie.language.words import content_hash
from reverie.model.base import DAY
from reverie.model.changes import Changes, Revision
from reverie.model.memories import Document, Memory
from reverie.model.night import Night
from reverie.model.rhythm import Sleeping
from reverie.model.turns import Turn
from reverie.policy.care.decay import decay, exemption, priority, starting_confidence
from reverie.policy.care.episodes import KeptTurn, worth_keeping
from reverie.policy.care.tagging import WEIGHTS as TAGGING
from reverie.policy.recall.search_keys import AFTER, BEFORE, episode_id, memory_id, turn_document
from reverie.policy.safety.trust import strip_recalled
from reverie.store.reader import Reader
from reverie.store.reading import care, log, memories, work
from reverie.store.reading.log import Usage
from reverie.store.tables.chores import READ

RECENT_USE = 30 * DAY  # uses that count for priority
IMPORTANCE = {"user": 0.5, "assistant": 0.4, "tool": 0.3, "system": 0.5}


def collect(night: Night, reader: Reader, minds: Minds, cursor: str | None) -> Changes:
    """Four parts, one after the other; the cursor says which, and how far."""
    part, _, place = (cursor or "turns 0").partition(" ")
    if part == "turns":
        return _turns(night, reader, minds, done=int(place))
    if part == "given":
        return _given(night, reader, place)
    if part == "used":
        return _used(night, reader, place)
    return _neglected(night, reader, done=int(place))


def _turns(night: Night, reader: Reader, minds: Minds, done: int) -> Changes:
    watermark = log.watermark(reader)
    limit = min(BATCH, night.settings.get("take", Sleeping.of_night(night).cap("collect")) - done)
    turns = log.turns_past(reader, watermark, limit=limit) if limit > 0 else []
    if not turns:  # the last ones may have been forgotten: nothing waits there, and no trigger must think so
        return Changes(watermark=night.upto if limit > 0 else None, cursor="given ")
    kept = worth_keeping(turns)
    earlier = _earlier(reader, kept, watermark)
    left_out = log.excluded(reader, {found.turn.session for found in kept})
    episodes = tuple(_episode(night, found, left_out.get(found.turn.session)) for found in kept)
    reviews = tuple(quarantine(night, episode) for episode in episodes if episode.quarantined)
    return Changes(
        memories=episodes,
        documents=(
            *(_document(reader, found.turn, found.text) for found in kept),
            *_late_context(reader, earlier),
        ),
        vectors=vectors(reader, minds, [*kept, *worth_keeping(earlier)]),
        reviews=reviews,
        watermark=turns[-1].seq,
        counts={
            "turns": len(turns),
            "episodes": len(episodes),
            "left_out": len(turns) - len(kept),
            "quarantined": len(reviews),
            "excluded": sum(episode.excluded is not None for episode in episodes),
        },
        cursor=f"turns {done + len(turns)}",
    )


def _episode(night: Night, kept: KeptTurn, excluded: str | None) -> Memory:
    turn = kept.turn
    sure = starting_confidence(turn.trust)
    importance = IMPORTANCE[turn.role]
    fading = decay(night.now, turn.at)
    return Memory(
        id=kept.episode,
        space=night.space,
        kind="episode",
        text=kept.text,
        sources=(turn.id,),
        created_at=night.now,
        said_at=turn.at,
        importance=importance,
        confidence=sure,
        base_confidence=sure,
        quarantined=turn.quarantine is not None,
        origin=turn.origin,
        trust=turn.trust,
        session=turn.session,
        speaker=turn.speaker,
        night=night.id,
        metadata=turn.metadata,
        excluded=excluded,
        priority=priority(importance, 0, fading),
        decay=fading,
        block=turn.block,
        hash=content_hash(kept.text, night.space),
    )


def _document(reader: Reader, turn: Turn, text: str) -> Document:
    """Its own words with the question it answers, the talk around it, its date: see `policy/recall/search_keys.py`."""
    before, after = log.neighbours(reader, turn, before=BEFORE, after=AFTER)
    said = replace(turn, text=text)
    return turn_document(episode_id(turn.space, turn.id), said, as_said(before), as_said(after))


def _earlier(reader: Reader, kept: Sequence[KeptTurn], watermark: int) -> list[Turn]:
    """The last turns of an earlier batch or night had no turn after them; now they have one."""
    found: dict[str, Turn] = {}
    for one in kept:
        before, _ = log.neighbours(reader, one.turn, before=1, after=0)
        found |= {episode_id(turn.space, turn.id): turn for turn in before if turn.seq <= watermark}
    return [found[episode] for episode, memory in memories.by_ids(reader, found).items() if not memory.stale]


def _late_context(reader: Reader, earlier: Sequence[Turn]) -> list[Document]:
    keys = [_document(reader, turn, strip_recalled(turn.text)) for turn in earlier]
    return [Document(key.ref, "", key.context) for key in keys]


def _given(night: Night, reader: Reader, after: str) -> Changes:
    """What a person remembered, corrected or imported is read by this night as if it had made it.

    When a step is done over again, so is everything else.
    """
    if work.reprocesses(reader):
        found = [memory.id for memory in memories.page(reader, after=after, limit=4 * BATCH)]
    else:
        found = work.given_directly(reader, after=after, limit=4 * BATCH)
    return Changes(
        chores=tuple((memory, READ, 0.5) for memory in found),
        counts={"given": len(found)},
        cursor=f"given {found[-1]}" if len(found) == 4 * BATCH else _after_given(night),
    )


def _after_given(night: Night) -> str | None:
    """A nap reads only what is new."""
    return "used " if night.kind == "night" else None


def _used(night: Night, reader: Reader, after: str) -> Changes:
    """Real recalls since the last night move a memory's clock."""
    refs = log.recalled_since(reader, night.settings.get("since", 0.0), after=after, limit=BATCH)
    used = memories.by_ids(reader, (memory_id(night.space, ref) for ref in refs))
    return Changes(
        revisions=_scored(night, reader, used.values()),
        counts={"recalled": len(refs)},
        cursor=f"used {refs[-1]}" if len(refs) == BATCH else "care 0",
    )


def _neglected(night: Night, reader: Reader, done: int) -> Changes:
    """Memories that no night has looked at for a week; the tag step gives them new tags, and with them a new date."""
    cap = Sleeping.of_night(night).cap("care")
    old = care.tagged_before(reader, night.now - TAGGING.old_after_days * DAY, limit=cap)[done : done + BATCH]
    return Changes(
        revisions=_scored(night, reader, old),
        counts={"cared_for": len(old)},
        cursor=f"care {done + len(old)}" if len(old) == BATCH else None,
    )


def _scored(night: Night, reader: Reader, looked_at: Collection[Memory]) -> tuple[Revision, ...]:
    usages = log.usages(reader, looked_at, night.now - RECENT_USE)
    return tuple(_rescored(night, memory, usages.get(memory.id)) for memory in looked_at)


def _rescored(night: Night, memory: Memory, usage: Usage | None) -> Revision:
    used_at = max(memory.used_at, usage.last_at) if usage else memory.used_at
    fading = decay(night.now, used_at, exempt=exemption(memory) is not None)
    moved = {"decay": fading, "priority": priority(memory.importance, usage.recent if usage else 0, fading)}
    if usage is not None:
        moved |= {"uses": usage.uses, "last_used_at": used_at}
    return Revision(memory.id, memory.version, moved)
