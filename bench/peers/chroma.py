"""chromadb as the seed's worker uses it: one collection for all users, `where={"user": ...}` on every query."""

from pathlib import Path

import chromadb
from chromadb.config import Settings

from bench.peers.wire import Vector, serve

USER = {"user": "user"}


class Chroma:
    _where: dict[str, str] | None = USER

    def __init__(self, folder: Path) -> None:
        client = chromadb.PersistentClient(str(folder), Settings(anonymized_telemetry=False))
        self._collection = client.get_or_create_collection("memories", metadata={"hnsw:space": "cosine"})

    def fill(self, ids: list[str], texts: list[str], vectors: list[Vector]) -> None:
        self._collection.add(ids=ids, documents=texts, embeddings=vectors, metadatas=[USER] * len(ids))

    def add(self, id: str, text: str, vector: Vector) -> None:
        self.fill([id], [text], [vector])

    def search(self, text: str, vector: Vector, n: int = 10) -> list[str]:
        found: list[str] = self._collection.query(query_embeddings=[vector], n_results=n, where=self._where)["ids"][0]
        return found


if __name__ == "__main__":
    serve(Chroma)
