"""What memories and turns are found by: the documents of memories, and the words of turns that no night has read."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from reverie.language.sentences import AFTER_A_STOP
from reverie.language.words import day_terms, index_terms
from reverie.model.base import DAY
from reverie.model.hits import RAW_KINDS
from reverie.model.memories import Document, Glimpse, Memory
from reverie.model.turns import Turn, is_turn
from reverie.store.db import Database, Row, Transaction
from reverie.store.rows import by_name
from reverie.store.search.lexicon import NOBODY, IndexEntry
from reverie.store.tables import memories, turns
from reverie.store.terms import FIELDS, bare, keep, numbered

AT_ONCE = 4_000  # documents that are read in one go, where all are
Terms = Callable[[str | bytes, int], list[str]]  # a column's words, given the number of the space
DRAWN = ("fact", "directive")  # kinds that stand for the episodes they were drawn from
NEIGHBOURS = 2  # turns before it, of the same session, that a turn is also found by


def put_documents(tx: Transaction, num: int, space: str, documents: Iterable[Document], changed: int) -> None:
    """Indexes documents, replacing those with the same `ref`; `changed` is from `spaces.next_change`."""
    tx.many(
        "INSERT INTO documents (ref, space, body, context, extra, changed)"
        " VALUES (:ref, :space, :body, :context, :extra, :changed) ON CONFLICT (ref) DO UPDATE SET"
        " body = excluded.body, context = excluded.context, extra = excluded.extra, changed = excluded.changed",
        [
            {
                "ref": document.ref,
                "space": space,
                **kept_terms(tx.db, num, document),
                "changed": changed,
            }
            for document in documents
        ],
    )


def kept_terms(db: Database, num: int, document: Document) -> dict[str, str | bytes]:
    """The columns `body`, `context` and `extra` of a document."""
    given = (document.body, document.context, document.extra)
    return {name: keep(db.dialect, num, index_terms(num, text)) for name, text in zip(FIELDS, given, strict=True)}


def shown(row: Row) -> dict[str, Any]:
    """A document with its terms as text, without the space's number."""
    return {name: bare(value) if name in FIELDS else value for name, value in by_name(row).items()}


def kept(db: Database | Transaction, space: str, columns: Mapping[str, Any]) -> dict[str, Any]:
    """Columns of a document of this space as its row holds them, from those that `shown` gives."""
    dialect = db.dialect if isinstance(db, Database) else db.db.dialect
    num = int(db.value("SELECT num FROM spaces WHERE id = :space", space=space))
    return {name: keep(dialect, num, value) if name in FIELDS else value for name, value in columns.items()}


def replace_terms(tx: Transaction, space: str, ref: str, terms: Mapping[str, str | bytes], changed: int) -> None:
    """Other terms (`body`, `context`, `extra`, as they are kept) for a document that is there."""
    tx.run(
        "UPDATE documents SET body = :body, context = :context, extra = :extra, changed = :changed"
        " WHERE space = :space AND ref = :ref",
        space=space,
        ref=ref,
        changed=changed,
        **terms,
    )


def drop_documents(tx: Transaction, space: str, refs: Iterable[str]) -> None:
    """Deletes the documents of these turns and memories: the index no longer finds them."""
    tx.many("DELETE FROM documents WHERE space = :space AND ref = :ref", [{"space": space, "ref": ref} for ref in refs])


def change_after(db: Database, space: str, seen: int, most: int) -> list[int]:
    """The places of the change sequence past `seen` by which `most` documents, and `most` vectors, were written."""
    places = (
        db.value(
            f"SELECT changed FROM {table} WHERE space = :space AND changed > :seen"
            " ORDER BY changed LIMIT 1 OFFSET :most",
            space=space,
            seen=seen,
            most=most,
        )
        for table in ("documents", "vectors")
    )
    return [place for place in places if place is not None]


