"""Memories with their sources, words and edges: read by id or filter, edited in one short compare-and-swap."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import cache
from typing import Any

from reverie.errors import NotFound, StaleVersion
from reverie.model.base import Instant
from reverie.model.memories import KINDS, Edge, Filter, Glimpse, Memory, Quoted
from reverie.policy.recall.current import MAYBE
from reverie.store.db import Database, Reads, Row, Transaction
from reverie.store.rows import (
    GLIMPSE_COLUMNS,
    MEMORY_COLUMNS,
    column,
    edge_of,
    edge_row,
    glimpse_from,
    insertion,
    memory_from,
    memory_of,
    memory_row,
    split_sources,
)
from reverie.store.tables import memory_words

STATE_WHERE = {
    "": "",
    "current": " AND stale = 0 AND valid_until IS NULL",
    "ended": " AND (stale = 1 OR valid_until IS NOT NULL)",
    "pinned": " AND pinned = 1",
    "quarantined": " AND quarantined = 1",
}

WHOLE = (*MEMORY_COLUMNS, "packed", "sources")  # with its sources: whoever reads it waits for every statement
FINDABLE = "FROM memories m JOIN documents d ON d.ref = m.id WHERE m.space = :space AND m.id IN (:keys)"
SOURCES = (
    "(SELECT {gathered} FROM (SELECT source, position FROM sources WHERE memory = m.id ORDER BY position) s) AS sources"
)


def by_id(db: Database, space: str, memory: str) -> Memory:
    found = by_ids(db, space, [memory])
    if not found:
        raise NotFound("memory", memory)
    return found[memory]


def space_of(db: Reads, memory: str) -> str | None:
    """Whose memory an id names; the caller must still check who may see that space."""
    found = db.row("SELECT space FROM memories WHERE id = :id", id=memory)
    return None if found is None else str(found["space"])


def by_ids(db: Reads, space: str, ids: Iterable[str]) -> dict[str, Memory]:
    rows = db.each(f"SELECT {_whole(db)} FROM memories m WHERE m.space = :space AND m.id IN (:keys)", ids, space=space)
    return _decoded(rows)


def findable(db: Database, space: str, ids: Iterable[str]) -> dict[str, Memory]:
    """Those of them that have a document in the search index."""
    return _decoded(db.each(f"SELECT {_whole(db)} {FINDABLE}", ids, space=space))


def _decoded(rows: Iterable[Row]) -> dict[str, Memory]:
    """Rows of the columns that `_whole` names."""
    found: dict[str, Memory] = {}
    for row in rows:
        *values, packed, sources = row.values() if isinstance(row, dict) else row
        found[values[0]] = memory_from(values, packed, split_sources(sources))
    return found


def glimpses(db: Database, space: str, ids: Iterable[str]) -> dict[str, Glimpse]:
    """The same, of each only what a recall that asks for nothing in particular needs: half the columns."""
    found: dict[str, Glimpse] = {}
    for row in db.each(f"SELECT {_columns(GLIMPSE_COLUMNS, db.gathered)} {FINDABLE}", ids, space=space):
        values = list(row.values() if isinstance(row, dict) else row)
        found[values[0]] = glimpse_from(values)
    return found


def _whole(db: Reads) -> str:
    """All columns of the memories `m`, and their sources in one."""
    return _columns(WHOLE, db.gathered)


@cache
def _columns(columns: tuple[str, ...], gathered: str) -> str:
    sources = SOURCES.format(gathered=gathered)
    return ", ".join(sources if name == "sources" else f"m.{name}" for name in columns)


def made_of(db: Database, space: str, source: str) -> list[Memory]:
    """What was derived from a turn or memory, directly."""
    rows = db.rows(
        f"SELECT {_whole(db)} FROM sources s JOIN memories m ON m.id = s.memory"
        " WHERE s.space = :space AND s.source = :source ORDER BY m.created_at, m.id",
        space=space,
        source=source,
    )
    return list(_decoded(rows).values())


def facts_of(db: Reads, space: str, episodes: Iterable[str]) -> dict[str, list[str]]:
    """The facts that were drawn from each of these episodes."""
    rows = db.each(
        "SELECT s.source AS source, m.id AS id FROM sources s JOIN memories m ON m.id = s.memory"
        " WHERE s.space = :space AND m.kind = 'fact' AND m.id <> s.source AND s.source IN (:keys) ORDER BY m.id",
        episodes,
        space=space,
    )
    found: dict[str, list[str]] = {}
    for row in rows:
        found.setdefault(row["source"], []).append(row["id"])
    return found


def quotes_of(db: Reads, space: str, episodes: Iterable[str]) -> dict[str, list[Quoted]]:
    """What was quoted from each of these episodes, as facts that still hold show it."""
    rows = db.each(
        "SELECT s.source AS source, m.text AS text, m.marks AS marks FROM sources s"
        " JOIN memories m ON m.id = s.memory WHERE s.space = :space AND m.kind = 'fact' AND m.quarantined = 0"
        " AND m.stale = 0 AND m.id <> s.source AND s.source IN (:keys) ORDER BY m.id",
        episodes,
        space=space,
    )
    found: dict[str, list[Quoted]] = {}
    for row in rows:
        quote = json.loads(row["marks"]).get("quote")
        if quote:
            found.setdefault(row["source"], []).append(Quoted(quote, row["text"]))
    return found


def listed(
    db: Database, space: str, filter: Filter, *, limit: int = 50, after: str | None = None, newest_first: bool = False
) -> list[Memory]:
    """In the order they were made; filters that SQL cannot hold are applied on the way, a part at a time.

    A night makes all of its memories in one moment: the newest first are then those that were said last.
    """
    where, params = _where(filter)
    kinds = {f"kind{i}": kind for i, kind in enumerate(filter.kinds or KINDS)}
    keys = ("created_at", "coalesce(said_at, created_at)", "id") if newest_first else ("created_at", "id")
    past, order = ("<", " DESC") if newest_first else (">", "")
    place = {f"key{i}": value for i, value in enumerate((*[1e18 if newest_first else -1e18] * (len(keys) - 1), ""))}
    if start := db.row("SELECT * FROM memories WHERE space = :space AND id = :id", space=space, id=after or ""):
        place = _place(start, len(keys))
    beyond = f"({', '.join(keys)}) {past} ({', '.join(f':{name}' for name in place)})"
    sorted_by = ", ".join(f"{key}{order}" for key in keys)
    found: list[Memory] = []
    while len(found) < limit:
        each = (  # a kind at a time: the index has them in this order, whatever their number
            f"SELECT * FROM (SELECT * FROM memories WHERE space = :space AND kind = :{name} AND {beyond}{where}"
            f" ORDER BY {sorted_by} LIMIT :part) k"
            for name in kinds
        )
        rows = db.rows(
            f"SELECT {_whole(db)} FROM ({' UNION ALL '.join(each)}) m ORDER BY {sorted_by} LIMIT :part",
            space=space,
            part=max(50, limit),
            **place,
            **kinds,
            **params,
        )
        found.extend(memory for memory in _decoded(rows).values() if filter.accepts(memory))
        if len(rows) < max(50, limit):
            break
        place = _place(rows[-1], len(keys))
    return found[:limit]


def _place(row: Row, keys: int) -> dict[str, Any]:
    """Where a list goes on behind a row; with three keys the second one is when it was said."""
    said = row["created_at"] if row["said_at"] is None else row["said_at"]
    values = (row["created_at"], said, row["id"]) if keys == 3 else (row["created_at"], row["id"])
    return {f"key{i}": value for i, value in enumerate(values)}


def _where(filter: Filter) -> tuple[str, dict[str, Any]]:
    where, params = "", {}
    if filter.tiers:
        names = {f"tier{i}": tier for i, tier in enumerate(filter.tiers)}
        where += f" AND tier IN ({', '.join(':' + name for name in names)})"
        params.update(names)
    for name in ("session", "subject", "speaker"):
        if (value := getattr(filter, name)) is not None:
            where += f" AND {name} = :{name}"
            params[name] = value
    if not filter.include_quarantined:
        where += " AND quarantined = 0"
    where += STATE_WHERE[filter.state]
    return where, params


def directives(db: Reads, space: str, limit: int) -> list[Memory]:
    """The user's directives, the newest first."""
    rows = db.rows(
        f"SELECT {_whole(db)} FROM memories m WHERE space = :space AND kind = 'directive'"
        " ORDER BY coalesce(said_at, created_at) DESC, id LIMIT :limit",
        space=space,
        limit=limit,
    )
    return list(_decoded(rows).values())


