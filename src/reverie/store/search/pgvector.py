"""A large space on Postgres: its vectors in a pgvector table of its own, made and caught up by nights."""

import hashlib
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass

from reverie.errors import StoreError
from reverie.language.calendar import counted
from reverie.store.db import Database, Transaction
from reverie.store.dialect.dialect import Finding, VectorIndex, Writes
from reverie.store.search import large_spaces
from reverie.store.search.matrix import Layered, Made, Vectors
from reverie.store.tables import vectors

EF_LIMIT = 1_000  # neighbours that pgvector looks at, at most
OLDEST = (0, 7)  # the first pgvector with half precision
MAX_DIM = 4_000  # of a half-precision index
BATCH = 50  # vectors a transaction
BUILD_MEMORY = "512MB"


class Pgvector(Layered):
    """Searches a pgvector table. Its index finds neighbours in half precision; their cosines are exact."""

    most = 2 * EF_LIMIT

    def __init__(self, db: Database, made: Made) -> None:
        super().__init__(made)
        self._db = db

    def _by_index(self, query: Vectors, n: int) -> list[tuple[str, float]]:
        """`n` is written into the SQL: a plan made for any number would not use the index."""
        relation, dim, _ = self.made
        self._db.value("SELECT set_config('hnsw.ef_search', :ef, true)", ef=str(min(2 * n, EF_LIMIT)))
        return self._hits(
            f"SELECT ref, -(vec <#> CAST(:query AS vector)) AS cosine FROM (SELECT ref, vec FROM {relation}"
            f" ORDER BY CAST(vec AS halfvec({dim})) <#> CAST(:query AS halfvec({dim})) LIMIT {int(n)}) AS near",
            query,
        )

    def _by_scan(self, query: Vectors) -> list[tuple[str, float]]:
        return self._hits(f"SELECT ref, -(vec <#> CAST(:query AS vector)) AS cosine FROM {self.made.relation}", query)

    def _hits(self, sql: str, query: Vectors) -> list[tuple[str, float]]:
        return [(row["ref"], row["cosine"]) for row in self._db.rows(sql, query=written(query))]


def written(vector: Vectors) -> str:
    """A vector as pgvector reads it; nine digits hold a float32 exactly.

    >>> import numpy as np
    >>> written(np.array([0.5, -1.0], np.float32))
    '[0.5,-1]'
    """
    return f"[{','.join(['%.9g'] * len(vector))}]" % tuple(vector.tolist())


@dataclass(frozen=True, slots=True)
class Extension:
    """The versions of pgvector that this database has, and that its server offers; None for neither."""

    installed: str | None
    offered: str | None

    @property
    def usable(self) -> bool:
        version = self.installed or self.offered
        return version is not None and tuple(int(part) for part in version.split(".")[:2]) >= OLDEST


def extension(db: Database) -> Extension:
    row = db.row("SELECT installed_version, default_version FROM pg_available_extensions WHERE name = 'vector'")
    return Extension(None, None) if row is None else Extension(row["installed_version"], row["default_version"])


class PgvectorTables(VectorIndex[Database]):
    """A table for each large space and embedder. Without pgvector none is made, and large spaces are scanned."""

    def open(self, db: Database, made: Made) -> Pgvector:
        return Pgvector(db, made)

    def tend(self, db: Database, space: str, limit: int) -> int:
        if db.inside("memory"):
            return 0
        made = 0
        known = large_spaces.made_for(db, space)
        for embedder, table in known.items():
            made += _catch_up(db, space, embedder, table)
        for _, embedder in large_spaces.large(db, limit, space):
            if embedder not in known and extension(db).usable:
                with suppress(StoreError):  # no right to, no room: the scan goes on, and `reverie doctor` names it
                    made += _make(db, space, embedder)
        return made

    def forget(self, db: Database, tx: Writes, space: str, refs: Sequence[str]) -> None:
        for table in large_spaces.made_for(db, space).values() if refs else ():
            tx.many(f"DELETE FROM {table.relation} WHERE ref = :ref", [{"ref": ref} for ref in refs])

    def drop(self, db: Database, tx: Writes, space: str) -> None:
        for table in large_spaces.made_for(db, space).values():
            tx.run(f"DROP TABLE IF EXISTS {table.relation}")
        large_spaces.unmark(tx, space)

    def check(self, db: Database) -> Finding:
        found, waiting = extension(db), large_spaces.unserved(db)
        if found.installed and found.usable:
            said = f"pgvector {found.installed}"
            return Finding(
                "vectors", "ok", said + (f"; the next night indexes: {counted(waiting, 'space')}" if waiting else "")
            )
        said = "no pgvector, so every search scans its space's vectors in memory"
        if not waiting:
            return Finding("vectors", "ok", f"{said}: none is large")
        move = (
            "Let an administrator run `CREATE EXTENSION vector`."
            if found.usable
            else "Install pgvector 0.7 on the server."
        )
        return Finding("vectors", "warning", f"{said}; too large for that: {counted(waiting, 'space')}", move)


