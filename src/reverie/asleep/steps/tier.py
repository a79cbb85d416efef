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
from reverie.policy.tiering import WEIGHTS, Placement, place
from reverie.store.reader import Reader

A_NIGHT = 2_000
FOLLOW_UPS: Mapping[str, float] = {"archive": 0.9, "warm": 0.7, "hot": 0.55}  # how urgent, by the new tier
SHOWN = 20  # moves that the night's report names


def tier(night: Night, reader: Reader, minds: Minds, cursor: str | None) -> Changes:  # noqa: ARG001 (nobody thinks)
    """The cursor: how many there were when the step began, where it began, how many have been looked at, moved."""
    since = night.settings.get("since", 0.0)
    spans = (night.now - WEIGHTS.hot_days * DAY, night.now - WEIGHTS.archive_days * DAY, since)
    if cursor is None:
        total = reader.due_for_tiering(*spans)
        place_, done, moved = f"{_first(night, total):08d}", 0, 0
    else:
        total_, place_, done_, moved_ = cursor.split()
        total, done, moved = int(total_), int(done_), int(moved_)
    return _stretch(night, reader, spans, (total, place_, done, moved))


def _stretch(
    night: Night, reader: Reader, spans: tuple[float, float, float], at: tuple[int, str, int, int]
) -> Changes:
    total, begun, done, moved = at
    size = min(4 * BATCH, A_NIGHT - done, total - done)
    if size <= 0:
        return Changes()
    # Memories that have moved leave the list that the offset counts in.
    batch = reader.to_tier(*spans, start=max(0, int(begun) + done - moved), limit=size)
    placed = _placed(night, reader, batch)
    moves = [(memory, where) for memory, where in placed if where.changed]
    reasons = Counter(where.reason for _, where in moves)
    following = (total, begun, done + len(batch), moved + len(moves))
    return Changes(
        revisions=tuple(Revision(memory.id, memory.version, {"tier": where.tier}) for memory, where in moves),
        chores=tuple((memory.id, where.tier, FOLLOW_UPS[where.tier]) for memory, where in moves),
        counts={"considered": len(batch), "tiers": len(moves), **reasons},
        notes=tuple(_told(memory, where) for memory, where in moves[: max(0, SHOWN - moved)]),
        cursor=" ".join(map(str, following)) if len(batch) == size and following[2] < min(total, A_NIGHT) else None,
    )


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
