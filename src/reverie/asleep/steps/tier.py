"""Deep sleep moves memories between hot, warm and archive; each move has its reason, and leaves follow-up work.

Where a memory belongs follows from timestamps and links alone: a night that runs twice moves nothing the second time.
Only those are looked at that time can have moved or use has brought back, another stretch of them each night.
"""

from collections import Counter
from collections.abc import Mapping, Sequence

from reverie.asleep.standing import RECENT, standing_of
from reverie.asleep.step import BATCH, Minds
from reverie.model.base import DAY
from reverie.model.changes import Changes, Revision
from reverie.model.memories import Edge, Memory
from reverie.model.night import Night
from reverie.policy.decay import WEIGHTS as DECAY
from reverie.policy.tiering import WEIGHTS, Placement, place
from reverie.store.reader import Reader
from reverie.store.reading.deep import Spans

A_NIGHT = 1_000
FOLLOW_UPS: Mapping[str, float] = {"archive": 0.9, "warm": 0.7, "hot": 0.55}  # how urgent, by the new tier
SHOWN = 20  # moves that the night's report names


def tier(night: Night, reader: Reader, minds: Minds, cursor: str | None) -> Changes:  # noqa: ARG001 (nobody thinks)
    """The cursor: how many have been looked at, and the last of them."""
    spans = _spans(night)
    done, last = (cursor or "0 ").split(" ", 1)
    size = min(10 * BATCH, A_NIGHT - int(done))
    skip = 0 if cursor else _first(night, reader.due_for_tiering(spans))
    batch = reader.to_tier(spans, after=last, limit=size, skip=skip)
    moves = [(memory, where) for memory, where in _placed(night, reader, batch) if where.changed]
    looked_at = int(done) + len(batch)
    return Changes(
        revisions=tuple(Revision(memory.id, memory.version, {"tier": where.tier}) for memory, where in moves),
        chores=tuple((memory.id, where.tier, FOLLOW_UPS[where.tier]) for memory, where in moves),
        counts={"considered": len(batch), "tiers": len(moves), **Counter(where.reason for _, where in moves)},
        notes=tuple(_told(memory, where) for memory, where in moves[:SHOWN]) if cursor is None else (),
        cursor=f"{looked_at} {batch[-1].id}" if len(batch) == size and looked_at < A_NIGHT else None,
    )


def _spans(night: Night) -> Spans:
    fresh = WEIGHTS.hot_decay / DECAY.decay_per_day * DAY  # until then a memory is hot whatever else is so
    return Spans(night.now - fresh, night.now - WEIGHTS.warm_days * DAY, night.settings.get("since", 0.0))


def _first(night: Night, total: int) -> int:
    return 0 if total <= A_NIGHT else int(night.now // DAY) * A_NIGHT % total


def _placed(night: Night, reader: Reader, batch: Sequence[Memory]) -> list[tuple[Memory, Placement]]:
    edges: dict[str, list[Edge]] = {}
    for edge in reader.edges(memory.id for memory in batch):
        for end in (edge.a, edge.b):
            edges.setdefault(end, []).append(edge)
    found = []
    for memory in batch:
        usage = reader.usage((memory.id, *memory.sources), night.now - RECENT)
        standing = standing_of(memory, edges.get(memory.id, ()), usage, night.now)
        found.append((memory, place(standing)))
    return found


def _told(memory: Memory, where: Placement) -> str:
    return f"{memory.id} {memory.tier} -> {where.tier}: {where.reason} ({where.why})"
