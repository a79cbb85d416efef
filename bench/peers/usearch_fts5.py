"""usearch and FTS5 by hand: an HNSW index in memory that is saved when filled, and words in SQLite."""

import sqlite3
from pathlib import Path

import numpy as np
from usearch.index import Index

from bench.peers.fused import DEPTH, by_words, fused
from bench.peers.wire import Vector, serve


class UsearchFts5:
    def __init__(self, folder: Path) -> None:
        self._path = folder / "near.usearch"
        self._near = Index(ndim=384, metric="cos", dtype="f32")
        if self._path.exists():
            self._near.load(str(self._path))
        self._db = sqlite3.connect(folder / "store.db", isolation_level=None)
        for sql in (
            "PRAGMA journal_mode = WAL",
            "PRAGMA synchronous = FULL",
            "CREATE TABLE IF NOT EXISTS memories (num INTEGER PRIMARY KEY, id TEXT, text TEXT)",
            "CREATE VIRTUAL TABLE IF NOT EXISTS words USING fts5 (body, tokenize = 'porter unicode61')",
        ):
            self._db.execute(sql)

    def fill(self, ids: list[str], texts: list[str], vectors: list[Vector]) -> None:
        self._put(ids, texts, vectors)
        self._near.save(str(self._path))

    def add(self, id: str, text: str, vector: Vector) -> None:
        self._put([id], [text], [vector])

    def _put(self, ids: list[str], texts: list[str], vectors: list[Vector]) -> None:
        rows = []
        self._db.execute("BEGIN IMMEDIATE")
        for id, text in zip(ids, texts, strict=True):
            row = self._db.execute("INSERT INTO memories (id, text) VALUES (?, ?)", (id, text)).lastrowid
            self._db.execute("INSERT INTO words (rowid, body) VALUES (?, ?)", (row, text))
            rows.append(row)
        self._db.execute("COMMIT")
        self._near.add(np.array(rows), np.array(vectors, np.float32))

    def search(self, text: str, vector: Vector, n: int = 10) -> list[str]:
        near = self._near.search(np.array(vector, np.float32), DEPTH).keys.tolist()
        best = fused([by_words(self._db, text), near], n)
        read = self._db.execute(f"SELECT num, id, text FROM memories WHERE num IN ({','.join('?' * len(best))})", best)
        named = {num: id for num, id, _ in read}
        return [named[row] for row in best]


if __name__ == "__main__":
    serve(UsearchFts5)
