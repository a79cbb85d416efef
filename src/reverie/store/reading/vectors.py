"""Vectors and keywords of memories, as nights read them."""

from collections.abc import Iterable

from reverie.model.memories import Memory
from reverie.store.reader import Reader
from reverie.store.reading.memories import in_order
from reverie.store.tables.vectors import Vectors, values


def by_refs(reader: Reader, refs: Iterable[str], embedder: str) -> dict[str, Vectors]:
    """All vectors of each that this embedder made, one below the other; what has none is missing."""
    rows = reader.each(
        "SELECT ref, vec, parts, quantized FROM vectors WHERE space = :space AND embedder = :embedder"
        " AND vec IS NOT NULL AND ref IN (:keys)",
        refs,
        space=reader.space,
        embedder=embedder,
    )
    return {row["ref"]: values(row) for row in rows}


def latest(reader: Reader, embedder: str, limit: int) -> dict[str, Vectors]:
    """What was embedded last, each with its first vector."""
    rows = reader.rows(
        "SELECT ref, vec, parts, quantized FROM vectors WHERE space = :space AND embedder = :embedder"
        " AND vec IS NOT NULL ORDER BY changed DESC, ref LIMIT :limit",
        space=reader.space,
        embedder=embedder,
        limit=limit,
    )
    return {row["ref"]: values(row)[0] for row in rows}


def quantized(reader: Reader, refs: Iterable[str]) -> set[str]:
    """Those of these whose vector is kept small."""
    sql = "SELECT ref FROM vectors WHERE space = :space AND quantized = 1 AND vec IS NOT NULL AND ref IN (:keys)"
    return {row["ref"] for row in reader.each(sql, refs, space=reader.space)}


def of_other_embedders(reader: Reader, embedder: str, *, after: str, limit: int) -> list[Memory]:
    """Memories whose vector is another embedder's, by id."""
    known = reader.rows("SELECT DISTINCT embedder FROM vectors WHERE space = :space", space=reader.space)
    found: set[str] = set()
    for other in (row["embedder"] for row in known if row["embedder"] != embedder):
        rows = reader.rows(
            "SELECT ref FROM vectors WHERE space = :space AND embedder = :other AND ref > :after"
            " AND vec IS NOT NULL ORDER BY ref LIMIT :limit",
            space=reader.space,
            other=other,
            after=after,
            limit=limit,
        )
        found |= {row["ref"] for row in rows}
    return in_order(reader, sorted(found)[:limit])


def in_bands(reader: Reader, bands: Iterable[str], limit: int = 8) -> dict[str, list[str]]:
    """Memories by MinHash band, a bounded few each: candidates for near duplicates."""
    return _few(reader, "SELECT memory FROM bands WHERE space = :space AND band = :key", bands, limit)


def occurrences(reader: Reader, words: Iterable[str], most: int = 300) -> dict[str, int]:
    """In how many memories of the space each keyword occurs; past `most` a word is simply common."""
    sql = (
        "SELECT count(*) AS n FROM (SELECT memory FROM keywords WHERE space = :space AND word = :word LIMIT :most)"
        " AS found"
    )
    return {word: int(reader.value(sql, space=reader.space, word=word, most=most)) for word in dict.fromkeys(words)}


def containing(reader: Reader, words: Iterable[str], limit: int = 50) -> dict[str, list[str]]:
    """Memories by keyword, a bounded few each: candidates for links."""
    return _few(reader, "SELECT memory FROM keywords WHERE space = :space AND word = :key", words, limit)


def mentioning(reader: Reader, entities: Iterable[str], limit: int = 20) -> dict[str, list[str]]:
    """Memories by the entity they mention, a bounded few each."""
    return _few(reader, "SELECT memory FROM mentions WHERE space = :space AND entity = :key", entities, limit)


def of_each(reader: Reader, ids: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """The keywords of each of these memories."""
    rows = reader.each("SELECT memory, word FROM keywords WHERE memory IN (:keys) ORDER BY memory, word", ids)
    found: dict[str, list[str]] = {}
    for row in rows:
        found.setdefault(row["memory"], []).append(row["word"])
    return {memory: tuple(words) for memory, words in found.items()}


def entities_of_each(reader: Reader, ids: Iterable[str]) -> dict[str, frozenset[str]]:
    """Whom each of these memories mentions."""
    rows = reader.each("SELECT entity, memory FROM mentions WHERE memory IN (:keys)", ids)
    found: dict[str, set[str]] = {}
    for row in rows:
        found.setdefault(row["memory"], set()).add(row["entity"])
    return {memory: frozenset(named) for memory, named in found.items()}


def _few(reader: Reader, sql: str, keys: Iterable[str], limit: int) -> dict[str, list[str]]:
    """Never more than `limit` a key, however common it is."""
    sql += " ORDER BY memory LIMIT :limit"
    return {
        key: [row["memory"] for row in reader.rows(sql, space=reader.space, key=key, limit=limit)]
        for key in dict.fromkeys(keys)
    }