def of_sessions(db: Reads, space: str, sessions: Iterable[str], kinds: Iterable[str], limit: int) -> list[Memory]:
    """What still holds of that was said in these sessions, the weightiest first and of those the newest."""
    names = {f"kind{i}": kind for i, kind in enumerate(kinds)}
    rows = db.each(
        f"SELECT {_whole(db)} FROM memories m WHERE space = :space AND session IN (:keys) AND stale = 0"
        " AND quarantined = 0"
        f" AND valid_until IS NULL AND kind IN ({', '.join(':' + name for name in names)})"
        " ORDER BY importance DESC, created_at DESC, id LIMIT :limit",
        sessions,
        space=space,
        limit=limit,
        **names,
    )
    found = _decoded(rows).values()
    return sorted(found, key=lambda memory: (-memory.importance, -memory.created_at, memory.id))[:limit]


def insert(tx: Transaction, memory: Memory) -> bool:
    """Stores a memory with its sources; False if it is there already (ids follow from their sources)."""
    row = memory_row(memory)
    new = tx.run(f"{insertion('memories', row)} ON CONFLICT (id) DO NOTHING", **row)
    if new:
        _add_sources(tx, memory.space, memory.id, memory.sources)
    return bool(new)


def _add_sources(tx: Transaction, space: str, memory: str, sources: Iterable[str]) -> None:
    tx.many(
        "INSERT INTO sources (memory, source, space, position) VALUES (:memory, :source, :space, :position)"
        " ON CONFLICT (memory, source) DO NOTHING",
        [
            {"memory": memory, "source": source, "space": space, "position": i}
            for i, source in enumerate(dict.fromkeys(sources))
        ],
    )


