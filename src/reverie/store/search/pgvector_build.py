"""The pgvector tables of large spaces: made and caught up asleep, when nobody waits; named when they cannot be."""

import hashlib
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass

from reverie.errors import StoreError
from reverie.store.db import Database, Transaction
from reverie.store.search import large_spaces
from reverie.store.search.large_spaces import Made
from reverie.store.search.pgvector import written
from reverie.store.tables import vectors
from reverie.store.tables.vectors import SCAN_LIMIT

OLDEST = (0, 7)  # the first pgvector with half precision
MAX_DIM = 4_000  # of a half-precision index
BATCH = 50  # vectors a transaction
BUILD_MEMORY = "512MB"


@dataclass(frozen=True, slots=True)
class Extension:
    """pgvector on this server: there to be used, there to be created, or neither."""

    installed: str | None
    offered: str | None

    @property
    def usable(self) -> bool:
        version = self.installed or self.offered
        return version is not None and tuple(int(part) for part in version.split(".")[:2]) >= OLDEST


def extension(db: Database) -> Extension:
    row = db.row("SELECT installed_version, default_version FROM pg_available_extensions WHERE name = 'vector'")
    return Extension(None, None) if row is None else Extension(row["installed_version"], row["default_version"])


def tend(db: Database, space: str, limit: int = SCAN_LIMIT) -> int:
    """Makes the table of a space that has become large and catches up those that there are; answers how many rows.

    Not inside a transaction: a dry run is one, and others wait for its end.
    """
    if db.name != "postgres" or db.inside("memory"):
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


def _make(db: Database, space: str, embedder: str) -> int:
    """A table counts once it is in `near`; what a killed night has left is made anew."""
    dim = vectors.dim(db, space, embedder)
    if dim is None or dim > MAX_DIM:
        return 0
    table, copied = _follow(db, space, embedder, _empty(db, space, embedder, dim))
    _index(db, table)
    table, since = _follow(db, space, embedder, table)
    with db.write("memory") as tx:
        # Under the space's lock nothing can change between the last look and the mark.
        tx.rows("SELECT changes FROM spaces WHERE id = :space FOR UPDATE", space=space)
        table, last = _follow(db, space, embedder, table)
        large_spaces.mark(tx, space, embedder, table)
    return copied + since + last


def _empty(db: Database, space: str, embedder: str, dim: int) -> Made:
    num = db.value("SELECT num FROM spaces WHERE id = :space", space=space)
    relation = f"near_{num}_{hashlib.blake2b(embedder.encode(), digest_size=6).hexdigest()}"
    with db.write("memory") as tx:
        tx.run("CREATE EXTENSION IF NOT EXISTS vector")
        tx.run(f"DROP TABLE IF EXISTS {relation}")
        tx.run(f"CREATE TABLE {relation} (ref TEXT PRIMARY KEY, vec vector({dim}) NOT NULL)")
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
    """The table as it has caught up, and by how many rows."""
    changes = int(db.value("SELECT changes FROM spaces WHERE id = :space", space=space))
    copied = _copy(db, space, embedder, table)
    return table._replace(seen=changes), copied


def _copy(db: Database, space: str, embedder: str, table: Made) -> int:
    """Brings over what has changed, a short transaction at a time. Turns stay out: they are soon episodes."""
    done, place = 0, (table.seen + 1, "")
    while True:
        with db.write("memory", durable=False) as tx:
            # Locked, so that a vector cannot be forgotten between being read here and being written there.
            rows = vectors.after(tx, space, place, BATCH, lock=" FOR SHARE")
            _write(tx, table.relation, list(vectors.usable(rows, embedder)))
        if not rows:
            return done
        done, place = done + len(rows), (rows[-1]["changed"], rows[-1]["ref"])


def _write(tx: Transaction, relation: str, found: Sequence[tuple[str, vectors.Vectors | None]]) -> None:
    tx.many(f"DELETE FROM {relation} WHERE ref = :ref", [{"ref": ref} for ref, vector in found if vector is None])
    tx.many(
        f"INSERT INTO {relation} (ref, vec) VALUES (:ref, CAST(:vec AS vector))"
        " ON CONFLICT (ref) DO UPDATE SET vec = excluded.vec",
        [{"ref": ref, "vec": written(vector)} for ref, vector in found if vector is not None],
    )
