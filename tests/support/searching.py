"""A small space to search, and an embedder that needs no model: texts are near when they share words."""

import hashlib
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reverie.awake.append import append
from reverie.language.words import content_hash, terms
from reverie.minds.embed import FromFunction
from reverie.model.base import DAY
from reverie.model.changes import Vector
from reverie.model.hits import Asking, Hit
from reverie.model.memories import Document, Memory
from reverie.model.spaces import SpaceRecord
from reverie.model.turns import Draft
from reverie.retrieve import Retriever
from reverie.store.db import Database
from reverie.store.search import documents
from reverie.store.search.index import Indexes, IndexLimits
from reverie.store.tables import memories, spaces, vectors

NOW = 1_790_000_000.0
DIM = 32


def bag(texts: Sequence[str]) -> NDArray[np.float32]:
    rows = np.full((len(texts), DIM), 0.01, np.float32)
    for row, text in zip(rows, texts, strict=True):
        for term in terms(text):
            row[int(hashlib.blake2b(term.encode(), digest_size=2).hexdigest(), 16) % DIM] += 1
    return rows


EMBEDDER = FromFunction(bag, "bag", DIM)


class Place:
    """One space of a database, written by hand."""

    def __init__(
        self, db: Database, name: str = "alice", limits: IndexLimits | None = None, patient: bool = False
    ) -> None:
        self.db = db
        self.record: SpaceRecord = spaces.create(db, spaces.org_named(db, "org", NOW), name, NOW)
        self.retriever = Retriever(db, Indexes(db, limits), EMBEDDER, patient)

    @property
    def id(self) -> str:
        return self.record.id

    def say(self, text: str, session: str = "one", *, at: float = NOW - DAY, speaker: str | None = None) -> str:
        return append(self.db, self.record, Draft("user", text, session, at=at, speaker=speaker)).id

    def know(self, id: str, text: str, *, context: str = "", vector: bool = True, **fields: Any) -> str:
        given = {"kind": "fact", "said_at": NOW - DAY, "created_at": NOW, "sources": (id,)}
        memory = Memory(id=id, space=self.id, text=text, hash=content_hash(text), **{**given, **fields})
        made = [Vector(id, EMBEDDER.id, EMBEDDER.embed([text])[0].tobytes())] if vector else []
        with self.db.write("memory") as tx:
            changed = spaces.next_change(tx, self.id)
            memories.insert(tx, memory)
            documents.put_documents(tx, self.record.num, self.id, [Document(id, text, context)], changed)
            vectors.put_vectors(tx, self.id, made, changed)
        return id

    def night_reads(self, upto: int) -> None:
        with self.db.write("memory") as tx:
            spaces.next_change(tx, self.id)
            tx.run("UPDATE spaces SET watermark = :upto WHERE id = :id", upto=upto, id=self.id)

    def hits(self, query: str, **asking: Any) -> list[Hit]:
        return self.retriever.retrieve(self.id, query, Asking(**asking), NOW)

    def ids(self, query: str, **asking: Any) -> list[str]:
        return [hit.id for hit in self.hits(query, **asking)]
