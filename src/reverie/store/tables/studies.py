"""Studies: documents that a person gave, how far nights have thought about them, and what came of that."""

from collections.abc import Iterable, Sequence
from dataclasses import asdict

from reverie.errors import NotFound
from reverie.model.base import Instant, Trust
from reverie.model.memories import Memory, Study
from reverie.policy.ponder.serving import PREFIX
from reverie.store.db import Reads, Row, Transaction
from reverie.store.rows import by_name, insertion
from reverie.store.tables import memories


def named(db: Reads, space: str, name: str) -> Study | None:
    row = db.row("SELECT * FROM studies WHERE space = :space AND name = :name", space=space, name=name)
    return None if row is None else _study(row)


def by_name_or_raise(db: Reads, space: str, name: str) -> Study:
    found = named(db, space, name)
    if found is None:
        raise NotFound("study", name, next_move="`reverie studies` lists them.")
    return found


def listed(db: Reads, space: str, *, limit: int = 100, after: str = "") -> list[Study]:
    """By name; `after` is the name of the last one seen."""
    rows = db.rows(
        "SELECT * FROM studies WHERE space = :space AND name > :after ORDER BY name LIMIT :limit",
        space=space,
        after=after,
        limit=limit,
    )
    return [_study(row) for row in rows]


def next_waiting(db: Reads, space: str, after: str, *, all: bool = False) -> Study | None:
    """The next by its id that no night has thought about as it stands; with `all`, whether or not one has."""
    row = db.row(
        f"SELECT * FROM studies WHERE space = :space AND id > :after{'' if all else ' AND pondered <> digest'}"
        " ORDER BY id LIMIT 1",
        space=space,
        after=after,
    )
    return None if row is None else _study(row)


def next_session(db: Reads, space: str, since: Instant, after: str) -> str | None:
    """The next session by its name of which nights have read something since a moment."""
    row = db.row(
        "SELECT min(session) AS session FROM memories WHERE space = :space AND kind = 'episode'"
        " AND created_at > :since AND excluded IS NULL AND quarantined = 0 AND stale = 0 AND trust >= :user"
        " AND session > :after",
        space=space,
        since=since,
        user=int(Trust.USER),
        after=after,
    )
    return None if row is None else row["session"]


def spoken(db: Reads, space: str, session: str, limit: int) -> list[Memory]:
    """The last that the user said in a session, as episodes, oldest first."""
    rows = db.rows(
        "SELECT id FROM memories WHERE space = :space AND session = :session AND kind = 'episode' AND stale = 0"
        " AND excluded IS NULL AND quarantined = 0 AND trust >= :user ORDER BY said_at DESC, id DESC LIMIT :limit",
        space=space,
        session=session,
        user=int(Trust.USER),
        limit=limit,
    )
    found = memories.by_ids(db, space, [row["id"] for row in rows])
    return [found[row["id"]] for row in reversed(rows) if row["id"] in found]


def over(db: Reads, space: str, now: Instant, limit: int) -> list[Memory]:
    """Insights that held for a day which is over: they are counted anew."""
    rows = db.rows(
        "SELECT id FROM memories WHERE space = :space AND kind = 'insight' AND stale = 0 AND session IS NOT NULL"
        " AND valid_until <= :now ORDER BY id LIMIT :limit",
        space=space,
        now=now,
        limit=limit,
    )
    found = memories.by_ids(db, space, [row["id"] for row in rows])
    return [memory for memory in found.values() if memory.marks.get("study")]


def put(tx: Transaction, study: Study) -> None:
    """Stores a document's record, new or changed; how far nights have come stays."""
    row = asdict(study)
    moved = ("path", "digest", "lines", "tokens", "updated_at")
    tx.run(
        f"{insertion('studies', row)} ON CONFLICT (space, name) DO UPDATE SET"
        f" {', '.join(f'{name} = excluded.{name}' for name in moved)}",
        **row,
    )


def outdated(db: Reads, space: str, skip: int, limit: int) -> list[str]:
    """Passages and insights of thinking ahead that no longer hold, behind the newest `skip`: those that no journal of
    a night names, that wait for nobody and that nothing rests on.
    """
    rows = db.rows(
        "SELECT m.id AS id FROM memories m WHERE m.space = :space AND m.stale = 1 AND m.quarantined = 0"
        " AND m.pinned = 0 AND (m.kind = 'insight' AND m.session IS NOT NULL"
        " OR m.kind = 'episode' AND m.session LIKE :studied)"
        " AND NOT EXISTS (SELECT 1 FROM journal j WHERE j.relation = 'memories' AND j.key = m.id)"
        " AND NOT EXISTS (SELECT 1 FROM journal j WHERE j.night = m.night)"
        " AND NOT EXISTS (SELECT 1 FROM sources s JOIN memories o ON o.id = s.memory"
        "  WHERE s.source = m.id AND o.id <> m.id AND o.stale = 0)"
        " ORDER BY m.created_at DESC, m.id LIMIT :limit OFFSET :skip",
        space=space,
        studied=f"{PREFIX}%",
        skip=skip,
        limit=limit,
    )
    return [row["id"] for row in rows]


