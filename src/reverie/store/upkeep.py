"""Deletes what a store no longer needs, so that it stays bounded: in short transactions, each safe to repeat.

All of it is derived, expired or rolled up; an undo does not bring it back. What a person or an agent said is never
deleted here.
"""

import json
from collections.abc import Callable
from typing import NamedTuple

from reverie.model.answers import BY_A_PERSON
from reverie.model.base import DAY, Instant
from reverie.model.turns import TURN
from reverie.policy.care.retention import (
    ANSWER_DAYS,
    ASKED_DAYS,
    EVENT_DAYS,
    MAX_ANSWERS,
    MAX_ASKED,
    MAX_OUTDATED,
    SEEN_DAYS,
)
from reverie.store.commit import journal
from reverie.store.db import Database, Transaction
from reverie.store.search import documents
from reverie.store.tables import added_blocks, answers, ledger, memories, nights, recalls, spaces, studies, vectors
from reverie.store.tables.vectors import SCAN_LIMIT

PART = 500  # rows a transaction


class LogTable(NamedTuple):
    """A table of the log whose rows are deleted once they are old."""

    name: str
    column: str  # when a row was last written
    delete: Callable[[Transaction, str, Instant], int]  # of a space, before a moment


ASKED = LogTable("asked", "last_at", recalls.delete_asked)
SERVINGS = LogTable("servings", "at", answers.delete_servings)
ADDED_BLOCKS = LogTable("added_blocks", "at", added_blocks.delete_before)


def tidy(db: Database, space: str, now: Instant, keep_nights: int) -> dict[str, int]:
    """Does all of it for one space; answers how many of each were deleted or taken up."""
    counts = {
        "events rolled up": roll_up(db, space, _midnight(now - EVENT_DAYS * DAY)),
        "questions": _delete_old(db, ASKED, space, now - ASKED_DAYS * DAY),
        "servings": _delete_old(db, SERVINGS, space, now - ASKED_DAYS * DAY),
        "added blocks": _delete_old(db, ADDED_BLOCKS, space, now - ASKED_DAYS * DAY),
        "answers": drop_answers(db, space, now),
        "journal entries": forget_nights(db, space, keep_nights),
        "outdated": drop_outdated(db, space),
        "vectors of turns": drop_read_turns(db, space),
        "vectors indexed": index_vectors(db, space),
        "gone vectors": purge_vectors(db, space, now),
        "pages": db.dialect.reclaim(db),
    }
    return {what: n for what, n in counts.items() if n}


def roll_up(db: Database, space: str, before: Instant) -> int:
    """Recall events before that midnight become one row a day; answers how many.

    Written first and deleted after: nothing counts twice, because readers leave out days that still have events.
    """
    rows = db.rows(
        "SELECT ref, day, query, score FROM recall_events WHERE space = :space AND at < :before ORDER BY day, ref",
        space=space,
        before=before,
    )
    days: dict[tuple[str, str], list[tuple[str, float]]] = {}
    for row in rows:
        days.setdefault((row["ref"], row["day"]), []).append((row["query"], row["score"]))
    if not days:
        return 0
    with db.write("memory") as tx:
        for (ref, day), events in days.items():
            recalls.put_day(tx, space, ref, day, events)
    with db.write("log") as tx:
        return recalls.delete_events(tx, space, before)


def _delete_old(db: Database, table: LogTable, space: str, before: Instant) -> int:
    """Deletes what is older, and the oldest past the cap; a day at a time, so that an append never waits for long."""
    relation, column = table.name, table.column
    cap = db.value(
        f"SELECT {column} FROM {relation} WHERE space = :space ORDER BY {column} DESC LIMIT 1 OFFSET :most",
        space=space,
        most=MAX_ASKED,
    )
    before = max(before, -1.0 if cap is None else cap + 1e-6)
    oldest = f"SELECT min({column}) FROM {relation} WHERE space = :space AND {column} < :before"
    gone = 0
    while (first := db.value(oldest, space=space, before=before)) is not None:
        with db.write("log") as tx:
            gone += table.delete(tx, space, min(before, first + DAY))
    return gone


