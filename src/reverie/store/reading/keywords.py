"""Keywords of memories, and the other keys that they share: bands of near duplicates, and entities."""

from collections.abc import Iterable

from reverie.store.reader import Reader


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
