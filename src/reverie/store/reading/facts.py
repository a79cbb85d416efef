"""Facts by whom they are about, what rests on them, and their vectors, as the thinking steps read them."""

from collections.abc import Iterable, Sequence

from reverie.model.base import Instant
from reverie.model.memories import Kind, Memory
from reverie.store.reading.base import Reading
from reverie.store.tables import memories
from reverie.store.tables.chores import READ
from reverie.store.tables.vectors import Vectors, values

SOUND = "kind = 'fact' AND stale = 0 AND quarantined = 0"


class FactReads(Reading):
    def about(self, subject: str, *, limit: int = 200) -> list[Memory]:
        """What is said of somebody or something, the newest first; ended facts too."""
        rows = self.db.rows(
            f"SELECT id FROM memories WHERE space = :space AND subject = :subject AND {SOUND}"
            " ORDER BY created_at DESC, id LIMIT :limit",
            space=self.space,
            subject=subject,
            limit=limit,
        )
        return self.in_order([row["id"] for row in rows])

    def stating(self, subject: str, predicates: Iterable[str], *, limit: int = 100) -> list[Memory]:
        """Facts of one subject with one of these predicates, the last said first."""
        rows = self.db.each(
            f"SELECT id FROM memories WHERE space = :space AND subject = :subject AND predicate IN (:keys) AND {SOUND}"
            " ORDER BY coalesce(said_at, created_at) DESC, id LIMIT :limit",
            predicates,
            space=self.space,
            subject=subject,
            limit=limit,
        )
        return self.in_order([row["id"] for row in rows])

    def made_of_each(self, ids: Iterable[str], kind: Kind) -> dict[str, list[Memory]]:
        """What of one kind was derived directly from each of these."""
        rows = self.db.each(
            "SELECT s.source AS source, s.memory AS memory FROM sources s JOIN memories m ON m.id = s.memory"
            " WHERE s.space = :space AND m.kind = :kind AND s.source IN (:keys) ORDER BY s.memory",
            ids,
            space=self.space,
            kind=kind,
        )
        found = memories.by_ids(self.db, self.space, [row["memory"] for row in rows])
        made: dict[str, list[Memory]] = {}
        for row in rows:
            made.setdefault(row["source"], []).append(found[row["memory"]])
        return made

    def subjects_that_moved(self, since: Instant) -> dict[str, int]:
        """Whom new facts, ended facts or contradictions are about, with how many; the most first."""
        rows = self.db.rows(
            "SELECT subject, count(*) AS n FROM ("  # by what is new, through an index each: never a scan of the space
            f" SELECT id, subject FROM memories WHERE space = :space AND {SOUND} AND created_at > :since"
            f" UNION SELECT id, subject FROM memories WHERE {SOUND}"
            " AND id IN (SELECT memory FROM chores WHERE space = :space AND chore = :chore)"
            " UNION ALL SELECT m.id, m.subject FROM contradictions c JOIN memories m ON m.id = c.older"
            " WHERE c.space = :space AND c.created_at > :since"
            ") AS moved WHERE subject IS NOT NULL GROUP BY subject ORDER BY n DESC, subject",
            space=self.space,
            since=since,
            chore=READ,
        )
        return {row["subject"]: int(row["n"]) for row in rows}

    def profiles(self, subjects: Sequence[str]) -> list[Memory]:
        """The profiles that stand for these now."""
        rows = self.db.each(
            "SELECT id FROM memories WHERE space = :space AND kind = 'profile' AND stale = 0 AND subject IN (:keys)",
            subjects,
            space=self.space,
        )
        return self.in_order([row["id"] for row in rows])

    def outdated_profiles(self) -> list[str]:
        """Subjects whose profile tells of a day that has passed."""
        rows = self.db.rows(
            "SELECT subject FROM memories WHERE space = :space AND kind = 'profile' AND stale = 0"
            " AND valid_until <= :now ORDER BY subject",
            space=self.space,
            now=self.night.now,
        )
        return [row["subject"] for row in rows]

    def shaken(self, limit: int) -> list[Memory]:
        """Insights one of whose premises has ended or gone stale."""
        rows = self.db.rows(
            "SELECT DISTINCT i.id AS id FROM memories i JOIN sources s ON s.memory = i.id"
            " JOIN memories p ON p.id = s.source WHERE i.space = :space AND i.kind = 'insight' AND i.stale = 0"
            " AND (p.stale = 1 OR p.valid_until <= :now) ORDER BY i.id LIMIT :limit",
            space=self.space,
            now=self.night.now,
            limit=limit,
        )
        return self.in_order([row["id"] for row in rows])

    def recorded(self) -> int:
        """How many contradictions this night has written down; what only says more is not counted."""
        sql = "SELECT count(*) AS n FROM contradictions WHERE space = :space AND night = :night AND kind <> 'extends'"
        return int(self.db.value(sql, space=self.space, night=self.night.id))

    def kinds(self) -> dict[str, int]:
        """How many memories of each kind there are."""
        return memories.count(self.db, self.space)

    def fading(self, kinds: Sequence[Kind], *, start: int, limit: int) -> list[Memory]:
        """Memories of these kinds in the order they were made, from a place in that order on."""
        names = {f"kind{i}": kind for i, kind in enumerate(kinds)}
        rows = self.db.rows(
            f"SELECT id FROM memories WHERE space = :space AND kind IN ({', '.join(':' + name for name in names)})"
            " ORDER BY kind, created_at, id LIMIT :limit OFFSET :start",
            space=self.space,
            start=start,
            limit=limit,
            **names,
        )
        return self.in_order([row["id"] for row in rows])

    def vectors(self, refs: Iterable[str], embedder: str) -> dict[str, Vectors]:
        rows = self.db.each(
            "SELECT ref, vec, quantized FROM vectors WHERE space = :space AND embedder = :embedder"
            " AND vec IS NOT NULL AND ref IN (:keys)",
            refs,
            space=self.space,
            embedder=embedder,
        )
        return {row["ref"]: values(row) for row in rows}

    def latest_vectors(self, embedder: str, limit: int) -> dict[str, Vectors]:
        """The vectors that were written last."""
        rows = self.db.rows(
            "SELECT ref, vec, quantized FROM vectors WHERE space = :space AND embedder = :embedder"
            " AND vec IS NOT NULL ORDER BY changed DESC, ref LIMIT :limit",
            space=self.space,
            embedder=embedder,
            limit=limit,
        )
        return {row["ref"]: values(row) for row in rows}

    def entities(self, ids: Iterable[str]) -> dict[str, frozenset[str]]:
        """Whom each of these memories mentions."""
        rows = self.db.each("SELECT entity, memory FROM mentions WHERE memory IN (:keys)", ids)
        found: dict[str, set[str]] = {}
        for row in rows:
            found.setdefault(row["memory"], set()).add(row["entity"])
        return {memory: frozenset(named) for memory, named in found.items()}

    def mentioning(self, entities: Iterable[str], limit: int = 20) -> dict[str, list[str]]:
        """Memories by the entity they mention, a bounded few each."""
        sql = "SELECT memory FROM mentions WHERE space = :space AND entity = :entity ORDER BY memory LIMIT :limit"
        return {
            entity: [row["memory"] for row in self.db.rows(sql, space=self.space, entity=entity, limit=limit)]
            for entity in dict.fromkeys(entities)
        }
