"""Memories, their words and their links, as nights read them."""

from collections.abc import Iterable

from reverie.model.memories import Contradiction, Edge, Memory
from reverie.store.reading.base import Reading
from reverie.store.tables import contradictions, edges, memories


class MemoryReads(Reading):
    def memory(self, id: str) -> Memory | None:
        return self.memories([id]).get(id)

    def memories(self, ids: Iterable[str]) -> dict[str, Memory]:
        return memories.by_ids(self.db, self.space, ids)

    def made_of(self, source: str) -> list[Memory]:
        """What was derived from a turn or memory, directly."""
        return memories.made_of(self.db, self.space, source)

    def same_text(self, hashes: Iterable[str]) -> dict[str, list[Memory]]:
        """Memories by content hash."""
        rows = self.db.each(
            "SELECT id, hash FROM memories WHERE space = :space AND hash IN (:keys) ORDER BY created_at, id",
            hashes,
            space=self.space,
        )
        found = self.memories(row["id"] for row in rows)
        alike: dict[str, list[Memory]] = {}
        for row in rows:
            alike.setdefault(row["hash"], []).append(found[row["id"]])
        return alike

    def in_bands(self, bands: Iterable[str], limit: int = 8) -> dict[str, list[str]]:
        """Memories that share a MinHash band, a bounded few each: candidates for near duplicates."""
        return self._few("SELECT memory FROM bands WHERE space = :space AND band = :key", bands, limit)

    def occurrences(self, words: Iterable[str], most: int = 300) -> dict[str, int]:
        """In how many memories of the space each keyword occurs; past `most` a word is simply common."""
        sql = (
            "SELECT count(*) AS n FROM (SELECT memory FROM keywords WHERE space = :space AND word = :word LIMIT :most)"
            " AS found"
        )
        return {word: int(self.db.value(sql, space=self.space, word=word, most=most)) for word in dict.fromkeys(words)}

    def sharing(self, words: Iterable[str], limit: int = 50) -> dict[str, list[str]]:
        """Memories by keyword, a bounded few each: candidates for links."""
        return self._few("SELECT memory FROM keywords WHERE space = :space AND word = :key", words, limit)

    def keywords(self, ids: Iterable[str]) -> dict[str, tuple[str, ...]]:
        """The keywords of each of these memories."""
        rows = self.db.each("SELECT memory, word FROM keywords WHERE memory IN (:keys) ORDER BY memory, word", ids)
        found: dict[str, list[str]] = {}
        for row in rows:
            found.setdefault(row["memory"], []).append(row["word"])
        return {memory: tuple(words) for memory, words in found.items()}

    def edges(self, ids: Iterable[str]) -> list[Edge]:
        """Edges that start or end at one of these."""
        return edges.of_memories(self.db, self.space, ids)

    def contradictions(self, ids: Iterable[str]) -> list[Contradiction]:
        """Records that have one of these memories on a side."""
        return contradictions.of_memories(self.db, self.space, ids)

    def _few(self, sql: str, keys: Iterable[str], limit: int) -> dict[str, list[str]]:
        """Never more than `limit` a key, however common it is."""
        sql += " ORDER BY memory LIMIT :limit"
        return {
            key: [row["memory"] for row in self.db.rows(sql, space=self.space, key=key, limit=limit)]
            for key in dict.fromkeys(keys)
        }
