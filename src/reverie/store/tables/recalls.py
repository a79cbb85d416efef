"""Recall events (a query returned this turn or memory), rolled up by day once they are old, and the questions asked."""

import json
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime

from reverie.model.base import DAY, Instant, Trust
from reverie.model.turns import RecallEvent
from reverie.store.db import Reads, Row, Transaction
from reverie.store.rows import dumps

MOMENT = 1.0  # seconds
KEPT_QUERIES = 50  # of one rolled-up day


def put_events(tx: Transaction, events: Iterable[RecallEvent]) -> None:
    tx.many(
        "INSERT INTO recall_events (space, ref, query, day, score, at)"
        " VALUES (:space, :ref, :query, :day, :score, :at)",
        [
            {
                "space": event.space,
                "ref": event.memory,
                "query": event.query,
                "day": event.day,
                "score": event.score,
                "at": event.at,
            }
            for event in events
        ],
    )


def put_asked(tx: Transaction, space: str, hash: str, day: str, text: str, now: Instant) -> None:
    """One row a question and day. A person who asks once is often answered by two verbs: that counts once."""
    tx.run(
        "INSERT INTO asked (space, hash, day, text, times, last_at) VALUES (:space, :hash, :day, :text, 1, :now)"
        " ON CONFLICT (space, hash, day) DO UPDATE SET last_at = excluded.last_at,"
        " times = asked.times + CASE WHEN excluded.last_at - asked.last_at < :moment THEN 0 ELSE 1 END",
        moment=MOMENT,
        space=space,
        hash=hash,
        day=day,
        text=text,
        now=now,
    )


def put_day(tx: Transaction, space: str, ref: str, day: str, events: Sequence[tuple[str, float]]) -> None:
    """Stores the recalls of one turn or memory on one day, given as (query, score), as one row."""
    tx.run(
        "INSERT INTO recall_days (space, ref, day, times, queries, score)"
        " VALUES (:space, :ref, :day, :times, :queries, :score) ON CONFLICT (space, ref, day) DO UPDATE SET"
        " times = excluded.times, queries = excluded.queries, score = excluded.score",
        space=space,
        ref=ref,
        day=day,
        times=len(events),
        queries=dumps(sorted({query for query, _ in events})[:KEPT_QUERIES]),
        score=sum(score for _, score in events) / len(events),
    )


def delete_events(tx: Transaction, space: str, before: Instant) -> int:
    """Deletes recall events before a moment; answers how many."""
    return tx.run("DELETE FROM recall_events WHERE space = :space AND at < :before", space=space, before=before)


def delete_events_of(tx: Transaction, space: str, ref: str) -> None:
    """Deletes the recall events of a turn or memory that was forgotten."""
    tx.run("DELETE FROM recall_events WHERE space = :space AND ref = :id", space=space, id=ref)


def delete_days_of(tx: Transaction, space: str, refs: Iterable[str]) -> None:
    """Deletes the rolled-up days of turns and memories that were forgotten."""
    tx.many(
        "DELETE FROM recall_days WHERE space = :space AND ref = :ref", [{"space": space, "ref": ref} for ref in refs]
    )


def delete_asked(tx: Transaction, space: str, before: Instant) -> int:
    """Deletes questions that were last asked before a moment; answers how many."""
    return tx.run("DELETE FROM asked WHERE space = :space AND last_at < :before", space=space, before=before)


def clear_asked(tx: Transaction, space: str) -> None:
    """Deletes every question of a space."""
    tx.run("DELETE FROM asked WHERE space = :space", space=space)


MOST_TIMES = 50  # of one rolled-up day: more evidence than any gate can ask for


def recalls(db: Reads, space: str, refs: Iterable[str], until: Instant) -> dict[str, list[RecallEvent]]:
    """Every real recall of each of these turns and memories; old ones as their rolled-up days tell."""
    keys = list(dict.fromkeys(refs))
    found: dict[str, list[RecallEvent]] = {}
    rows = db.each(
        "SELECT * FROM recall_events WHERE space = :space AND at <= :until AND ref IN (:keys) ORDER BY at, row",
        keys,
        space=space,
        until=until,
    )
    for row in rows:
        found.setdefault(row["ref"], []).append(_event(row))
    fresh = {(event.memory, event.day) for events in found.values() for event in events}
    days = db.each("SELECT * FROM recall_days WHERE space = :space AND ref IN (:keys) ORDER BY day", keys, space=space)
    for row in days:
        if (row["ref"], row["day"]) not in fresh:  # rolled up, and not yet taken out of the log
            found.setdefault(row["ref"], []).extend(_of_day(row))
    return found


def said_in(db: Reads, space: str, turns: Iterable[str]) -> dict[str, tuple[str, Instant]]:
    """Session and moment of those of these turns that the user said."""
    rows = db.each(
        "SELECT id, session, at FROM turns WHERE space = :space AND trust = :user AND id IN (:keys)",
        turns,
        space=space,
        user=int(Trust.USER),
    )
    return {row["id"]: (row["session"], row["at"]) for row in rows}


def questions(db: Reads, space: str, hashes: Iterable[str]) -> dict[str, str]:
    """The words of questions, by their hash; those of long ago are deleted."""
    rows = db.each("SELECT hash, text FROM asked WHERE space = :space AND hash IN (:keys)", hashes, space=space)
    return {row["hash"]: row["text"] for row in rows}


def _event(row: Row) -> RecallEvent:
    return RecallEvent(row["space"], row["ref"], row["query"], row["day"], row["score"], row["at"])


def _of_day(row: Row) -> list[RecallEvent]:
    queries = json.loads(row["queries"]) or [""]
    noon = datetime.fromisoformat(row["day"]).replace(tzinfo=UTC).timestamp() + DAY / 2
    return [
        RecallEvent(row["space"], row["ref"], queries[i % len(queries)], row["day"], row["score"], noon)
        for i in range(min(row["times"], MOST_TIMES))
    ]
