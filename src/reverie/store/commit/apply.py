"""Writes each part of a Changes value through the journal: memories, index, links, blocks, answers, chores."""

from collections.abc import Container, Mapping
from typing import Any

from reverie.model.blocks import DIRECTIVES_DESCRIPTION, NewBlock, Review
from reverie.model.changes import BlockChange, Revision
from reverie.model.memories import Contradiction, Memory
from reverie.store.commit.batch import Batch
from reverie.store.db import T
from reverie.store.rows import answer_row, column, contradiction_row, edge_row, review_row
from reverie.store.tables import chores, memory_words, vectors
from reverie.store.tables.answers import put_record
from reverie.store.tables.blocks import Writer, create, keep_version
from reverie.store.tables.memory_words import NewWords

# Fields that say how a memory is kept, not what it says: what rests on its version goes on resting on it.
QUIET = frozenset(
    {
        "importance", "confidence", "base_confidence", "tier", "auto_tags", "title", "summary", "metadata", "marks",
        "last_used_at", "uses", "reinforced_at", "corroborations", "surprisal", "last_tagged_at", "last_linked_at",
        "relationship_score", "priority", "decay", "asked", "block", "packed",
        "excluded",
    }
)  # fmt: skip


def apply(batch: Batch) -> None:
    """Writes all changes of a batch, in an order in which each part finds what it names."""
    _memories(batch)
    _sources(batch)
    _revisions(batch)
    _packing(batch)
    _index(batch)
    _words(batch)
    _edges(batch)
    _contradictions(batch)
    apply_blocks(batch)
    apply_answers(batch)
    _chores(batch)
    _studies(batch)


def _memories(batch: Batch) -> None:
    rows: list[Mapping[str, Any]] = []
    sources: dict[str, tuple[str, ...]] = {}
    for memory, row in zip(batch.changes.memories, batch.prepared.memories, strict=True):
        if not batch.present.holds((memory.id, *memory.sources)):
            batch.tally.gone += 1
        elif not batch.present.free(_conclusion(memory)):
            batch.tally.suppressed += 1
        else:
            rows.append(row)
            sources.setdefault(memory.id, memory.sources)
    there = {row["id"] for row in batch.journal.insert_new("memories", rows, quiet=_never)}
    cited = (
        {"memory": memory, "source": source, "space": batch.space, "position": i}
        for memory, its in sources.items()
        if memory not in there
        for i, source in enumerate(dict.fromkeys(its))
    )
    batch.journal.insert_all("sources", list(cited))


def _never(_: Mapping[str, Any]) -> bool:
    return False


def _conclusion(memory: Memory) -> tuple[str, ...]:
    """What must not be suppressed if the memory is to be written.

    An episode is the turn itself, word for word: that is never held back. A profile or an insight is made again from
    all that holds; only the very one that was undone does not come back.
    """
    if memory.kind == "episode":
        return ()
    return (memory.id,) if memory.kind in ("profile", "insight") else (memory.id, *memory.sources)


def _sources(batch: Batch) -> None:
    for memory, more in batch.changes.sources.items():
        if memory not in batch.present or not batch.accepts(more):
            continue
        row = batch.tx.row("SELECT coalesce(max(position), -1) + 1 AS n FROM sources WHERE memory = :m", m=memory)
        start = int(row["n"]) if row else 0
        for i, source in enumerate(dict.fromkeys(more)):
            made = {"memory": memory, "source": source, "space": batch.space, "position": start + i}
            batch.journal.insert("sources", made)


def _revisions(batch: Batch) -> None:
    found = (record for record in batch.changes.contradictions if _is_news(batch, record))
    clashing = {side for record in found for side in (record.older, record.newer)}
    batch.journal.read_ahead("memories", [{"id": revision.id} for revision in batch.changes.revisions])
    for revision in batch.changes.revisions:
        loud = not QUIET.issuperset(revision.changed)
        if loud and revision.id not in clashing and not batch.present.free((revision.id,)):
            batch.tally.suppressed += 1
            batch.tally.left.add(revision.id)
        else:
            _revise(batch, revision)


def _revise(batch: Batch, revision: Revision) -> None:
    current = batch.journal.current("memories", {"id": revision.id})
    if current is None or current["space"] != batch.space:
        batch.tally.gone += 1
    elif current["version"] != revision.version:
        batch.tally.conflicts += 1
        batch.tally.left.add(revision.id)
    else:
        moved = {name: column(name, value) for name, value in revision.changed.items()}
        loud = any(name not in QUIET and current[name] != value for name, value in moved.items())
        if loud:
            moved["version"] = revision.version + 1
        # What this night made goes away with it, whatever it wrote into it since. An end is kept: a forget needs it.
        batch.journal.update("memories", current, moved, quiet=not loud and batch.ours(revision.id))


def _packing(batch: Batch) -> None:
    """An archived text takes another form; what it says is the same, so its version stays."""
    named = (*batch.changes.packed, *batch.changes.unpacked)
    batch.journal.read_ahead("memories", [{"id": memory} for memory in named])
    for memory, packed in batch.changes.packed.items():
        batch.keep(memory, {"text": "", "packed": packed})
    for memory, text in batch.changes.unpacked.items():
        batch.keep(memory, {"text": text, "packed": None})


