"""Morning: edges without an end are dropped, missing and old vectors are made, and the space is counted.

What needs no undo (old events, journals, expired answers, free pages) is deleted after the step, by `pipeline.sweep`.
"""

from reverie.asleep.shared.episodes import vectors_of
from reverie.asleep.step import BATCH, Minds
from reverie.model.changes import Changes
from reverie.model.night import Night
from reverie.model.rhythm import Sleeping
from reverie.store.reader import Reader
from reverie.store.reading import memories, vectors, work
from reverie.store.tables import spaces
from reverie.store.tables.chores import EMBED

EDGES = 200  # orphans a batch
SEQUENCE = "sequence"  # the space's change sequence as this night saw it: what is older, every cache has seen in a week


def housekeep(night: Night, reader: Reader, minds: Minds, cursor: str | None) -> Changes:
    """Four parts: orphans (on full nights: all edges are read for it), vectors that are missing, old ones, figures.

    The cursor says which, how many, and where.
    """
    part, done, place = (cursor or "orphans 0 ").split(" ", 2)
    if part == "orphans":
        return _orphans(reader) if night.settings.get("full") else Changes(cursor="missing 0 ")
    if part == "missing":
        return _missing(reader, minds)
    if part == "vectors":
        return _vectors(reader, minds, int(done), place)
    return _figures(reader)


def _orphans(reader: Reader) -> Changes:
    found = tuple(memories.orphan_edges(reader, EDGES))
    following = "orphans 0 " if len(found) == EDGES else "missing 0 "
    return Changes(gone_edges=found, counts={"orphans": len(found)}, cursor=following)


def _missing(reader: Reader, minds: Minds) -> Changes:
    """Whatever stood beside something forgotten lost its vector."""
    waiting = work.chores(reader, EMBED, BATCH)
    made = vectors_of(reader, minds, list(memories.by_ids(reader, waiting).values())) if minds.embedder.dim else ()
    return Changes(
        vectors=made,
        done_chores=tuple((memory, EMBED) for memory in waiting),
        counts={"embedded": len(made)},
        cursor="missing 0 " if len(waiting) == BATCH else "vectors 0 ",
    )


def _vectors(reader: Reader, minds: Minds, done: int, place: str) -> Changes:
    """Vectors of another embedder do not compare; words find those memories meanwhile."""
    limit = min(BATCH, Sleeping.of_night(reader.night).cap("embed") - done)
    old = (
        vectors.of_other_embedders(reader, minds.embedder.id, after=place, limit=limit)
        if minds.embedder.dim and limit > 0
        else []
    )
    if not old:
        return Changes(cursor="figures 0 ")
    made = vectors_of(reader, minds, old)
    return Changes(vectors=made, counts={"embedded": len(made)}, cursor=f"vectors {done + len(old)} {old[-1].id}")


def _figures(reader: Reader) -> Changes:
    tiers = memories.count_by_tier(reader)
    told = ", ".join(f"{n:,} {tier}" for tier, n in sorted(tiers.items(), reverse=True)) or "none"
    notes = (f"{sum(tiers.values()):,} memories ({told}).",)
    return Changes(counts={SEQUENCE: spaces.by_id(reader, reader.space).changes}, notes=notes)
