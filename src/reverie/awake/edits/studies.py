"""A document that a person gives to be studied: kept word for word, found at once, thought about by the next night.

It is material of the world, never somebody's speech: nights draw no facts from it and nothing of it reaches core.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from reverie.awake.edits.memories import clean
from reverie.errors import BadInput
from reverie.language.calendar import date_words
from reverie.language.words import content_hash, token_count
from reverie.model.base import Instant, derived_id
from reverie.model.memories import Document, Memory, Studied, Study
from reverie.model.spaces import SpaceRecord
from reverie.policy.care.decay import gone_stale
from reverie.policy.ponder.passages import DocumentPassage, passages
from reverie.policy.ponder.serving import PREFIX
from reverie.policy.safety.channels import Channel
from reverie.policy.safety.trust import held_back, needs_quarantine
from reverie.store.db import Database, Transaction
from reverie.store.search import documents
from reverie.store.tables import chores, memories, reviews, spaces, studies, vectors

EXCLUDED = "a studied document: material, nobody's speech"
LONGEST_NAME = 180
MOST_PASSAGES = 5_000


@dataclass(frozen=True, slots=True)
class GivenDocument:
    """A text with its name, the file that it was read from, and the door by which it came."""

    name: str
    text: str
    channel: Channel
    path: str | None = None


def read_file(path: Path) -> str:
    """The text of a file. Raises BadInput, with the next move, for what is no text."""
    try:
        return path.read_text("utf-8-sig")
    except FileNotFoundError as error:
        raise BadInput(
            f"there is no file {path.name!r}", next_move="Check the path; or give the text itself."
        ) from error
    except (IsADirectoryError, PermissionError, OSError) as error:
        raise BadInput(f"{path.name!r} cannot be read: {error.strerror}", next_move="Give a file of text.") from error
    except UnicodeDecodeError as error:
        raise BadInput(f"{path.name!r} is no text in UTF-8", next_move="Turn it into text first.") from error


def study(db: Database, space: SpaceRecord, given: GivenDocument, now: Instant) -> Studied:
    """Keeps a document. The same text again changes nothing; a changed one replaces the passages that changed."""
    name, text = _checked_name(db, given.name), clean(db, given.text)
    digest = hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
    known = studies.named(db, space.id, name)
    if known is not None and known.digest == digest:
        return Studied(known)
    cut = passages(space.id, name, text)
    if len(cut) > MOST_PASSAGES:
        raise BadInput(f"a document has at most {MOST_PASSAGES:,} passages, this has {len(cut):,}",
                       next_move="Study its parts one by one.")  # fmt: skip
    first = Study(derived_id("study", space.id, name), space.id, name, "", 0, 0, now, now)
    record = replace(
        known or first,
        digest=digest,
        lines=len(text.splitlines()),
        tokens=token_count(text),
        updated_at=now,
        path=given.path or (known.path if known else None),
    )
    with db.write("memory") as tx:
        return _written(tx, space, record, [_kept(record, passage, given.channel, now) for passage in cut])


def _written(tx: Transaction, space: SpaceRecord, record: Study, wanted: Sequence[Memory]) -> Studied:
    old = {memory.id: memory for memory in studies.passages(tx, space.id, record.name, stale=True)}
    new = [memory for memory in wanted if memory.id not in old or old[memory.id].stale]
    kept = {memory.id for memory in wanted}
    gone = [memory for id, memory in old.items() if id not in kept and not memory.stale]
    changed = spaces.next_change(tx, space.id)
    for memory in new:
        _put(tx, memory, old.get(memory.id))
    for memory in gone:
        memories.edit(tx, memory, gone_stale(memory))
    for memory in wanted:
        if memory.id in old and old[memory.id].marks != memory.marks:
            memories.set_marks(tx, memory.id, memory.marks)
    context = date_words(record.updated_at)
    found = [Document(memory.id, memory.text, f"{record.name} {context}") for memory in new]
    documents.put_documents(tx, space.num, space.id, found, changed)
    chores.add(tx, space.id, [memory.id for memory in new], chores.EMBED, record.updated_at)
    lost = [memory.id for memory in gone]
    documents.drop_documents(tx, space.id, lost)
    vectors.drop_vectors(tx, space.id, lost, changed)
    stale = _outdate(tx, record, set(lost))
    studies.put(tx, record)
    return Studied(record, len(new), len(gone), stale)


def _put(tx: Transaction, memory: Memory, before: Memory | None) -> None:
    if before is not None:
        memories.edit(tx, before, {"stale": False, "importance": memory.importance})
    elif memories.insert(tx, memory) and memory.quarantined:
        reviews.hold(tx, held_back(memory, memory.created_at))


def _outdate(tx: Transaction, record: Study, lost: set[str]) -> int:
    """What was worked out from lines that are gone no longer holds; answers how much that was."""
    found = studies.insights(tx, record.space, f"{PREFIX}{record.name}")
    outdated = [memory for memory in found if not lost.isdisjoint(memory.sources)]
    for memory in outdated:
        memories.edit(tx, memory, gone_stale(memory))
    return len(outdated)


def _kept(record: Study, passage: DocumentPassage, channel: Channel, now: Instant) -> Memory:
    return Memory(
        id=passage.id,
        space=record.space,
        kind="episode",
        text=passage.text,
        sources=(passage.id,),
        created_at=now,
        said_at=now,
        importance=0.5,
        confidence=0.9,
        base_confidence=0.9,
        quarantined=needs_quarantine(passage.text, channel.trust) is not None,
        origin=channel.origin,
        trust=channel.trust,
        session=f"{PREFIX}{record.name}",
        speaker=record.name,
        marks={"study": record.name, "line": passage.line},
        excluded=EXCLUDED,
        last_tagged_at=now,  # nights have nothing to read in it: `ponder` finds it by its study
        priority=0.5,
        hash=content_hash(passage.text, record.space),
    )


def _checked_name(db: Database, name: str) -> str:
    found = db.redactor.name(" ".join(name.split()))
    if not 1 <= len(found) <= LONGEST_NAME:
        raise BadInput(f"a study's name has 1 to {LONGEST_NAME} characters", next_move="Give a shorter `name`.")
    return found
