"""Vectors and keywords of memories, as nights read them."""

from collections.abc import Iterable, Iterator, Sequence
from functools import cache

from reverie.model.memories import Memory
from reverie.store.db import batches
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
    return _few(reader, "bands", "band", bands, limit)


def occurrences(reader: Reader, words: Iterable[str], most: int = 300) -> dict[str, int]:
    """In how many memories of the space each keyword occurs; past `most` a word is simply common."""
    found: dict[str, int] = {}
    for part, names in _together(words):
        sql = _counting(len(names))
        (row,) = reader.rows(sql, space=reader.space, most=most, **names)
        found |= {word: int(row[f"n{i}"]) for i, word in enumerate(part)}
    return found


def containing(reader: Reader, words: Iterable[str], limit: int = 50) -> dict[str, list[str]]:
    """Memories by keyword, a bounded few each: candidates for links."""
    return _few(reader, "keywords", "word", words, limit)


def mentioning(reader: Reader, entities: Iterable[str], limit: int = 20) -> dict[str, list[str]]:
    """Memories by the entity they mention, a bounded few each."""
    return _few(reader, "mentions", "entity", entities, limit)


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


TOGETHER = (4, 40)  # keys of one statement: two sizes, so that the database has both prepared


def _few(reader: Reader, relation: str, column: str, keys: Iterable[str], limit: int) -> dict[str, list[str]]:
    """Never more than `limit` a key, however common it is."""
    found: dict[str, list[str]] = {}
    for part, names in _together(keys):
        found |= {key: [] for key in part}
        for row in reader.rows(_limited(relation, column, len(names)), space=reader.space, limit=limit, **names):
            found[part[row["n"]]].append(row["memory"])
    return found


def _together(keys: Iterable[str]) -> Iterator[tuple[Sequence[str], dict[str, str]]]:
    """The keys, some at a time, with the parameters of a statement for so many; what is left over is empty."""
    for part in batches(list(dict.fromkeys(keys)), TOGETHER[-1]):
        size = next(size for size in TOGETHER if len(part) <= size)
        yield part, {f"k{i}": part[i] if i < len(part) else "" for i in range(size)}


@cache
def _limited(relation: str, column: str, keys: int) -> str:
    return " UNION ALL ".join(
        f"SELECT * FROM (SELECT {i} AS n, memory FROM {relation} WHERE space = :space AND {column} = :k{i}"
        f" ORDER BY memory LIMIT :limit) AS p{i}"
        for i in range(keys)
    )


@cache
def _counting(keys: int) -> str:
    counts = (
        f"(SELECT count(*) FROM (SELECT memory FROM keywords WHERE space = :space AND word = :k{i} LIMIT :most)"
        f" AS p{i}) AS n{i}"
        for i in range(keys)
    )
    return f"SELECT {', '.join(counts)}"
