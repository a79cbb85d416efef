"""What nights make for a space with more vectors than are scanned: a pgvector table on Postgres, a file beside SQLite.

A row of the table `near` names it. It may be gone at any time: the scan goes on, and a night makes it anew.
"""

from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from reverie.store.db import Database, Transaction
from reverie.store.tables.vectors import SCAN_LIMIT, TURNS


class Made(NamedTuple):
    relation: str  # the table's name, or the file's without its ending
    dim: int
    seen: int  # the place of the space's change sequence that it has caught up with


def large(db: Database, limit: int = SCAN_LIMIT, space: str | None = None) -> list[tuple[str, str]]:
    """Spaces, with the embedder, that have more vectors of memories than are scanned."""
    rows = db.rows(
        "SELECT space, embedder FROM vectors WHERE vec IS NOT NULL AND ref NOT LIKE :turns"
        f"{' AND space = :space' if space else ''} GROUP BY space, embedder HAVING count(*) > :limit",
        turns=TURNS,
        limit=limit,
        **({"space": space} if space else {}),
    )
    return [(row["space"], row["embedder"]) for row in rows]


def unserved(db: Database, limit: int = SCAN_LIMIT) -> int:
    """How many large spaces wait for a night to make it."""
    served = {(row["space"], row["embedder"]) for row in db.rows("SELECT space, embedder FROM near")}
    return len({*large(db, limit)} - served)


def made_for(db: Database, space: str) -> dict[str, Made]:
    """By embedder."""
    rows = db.rows("SELECT embedder, relation, dim, seen FROM near WHERE space = :space", space=space)
    return {row["embedder"]: Made(row["relation"], row["dim"], row["seen"]) for row in rows}


def mark(tx: Transaction, space: str, embedder: str, made: Made) -> None:
    """From now on it is searched."""
    tx.run(
        "INSERT INTO near (space, embedder, relation, dim, seen) VALUES (:space, :embedder, :relation, :dim, :seen)"
        " ON CONFLICT (space, embedder) DO UPDATE SET relation = excluded.relation, dim = excluded.dim,"
        " seen = excluded.seen",
        space=space,
        embedder=embedder,
        **made._asdict(),
    )


def forget(db: Database, tx: Transaction, space: str, refs: Iterable[str]) -> None:
    """What a person has forgotten does not wait for a night. A file cannot let go of a part: it goes whole."""
    gone = [{"ref": ref} for ref in refs]
    if not gone:
        return
    if db.name == "sqlite":
        drop(db, tx, space)
    else:
        for relation in _relations(tx, space):
            tx.many(f"DELETE FROM {relation} WHERE ref = :ref", gone)


def drop(db: Database, tx: Transaction, space: str) -> None:
    if db.name == "postgres":
        for relation in _relations(tx, space):
            tx.run(f"DROP TABLE IF EXISTS {relation}")
    tx.run("DELETE FROM near WHERE space = :space", space=space)
    unlink(db.folder, space)


def unlink(folder: Path | None, prefix: str, *, keep: str | None = None) -> None:
    """Files whose name begins so, but one: those of earlier nights, and what a killed one has left."""
    for path in folder.glob(f"{prefix}.*") if folder is not None else ():
        if keep is None or not path.name.startswith(f"{keep}."):
            path.unlink(missing_ok=True)


def _relations(tx: Transaction, space: str) -> list[str]:
    return [row["relation"] for row in tx.rows("SELECT relation FROM near WHERE space = :space", space=space)]
