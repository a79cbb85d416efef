"""The full-text index: documents for memories, words for the log's turns, and lexical candidates from both."""

from collections.abc import Iterable

from reverie.model.memories import Document
from reverie.model.turns import Turn
from reverie.policy.terms import index_terms
from reverie.policy.words import date_words
from reverie.store.db import Database, Transaction

NEIGHBOURS = 2  # turns before it, of the same session, that a turn is also found by


def index_turn(tx: Transaction, num: int, row: int, turn: Turn) -> None:
    """Makes a turn findable, in the transaction that stores it; `row` is its row in the log.

    The turn itself with its speaker weighs 1; the turns before it and its date in words are context and weigh half.
    """
    before = tx.rows(
        "SELECT w.body AS body FROM turns t JOIN turn_words w ON w.rowid = t.row"
        " WHERE t.space = :space AND t.session = :session AND t.row < :row ORDER BY t.seq DESC LIMIT :n",
        space=turn.space,
        session=turn.session,
        row=row,
        n=NEIGHBOURS,
    )
    tx.run(
        "INSERT INTO turn_words (rowid, body, context) VALUES (:row, :body, :context)",
        row=row,
        body=index_terms(num, f"{turn.speaker or turn.role}: {turn.text}"),
        context=" ".join([*(found["body"] for found in before), index_terms(num, date_words(turn.at))]),
    )


def unindex_turns(tx: Transaction, rows: Iterable[int]) -> None:
    """Takes turns out of the index, by their rows in the log."""
    tx.many("DELETE FROM turn_words WHERE rowid = :row", [{"row": row} for row in rows])


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
                "body": index_terms(num, document.body),
                "context": index_terms(num, document.context),
                "extra": index_terms(num, document.extra),
                "changed": changed,
            }
            for document in documents
        ],
    )


def drop_documents(tx: Transaction, space: str, refs: Iterable[str]) -> None:
    tx.many("DELETE FROM documents WHERE space = :space AND ref = :ref", [{"space": space, "ref": ref} for ref in refs])


def purge(db: Database) -> None:
    """Rewrites the full-text index, so that words of deleted rows are not left in its segments."""
    if db.name != "sqlite":
        return
    for side, index in (("log", "turn_words"), ("memory", "document_words")):
        with db.write(side) as tx:  # type: ignore[arg-type]
            tx.run(f"INSERT INTO {index} ({index}) VALUES ('optimize')")
