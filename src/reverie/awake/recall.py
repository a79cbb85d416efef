"""Recall: what the space knows about a query, with a recall event left for the nights; unread turns by meaning too."""

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from reverie.awake.events import Events
from reverie.awake.tail_vectors import TailEmbedder, embedded_turns
from reverie.errors import BadInput
from reverie.language.words import normalised
from reverie.minds.embed import Embedder
from reverie.model.base import Instant, day_of
from reverie.model.changes import Vector
from reverie.model.hits import HIT_KINDS, MODES, Asking, Hit
from reverie.model.memories import TIERS
from reverie.model.turns import RecallEvent
from reverie.policy.recall.filters import acceptance
from reverie.policy.recall.hits import turn_hit
from reverie.retrieve import Retriever
from reverie.store.db import Database, Transaction
from reverie.store.search import documents
from reverie.store.tables import recalls, spaces, turns, vectors

MAX_K = 1_000_000
MAX_QUERY = 10_000  # characters; what is behind them is not looked for
KEPT_QUESTION = 1_000  # characters of a question that nights may read
UNREAD = 24  # turns that no night has read and that are compared by meaning where words find nothing
LEAST_COSINE = 0.2
EMBEDDED_AT_ONCE = 64


@dataclass(frozen=True, slots=True)
class Recaller:
    retriever: Retriever
    events: Events
    tail: TailEmbedder | None = None  # None: fresh turns are found by words, until somebody embeds them

    def recall(self, space: str, query: str, asking: Asking, now: Instant, *, noted: int | None = None) -> list[Hit]:
        """The best hits. Those that are noted as evidence for promotion are all, or the first so many."""
        _check(query, asking)
        query = asked_text(query)
        hits = self.retriever.retrieve(space, query, asking, now)
        if not hits:
            hits = by_meaning(self.retriever.db, self.retriever.embedder, space, query, asking, now)
        if not asking.quiet:
            found = evidence(hits[:noted])
            self.events.put(lambda tx: leave_evidence(tx, space, query, found, now))
        if self.tail is not None:  # what another process has appended
            self.tail.want(space)
        return hits


def asked_text(query: str) -> str:
    """The part of a question that is looked for."""
    return query.replace("\x00", " ")[:MAX_QUERY]


def query_hash(query: str) -> str:
    """The same for questions that differ only in case, spacing or punctuation."""
    return hashlib.blake2b(normalised(query).encode("utf-8", "surrogatepass"), digest_size=12).hexdigest()


def _check(query: str, asking: Asking) -> None:
    if not query.strip():
        raise BadInput("a query needs text")
    if not 1 <= asking.k <= MAX_K:
        raise BadInput(f"k must be between 1 and {MAX_K:,}, not {asking.k}", k=asking.k)
    if not 0.0 <= asking.min_confidence <= 1.0:
        raise BadInput(f"min_confidence must be between 0 and 1, not {asking.min_confidence}")
    if asking.after is not None and asking.before is not None and asking.after >= asking.before:
        raise BadInput("`after` must be earlier than `before`", after=asking.after, before=asking.before)
    _check_among("kinds", asking.kinds, HIT_KINDS)
    _check_among("tiers", asking.tiers, TIERS)
    _check_among("mode", (asking.mode,), MODES)


def _check_among(option: str, given: Sequence[str], known: Sequence[str]) -> None:
    """A slip of the pen is an error, not an empty answer."""
    if unknown := [value for value in given if value not in known]:
        raise BadInput(f"{option}: no {unknown[0]!r}; there are {', '.join(known)}")


def evidence(hits: Iterable[Hit]) -> list[tuple[str, float]]:
    """What promotion counts of them: which they were, and how well each fits the question."""
    return [(hit.id, hit.matched) for hit in hits]


def leave_evidence(tx: Transaction, space: str, query: str, hits: Sequence[tuple[str, float]], now: Instant) -> None:
    """Notes that a real question brought these hits."""
    query = tx.clean(query)
    hash, day = query_hash(query), day_of(now)
    recalls.put_asked(tx, space, hash, day, query[:KEPT_QUESTION], now)
    recalls.put_events(tx, [RecallEvent(space, id, hash, day, matched, now) for id, matched in hits])


def by_meaning(db: Database, embedder: Embedder, space: str, query: str, asking: Asking, now: Instant) -> list[Hit]:
    """The last unread turns by their nearness to the query, nearest first."""
    if not embedder.dim or (asking.as_of is not None and asking.as_of < now):
        return []
    watermark = spaces.by_id(db, space).watermark
    fresh = turns.listed(db, space, session=asking.session, after=watermark, descending=True, limit=UNREAD, shown=True)
    accepts = acceptance(asking)
    vector = embedder.embed_one(query)
    near = ((float(embedder.embed_one(turn.text) @ vector), turn) for turn in fresh if accepts(turn))
    found = sorted(((c, turn) for c, turn in near if c >= LEAST_COSINE), key=lambda pair: (-pair[0], pair[1].seq))
    return [turn_hit(turn, cosine, cosine, {"meaning": cosine}, cosine) for cosine, turn in found[: asking.k]]


def embed_tail(db: Database, embedder: Embedder, space: str, limit: int = 1_000_000) -> int:
    """Embeds up to `limit` turns past the space's watermark that have no vector yet; answers how many."""
    done = 0
    while embedder.dim and done < limit:
        fresh = documents.unembedded_tail(db, space, embedder.id, min(EMBEDDED_AT_ONCE, limit - done))
        if not fresh:
            break
        unread = turns.by_ids(db, space, fresh).values()
        made = embedded_turns(embedder, [(turn, documents.just_before(db, turn)) for turn in unread])
        found = [Vector(turn.ref, embedder.id, turn.vectors.tobytes(), parts=len(turn.vectors)) for turn in made]
        with db.write("memory") as tx:
            vectors.put_vectors(tx, space, found, spaces.next_change(tx, space))
        done += len(made)
    return done
