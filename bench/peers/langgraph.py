"""LangGraph's `SqliteStore`: its durable store that needs no server; the user is the namespace."""

from pathlib import Path
from typing import Any

from bench.peers.wire import Embedded, Vector, serve

USER = ("user",)


class LangGraph:
    def __init__(self, folder: Path) -> None:
        import pysqlite3  # the store loads an extension, which many Pythons' own sqlite3 cannot
        from langgraph.store.base import PutOp
        from langgraph.store.sqlite import SqliteStore

        self._put, self._embedder = PutOp, Embedded()
        connection = pysqlite3.connect(str(folder / "store.db"), check_same_thread=False, isolation_level=None)
        index: Any = {"dims": 384, "embed": self._embedder, "text_fields": ["text"]}
        self._store = SqliteStore(connection, index=index)
        self._store.setup()

    def fill(self, ids: list[str], texts: list[str], vectors: list[Vector]) -> None:
        self._embedder.known = dict(zip(texts, vectors, strict=True))
        self._store.batch([self._put(USER, id, {"text": text}) for id, text in zip(ids, texts, strict=True)])

    def add(self, id: str, text: str, vector: Vector) -> None:
        self._embedder.known[text] = vector
        self._store.put(USER, id, {"text": text})

    def search(self, text: str, vector: Vector, n: int = 10) -> list[str]:
        self._embedder.known[text] = vector
        return [item.key for item in self._store.search(USER, query=text, limit=n)]


if __name__ == "__main__":
    serve(LangGraph)
