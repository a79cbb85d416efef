"""Spaces with more vectors than are scanned, and the table `near`, which names the index that a night made for each.

The index is a pgvector table on Postgres and a file beside SQLite (`db.dialect.index`). It may be gone at any
time: then the space is scanned, and a night makes it anew.
"""

from reverie.store.db import Database, Transaction
from reverie.store.dialect.dialect import Writes
from reverie.store.search.matrix import Made
from reverie.store.tables.vectors import SCAN_LIMIT, TURNS

WORDS = "words"  # in the place of an embedder: the file of a space's documents


def large(db: Database, limit: int = SCAN_LIMIT, space: str | None = None) -> list[tuple[str, str]]:
    """Spaces, with the embedder, that have more vectors of memories than are scanned."""
    rows = db.rows(
        "SELECT space, embedder FROM vectors WHERE vec IS NOT NULL AND ref NOT LIKE :turns"
        f"{' AND space = :space' if space else ''} GROUP BY space, embedder HAVING sum(parts) > :limit",
        turns=TURNS,
        limit=limit,
        **({"space": space} if space else {}),
    )
    return [(row["space"], row["embedder"]) for row in rows]


def unserved(db: Database, limit: int = SCAN_LIMIT) -> int:
    """How many large spaces have no index yet: the next night makes it."""
    served = {(row["space"], row["embedder"]) for row in db.rows("SELECT space, embedder FROM near")}
    return len({*large(db, limit)} - served)


def made_for(db: Database | Transaction, space: str) -> dict[str, Made]:
    """The indexes of a space, by embedder."""
    rows = db.rows("SELECT embedder, relation, dim, seen FROM near WHERE space = :space", space=space)
    return {row["embedder"]: Made(row["relation"], row["dim"], row["seen"]) for row in rows}


def mark(tx: Transaction, space: str, embedder: str, made: Made) -> None:
    """Names the index of a space: from now on it is searched."""
    tx.run(
        "INSERT INTO near (space, embedder, relation, dim, seen) VALUES (:space, :embedder, :relation, :dim, :seen)"
        " ON CONFLICT (space, embedder) DO UPDATE SET relation = excluded.relation, dim = excluded.dim,"
        " seen = excluded.seen",
        space=space,
        embedder=embedder,
        **made._asdict(),
    )


def unmark(tx: Writes, space: str) -> None:
    """Names no index of a space any more: from now on it is scanned."""
    tx.run("DELETE FROM near WHERE space = :space", space=space)


def unmark_words(tx: Writes, space: str) -> None:
    """The file of a space's documents is out of date in a way that no change tells: documents were deleted."""
    tx.run("DELETE FROM near WHERE space = :space AND embedder = :words", space=space, words=WORDS)
