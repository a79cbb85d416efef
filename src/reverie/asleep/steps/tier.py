"""Deep sleep moves memories between hot, warm and archive; each move has its reason, and leaves follow-up work.

Where a memory belongs follows from timestamps and links alone: a night that runs twice moves nothing the second time.
Those are looked at that time has carried over a line since the last night, those that use has brought back, and a
stretch of the others, another one each night: what a night costs does not grow with what is stored.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

from reverie.asleep.step import BATCH, Minds
from reverie.model.base import DAY, Instant
from reverie.model.changes import Changes, Revision
from reverie.model.memories import Edge, Memory, Tier
from reverie.model.night import Night
from reverie.policy.care.decay import WEIGHTS as DECAY
from reverie.policy.care.decay import decay, exemption, priority
from reverie.policy.care.tiering import WEIGHTS, Placement, Standing, place
from reverie.store.reader import Reader
from reverie.store.reading import care, log, memories
from reverie.store.reading.care import TierSpan
from reverie.store.reading.log import Usage

CROSSED = 2_000  # a night
OTHERS = 48  # of each tier, a night
FOLLOW_UPS: Mapping[str, float] = {"archive": 0.9, "warm": 0.7, "hot": 0.55}  # how urgent, by the new tier
SHOWN = 20  # moves that the night's report names
RECENT = 30 * DAY  # uses and edges that count as recent
RECENT_EDGE = 7 * DAY


def tier(night: Night, reader: Reader, minds: Minds, cursor: str | None) -> Changes:
    """Three parts: what has crossed a line, then a stretch of the hot, then one of the warm."""
    part, done, last = (cursor or "crossed 0 ").split(" ", 2)
    if part == "hot":
        return _moved(night, reader, _stretch(night, reader, "hot"), "warm 0 ")
    if part == "warm":
        return _moved(night, reader, _stretch(night, reader, "warm"), None)
    size = min(4 * BATCH, CROSSED - int(done))
    batch = care.within(reader, _crossings(night), after=last, limit=size)
    looked_at = int(done) + len(batch)
    more = len(batch) == size and looked_at < CROSSED
    changes = _moved(night, reader, batch, f"crossed {looked_at} {batch[-1].id}" if more else "hot 0 ")
    return changes if cursor is None else replace(changes, notes=())  # the first batch tells enough


def _crossings(night: Night) -> list[TierSpan]:
    """The lines: until `fresh` a memory is hot whatever else is so, and from `cold` on it may be archived."""
    since = night.settings.get("since", 0.0)
    fresh = WEIGHTS.hot_decay / DECAY.decay_per_day * DAY
    cold = WEIGHTS.archive_days * DAY
    return [
        TierSpan("hot", since - fresh, night.now - fresh),
        TierSpan("hot", since - cold, night.now - cold),
        TierSpan("warm", since - cold, night.now - cold),
        TierSpan("warm", since, night.now),
        TierSpan("archive", since, night.now),
    ]


def _stretch(night: Night, reader: Reader, tier: Tier) -> list[Memory]:
    total = memories.count_by_tier(reader).get(tier, 0)
    first = 0 if total <= OTHERS else int(night.now // DAY) * OTHERS % total
    return care.longest_unused(reader, tier, skip=first, limit=OTHERS)


def _moved(night: Night, reader: Reader, batch: Sequence[Memory], cursor: str | None) -> Changes:
    moves = [(memory, where) for memory, where in _placed(night, reader, batch) if where.changed]
    return Changes(
        revisions=tuple(Revision(memory.id, memory.version, {"tier": where.tier}) for memory, where in moves),
        chores=tuple((memory.id, where.tier, FOLLOW_UPS[where.tier]) for memory, where in moves),
        counts={"considered": len(batch), "tiers": len(moves), **Counter(where.reason for _, where in moves)},
        notes=tuple(_note(memory, where) for memory, where in moves[:SHOWN]),
        cursor=cursor,
    )


def _placed(night: Night, reader: Reader, batch: Sequence[Memory]) -> list[tuple[Memory, Placement]]:
    edges: dict[str, list[Edge]] = {}
    for edge in memories.edges(reader, (memory.id for memory in batch)):
        for end in (edge.a, edge.b):
            edges.setdefault(end, []).append(edge)
    usages = log.usages(reader, batch, night.now - RECENT)
    return [
        (memory, place(standing_of(memory, edges.get(memory.id, ()), usages.get(memory.id), night.now)))
        for memory in batch
    ]


def _note(memory: Memory, where: Placement) -> str:
    return f"{memory.id} {memory.tier} -> {where.tier}: {where.reason} ({where.why})"


def standing_of(memory: Memory, edges: Sequence[Edge], usage: Usage | None, now: Instant) -> Standing:
    used_at = max(memory.used_at, usage.last_at) if usage else memory.used_at
    fading = decay(now, used_at, exempt=exemption(memory) is not None)
    return Standing(
        tier=memory.tier,
        priority=priority(memory.importance, usage.recent if usage else 0, fading),
        decay=fading,
        unused_days=max(0.0, now - used_at) / DAY,
        relationship_score=sum(edge.weight for edge in edges),
        links=len(edges),
        recent_edges=sum(now - edge.created_at <= RECENT_EDGE for edge in edges),
        pinned=memory.pinned,
        manual_tags=bool(memory.manual_tags),
    )
