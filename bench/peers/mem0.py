"""mem0 without its model (`infer=False`), over its default store, Qdrant's local one: no key, telemetry or server.

Its keyword extras are on: BM25 by fastembed beside the vectors. What they would fetch from the network comes from
packages instead: stop words and lemmas are spaCy's tables. Its entities need a model that no package has; they are off.
"""

import os
from pathlib import Path
from typing import Any
from uuid import uuid4

from bench.peers.wire import Embedded, Vector, serve

USER = {"user_id": "user"}


class Mem0:
    def __init__(self, folder: Path) -> None:
        # Read when it is imported. The key is never used: nothing here calls a model.
        os.environ |= {"MEM0_TELEMETRY": "False", "MEM0_DIR": str(folder), "OPENAI_API_KEY": "none"}
        from mem0 import Memory

        where = {"path": str(folder / "qdrant"), "on_disk": True, "embedding_model_dims": 384}
        store = {"provider": "qdrant", "config": {"collection_name": "memories", **where}}
        self._memory: Any = Memory.from_config({"vector_store": store, "history_db_path": str(folder / "history.db")})
        self._memory.embedding_model = self._embedder = _Embedder()
        self._memory.vector_store._bm25_encoder = _bm25(folder)
        _use_tables()

    def fill(self, ids: list[str], texts: list[str], vectors: list[Vector]) -> None:
        """Straight into its vector store: by its own `add`, one at a time, 14,000 take minutes."""
        from mem0.utils.lemmatization import lemmatize_for_bm25

        rows = [
            {"data": text, "hash": id, "text_lemmatized": lemmatize_for_bm25(text), **USER}
            for id, text in zip(ids, texts, strict=True)
        ]
        self._memory.vector_store.insert(vectors=vectors, ids=[str(uuid4()) for _ in ids], payloads=rows)

    def add(self, id: str, text: str, vector: Vector) -> None:
        self._embedder.known[text] = vector
        self._memory.add([{"role": "user", "content": text}], **USER, infer=False)

    def search(self, text: str, vector: Vector, n: int = 10) -> list[str]:
        self._embedder.known[text.strip()] = vector  # as it asks for it
        found = self._memory.search(text, top_k=n, filters=USER, threshold=0.0)["results"]
        return [str(one.get("hash") or one["id"]) for one in found]


class _Embedder(Embedded):
    """As mem0 calls it."""

    def embed(self, text: str, memory_action: str | None = None) -> Vector:
        return self.known[text]

    def embed_batch(self, texts: list[str], memory_action: str | None = None) -> list[Vector]:
        return self(texts)


def _bm25(folder: Path) -> Any:
    """The encoder that mem0 would load: all that it fetches are lists of stop words."""
    from fastembed.sparse.bm25 import Bm25
    from spacy.lang.en.stop_words import STOP_WORDS

    return Bm25("Qdrant/bm25", specific_model_path=str(folder), stopwords=set(STOP_WORDS))


def _use_tables() -> None:
    """spaCy with lemmas from its tables, in the place of the model that mem0 would download."""
    import spacy
    from mem0.utils import spacy_models

    lemmas = spacy.blank("en")
    lemmas.add_pipe("lemmatizer", config={"mode": "lookup"})
    lemmas.initialize()
    spacy_models._nlp_lemma = lemmas
    spacy_models._load_failed_full = True


if __name__ == "__main__":
    serve(Mem0)
