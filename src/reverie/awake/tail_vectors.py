"""Vectors for turns that no night has read: made on request, or on the spot where a query's words find nothing."""

from reverie.minds.embed import Embedder
from reverie.model.base import Instant
from reverie.model.changes import Vector
from reverie.model.hits import Asking, Hit
from reverie.policy.recall.filters import acceptance
from reverie.policy.recall.search_keys import vector_text
from reverie.retrieve import turn_hit
from reverie.store.db import Database
from reverie.store.search import documents
from reverie.store.tables import spaces, turns, vectors

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


MOST = 24  # turns
LEAST_COSINE = 0.2


def by_meaning(db: Database, embedder: Embedder, space: str, query: str, asking: Asking, now: Instant) -> list[Hit]:
    """The last unread turns by their nearness to the query, nearest first."""
    if not embedder.dim or (asking.as_of is not None and asking.as_of < now):
        return []
    watermark = spaces.by_id(db, space).watermark
    fresh = turns.listed(db, space, session=asking.session, after=watermark, descending=True, limit=MOST)
    accepts = acceptance(asking)
    vector = embedder.embed_one(query)
    near = ((float(embedder.embed_one(turn.text) @ vector), turn) for turn in fresh if accepts(turn))
    found = sorted(((c, turn) for c, turn in near if c >= LEAST_COSINE), key=lambda pair: (-pair[0], pair[1].seq))
    return [turn_hit(turn, cosine, cosine, {"meaning": cosine}) for cosine, turn in found[: asking.k]]
