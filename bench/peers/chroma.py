"""chromadb as the seed's worker uses it: one collection for all users, `where={"user": ...}` on every query."""

import json
import sys
import tempfile
import time
from typing import Any

import chromadb
from chromadb.config import Settings

BATCH = 1_000


def main() -> None:
    out = sys.stdout
    sys.stdout = sys.stderr  # whatever the library prints must not end up between our lines
    folder = tempfile.TemporaryDirectory()
    client = chromadb.PersistentClient(folder.name, Settings(anonymized_telemetry=False))
    collection = client.create_collection("memories", metadata={"hnsw:space": "cosine"})
    for line in sys.stdin:
        asked = json.loads(line)
        out.write(json.dumps(answer(collection, asked)) + "\n")
        out.flush()


def answer(collection: Any, asked: dict[str, Any]) -> Any:
    began = time.perf_counter()
    if asked["verb"] == "query":
        collection.query(query_embeddings=[asked["vector"]], n_results=10, where={"user": asked["user"]})
    else:
        for start in range(0, len(asked["ids"]), BATCH):
            part = slice(start, start + BATCH)
            collection.add(
                ids=asked["ids"][part],
                documents=asked["texts"][part],
                embeddings=asked["vectors"][part],
                metadatas=[{"user": asked["user"]}] * len(asked["ids"][part]),
            )
    return time.perf_counter() - began


main()
