"""A large space on Postgres: its vectors in a pgvector table of its own, which nights keep (`pgtables.py`)."""

from collections.abc import Callable, Iterable
from typing import NamedTuple

from reverie.store.db import Database, Transaction
from reverie.store.matrix import Matrix
from reverie.store.vectors import Vectors

EF_LIMIT = 1_000  # pgvector looks at no more neighbours
OVERFETCH = 10  # a filtered search looks at so many times more neighbours before it reads the whole table


class Table(NamedTuple):
    relation: str
    dim: int
    seen: int  # the place of the space's change sequence that it has caught up with


class Pgvector:
    """The same searches as `Matrix`: the table as a night left it, and over it in memory what has changed since.

    Near neighbours come from the index, in half precision; their cosines are exact.
    """

    def __init__(self, db: Database, table: Table) -> None:
        self.table = table
        self._db = db
        self._fresh = Matrix(table.dim)
        self._stale: set[str] = set()  # refs that the table no longer speaks for
        self._changes = table.seen

    @property
    def bytes(self) -> int:
        return self._fresh.bytes

    def seen(self, changes: int) -> int:
        """From which place of the change sequence it wants to hear: the table knows what is older."""
        return max(changes, self._changes)

    def saw(self, changes: int) -> None:
        self._changes = changes

    def put(self, ref: str, vector: Vectors) -> None:
        self._stale.add(ref)
        self._fresh.put(ref, vector)

    def remove(self, ref: str) -> None:
        self._stale.add(ref)
        self._fresh.remove(ref)

    leave = remove

    def search(self, query: Vectors, n: int, allowed: Callable[[str], bool] | None = None) -> list[tuple[str, float]]:
        """About the `n` nearest refs with their cosines, nearest first; exactly those if the index cannot say."""
        if not n:
            return []
        wanted = n * OVERFETCH if allowed is not None else 2 * n if self._stale else n
        found = self._kept(self._by_index(query, wanted), allowed) if wanted <= 2 * EF_LIMIT else []
        if len(found) < n:
            found = self._kept(self._by_scan(query), allowed)
        found += self._fresh.search(query, n, allowed)
        return sorted(found, key=lambda hit: (-hit[1], hit[0]))[:n]

    def _kept(
        self, hits: Iterable[tuple[str, float]], allowed: Callable[[str], bool] | None
    ) -> list[tuple[str, float]]:
        return [hit for hit in hits if hit[0] not in self._stale and (allowed is None or allowed(hit[0]))]

    def _by_index(self, query: Vectors, n: int) -> list[tuple[str, float]]:
        """`n` stands in the text: a plan made for any number would not use the index."""
        relation, dim, _ = self.table
        self._db.value("SELECT set_config('hnsw.ef_search', :ef, true)", ef=str(min(2 * n, EF_LIMIT)))
        return self._hits(
            f"SELECT ref, -(vec <#> CAST(:query AS vector)) AS cosine FROM (SELECT ref, vec FROM {relation}"
            f" ORDER BY CAST(vec AS halfvec({dim})) <#> CAST(:query AS halfvec({dim})) LIMIT {int(n)}) AS near",
            query,
        )

    def _by_scan(self, query: Vectors) -> list[tuple[str, float]]:
        return self._hits(f"SELECT ref, -(vec <#> CAST(:query AS vector)) AS cosine FROM {self.table.relation}", query)

    def _hits(self, sql: str, query: Vectors) -> list[tuple[str, float]]:
        return [(row["ref"], row["cosine"]) for row in self._db.rows(sql, query=written(query))]


def table_of(db: Database, space: str, embedder: str) -> Table | None:
    """The space's table, if a night has made one."""
    row = db.row(
        "SELECT relation, dim, seen FROM near WHERE space = :space AND embedder = :embedder",
        space=space,
        embedder=embedder,
    )
    return None if row is None else Table(row["relation"], row["dim"], row["seen"])


def forget(db: Database, tx: Transaction, space: str, refs: Iterable[str]) -> None:
    """What a person has forgotten does not wait for a night."""
    gone = [{"ref": ref} for ref in refs]
    for relation in _relations(db, tx, space):
        tx.many(f"DELETE FROM {relation} WHERE ref = :ref", gone)


def drop(db: Database, tx: Transaction, space: str) -> None:
    for relation in _relations(db, tx, space):
        tx.run(f"DROP TABLE IF EXISTS {relation}")
        tx.run("DELETE FROM near WHERE relation = :relation", relation=relation)


def written(vector: Vectors) -> str:
    """A vector as pgvector reads it; nine digits are a float32, whole.

    >>> import numpy as np
    >>> written(np.array([0.5, -1.0], np.float32))
    '[0.5,-1]'
    """
    return f"[{','.join(['%.9g'] * len(vector))}]" % tuple(vector.tolist())


def _relations(db: Database, tx: Transaction, space: str) -> list[str]:
    if db.name != "postgres":
        return []
    return [row["relation"] for row in tx.rows("SELECT relation FROM near WHERE space = :space", space=space)]
