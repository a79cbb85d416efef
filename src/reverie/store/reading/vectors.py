"""Vectors and keywords of memories, as nights read them."""

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import TypeVar

from reverie.model.memories import Memory
from reverie.store.db import batches
from reverie.store.reader import Reader
from reverie.store.reading.memories import in_order
from reverie.store.tables.memory_words import names_of
from reverie.store.tables.vectors import Vectors, values

Key = TypeVar("Key", str, int)  # a word or an entity, or a band


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


def in_bands(reader: Reader, bands: Iterable[int], limit: int = 8) -> dict[int, list[str]]:
    """Memories by MinHash band, a bounded few each: candidates for near duplicates."""
    return _few(reader, _sharing("band"), bands, limit)


def occurrences(reader: Reader, words: Iterable[str], most: int = 300) -> dict[str, int]:
    """In how many memories of the space each keyword occurs; past `most` a word is simply common."""
    known: dict[str, int] = reader.kept.setdefault(("occurrences", most), {})
    wanted = list(dict.fromkeys(words))
    for part, names in _together(word for word in wanted if word not in known):
        (row,) = reader.rows(_counting(len(names)), space=reader.space, most=most, **names)
        known |= {word: int(row[f"n{i}"]) for i, word in enumerate(part)}
    return {word: known[word] for word in wanted}


def containing(reader: Reader, words: Iterable[str], limit: int = 50) -> dict[str, list[str]]:
    """Memories by keyword, a bounded few each: candidates for links."""
    return _few(reader, _sharing("word"), words, limit)


def mentioning(reader: Reader, entities: Iterable[str], limit: int = 20) -> dict[str, list[str]]:
    """Memories by the entity they mention, a bounded few each."""
    return _few(reader, _sharing("name"), entities, limit)


def of_each(reader: Reader, ids: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """The keywords of each of these memories."""
    rows = reader.each("SELECT memory, words FROM memory_words WHERE memory IN (:keys)", ids)
    return {row["memory"]: tuple(row["words"].split()) for row in rows}


def entities_of_each(reader: Reader, ids: Iterable[str]) -> dict[str, frozenset[str]]:
    """Whom each of these memories mentions."""
    rows = reader.each("SELECT memory, names FROM memory_words WHERE names <> '' AND memory IN (:keys)", ids)
    return {row["memory"]: frozenset(names_of(row["names"])) for row in rows}


TOGETHER = (4, 40, 160)  # keys of one statement: few sizes, so that the database has all of them prepared
NUMBER = "(SELECT num FROM spaces WHERE id = :space)"


def _sharing(kind: str) -> str:
    """The memories of a posting, in the order in which they came."""
    return (
        f"SELECT {{0}} AS n, w.memory AS memory FROM {kind}_postings p JOIN memory_words w ON w.row = p.memory"
        f" WHERE p.num = {NUMBER} AND p.{kind} = :k{{0}} ORDER BY p.memory"
    )


def _few(reader: Reader, one: str, keys: Iterable[Key], limit: int) -> dict[Key, list[str]]:
    """Never more than `limit` a key, however common it is. `one` is the query for one key."""
    found: dict[Key, list[str]] = {}
    for part, names in _together(keys):
        found |= {key: [] for key in part}
        for row in reader.rows(_limited(one, len(names)), space=reader.space, limit=limit, **names):
            found[part[row["n"]]].append(row["memory"])
    return found


def _together(keys: Iterable[Key]) -> Iterator[tuple[Sequence[Key], dict[str, Key]]]:
    """The keys, some at a time, with the parameters of a statement for so many; what is left over finds nothing."""
    for part in batches(list(dict.fromkeys(keys)), TOGETHER[-1]):
        size = next(size for size in TOGETHER if len(part) <= size)
        yield part, {f"k{i}": part[i] if i < len(part) else _none(part[0]) for i in range(size)}


def _none(like: Key) -> Key:
    """A key that nothing has, of the same type."""
    return "" if isinstance(like, str) else -1


@cache
def _limited(one: str, keys: int) -> str:
    return " UNION ALL ".join(f"SELECT * FROM ({one.format(i)} LIMIT :limit) AS p{i}" for i in range(keys))


@cache
def _counting(keys: int) -> str:
    counts = (
        f"(SELECT count(*) FROM (SELECT memory FROM word_postings WHERE num = {NUMBER} AND word = :k{i} LIMIT :most)"
        f" AS p{i}) AS n{i}"
        for i in range(keys)
    )
    return f"SELECT {', '.join(counts)}"