def edit(tx: Transaction, memory: Memory, changed: Mapping[str, Any]) -> Memory:
    """Writes some fields of one memory. Raises StaleVersion if it is no longer at the version that was read."""
    version = memory.version
    names = {name: column(name, value) for name, value in changed.items()}
    done = tx.run(
        f"UPDATE memories SET {', '.join(f'{name} = :{name}' for name in names)}, version = version + 1"
        " WHERE space = :space_ AND id = :id_ AND version = :version_",
        **names,
        space_=memory.space,
        id_=memory.id,
        version_=version,
    )
    if not done:
        row = tx.row("SELECT * FROM memories WHERE space = :s AND id = :id", s=memory.space, id=memory.id)
        if row is None:
            raise NotFound("memory", memory.id)
        raise StaleVersion(
            "memory", memory.id, expected=version, current=row["version"], value=memory_of(row).text, diff=""
        )
    return replace(memory, **{name: _as_field(name, value) for name, value in changed.items()}, version=version + 1)


def set_excluded(tx: Transaction, space: str, session: str, why: str | None) -> list[str]:
    """Marks the episodes of a session as left out of nights, or as read by them again; answers the latter's ids."""
    among = "space = :space AND session = :session AND kind = 'episode' AND night IS NOT NULL"
    freed = tx.rows(f"SELECT id FROM memories WHERE {among} AND excluded IS NOT NULL", space=space, session=session)
    tx.run(
        f"UPDATE memories SET excluded = :why, version = version + 1 WHERE {among}"
        " AND coalesce(excluded, '') <> coalesce(:why, '')",
        why=why,
        space=space,
        session=session,
    )
    return [] if why is not None else [row["id"] for row in freed]


def set_marks(tx: Transaction, memory: str, marks: Mapping[str, Any]) -> None:
    """Other marks for a memory whose text is as it was: its version stays."""
    tx.run("UPDATE memories SET marks = :marks WHERE id = :id", marks=column("marks", marks), id=memory)


def read_anew(tx: Transaction, memory: str) -> None:
    """The next night tags and links a memory again, as if it were new."""
    tx.run(
        "UPDATE memories SET last_tagged_at = NULL, last_linked_at = NULL, version = version + 1 WHERE id = :id",
        id=memory,
    )


def set_end(tx: Transaction, memory: str, until: Instant | None) -> None:
    """Another end for a memory that has one; None: it holds again."""
    tx.run(
        "UPDATE memories SET valid_until = :until, version = version + 1"
        " WHERE id = :memory AND valid_until IS NOT NULL",
        until=until,
        memory=memory,
    )


