"""chromadb as the seed's worker uses it: one collection for all users, `where={"user": ...}` on every query."""

from pathlib import Path

import chromadb
from chromadb.config import Settings

from bench.peers.wire import Vector, serve

USER = {"user": "user"}


class Chroma:
    def __init__(self, folder: Path) -> None:
        client = chromadb.PersistentClient(str(folder), Settings(anonymized_telemetry=False))
        self._collection = client.create_collection("memories", metadata={"hnsw:space": "cosine"})

    def fill(self, ids: list[str], texts: list[str], vectors: list[Vector]) -> None:
        self._collection.add(ids=ids, documents=texts, embeddings=vectors, metadatas=[USER] * len(ids))

    def add(self, id: str, text: str, vector: Vector) -> None:
        self.fill([id], [text], [vector])

    def search(self, text: str, vector: Vector) -> None:
        self._collection.query(query_embeddings=[vector], n_results=10, where=USER)


if __name__ == "__main__":
    serve(Chroma)
