"""A large space on Postgres: its vectors in a pgvector table of its own, made by nights (`pgvector_build.py`)."""

from reverie.store.db import Database
from reverie.store.search.layered import Layered, Made
from reverie.store.search.matrix import Vectors

EF_LIMIT = 1_000  # neighbours that pgvector looks at, at most


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