def documents_between(
    db: Database, space: str, num: int, seen: int, upto: int, terms: Terms = numbered
) -> Iterator[IndexEntry]:
    """Documents written after the place `seen` of the space's change sequence, not after `upto`.

    `terms` makes words of what a column holds: with the space's number, or those that a file is made of, without it.
    """
    rows = db.rows(
        "SELECT d.ref, d.body, d.context, d.extra, coalesce(m.kind, 'turn') AS kind,"
        " coalesce(m.session, t.session) AS session, coalesce(m.said_at, t.at) AS said_at,"
        " coalesce(m.speaker, m.subject, t.speaker) AS name"
        " FROM documents d LEFT JOIN memories m ON m.id = d.ref LEFT JOIN turns t ON t.id = d.ref"
        " WHERE d.space = :space AND d.changed > :seen AND d.changed <= :upto ORDER BY d.changed",
        space=space,
        seen=seen,
        upto=upto,
    )
    drawn_from = _drawn_from(db, [row["ref"] for row in rows if row["kind"] in DRAWN])
    for row in rows:
        yield IndexEntry(
            row["ref"],
            terms(row["body"], num),
            terms(row["context"], num),
            terms(row["extra"], num),
            _names(num, row["name"]),
            row["kind"],
            row["session"],
            row["said_at"],
            drawn_from=None if row["kind"] in RAW_KINDS else tuple(drawn_from.get(row["ref"], ())),
        )


def _drawn_from(db: Database, refs: Sequence[str]) -> dict[str, list[str]]:
    """The episodes that these facts and directives were drawn from."""
    rows = db.each(
        "SELECT s.memory, s.source FROM sources s JOIN memories e ON e.id = s.source"
        " WHERE s.memory IN (:keys) AND e.kind = 'episode' ORDER BY s.memory, s.position",
        refs,
    )
    found: dict[str, list[str]] = {}
    for row in rows:
        found.setdefault(row["memory"], []).append(row["source"])
    return found


class _TailTurn(NamedTuple):
    """What a turn gives to the context of the next one: its words, who spoke, and whether it ends in a question."""

    words: Sequence[str]
    who: str
    asks: bool


SAID = "words, coalesce(speaker, role) AS who, rtrim(text, :closing) LIKE :question AS asks"
ASKS = {"closing": AFTER_A_STOP, "question": "%?"}


