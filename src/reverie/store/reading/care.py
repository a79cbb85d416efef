"""Memories whose tags or tier a night looks at: new ones, those that time has moved, and those long unused."""

from collections.abc import Sequence
from dataclasses import dataclass

from reverie.model.base import Instant
from reverie.model.memories import Memory, Tier
from reverie.store.reader import Reader
from reverie.store.reading.memories import in_order
from reverie.store.tables.chores import READ

USED = "coalesce(last_used_at, said_at, created_at)"


@dataclass(frozen=True, slots=True)
class TierSpan:
    """The memories of a tier that were last used after one instant and up to another."""

    tier: Tier
    after: Instant
    upto: Instant


def untagged(reader: Reader, *, after: str, limit: int) -> list[Memory]:
    """Memories that no night has tagged yet, by id; not what a person gave since this night looked.

    Tagged, that would pass for read, and no night would ever think about it.
    """
    rows = reader.rows(
        "SELECT id FROM memories WHERE space = :space AND last_tagged_at IS NULL AND id > :after"
        " AND (night IS NOT NULL OR id IN (SELECT memory FROM chores WHERE space = :space AND chore = :chore))"
        " ORDER BY id LIMIT :limit",
        space=reader.space,
        chore=READ,
        after=after,
        limit=limit,
    )
    return in_order(reader, [row["id"] for row in rows])


def tagged_before(reader: Reader, at: Instant, *, limit: int) -> list[Memory]:
    """Memories whose tags are older than this, oldest first."""
    rows = reader.rows(
        "SELECT id FROM memories WHERE space = :space AND last_tagged_at < :at ORDER BY last_tagged_at, id"
        " LIMIT :limit",
        space=reader.space,
        at=at,
        limit=limit,
    )
    return in_order(reader, [row["id"] for row in rows])


def within(reader: Reader, spans: Sequence[TierSpan], *, after: str, limit: int) -> list[Memory]:
    """The next memories of any of these spans, by id."""
    ranges = " UNION ".join(
        f"SELECT id FROM memories WHERE space = :space AND tier = :tier{i}"
        f" AND {USED} > :after{i} AND {USED} <= :upto{i}"
        for i in range(len(spans))
    )
    bounds = {f"{name}{i}": getattr(span, name) for i, span in enumerate(spans) for name in ("tier", "after", "upto")}
    rows = reader.rows(
        f"SELECT id FROM ({ranges}) AS crossed WHERE id > :after ORDER BY id LIMIT :limit",
        space=reader.space,
        after=after,
        limit=limit,
        **bounds,
    )
    return in_order(reader, [row["id"] for row in rows])


def longest_unused(reader: Reader, tier: Tier, *, skip: int, limit: int) -> list[Memory]:
    """A stretch of a tier, in the order of last use."""
    rows = reader.rows(
        f"SELECT id FROM memories WHERE space = :space AND tier = :tier ORDER BY {USED}, id LIMIT :limit OFFSET :skip",
        space=reader.space,
        tier=tier,
        limit=limit,
        skip=skip,
    )
    return in_order(reader, [row["id"] for row in rows])
