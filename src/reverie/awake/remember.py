"""A person's direct edits of memories: remember, correct, pin, tag. Found at once, consolidated by the next night."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from reverie.errors import BadInput
from reverie.minds.embed import Embedder
from reverie.model.base import JSON, TRUST_OF, Instant, Trust, derived_id, new_id
from reverie.model.changes import Vector
from reverie.model.memories import Contradiction, Document, Edge, Memory
from reverie.model.spaces import SpaceRecord
from reverie.model.turns import Turn
from reverie.policy.taint import redact
from reverie.policy.words import content_hash, date_words
from reverie.store import memories, records, search, spaces, vectors
from reverie.store.db import Database, Transaction

MAX_TEXT = 1_000_000


@dataclass(frozen=True, slots=True)
class Passage:
    """A text given to `remember`."""

    text: str
    tags: tuple[str, ...] = ()
    metadata: Mapping[str, JSON] = field(default_factory=dict)
    origin: str = "user"
    session: str | None = None
    at: Instant | None = None
    id: str | None = None  # an importer's own, so that importing twice stores once


def remember(db: Database, space: SpaceRecord, embedder: Embedder, passage: Passage, now: Instant) -> Memory:
    memory = _episode(space, passage, now)
    with db.write("memory") as tx:
        if not memories.insert(tx, memory):
            return memories.by_id(db, space.id, memory.id)
        _index(tx, space, embedder, memory)
    return memory


def correct(
    db: Database, space: SpaceRecord, embedder: Embedder, wrong: Memory | Turn, text: str, now: Instant
) -> Memory:
    """What the person says instead: certain, exempt from decay, and always before what it corrects."""
    right = _correction(space, wrong, _clean(text), now)
    with db.write("memory") as tx:
        if isinstance(wrong, Memory):
            memories.edit(tx, wrong, {"valid_until": now, "importance": wrong.importance * 0.3, "stale": True})
            _overtaken(tx, space, wrong, right, now)
        memories.insert(tx, right)
        _index(tx, space, embedder, right)
    return right


def set_pinned(db: Database, memory: Memory, pinned: bool) -> Memory:
    with db.write("memory") as tx:
        return memories.edit(tx, memory, {"pinned": pinned, **({"tier": "hot"} if pinned else {})})


def set_tags(db: Database, memory: Memory, tags: Iterable[str]) -> Memory:
    """Manual tags, never touched by a night."""
    kept = tuple(dict.fromkeys(tag.strip().lower() for tag in tags if tag.strip()))
    with db.write("memory") as tx:
        return memories.edit(tx, memory, {"manual_tags": kept})


def set_metadata(db: Database, memory: Memory, metadata: Mapping[str, Any]) -> Memory:
    with db.write("memory") as tx:
        return memories.edit(tx, memory, {"metadata": {**memory.metadata, **metadata}})


def _episode(space: SpaceRecord, passage: Passage, now: Instant) -> Memory:
    if passage.origin not in TRUST_OF:
        raise BadInput(f"origin must be one of {', '.join(TRUST_OF)}, not {passage.origin!r}")
    text = _clean(passage.text)
    id = passage.id or new_id("mem")
    return Memory(
        id=id,
        space=space.id,
        kind="episode",
        text=text,
        sources=(id,),
        created_at=now,
        said_at=passage.at if passage.at is not None else now,
        importance=0.8,
        confidence=0.95,
        base_confidence=0.95,
        asked=passage.origin == "user",
        manual_tags=tuple(dict.fromkeys(passage.tags)),
        metadata=passage.metadata,
        origin=passage.origin,  # type: ignore[arg-type]
        trust=TRUST_OF[passage.origin],
        session=passage.session,
        priority=0.8,
        hash=content_hash(text),
    )


def _correction(space: SpaceRecord, wrong: Memory | Turn, text: str, now: Instant) -> Memory:
    known = wrong if isinstance(wrong, Memory) else None
    id = new_id("mem")
    return Memory(
        id=id,
        space=space.id,
        kind="fact",
        text=text,
        sources=(id, wrong.id),
        created_at=now,
        said_at=now,
        valid_from=now,
        subject=known.subject if known else None,
        predicate=known.predicate if known else None,
        importance=0.9,
        confidence=1.0,
        base_confidence=1.0,
        correction=True,
        asked=True,
        manual_tags=known.manual_tags if known else (),
        trust=Trust.USER,
        session=wrong.session,
        priority=0.9,
        hash=content_hash(text),
    )


def _overtaken(tx: Transaction, space: SpaceRecord, wrong: Memory, right: Memory, now: Instant) -> None:
    record = Contradiction(
        id=derived_id("con", space.id, wrong.id, right.id),
        space=space.id,
        older=wrong.id,
        newer=right.id,
        kind="update",
        status="resolved",
        winner=right.id,
        evidence="corrected by a person",
        resolved_by="person",
        created_at=now,
        resolved_at=now,
    )
    records.put_contradiction(tx, record)
    records.put_edge(tx, Edge(space.id, right.id, wrong.id, "supersedes", 1.0, now, why="correction"))


def _index(tx: Transaction, space: SpaceRecord, embedder: Embedder, memory: Memory) -> None:
    changed = spaces.next_change(tx, space.id)
    context = date_words(memory.said_at) if memory.said_at is not None else ""
    search.put_documents(tx, space.num, space.id, [Document(memory.id, memory.text, context)], changed)
    if embedder.dim:
        found = Vector(memory.id, embedder.id, embedder.embed_one(memory.text).tobytes())
        vectors.put_vectors(tx, space.id, [found], changed)


def _clean(text: str) -> str:
    clean = redact(text.replace("\x00", "")).text.strip()
    if not clean:
        raise BadInput("a memory needs text")
    if len(clean) > MAX_TEXT:
        raise BadInput(f"a memory has at most {MAX_TEXT:,} characters, this has {len(clean):,}")
    return clean