def tail_since(db: Database, space: str, num: int, seq: int) -> Iterator[IndexEntry]:
    """Turns of the log past a place in its sequence, in order.

    The turn itself with its speaker weighs 1; the turns before it and its date in words are context and weigh half.
    """
    rows = db.rows(
        f"SELECT id, seq, session, at, speaker, {SAID} FROM turns WHERE space = :space AND seq > :seq"
        " AND quarantine IS NULL ORDER BY seq",
        space=space,
        seq=seq,
        **ASKS,
    )
    before: dict[str, deque[_TailTurn]] = {}
    for row in rows:
        session, said = row["session"], _said(row)
        if session not in before:
            before[session] = _said_before(db, space, session, row["seq"])
        yield IndexEntry(
            row["id"],
            said.words,
            [*_context(said, before[session]), *day_terms(num, int(row["at"] // DAY)).split()],
            names=_names(num, row["speaker"]),
            session=session,
            said_at=row["at"],
            seq=row["seq"],
        )
        before[session].append(said)


def _context(said: _TailTurn, before: Sequence[_TailTurn]) -> Iterator[str]:
    """The words of the turns before. What the other has just asked counts twice, so as much as the answer's own words:
    a night does the same, for the question alone (`policy/recall/search_keys.py`).
    """
    for one in before:
        yield from one.words
    if before and before[-1].asks and before[-1].who != said.who:
        yield from before[-1].words


def _said_before(db: Database, space: str, session: str, seq: int) -> deque[_TailTurn]:
    rows = db.rows(
        f"SELECT {SAID} FROM turns WHERE space = :space AND session = :session AND seq < :seq"
        " AND quarantine IS NULL ORDER BY seq DESC LIMIT :n",
        space=space,
        session=session,
        seq=seq,
        n=NEIGHBOURS,
        **ASKS,
    )
    return deque(map(_said, reversed(rows)), maxlen=NEIGHBOURS)


def _said(row: Row) -> _TailTurn:
    return _TailTurn(row["words"].split(), row["who"], bool(row["asks"]))


def size(db: Database, space: str) -> int:
    """How many documents a space has."""
    return int(db.value("SELECT count(*) AS n FROM documents WHERE space = :space", space=space))


def many(db: Database, space: str, than: int) -> bool:
    """Whether a space has more documents."""
    sql = "SELECT 1 FROM documents WHERE space = :space LIMIT 1 OFFSET :than"
    return db.value(sql, space=space, than=than) is not None


def changes(db: Database, space: str) -> dict[str, int]:
    """The refs of all documents of a space, with the place of the change sequence where each was written."""
    rows = db.rows("SELECT ref, changed FROM documents WHERE space = :space", space=space)
    return {row["ref"]: row["changed"] for row in rows}


def changed_since(db: Database, space: str, seen: int) -> int:
    """How many documents were written after a place of the change sequence."""
    sql = "SELECT count(*) AS n FROM documents WHERE space = :space AND changed > :seen"
    return int(db.value(sql, space=space, seen=seen))


def document_candidates(db: Database, terms: Sequence[str], n: int) -> list[str]:
    """The `n` best documents by the database's own index, for a space too large to hold in memory.

    The terms carry the space's number, so no other space's documents can match.
    """
    if not terms:
        return []
    return [row["ref"] for row in db.rows(db.dialect.candidates, match=db.dialect.match(terms), n=n)]


def by_refs(
    db: Database, space: str, refs: Sequence[str], watermark: int, *, whole: bool = True
) -> dict[str, Memory | Glimpse | Turn]:
    """The memories and turns behind these refs, without those that are gone: an index in memory may still hold them.
    Not `whole`: of memories what a plain recall needs.

    A memory is found by its document; a turn by being in the log's tail, or by a document of its own.
    """
    said = [ref for ref in refs if is_turn(ref)]
    of_nights = [ref for ref in refs if not is_turn(ref)] if said else refs
    found: dict[str, Memory | Glimpse | Turn] = {}
    found.update((memories.findable if whole else memories.glimpses)(db, space, of_nights))
    if said:
        found.update(_turns_behind(db, space, said, watermark))
    return found


def _turns_behind(db: Database, space: str, refs: Sequence[str], watermark: int) -> dict[str, Turn]:
    said = turns.by_ids(db, space, refs)
    read = [ref for ref, turn in said.items() if turn.seq <= watermark]
    kept = {row["ref"] for row in db.each("SELECT ref FROM documents WHERE ref IN (:keys)", read)}
    shown = ((ref, turn) for ref, turn in said.items() if turn.quarantine is None)
    return {ref: turn for ref, turn in shown if turn.seq > watermark or ref in kept}


def unembedded_tail(db: Database, space: str, embedder: str, newest: int) -> list[str]:
    """The ids of turns past the watermark without a stored vector of this embedder, newest first."""
    rows = db.rows(
        "SELECT t.id FROM turns t JOIN spaces s ON s.id = t.space"
        " LEFT JOIN vectors v ON v.ref = t.id AND v.embedder = :embedder AND v.vec IS NOT NULL"
        " WHERE t.space = :space AND t.seq > s.watermark AND v.ref IS NULL AND t.quarantine IS NULL"
        " ORDER BY t.seq DESC LIMIT :newest",
        space=space,
        embedder=embedder,
        newest=newest,
    )
    return [row["id"] for row in rows]


def just_before(db: Database, turn: Turn) -> list[Turn]:
    """The turn before it in its session; none for the first."""
    return turns.listed(db, turn.space, session=turn.session, before=turn.seq, descending=True, limit=1, shown=True)


@lru_cache(1_024)
def _names(num: int, name: str | None) -> frozenset[str]:
    return frozenset(index_terms(num, name).split()) if name else NOBODY