def drop_answers(db: Database, space: str, now: Instant) -> int:
    """Deletes answers that expired long ago, and the least recently used past the cap; answers how many."""
    expired = db.rows(
        "SELECT id FROM answers WHERE space = :space AND expires_at < :before"
        " AND (dropped IS NULL OR dropped NOT LIKE :person) LIMIT :part",  # a person's no has no end
        space=space,
        before=now - ANSWER_DAYS * DAY,
        person=f"{BY_A_PERSON}%",
        part=PART,
    )
    many = db.rows(
        "SELECT id FROM answers WHERE space = :space ORDER BY coalesce(last_hit_at, created_at) DESC, id"
        " LIMIT :part OFFSET :most",
        space=space,
        part=PART,
        most=MAX_ANSWERS,
    )
    ids = {row["id"] for row in (*expired, *many)}
    if ids:
        with db.write("memory") as tx:
            answers.delete(tx, sorted(ids))
            spaces.next_change(tx, space)
    return len(ids)


def forget_nights(db: Database, space: str, keep: int) -> int:
    """Deletes journals and model responses of all but the last `keep` nights, and naps older than those.

    Answers how many journal entries. A night without its journal can no longer be undone.
    """
    oldest = db.value(
        "SELECT requested_at FROM nights WHERE space = :space AND kind = 'night'"
        " AND status IN ('running', 'done', 'undone') ORDER BY requested_at DESC LIMIT 1 OFFSET :skip",
        space=space,
        skip=max(0, keep - 1),
    )
    if oldest is None:
        return 0
    gone = 0
    while part := _delete_journal(db, space, oldest):
        gone += part
    with db.write("memory") as tx:
        ledger.clear_responses_before(tx, space, oldest)
        nights.delete_naps(tx, space, oldest)
    return gone


def _delete_journal(db: Database, space: str, oldest: Instant) -> int:
    """Deletes some of the journal entries of nights older than `oldest`; answers how many."""
    sql = f"SELECT night, n FROM journal WHERE space = :space AND night IN ({nights.OLDER}) LIMIT :part"
    rows = db.rows(sql, space=space, oldest=oldest, part=PART)
    with db.write("memory") as tx:
        journal.delete(tx, [{"night": row["night"], "n": row["n"]} for row in rows])
    return len(rows)


def drop_outdated(db: Database, space: str, most: int = MAX_OUTDATED) -> int:
    """Deletes what studied documents no longer say and what no longer follows from a context; answers how many.

    The newest stay, so that a text that comes back is known again, and so does what an undo or a review may need.
    """
    gone = 0
    while ids := studies.outdated(db, space, most, PART):
        with db.write("memory") as tx:
            changed = spaces.next_change(tx, space)
            documents.drop_documents(tx, space, ids)
            vectors.drop_vectors(tx, space, ids, changed)
            for id in ids:
                memories.delete_all_of(tx, id)
        gone += len(ids)
    return gone


def drop_read_turns(db: Database, space: str) -> int:
    """Deletes vectors of turns that nights have read: their episodes have their own. Answers how many.

    After an undo they are made again, as for any turn that no night has read.
    """
    gone = 0
    while rows := db.rows(
        "SELECT v.ref AS ref FROM vectors v JOIN turns t ON t.id = v.ref JOIN spaces s ON s.id = v.space"
        " WHERE v.space = :space AND v.ref LIKE :turns AND v.vec IS NOT NULL AND t.seq <= s.watermark LIMIT :part",
        space=space,
        turns=f"{TURN}%",
        part=PART,
    ):
        with db.write("memory") as tx:
            vectors.drop_vectors(tx, space, [row["ref"] for row in rows], spaces.next_change(tx, space))
        gone += len(rows)
    return gone


def purge_vectors(db: Database, space: str, now: Instant) -> int:
    """Deletes the marks of gone vectors that every process has seen: those older than a night of a week ago."""
    rows = db.rows(
        "SELECT s.counts AS counts FROM night_steps s JOIN nights n ON n.id = s.night"
        " WHERE n.space = :space AND n.now <= :before AND s.step = 'housekeep' AND s.status = 'done'"
        " ORDER BY n.now DESC LIMIT 1",
        space=space,
        before=now - SEEN_DAYS * DAY,
    )
    seen = max((int(json.loads(row["counts"]).get("sequence", 0)) for row in rows), default=0)
    with db.write("memory") as tx:
        return vectors.purge(tx, space, seen)


def index_vectors(db: Database, space: str, limit: int = SCAN_LIMIT) -> int:
    """Keeps the index of a space with more vectors than are scanned; answers how many it has taken up."""
    return db.dialect.index.tend(db, space, limit)


def _midnight(at: Instant) -> Instant:
    """Whole days are rolled up, so that no day is counted in part."""
    return at - at % DAY
