"""What happened lately in a space, and its best linked memories: for somebody who looks on."""

from collections import Counter
from collections.abc import Iterator

from reverie.model.base import Instant
from reverie.model.memories import MemoryGraph, Tier
from reverie.model.turns import Happening
from reverie.store.db import Database
from reverie.store.tables import memories
from reverie.store.tables.memory_words import names_of

SHOWN = 400  # characters of a turn
LOOKED_AT = 2_000  # memories that a graph is chosen from
NAMES = 40  # of a graph, to choose one from


def happened(db: Database, space: str, since: Instant, limit: int) -> list[Happening]:
    """Turns, questions, answers that were served and nights after a moment, the newest first."""
    found = [
        *_turns(db, space, since, limit),
        *_questions(db, space, since, limit),
        *_answers(db, space, since, limit),
        *_nights(db, space, since, limit),
    ]
    return sorted(found, key=lambda one: (-one.at, one.what, one.ref))[:limit]


def _turns(db: Database, space: str, since: Instant, limit: int) -> Iterator[Happening]:
    rows = db.rows(
        "SELECT id, session, role, speaker, text, at FROM turns WHERE space = :space AND at > :since"
        " ORDER BY at DESC LIMIT :limit",
        space=space,
        since=since,
        limit=limit,
    )
    for row in rows:
        yield Happening(
            row["at"], "append", row["text"][:SHOWN], row["id"], row["speaker"] or row["role"], row["session"]
        )


def _questions(db: Database, space: str, since: Instant, limit: int) -> Iterator[Happening]:
    rows = db.rows(
        "SELECT a.text AS text, a.last_at AS at, (SELECT count(*) FROM recall_events e WHERE e.space = a.space"
        " AND e.query = a.hash AND e.at = a.last_at) AS hits FROM asked a WHERE a.space = :space AND a.last_at > :since"
        " ORDER BY a.last_at DESC LIMIT :limit",
        space=space,
        since=since,
        limit=limit,
    )
    for row in rows:
        yield Happening(row["at"], "recall", row["text"][:SHOWN], hits=row["hits"])


def _answers(db: Database, space: str, since: Instant, limit: int) -> Iterator[Happening]:
    rows = db.rows(
        "SELECT asked, answer, served, why, at FROM servings WHERE space = :space AND at > :since"
        " ORDER BY at DESC LIMIT :limit",
        space=space,
        since=since,
        limit=limit,
    )
    for row in rows:
        if row["served"]:
            yield Happening(row["at"], "answer", row["asked"][:SHOWN], row["answer"] or "", "served")


def _nights(db: Database, space: str, since: Instant, limit: int) -> Iterator[Happening]:
    rows = db.rows(
        "SELECT id, kind, status, why, requested_at FROM nights WHERE space = :space AND requested_at > :since"
        " ORDER BY requested_at DESC LIMIT :limit",
        space=space,
        since=since,
        limit=limit,
    )
    for row in rows:
        yield Happening(row["requested_at"], "night", f"{row['kind']}: {row['why']}", row["id"], row["status"])


def graph(db: Database, space: str, limit: int, tier: Tier = "hot", about: str = "") -> MemoryGraph:
    """Of a tier's memories used last those with the most links, at most so many, and the edges among them; with
    `about` only those that mention that name."""
    mentioned = (
        " AND id IN (SELECT w.memory FROM name_postings p JOIN memory_words w ON w.row = p.memory"
        " WHERE p.num = (SELECT num FROM spaces WHERE id = :space) AND p.name = :about LIMIT :most)"
        if about
        else ""
    )
    rows = db.rows(
        f"SELECT id FROM memories WHERE space = :space AND tier = :tier AND quarantined = 0{mentioned}"
        " ORDER BY coalesce(last_used_at, said_at, created_at) DESC, id DESC LIMIT :most",
        space=space,
        tier=tier,
        about=about,
        most=LOOKED_AT,
    )
    near = {row["id"] for row in rows}
    edges = [edge for edge in memories.edges_of(db, space, near) if edge.a in near and edge.b in near]
    links = Counter(end for edge in edges for end in (edge.a, edge.b))
    best = sorted(links, key=lambda id: (-links[id], id))[:limit]
    found = memories.by_ids(db, space, best)
    among = tuple(edge for edge in edges if edge.a in found and edge.b in found)
    words = db.each("SELECT names FROM memory_words WHERE memory IN (:keys)", list(found))
    named = Counter(name for row in words for name in names_of(row["names"]))
    names = tuple(sorted(named, key=lambda name: (-named[name], name))[:NAMES])
    return MemoryGraph(tuple(found[id] for id in best if id in found), among, len(near), names)
