"""Vectors for the log's fresh tail, before a nap makes them: the command line asks for it, `append` never does."""

from reverie.minds.embed import Embedder
from reverie.model.changes import Vector
from reverie.policy.recall.search_keys import vector_text
from reverie.store.db import Database
from reverie.store.search import documents
from reverie.store.tables import spaces, vectors

BATCH = 64


def embed_tail(db: Database, embedder: Embedder, space: str, limit: int = 1_000_000) -> int:
    """Embeds up to `limit` turns past the space's watermark that have no vector yet; answers how many."""
    done = 0
    while embedder.dim and done < limit:
        fresh = documents.unembedded_tail(db, space, embedder.id, min(BATCH, limit - done))
        if not fresh:
            break
        made = embedder.embed([vector_text(turn, before) for turn, before in fresh])
        with db.write("memory") as tx:
            changed = spaces.next_change(tx, space)
            found = [Vector(turn.id, embedder.id, row.tobytes()) for (turn, _), row in zip(fresh, made, strict=True)]
            vectors.put_vectors(tx, space, found, changed)
        done += len(fresh)
    return done
