"""Which memories want care, and how much they have really been used."""

from collections.abc import Sequence
from dataclasses import dataclass

from reverie.model.base import Instant
from reverie.model.memories import Memory
from reverie.store.db import Database
from reverie.store.reading.base import Reading
from reverie.store.tables.chores import READ


@dataclass(frozen=True, slots=True)
class Usage:
    """Real recalls of one memory: ever, lately, and the last."""

    uses: int
    recent: int
    last_at: Instant


class CareReads(Reading):
    def count(self) -> int:
        """How many memories the space holds."""
        return int(self.db.value("SELECT count(*) AS n FROM memories WHERE space = :space", space=self.space))

    def given(self, *, after: str, limit: int) -> list[str]:
        """Memories that a person gave directly and no night has looked at."""
        rows = self.db.rows(
            "SELECT id FROM memories WHERE space = :space AND last_tagged_at IS NULL AND night IS NULL AND id > :after"
            " ORDER BY id LIMIT :limit",
            space=self.space,
            after=after,
            limit=limit,
        )
        return [row["id"] for row in rows]

    def every(self, *, after: str, limit: int) -> list[Memory]:
        """All memories, by id: for a step that is done over again."""
        rows = self.db.rows(
            "SELECT id FROM memories WHERE space = :space AND id > :after ORDER BY id LIMIT :limit",
            space=self.space,
            after=after,
            limit=limit,
        )
        return self.in_order([row["id"] for row in rows])

    def untagged(self, *, after: str, limit: int) -> list[Memory]:
        """Memories that no night has tagged yet, by id; not what a person gave since this night looked.

        Tagged, that would pass for read, and no night would ever think about it.
        """
        rows = self.db.rows(
            "SELECT id FROM memories WHERE space = :space AND last_tagged_at IS NULL AND id > :after"
            " AND (night IS NOT NULL OR id IN (SELECT memory FROM chores WHERE space = :space AND chore = :chore))"
            " ORDER BY id LIMIT :limit",
            space=self.space,
            chore=READ,
            after=after,
            limit=limit,
        )
        return self.in_order([row["id"] for row in rows])

    def tagged_before(self, at: Instant, *, limit: int) -> list[Memory]:
        """Memories whose tags are older than this, oldest first."""
        rows = self.db.rows(
            "SELECT id FROM memories WHERE space = :space AND last_tagged_at < :at ORDER BY last_tagged_at, id"
            " LIMIT :limit",
            space=self.space,
            at=at,
            limit=limit,
        )
        return self.in_order([row["id"] for row in rows])

    def recalled_since(self, since: Instant, *, after: str, limit: int) -> list[str]:
        """Turns and memories that real queries have returned since then, by id."""
        rows = self.db.rows(
            "SELECT DISTINCT ref FROM recall_events WHERE space = :space AND at > :since AND at <= :now"
            " AND ref > :after ORDER BY ref LIMIT :limit",
            space=self.space,
            since=since,
            now=self.night.now,
            after=after,
            limit=limit,
        )
        return [row["ref"] for row in rows]

    def usage(self, refs: Sequence[str], since: Instant) -> Usage | None:
        """Real recalls of a memory under any of its names (its own id, its turn's), as far as the night knows."""
        return usage_of(self.db, self.space, refs, since, self.night.now)


def usage_of(db: Database, space: str, refs: Sequence[str], since: Instant, now: Instant) -> Usage | None:
    """Days that were rolled up count as long as their events have left the log."""
    keys = {f"r{i}": ref for i, ref in enumerate(refs)}
    among = f"space = :space AND ref IN ({', '.join(':' + key for key in keys)})"
    row = db.row(
        "SELECT count(*) AS n, max(at) AS last, coalesce(sum(CASE WHEN at > :since THEN 1 ELSE 0 END), 0) AS recent"
        f" FROM recall_events WHERE {among} AND at <= :now",
        space=space,
        since=since,
        now=now,
        **keys,
    )
    if row is None or not row["n"]:
        return None
    old = db.value(
        f"SELECT sum(times) AS n FROM recall_days d WHERE {among} AND NOT EXISTS (SELECT 1 FROM recall_events e"
        " WHERE e.space = d.space AND e.ref = d.ref AND e.day = d.day)",
        space=space,
        **keys,
    )
    return Usage(int(row["n"]) + int(old or 0), int(row["recent"]), row["last"])