def delete_without_text(tx: Transaction, space: str) -> int:
    """Deletes the records of documents of which a forget has left nothing; answers how many."""
    return tx.run(
        "DELETE FROM studies WHERE space = :space AND NOT EXISTS (SELECT 1 FROM memories m WHERE m.space = :space"
        f" AND m.kind = 'episode' AND m.session = '{PREFIX}' || studies.name)",
        space=space,
    )


def passages(db: Reads, space: str, name: str, *, stale: bool = False) -> list[Memory]:
    """What is kept of a document's text, in its order; with `stale` also what it no longer holds."""
    found = _of_session(db, space, f"{PREFIX}{name}", "episode", stale)
    return sorted(found, key=lambda memory: (int(memory.marks.get("line") or 0), memory.id))


def insights(db: Reads, space: str, session: str) -> list[Memory]:
    """What holds of that which nights worked out from a context."""
    return [memory for memory in _of_session(db, space, session, "insight", False) if memory.marks.get("study")]


def pondered(db: Reads, space: str, *, limit: int, session: str | None = None) -> list[Memory]:
    """Insights that came of thinking ahead and hold, the newest first."""
    rows = db.rows(
        "SELECT id FROM memories WHERE space = :space AND kind = 'insight' AND stale = 0 AND quarantined = 0"
        f" AND session IS NOT NULL{' AND session = :session' if session else ''}"
        " ORDER BY created_at DESC, id LIMIT :limit",
        space=space,
        limit=limit,
        **({"session": session} if session else {}),
    )
    found = memories.by_ids(db, space, [row["id"] for row in rows])
    kept = (found[row["id"]] for row in rows if row["id"] in found)
    return [memory for memory in kept if memory.marks.get("study")]


def served(db: Reads, space: str, refs: Iterable[str], since: Instant) -> dict[str, int]:
    """Of these insights, how many different questions each was found for since a moment."""
    rows = db.each(
        "SELECT ref, count(DISTINCT query) AS n FROM recall_events WHERE space = :space AND at > :since"
        " AND ref IN (:keys) GROUP BY ref",
        refs,
        space=space,
        since=since,
    )
    return {row["ref"]: int(row["n"]) for row in rows}


def questions(db: Reads, space: str, refs: Sequence[str], since: Instant) -> int:
    """How many different questions any of these insights was found for since a moment."""
    rows = db.each(
        "SELECT DISTINCT query FROM recall_events WHERE space = :space AND at > :since AND ref IN (:keys)",
        refs,
        space=space,
        since=since,
    )
    return len({row["query"] for row in rows})


def spent(db: Reads, space: str, since: Instant) -> tuple[int, float]:
    """What thinking ahead has cost since a moment: tokens, money."""
    row = db.row(
        "SELECT coalesce(sum(tokens_in + tokens_out), 0) AS tokens, coalesce(sum(cost), 0) AS cost FROM ledger"
        " WHERE space = :space AND step = 'ponder' AND at > :since",
        space=space,
        since=since,
    )
    return (int(row["tokens"]), float(row["cost"])) if row else (0, 0.0)


def spent_in(db: Reads, night: str) -> int:
    """The tokens that thinking ahead has taken in a night so far."""
    asked = "SELECT sum(tokens_in + tokens_out) AS n FROM ledger WHERE night = :night AND step = 'ponder'"
    return int(db.value(asked, night=night) or 0)


def heard(db: Reads, space: str, since: Instant) -> int:
    """How many turns of the user's nights have kept since a moment."""
    kept = "SELECT count(*) AS n FROM memories WHERE space = :space AND kind = 'episode' AND created_at > :since"
    return int(db.value(f"{kept} AND trust >= :user", space=space, since=since, user=int(Trust.USER)) or 0)


def _of_session(db: Reads, space: str, session: str, kind: str, stale: bool) -> list[Memory]:
    alive = "" if stale else " AND stale = 0"
    rows = db.rows(
        f"SELECT id FROM memories WHERE space = :space AND session = :session AND kind = :kind{alive} ORDER BY id",
        space=space,
        session=session,
        kind=kind,
    )
    return list(memories.by_ids(db, space, [row["id"] for row in rows]).values())


def _study(row: Row) -> Study:
    return Study(**by_name(row))
