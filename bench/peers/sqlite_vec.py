"""sqlite-vec and FTS5 in one file, by hand: an exact scan of the user's vectors, and words."""

from array import array
from pathlib import Path

import pysqlite3
import sqlite_vec

from bench.peers.fused import DEPTH, by_words, fused
from bench.peers.wire import Vector, serve


class SqliteVec:
    def __init__(self, folder: Path) -> None:
        self._db = pysqlite3.connect(str(folder / "store.db"), isolation_level=None)
        self._db.enable_load_extension(True)
        sqlite_vec.load(self._db)
        for sql in (
            "PRAGMA journal_mode = WAL",
            "PRAGMA synchronous = FULL",
            "CREATE TABLE IF NOT EXISTS memories (num INTEGER PRIMARY KEY, id TEXT, text TEXT)",
            "CREATE VIRTUAL TABLE IF NOT EXISTS words USING fts5 (body, tokenize = 'porter unicode61')",
            "CREATE VIRTUAL TABLE IF NOT EXISTS near USING vec0 (user TEXT partition key,"
            " vec float[384] distance_metric=cosine)",
        ):
            self._db.execute(sql)

    def fill(self, ids: list[str], texts: list[str], vectors: list[Vector]) -> None:
        self._db.execute("BEGIN IMMEDIATE")
        for id, text, vector in zip(ids, texts, vectors, strict=True):
            row = self._db.execute("INSERT INTO memories (id, text) VALUES (?, ?)", (id, text)).lastrowid
            self._db.execute("INSERT INTO words (rowid, body) VALUES (?, ?)", (row, text))
            packed = array("f", vector).tobytes()
            self._db.execute("INSERT INTO near (rowid, user, vec) VALUES (?, 'user', ?)", (row, packed))
        self._db.execute("COMMIT")

    def add(self, id: str, text: str, vector: Vector) -> None:
        self.fill([id], [text], [vector])

    def search(self, text: str, vector: Vector, n: int = 10) -> list[str]:
        sql = "SELECT rowid FROM near WHERE user = 'user' AND vec MATCH ? AND k = ?"
        near = [row for (row,) in self._db.execute(sql, (array("f", vector).tobytes(), DEPTH))]
        best = fused([by_words(self._db, text), near], n)
        read = self._db.execute(f"SELECT num, id, text FROM memories WHERE num IN ({','.join('?' * len(best))})", best)
        named = {num: id for num, id, _ in read}
        return [named[row] for row in best]


if __name__ == "__main__":
    serve(SqliteVec)
