"""Memories as nights read them: by id, by text, in stretches, and by what was made of what."""

from collections.abc import Iterable, Sequence

from reverie.model.memories import Edge, Kind, Memory
from reverie.policy.recall.current import HINT
from reverie.store.reader import Reader
from reverie.store.tables import memories as table


def by_ids(reader: Reader, ids: Iterable[str]) -> dict[str, Memory]:
    """What is gone is missing. Each is read and decoded once for a reader, however often a step asks for it."""
    known: dict[str, Memory | None] = reader.kept.setdefault("memories", {})
    wanted = list(dict.fromkeys(ids))
    unknown = [id for id in wanted if id not in known]
    known.update(dict.fromkeys(unknown))
    known.update(table.by_ids(reader, reader.space, unknown))
    return {id: memory for id in wanted if (memory := known[id]) is not None}


def in_order(reader: Reader, ids: Sequence[str]) -> list[Memory]:
    """The memories of these ids, in the same order; what is gone is left out."""
    found = by_ids(reader, ids)
    return [found[id] for id in ids if id in found]


def same_text(reader: Reader, hashes: Iterable[str]) -> dict[str, list[Memory]]:
    """Memories by content hash, as the space's rows have it."""
    rows = reader.each(
        "SELECT id, hash FROM memories WHERE space = :space AND hash IN (:keys) ORDER BY created_at, id",
        hashes,
        space=reader.space,
    )
    found = by_ids(reader, (row["id"] for row in rows))
    alike: dict[str, list[Memory]] = {}
    for row in rows:
        alike.setdefault(row["hash"], []).append(found[row["id"]])
    return alike


def made_of_each(reader: Reader, ids: Iterable[str], kind: Kind) -> dict[str, list[Memory]]:
    """What of one kind was derived directly from each of these."""
    rows = reader.each(
        "SELECT s.source AS source, s.memory AS memory FROM sources s JOIN memories m ON m.id = s.memory"
        " WHERE s.space = :space AND m.kind = :kind AND s.source IN (:keys) ORDER BY s.memory",
        ids,
        space=reader.space,
        kind=kind,
    )
    found = by_ids(reader, [row["memory"] for row in rows])
    made: dict[str, list[Memory]] = {}
    for row in rows:
        made.setdefault(row["source"], []).append(found[row["memory"]])
    return made


def page(reader: Reader, *, after: str, limit: int) -> list[Memory]:
    """All memories, by id: for a step that is done over again."""
    rows = reader.rows(
        "SELECT id FROM memories WHERE space = :space AND id > :after ORDER BY id LIMIT :limit",
        space=reader.space,
        after=after,
        limit=limit,
    )
    return in_order(reader, [row["id"] for row in rows])


def by_age(reader: Reader, kinds: Sequence[Kind], *, start: int, limit: int) -> list[Memory]:
    """Memories of these kinds, kind by kind in the order they were made, from a place in that order on."""
    names = {f"kind{i}": kind for i, kind in enumerate(kinds)}
    rows = reader.rows(
        f"SELECT id FROM memories WHERE space = :space AND kind IN ({', '.join(':' + name for name in names)})"
        " ORDER BY kind, created_at, id LIMIT :limit OFFSET :start",
        space=reader.space,
        start=start,
        limit=limit,
        **names,
    )
    return in_order(reader, [row["id"] for row in rows])


def count(reader: Reader) -> int:
    """How many memories the space holds."""
    return int(reader.value("SELECT count(*) AS n FROM memories WHERE space = :space", space=reader.space))


def count_by_kind(reader: Reader) -> dict[str, int]:
    return table.count(reader, reader.space)


def count_up_to(reader: Reader, kind: Kind, most: int) -> int:
    """How many memories of a kind there are, no more than so many: what it costs does not grow with the space."""
    sql = "SELECT count(*) AS n FROM (SELECT id FROM memories WHERE space = :space AND kind = :kind LIMIT :most) few"
    return int(reader.value(sql, space=reader.space, kind=kind, most=most))


def count_by_tier(reader: Reader) -> dict[str, int]:
    rows = reader.rows(
        "SELECT tier, count(*) AS n FROM memories WHERE space = :space GROUP BY tier ORDER BY tier",
        space=reader.space,
    )
    return {row["tier"]: int(row["n"]) for row in rows}


def edges(reader: Reader, ids: Iterable[str]) -> list[Edge]:
    """Edges that start or end at one of these."""
    return table.edges_of(reader, reader.space, ids)


def updates(reader: Reader, ids: Iterable[str]) -> list[Edge]:
    """Edges from later statements to these memories, which they overtake; the latest first."""
    return table.updates_of(reader, reader.space, ids)


def hints(reader: Reader, ids: Iterable[str]) -> list[Edge]:
    """The same, and those that are mere hints."""
    return table.updates_of(reader, reader.space, ids, HINT)


def updates_by(reader: Reader, ids: Iterable[str]) -> list[Edge]:
    """Edges from these memories to the earlier statements that they overtake, mere hints too."""
    return table.updates_by(reader, reader.space, ids)


def orphan_edges(reader: Reader, limit: int) -> list[tuple[str, str, str]]:
    """(a, b, relation) of edges with an end that is no longer there."""
    rows = reader.rows(
        "SELECT e.a AS a, e.b AS b, e.relation AS relation FROM memories h JOIN edges e ON e.a = h.id"
        " WHERE h.space = :space AND NOT EXISTS (SELECT 1 FROM memories m WHERE m.id = e.b)"
        " UNION SELECT e.a AS a, e.b AS b, e.relation AS relation FROM memories h JOIN edges e ON e.b = h.id"
        " WHERE h.space = :space AND NOT EXISTS (SELECT 1 FROM memories m WHERE m.id = e.a)"
        " ORDER BY a, b LIMIT :limit",
        space=reader.space,
        limit=limit,
    )
    return [(row["a"], row["b"], row["relation"]) for row in rows]
