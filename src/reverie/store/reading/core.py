"""Core memory: what may deserve a place in it, its blocks, and what waits for a block or for a person."""

import json
from collections.abc import Sequence

from reverie.model.base import Instant
from reverie.model.blocks import Block, Review
from reverie.model.memories import Memory
from reverie.policy.core.rewriting import lines_of
from reverie.store.reader import Reader
from reverie.store.reading.memories import in_order
from reverie.store.rows import review_of
from reverie.store.tables import blocks as table
from reverie.store.tables import memories
from reverie.store.tables.chores import READ

SOUND = "stale = 0 AND quarantined = 0 AND excluded IS NULL"


def requested(reader: Reader, limit: int, *, only_news: bool) -> list[str]:
    """What a person asked to be remembered, and corrections, if no night has promoted it; or only what is news."""
    among = (
        " AND (night = :night OR id IN (SELECT memory FROM chores WHERE space = :space AND chore = :chore))"
        if only_news
        else ""
    )
    rows = reader.rows(
        f"SELECT id FROM memories WHERE space = :space AND (asked = 1 OR correction = 1) AND {SOUND}{among}"
        " AND marks NOT LIKE '%\"promoted\"%' ORDER BY created_at, id LIMIT :limit",
        space=reader.space,
        limit=limit,
        **({"night": reader.night.id, "chore": READ} if only_news else {}),
    )
    return [row["id"] for row in rows]


def said_again(reader: Reader, since: Instant, limit: int) -> list[str]:
    """Memories that somebody has said again since then."""
    rows = reader.rows(
        f"SELECT id FROM memories WHERE space = :space AND reinforced_at > :since AND {SOUND}"
        " AND corroborations > 0 ORDER BY corroborations DESC, id LIMIT :limit",
        space=reader.space,
        since=since,
        limit=limit,
    )
    return [row["id"] for row in rows]


def successors(reader: Reader, since: Instant, limit: int) -> list[str]:
    """Facts that have taken the place of others since then."""
    rows = reader.rows(
        "SELECT DISTINCT a FROM edges WHERE space = :space AND relation = 'supersedes' AND created_at > :since"
        " ORDER BY a LIMIT :limit",
        space=reader.space,
        since=since,
        limit=limit,
    )
    return [row["a"] for row in rows]


def blocks(reader: Reader) -> list[Block]:
    """The space's blocks, by id; those bound to one session are that session's."""
    return sorted(table.attached(reader, reader.space), key=lambda block: block.id)


def directives(reader: Reader, limit: int) -> list[Memory]:
    """The user's directives, the newest first."""
    return memories.directives(reader, reader.space, limit)


def sentence_sources(reader: Reader, block: str) -> dict[str, tuple[str, ...]]:
    """What each sentence of a block rests on. A sentence that is not there is a person's own."""
    return table.sentence_sources(reader, block)


def cited_elsewhere(reader: Reader, block: str) -> list[str]:
    """What the lines of the space's other blocks rest on."""
    others = (other for other in blocks(reader) if other.id != block)
    sources = (table.sentence_sources(reader, other.id) for other in others)
    return [source for of_block in sources for its in of_block.values() for source in its]


def made_tonight(reader: Reader, limit: int) -> list[str]:
    """The facts of this night that hold, the weightiest first."""
    rows = reader.rows(
        f"SELECT id FROM memories WHERE night = :night AND kind = 'fact' AND {SOUND}"
        " ORDER BY importance DESC, id LIMIT :limit",
        night=reader.night.id,
        limit=limit,
    )
    return [row["id"] for row in rows]


def own_lines(reader: Reader) -> list[str]:
    """Lines of open blocks that no night wrote."""
    return [
        line.text
        for block in table.attached(reader, reader.space)
        if block.value and not block.protected
        for line in lines_of(block.value, table.sentence_sources(reader, block.id))
        if line.own
    ]


def lines_gained(reader: Reader, since: Instant) -> list[str]:
    """Lines that nights have written into blocks after a moment and that still stand there."""
    gained = []
    for block in blocks(reader):
        before = reader.value(
            "SELECT value FROM block_versions WHERE block = :block AND at <= :since ORDER BY version DESC LIMIT 1",
            block=block.id,
            since=since,
        )
        lines = lines_of(block.value, table.sentence_sources(reader, block.id)) if block.value else []
        gained += [line.text for line in lines if not line.own and line.text not in (before or "")]
    return gained


def deferred_appends(reader: Reader) -> list[Memory]:
    """Appends that were too long for their block, oldest first."""
    rows = reader.rows(
        f"SELECT id FROM memories WHERE space = :space AND block IS NOT NULL AND {SOUND}"
        " ORDER BY coalesce(said_at, created_at), id",
        space=reader.space,
    )
    return in_order(reader, [row["id"] for row in rows])


def reviews_of(reader: Reader, block: str) -> list[Review]:
    """Proposed changes of a block that wait, or that a person did not want."""
    rows = reader.rows(
        "SELECT * FROM reviews WHERE space = :space AND target = :block AND status IN ('open', 'rejected')"
        " ORDER BY created_at, id",
        space=reader.space,
        block=block,
    )
    return [review_of(row) for row in rows]


def with_a_place(reader: Reader, ids: Sequence[str]) -> set[str]:
    """Those of these memories that a sentence of a block rests on, or that a review of a block names."""
    cited = reader.each("SELECT source FROM block_sentences WHERE source IN (:keys)", ids)
    reviews = reader.rows(
        "SELECT evidence FROM reviews WHERE space = :space AND kind = 'block' AND status <> 'superseded'",
        space=reader.space,
    )
    named = {id for row in reviews for id in json.loads(row["evidence"])}
    return {row["source"] for row in cited} | named.intersection(ids)
