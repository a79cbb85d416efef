"""What the deep and morning steps read: who has earned what, core memory, tiers, and what lies about."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from reverie.model.base import Instant
from reverie.model.blocks import Block, Review
from reverie.model.memories import Memory, Tier
from reverie.model.night import NightStep
from reverie.store.reading.base import Reading
from reverie.store.rows import review_of
from reverie.store.tables import blocks, nights
from reverie.store.tables.chores import READ

USED = "coalesce(last_used_at, said_at, created_at)"
SOUND = "stale = 0 AND quarantined = 0"


@dataclass(frozen=True, slots=True)
class Crossing:
    """A tier whose memories were last used in this span: time has carried them over a line since the last night."""

    tier: Tier
    after: Instant
    upto: Instant


class DeepReads(Reading):
    def wanted(self, limit: int, *, news: bool) -> list[str]:
        """What a person asked to be remembered, and corrections; with `news`, only what this night reads."""
        among = (
            " AND (night = :night OR id IN (SELECT memory FROM chores WHERE space = :space AND chore = :chore))"
            if news
            else ""
        )
        rows = self.db.rows(
            f"SELECT id FROM memories WHERE space = :space AND (asked = 1 OR correction = 1) AND {SOUND}{among}"
            " AND metadata NOT LIKE '%\"promoted\"%' ORDER BY created_at, id LIMIT :limit",
            space=self.space,
            limit=limit,
            **({"night": self.night.id, "chore": READ} if news else {}),
        )
        return [row["id"] for row in rows]

    def most_recalled(self, since: Instant, limit: int) -> list[str]:
        """Turns and memories that real queries returned since then, the most often first."""
        rows = self.db.rows(
            "SELECT ref, count(*) AS n FROM recall_events WHERE space = :space AND at > :since AND at <= :now"
            " GROUP BY ref ORDER BY n DESC, ref LIMIT :limit",
            space=self.space,
            since=since,
            now=self.night.now,
            limit=limit,
        )
        return [row["ref"] for row in rows]

    def restated(self, since: Instant, limit: int) -> list[str]:
        """Memories that somebody has said again since then."""
        rows = self.db.rows(
            f"SELECT id FROM memories WHERE space = :space AND reinforced_at > :since AND {SOUND}"
            " AND corroborations > 0 ORDER BY corroborations DESC, id LIMIT :limit",
            space=self.space,
            since=since,
            limit=limit,
        )
        return [row["id"] for row in rows]

    def successors(self, since: Instant, limit: int) -> list[str]:
        """Facts that have taken the place of others since then."""
        rows = self.db.rows(
            "SELECT DISTINCT a FROM edges WHERE space = :space AND relation = 'supersedes' AND created_at > :since"
            " ORDER BY a LIMIT :limit",
            space=self.space,
            since=since,
            limit=limit,
        )
        return [row["a"] for row in rows]

    def blocks(self) -> list[Block]:
        """The space's blocks, by id; those bound to one session are that session's."""
        return sorted(blocks.attached(self.db, self.space), key=lambda block: block.id)

    def sentence_sources(self, block: str) -> dict[str, tuple[str, ...]]:
        return blocks.sentence_sources(self.db, block)

    def deferred(self) -> list[Memory]:
        """Appends that were too long for their block, oldest first."""
        rows = self.db.rows(
            f"SELECT id FROM memories WHERE space = :space AND block IS NOT NULL AND {SOUND}"
            " ORDER BY coalesce(said_at, created_at), id",
            space=self.space,
        )
        return self.in_order([row["id"] for row in rows])

    def reviews_of(self, block: str) -> list[Review]:
        """Proposed changes of a block that wait, or that a person did not want."""
        rows = self.db.rows(
            "SELECT * FROM reviews WHERE space = :space AND target = :block AND status IN ('open', 'rejected')"
            " ORDER BY created_at, id",
            space=self.space,
            block=block,
        )
        return [review_of(row) for row in rows]

    def held_in_core(self, ids: Sequence[str]) -> set[str]:
        """Those of these memories that a sentence of a block rests on, or a review of one names."""
        cited = self.db.each("SELECT source FROM block_sentences WHERE source IN (:keys)", ids)
        named = self.db.rows(
            "SELECT evidence FROM reviews WHERE space = :space AND kind = 'block' AND status <> 'superseded'",
            space=self.space,
        )
        reviewed = {id for row in named for id in json.loads(row["evidence"])}
        return {row["source"] for row in cited} | reviewed.intersection(ids)

    def crossing(self, spans: Sequence[Crossing], *, after: str, limit: int) -> list[Memory]:
        """The next memories of these spans, by id."""
        ranges = " UNION ".join(
            f"SELECT id FROM memories WHERE space = :space AND tier = :tier{i}"
            f" AND {USED} > :after{i} AND {USED} <= :upto{i}"
            for i in range(len(spans))
        )
        bounds = {
            f"{name}{i}": getattr(span, name) for i, span in enumerate(spans) for name in ("tier", "after", "upto")
        }
        rows = self.db.rows(
            f"SELECT id FROM ({ranges}) AS crossed WHERE id > :after ORDER BY id LIMIT :limit",
            space=self.space,
            after=after,
            limit=limit,
            **bounds,
        )
        return self.in_order([row["id"] for row in rows])

    def longest_unused(self, tier: Tier, *, skip: int, limit: int) -> list[Memory]:
        """A stretch of a tier, in the order of last use."""
        rows = self.db.rows(
            f"SELECT id FROM memories WHERE space = :space AND tier = :tier ORDER BY {USED}, id"
            " LIMIT :limit OFFSET :skip",
            space=self.space,
            tier=tier,
            limit=limit,
            skip=skip,
        )
        return self.in_order([row["id"] for row in rows])

    def follow_ups(self, names: Sequence[str], limit: int) -> list[tuple[str, str]]:
        """(memory, chore), the most urgent first."""
        rows = self.db.rows(
            "SELECT memory, chore FROM chores WHERE space = :space"
            f" AND chore IN ({', '.join(f':c{i}' for i in range(len(names)))})"
            " ORDER BY priority DESC, memory LIMIT :limit",
            space=self.space,
            limit=limit,
            **{f"c{i}": name for i, name in enumerate(names)},
        )
        return [(row["memory"], row["chore"]) for row in rows]

    def quantized(self, refs: Iterable[str]) -> set[str]:
        """Those of these whose vector is kept small."""
        sql = "SELECT ref FROM vectors WHERE space = :space AND quantized = 1 AND vec IS NOT NULL AND ref IN (:keys)"
        return {row["ref"] for row in self.db.each(sql, refs, space=self.space)}

    def orphan_edges(self, limit: int) -> list[tuple[str, str, str]]:
        """Edges with an end that is no longer there."""
        rows = self.db.rows(
            "SELECT e.a AS a, e.b AS b, e.relation AS relation FROM edges e WHERE e.space = :space AND ("
            " NOT EXISTS (SELECT 1 FROM memories m WHERE m.id = e.a)"
            " OR NOT EXISTS (SELECT 1 FROM memories m WHERE m.id = e.b)) ORDER BY e.a, e.b LIMIT :limit",
            space=self.space,
            limit=limit,
        )
        return [(row["a"], row["b"], row["relation"]) for row in rows]

    def foreign_vectors(self, embedder: str, *, after: str, limit: int) -> list[Memory]:
        """Memories whose vector is another embedder's."""
        known = self.db.rows("SELECT DISTINCT embedder FROM vectors WHERE space = :space", space=self.space)
        found: set[str] = set()
        for other in (row["embedder"] for row in known if row["embedder"] != embedder):
            rows = self.db.rows(
                "SELECT ref FROM vectors WHERE space = :space AND embedder = :other AND ref > :after"
                " AND vec IS NOT NULL ORDER BY ref LIMIT :limit",
                space=self.space,
                other=other,
                after=after,
                limit=limit,
            )
            found |= {row["ref"] for row in rows}
        return self.in_order(sorted(found)[:limit])

    def change_sequence(self) -> int:
        return int(self.db.value("SELECT changes FROM spaces WHERE id = :space", space=self.space))

    def by_tier(self) -> dict[str, int]:
        rows = self.db.rows(
            "SELECT tier, count(*) AS n FROM memories WHERE space = :space GROUP BY tier ORDER BY tier",
            space=self.space,
        )
        return {row["tier"]: int(row["n"]) for row in rows}

    def steps_so_far(self) -> list[NightStep]:
        return nights.steps(self.db, self.night.id)

    def finest(self, limit: int) -> list[Memory]:
        """The facts and insights of this night that matter most and still hold; only what the user said."""
        rows = self.db.rows(
            f"SELECT id FROM memories WHERE night = :night AND kind IN ('fact', 'insight') AND {SOUND} AND trust = 4"
            " AND (valid_until IS NULL OR valid_until > :now) ORDER BY importance DESC, id LIMIT :limit",
            night=self.night.id,
            now=self.night.now,
            limit=limit,
        )
        return self.in_order([row["id"] for row in rows])