def _index(batch: Batch) -> None:
    rows = [
        {**document, "space": batch.space, "changed": batch.changed}
        for document in batch.prepared.documents
        if document["ref"] in batch.present
    ]
    for row in batch.journal.insert_new("documents", rows, quiet=lambda row: batch.ours(row["ref"])):
        _add_terms(batch, row)
    vectors.put_vectors(
        batch.tx, batch.space, [v for v in batch.changes.vectors if v.ref in batch.present], batch.changed
    )
    for ref in batch.changes.gone_documents:
        if ref in batch.tally.left:
            continue  # it is not what the step took it for, and must still be found
        batch.journal.delete("documents", {"ref": ref})
        vector = batch.journal.current("vectors", {"ref": ref})
        if vector is not None:
            batch.journal.update("vectors", vector, {"vec": None, "parts": 0}, changed=batch.changed)


def _add_terms(batch: Batch, document: Mapping[str, Any]) -> None:
    """An empty field keeps what is there: a step that adds facts to a key does not have to know the rest of it."""
    current = batch.journal.current("documents", document)
    if current is not None:
        fields = {name: document[name] for name in ("body", "context", "extra") if document[name]}
        batch.journal.update("documents", current, fields, changed=batch.changed)


def _words(batch: Batch) -> None:
    """Writes mentions, keywords and bands.

    Only mentions of other nights' memories are journaled: the rest is deleted with its memory, or follows from a text.
    """
    there = batch.present.nights
    words = {memory: words for memory, words in batch.changes.keywords.items() if memory in there}
    bands: dict[str, list[int]] = {}
    names: dict[str, list[str]] = {}
    for band, memory in batch.changes.bands:
        bands.setdefault(memory, []).append(band)
    for name, memory in batch.changes.mentions:
        names.setdefault(memory, []).append(name)
    kept = NewWords(words, _only(bands, there), _only(names, there))
    for memory, more in memory_words.put(batch.tx, batch.space, kept).items():
        if not batch.ours(memory):
            batch.journal.made("mentions", [{"space": batch.space, "entity": name, "memory": memory} for name in more])


def _only(found: Mapping[str, list[T]], there: Container[str]) -> dict[str, list[T]]:
    return {memory: its for memory, its in found.items() if memory in there}


def _edges(batch: Batch) -> None:
    rows = [edge_row(edge) for edge in batch.changes.edges if batch.accepts((edge.a, edge.b))]
    mine = batch.ours
    for row in batch.journal.insert_new("edges", rows, quiet=lambda row: mine(row["a"]) or mine(row["b"])):
        current = batch.journal.current("edges", row)
        if current is not None:
            batch.journal.update("edges", current, {"weight": row["weight"], "why": row["why"]})
    for a, b, relation in batch.changes.gone_edges:
        batch.journal.delete("edges", {"a": a, "b": b, "relation": relation})


def _contradictions(batch: Batch) -> None:
    for record in batch.changes.contradictions:
        if not _is_news(batch, record) and not batch.accepts((record.older, record.newer)):
            continue
        row = contradiction_row(record)
        if batch.journal.insert("contradictions", row):
            continue
        current = batch.journal.current("contradictions", row)
        if current is None or current["status"] in ("resolved", "dismissed"):
            batch.tally.conflicts += 1  # a person has decided
        else:
            fixed = {"id", "space", "night", "created_at"}
            batch.journal.update("contradictions", current, {k: v for k, v in row.items() if k not in fixed})


def _is_news(batch: Batch, record: Contradiction) -> bool:
    """Whether both sides are there and one of them is not suppressed: then it is another clash than the undone one."""
    present, sides = batch.present, (record.older, record.newer)
    return present.holds(sides) and any(present.free((side,)) for side in sides)


def _chores(batch: Batch) -> None:
    kept = [chore for chore in batch.changes.chores if chore[0] in batch.present]
    chores.put(batch.tx, batch.space, kept, batch.night.now)
    chores.delete(batch.tx, batch.space, batch.changes.done_chores)


def _studies(batch: Batch) -> None:
    """How far a document has been thought about; a text that has changed meanwhile waits for the next night."""
    for study, digest in batch.changes.studies.items():
        current = batch.journal.current("studies", {"id": study})
        if current is not None and current["space"] == batch.space:
            batch.journal.update("studies", current, {"pondered": digest}, pondered_at=batch.night.now)


def apply_answers(batch: Batch) -> None:
    for answer in batch.changes.answers:
        if not batch.present.holds(answer.sources):
            batch.tally.gone += 1
            continue
        row = {**answer_row(answer), "changed": batch.changed}
        new = batch.journal.insert("answers", row)
        if not new and (current := batch.journal.current("answers", row)) is not None:
            made_anew = current["created_at"] != row["created_at"]  # a count of its hits revives no dropped one
            kept = ("changed",) if made_anew else ("changed", "dropped")
            moved = {name: value for name, value in row.items() if name not in kept}
            batch.journal.update("answers", current, moved, changed=batch.changed)
        _rests(batch, answer.id, answer.rests_on, new=new)
    for answer_id, why in batch.changes.dropped_answers.items():
        _drop(batch, answer_id, why)
    for record in batch.changes.records:  # counters of what was served: an undone night does not unserve
        put_record(batch.tx, batch.space, record)


