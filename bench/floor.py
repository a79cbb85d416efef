"""The least that a search and an insert can cost: one numpy scan, one FTS5 query, one durable row."""

import os
import sqlite3
import sys
from pathlib import Path

import numpy as np

from bench.synthetic import Vectors
from reverie.language.words import terms

NEAREST = 100


def on_one_thread(module: str) -> None:
    """Begins a module anew with one BLAS thread, unless somebody has chosen how many: a second makes no scan faster
    here, and it spins on into whatever is measured next."""
    if "OPENBLAS_NUM_THREADS" not in os.environ:
        os.environ["OPENBLAS_NUM_THREADS"] = "1"
        os.execv(sys.executable, [sys.executable, "-m", module, *sys.argv[1:]])


class Floor:
    """A table with only this space's rows, a matrix with only this space's vectors, nothing else."""

    def __init__(self, folder: Path, texts: list[str], vectors: Vectors) -> None:
        self._matrix = np.ascontiguousarray(vectors)
        self._db = sqlite3.connect(folder / "floor.db", isolation_level=None)
        self._db.execute("PRAGMA journal_mode = WAL")
        self._db.execute("PRAGMA synchronous = FULL")
        self._db.execute("PRAGMA mmap_size = 268435456")
        self._db.execute("CREATE TABLE turns (id INTEGER PRIMARY KEY, text TEXT)")
        self._db.execute("CREATE VIRTUAL TABLE words USING fts5 (body)")
        self._db.execute("BEGIN")
        for text in texts:
            self._insert(text)
        self._db.execute("COMMIT")

    def search(self, query: str, vector: Vectors) -> None:
        cosines = self._matrix @ vector
        np.argpartition(cosines, max(0, len(cosines) - NEAREST))
        match = " OR ".join(f'"{term}"' for term in dict.fromkeys(terms(query)))
        self._db.execute(
            "SELECT rowid FROM words WHERE words MATCH ? ORDER BY bm25(words) LIMIT 100", (match,)
        ).fetchall()

    def insert(self, text: str) -> None:
        self._db.execute("BEGIN IMMEDIATE")
        self._insert(text)
        self._db.execute("COMMIT")

    def close(self) -> None:
        self._db.close()

    def _insert(self, text: str) -> None:
        row = self._db.execute("INSERT INTO turns (text) VALUES (?)", (text,)).lastrowid
        self._db.execute("INSERT INTO words (rowid, body) VALUES (?, ?)", (row, " ".join(terms(text))))