def _make(db: Database, space: str, embedder: str) -> int:
    """Makes and fills a table, then names it in `near`; one that a killed night has left is made anew."""
    dim = vectors.dim(db, space, embedder)
    if dim is None or dim > MAX_DIM:
        return 0
    table, copied = _follow(db, space, embedder, _empty(db, space, embedder, dim))
    _index(db, table)
    table, since = _follow(db, space, embedder, table)
    with db.write("memory") as tx:
        # Under the space's lock nothing can change between the last look and the mark.
        tx.locked_row("SELECT changes FROM spaces WHERE id = :space", space=space)
        table, last = _follow(db, space, embedder, table)
        large_spaces.mark(tx, space, embedder, table)
    return copied + since + last


def _empty(db: Database, space: str, embedder: str, dim: int) -> Made:
    num = db.value("SELECT num FROM spaces WHERE id = :space", space=space)
    relation = f"near_{num}_{hashlib.blake2b(embedder.encode(), digest_size=6).hexdigest()}"
    with db.write("memory") as tx:
        tx.run("CREATE EXTENSION IF NOT EXISTS vector")
        tx.run(f"DROP TABLE IF EXISTS {relation}")
        tx.run(f"CREATE TABLE {relation} (ref TEXT, part INTEGER, vec vector({dim}) NOT NULL, PRIMARY KEY (ref, part))")
    return Made(relation, dim, -1)


def _index(db: Database, table: Made) -> None:
    with db.write("memory", durable=False) as tx:
        # One worker: the others would need as much shared memory as the graph, which containers do not have.
        tx.rows(
            "SELECT set_config('maintenance_work_mem', :memory, true),"
            " set_config('max_parallel_maintenance_workers', '0', true)",
            memory=BUILD_MEMORY,
        )
        tx.run(f"CREATE INDEX ON {table.relation} USING hnsw ((CAST(vec AS halfvec({table.dim}))) halfvec_ip_ops)")
        tx.run(f"ANALYZE {table.relation}")


def _catch_up(db: Database, space: str, embedder: str, table: Made) -> int:
    table, copied = _follow(db, space, embedder, table)
    with db.write("memory") as tx:
        large_spaces.mark(tx, space, embedder, table)
    return copied


def _follow(db: Database, space: str, embedder: str, table: Made) -> tuple[Made, int]:
    """Brings the table up to date; answers it as it is now, and how many rows were copied."""
    changes = int(db.value("SELECT changes FROM spaces WHERE id = :space", space=space))
    copied = _copy(db, space, embedder, table)
    return table._replace(seen=changes), copied


def _copy(db: Database, space: str, embedder: str, table: Made) -> int:
    """Copies what has changed, in short transactions, without turns: a night soon makes episodes of them."""
    done, place = 0, (table.seen + 1, "")
    while True:
        with db.write("memory", durable=False) as tx:
            # Locked, so that a vector cannot be forgotten between being read here and being written there.
            rows = vectors.after(tx, space, place, BATCH, lock=" FOR SHARE")
            _write(tx, table.relation, list(vectors.usable(rows, embedder)))
        if not rows:
            return done
        done, place = done + len(rows), (rows[-1]["changed"], rows[-1]["ref"])


def _write(tx: Transaction, relation: str, found: Sequence[tuple[str, Vectors | None]]) -> None:
    tx.many(f"DELETE FROM {relation} WHERE ref = :ref", [{"ref": ref} for ref, _ in found])
    tx.many(
        f"INSERT INTO {relation} (ref, part, vec) VALUES (:ref, :part, CAST(:vec AS vector))",
        [
            {"ref": ref, "part": part, "vec": written(row)}
            for ref, rows in found
            if rows is not None
            for part, row in enumerate(rows)
        ],
    )
