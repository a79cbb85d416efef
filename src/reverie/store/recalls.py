"""What was asked, and what the answers were made of: evidence for promotion, and for what may be asked next."""

from collections.abc import Iterable

from reverie.model.base import Instant
from reverie.model.turns import RecallEvent
from reverie.store.db import Transaction

MOMENT = 1.0  # seconds


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
