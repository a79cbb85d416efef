"""A person's direct edits of memories: remember, pin, tag. Found at once, consolidated by the next night."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from reverie.awake.append import checked_instant
from reverie.errors import BadInput
from reverie.language.calendar import date_words
from reverie.language.words import content_hash
from reverie.minds.embed import Embedder
from reverie.model.base import JSON, Instant, new_id
from reverie.model.changes import Vector
from reverie.model.memories import Document, Memory
from reverie.model.spaces import SpaceRecord
from reverie.policy.safety.channels import PERSON, Channel, checked_metadata
from reverie.policy.safety.trust import held_back, needs_quarantine
from reverie.store.db import Database, Transaction
from reverie.store.search import documents
from reverie.store.tables import memories, reviews, spaces, vectors

MAX_TEXT = 1_000_000


@dataclass(frozen=True, slots=True)
class Passage:
    """A text given to `remember`."""

    text: str
    tags: tuple[str, ...] = ()
    metadata: Mapping[str, JSON] = field(default_factory=dict)
    channel: Channel = PERSON
    session: str | None = None
    at: Instant | None = None
    id: str | None = None  # an importer's own, so that importing twice stores once


@dataclass(frozen=True, slots=True)
class SearchEntry:
    """What the search index gets for one memory; made before the transaction that writes it."""

    document: Document
    vector: Vector | None  # None without an embedder


def remember(db: Database, space: SpaceRecord, embedder: Embedder, passage: Passage, now: Instant) -> Memory:
    """The new memory, or the one that has the passage's id already."""
    memory = _episode(db, space, passage, now)
    if passage.id and (known := memories.by_ids(db, space.id, [passage.id])):
        return known[passage.id]
    entry = entry_of(embedder, memory.id, memory.text, memory.said_at)
    with db.write("memory") as tx:
        if not memories.insert(tx, memory):
            return memories.by_id(db, space.id, memory.id)
        put_entry(tx, space, entry)
        if memory.quarantined:
            reviews.hold(tx, held_back(memory, now))
    return memory


def set_pinned(db: Database, memory: Memory, pinned: bool) -> Memory:
    with db.write("memory") as tx:
        return memories.edit(tx, memory, {"pinned": pinned, **({"tier": "hot"} if pinned else {})})


def set_tags(db: Database, memory: Memory, tags: Iterable[str]) -> Memory:
    """Manual tags, never touched by a night."""
    kept = tuple(dict.fromkeys(tag.strip().lower() for tag in tags if tag.strip()))
    with db.write("memory") as tx:
        return memories.edit(tx, memory, {"manual_tags": tx.clean(kept)})


def set_metadata(db: Database, memory: Memory, metadata: Mapping[str, Any]) -> Memory:
    given = checked_metadata(metadata, "a memory's metadata")
    with db.write("memory") as tx:
        return memories.edit(tx, memory, {"metadata": {**memory.metadata, **tx.clean(given)}})


def _episode(db: Database, space: SpaceRecord, passage: Passage, now: Instant) -> Memory:
    channel = passage.channel
    text = clean(db, passage.text)
    id = passage.id or new_id("mem")
    return Memory(
        id=id,
        space=space.id,
        kind="episode",
        text=text,
        sources=(id,),
        created_at=now,
        said_at=now if passage.at is None else checked_instant(passage.at),
        importance=0.8,
        confidence=0.95,
        base_confidence=0.95,
        asked=channel.asks,
        quarantined=needs_quarantine(text, channel.trust) is not None,
        manual_tags=db.redactor.value(tuple(dict.fromkeys(passage.tags))),
        metadata=db.redactor.value(checked_metadata(passage.metadata, "a memory's metadata")),
        origin=channel.origin,
        trust=channel.trust,
        session=passage.session and db.redactor.name(passage.session),
        priority=0.8,
        hash=content_hash(text, space.id),
    )


def entry_of(embedder: Embedder, id: str, text: str, said_at: Instant | None) -> SearchEntry:
    """Calls the embedder, which may be slow or far away: never inside a write transaction."""
    context = date_words(said_at) if said_at is not None else ""
    vector = Vector(id, embedder.id, embedder.embed_one(text).tobytes()) if embedder.dim else None
    return SearchEntry(Document(id, text, context), vector)


def put_entry(tx: Transaction, space: SpaceRecord, entry: SearchEntry) -> None:
    changed = spaces.next_change(tx, space.id)
    documents.put_documents(tx, space.num, space.id, [entry.document], changed)
    if entry.vector is not None:
        vectors.put_vectors(tx, space.id, [entry.vector], changed)


def clean(db: Database, text: str) -> str:
    clean = db.redactor.text(text.replace("\x00", "")).strip()
    if not clean:
        raise BadInput("a memory needs text")
    if len(clean) > MAX_TEXT:
        raise BadInput(f"a memory has at most {MAX_TEXT:,} characters, this has {len(clean):,}")
    return clean