def _rests(batch: Batch, answer: str, rests_on: Mapping[str, int], *, new: bool) -> None:
    if not new:
        for row in batch.tx.rows("SELECT ref FROM answer_rests WHERE answer = :answer", answer=answer):
            batch.journal.delete("answer_rests", {"answer": answer, "ref": row["ref"]})
    for ref, version in rests_on.items():
        rest = {"answer": answer, "ref": ref, "version": version, "space": batch.space}
        batch.journal.insert("answer_rests", rest, quiet=new)


def _drop(batch: Batch, answer: str, why: str) -> None:
    current = batch.journal.current("answers", {"id": answer})
    if current is not None and current["space"] == batch.space:
        batch.journal.update("answers", current, {"dropped": why}, changed=batch.changed)


def apply_blocks(batch: Batch) -> None:
    for change in batch.changes.blocks:
        _block(batch, change)
    for review in batch.changes.reviews:
        if batch.accepts(review.evidence) and batch.journal.insert("reviews", review_row(review)):
            _supersede_older(batch, review)


def _supersede_older(batch: Batch, review: Review) -> None:
    """Closes the open proposals for the same block: the newer one contains them, and a person decides once."""
    if review.kind != "block":
        return
    rows = batch.tx.rows(
        "SELECT id FROM reviews WHERE space = :space AND target = :target AND status = 'open' AND id <> :id",
        space=batch.space,
        target=review.target,
        id=review.id,
    )
    for row in rows:
        older = batch.journal.current("reviews", {"id": row["id"]})
        if older is not None:
            batch.journal.update("reviews", older, {"status": "superseded"})


def _block(batch: Batch, change: BlockChange) -> None:
    if change.label:
        _make_block(batch, change)
    current = batch.journal.current("blocks", {"id": change.block})
    if current is None or not batch.present.holds(ref for refs in change.sentences.values() for ref in refs):
        batch.tally.gone += current is not None
        return
    if not batch.accepts((*_newly_cited(batch, change), *change.merged)):
        return
    if current["version"] != change.version:
        batch.tally.conflicts += 1
    elif _refused(current, change, batch.space):
        batch.tally.refused += 1
    else:
        _write(batch, current, change)


def _newly_cited(batch: Batch, change: BlockChange) -> list[str]:
    """What the block will rest on and does not rest on yet; a line that stands already is no new conclusion."""
    rows = batch.tx.rows("SELECT source FROM block_sentences WHERE block = :block", block=change.block)
    known = {row["source"] for row in rows}
    return [ref for refs in change.sentences.values() for ref in refs if ref not in known]


def _make_block(batch: Batch, change: BlockChange) -> None:
    """An empty block for the change to fill. Not journaled: an undo empties it, and an empty block harms nobody."""
    if batch.tx.row("SELECT id FROM blocks WHERE id = :id", id=change.block) is None:
        row = batch.tx.row("SELECT org FROM spaces WHERE id = :id", id=batch.space)
        org = str(row["org"]) if row else ""
        made = NewBlock(change.label, description=DIRECTIVES_DESCRIPTION).made(change.block, org, batch.space)
        writer = Writer("night", "made for the first directive", batch.night.now, batch.night.id)
        create(batch.tx, made, writer, attach_to=batch.space)


def _refused(block: Any, change: BlockChange, space: str) -> bool:
    """Whether no night may write it: the block is read-only, protected or another space's, or the text is too long."""
    owned_elsewhere = block["owner"] not in (None, space)
    guarded = block["protected"] and change.review is None
    return bool(block["read_only"] or guarded or owned_elsewhere or len(change.value) > block["size_limit"])


def _write(batch: Batch, current: Any, change: BlockChange) -> None:
    if change.value != current["value"]:
        moved = {"value": change.value, "version": change.version + 1}
        batch.journal.update("blocks", current, moved, updated_at=batch.night.now)
        writer = Writer("night", change.reason, batch.night.now, batch.night.id)
        keep_version(batch.tx, change.block, change.version + 1, change.value, writer)
    _sentences(batch, change)
    for memory in change.merged:
        batch.keep(memory, {"block": None})


def _sentences(batch: Batch, change: BlockChange) -> None:
    rows = batch.tx.rows("SELECT * FROM block_sentences WHERE block = :block", block=change.block)
    for row in rows:
        if row["sentence"] not in change.value:
            batch.journal.delete("block_sentences", {name: row[name] for name in ("block", "sentence", "source")})
    for sentence, sources in change.sentences.items():
        for source in dict.fromkeys(sources):
            batch.journal.insert("block_sentences", {"block": change.block, "sentence": sentence, "source": source})