def delete(tx: Transaction, memory: str) -> int:
    """Deletes the memory's own row alone; answers how many rows that were."""
    return tx.run("DELETE FROM memories WHERE id = :id", id=memory)


def delete_source(tx: Transaction, memory: str, source: str) -> None:
    """A memory rests no longer on this source."""
    tx.run("DELETE FROM sources WHERE memory = :m AND source = :s", m=memory, s=source)


def delete_sources(tx: Transaction, memory: str) -> None:
    """Deletes what a memory rests on."""
    tx.run("DELETE FROM sources WHERE memory = :id", id=memory)


def delete_citations(tx: Transaction, memory: str) -> None:
    """Deletes what a memory rests on, and that others rest on it."""
    tx.run("DELETE FROM sources WHERE memory = :id OR source = :id", id=memory)


def delete_words(tx: Transaction, memory: str) -> None:
    """Deletes the names, keywords and MinHash bands of a memory that goes away."""
    memory_words.delete(tx, [memory])


def delete_all_of(tx: Transaction, memory: str) -> None:
    """Deletes a memory with its words, edges and citations."""
    delete_words(tx, memory)
    delete_edges(tx, memory)
    delete_citations(tx, memory)
    delete(tx, memory)


def _as_field(name: str, value: Any) -> Any:
    return tuple(value) if name in ("auto_tags", "manual_tags") else value


def count(db: Reads, space: str) -> dict[str, int]:
    """How many memories of each kind a space has."""
    rows = db.rows("SELECT kind, count(*) AS n FROM memories WHERE space = :space GROUP BY kind", space=space)
    return {row["kind"]: row["n"] for row in rows}


def stated(db: Database, space: str, subject: str, predicate: str, limit: int = 5) -> list[Memory]:
    """Facts of one subject and predicate, the last said first."""
    rows = db.rows(
        f"SELECT {_whole(db)} FROM memories m"
        " WHERE m.space = :space AND m.subject = :subject AND m.predicate = :predicate"
        " AND m.kind = 'fact' AND m.quarantined = 0 ORDER BY coalesce(m.said_at, m.created_at) DESC, m.id LIMIT :limit",
        space=space,
        subject=subject,
        predicate=predicate,
        limit=limit,
    )
    return list(_decoded(rows).values())


def put_edge(tx: Transaction, edge: Edge) -> bool:
    """Stores an edge; False if these two have one of that relation already."""
    row = edge_row(edge)
    return bool(tx.run(f"{insertion('edges', row)} ON CONFLICT (a, b, relation) DO NOTHING", **row))


def edges_of(db: Reads, space: str, ids: Iterable[str]) -> list[Edge]:
    """Edges that start or end at one of these memories."""
    rows = db.each(
        "SELECT * FROM edges WHERE space = :space AND a IN (:keys)"
        " UNION ALL SELECT * FROM edges WHERE space = :space AND b IN (:keys)",
        ids,
        space=space,
    )
    unique = {(row["a"], row["b"], row["relation"]): row for row in rows}
    return [edge_of(row) for row in unique.values()]


def updates_of(db: Reads, space: str, ids: Iterable[str], least: float = MAYBE) -> list[Edge]:
    """Edges from later statements to these memories; the latest first. Mere hints only where `least` is so little."""
    sql = "SELECT * FROM edges WHERE space = :space AND relation IN ('updates', 'supersedes') AND b IN (:keys)"
    found = db.each(f"{sql} AND weight >= :least", ids, space=space, least=least)
    return sorted(map(edge_of, found), key=lambda edge: (-edge.created_at, edge.a, edge.b))


def updates_by(db: Reads, space: str, ids: Iterable[str]) -> list[Edge]:
    """Edges from these memories to earlier statements, mere hints too."""
    sql = "SELECT * FROM edges WHERE space = :space AND relation IN ('updates', 'supersedes') AND a IN (:keys)"
    return list(map(edge_of, db.each(sql, ids, space=space)))


def delete_edges(tx: Transaction, memory: str) -> int:
    """Deletes every edge of a memory that goes away; answers how many."""
    return tx.run("DELETE FROM edges WHERE a = :id OR b = :id", id=memory)
