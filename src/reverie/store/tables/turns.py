"""The log of turns: appended, searched, never edited."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from reverie.errors import KeyReused, NotFound
from reverie.model.base import ORIGINS, TRUST_OF, Instant, Origin, Trust
from reverie.model.spaces import Activity
from reverie.model.turns import RETRACTED, Appended, SessionNote, Turn
from reverie.store.db import Database, Reads, Transaction
from reverie.store.rows import by_name, dumps, dumps_given, turn_of

OUTSIDE = ("tool", "web", "file")
PLAY = "play"  # stands for an origin while parts are played: what is said in them is as much worth as a file
_ORIGIN_OF: Mapping[str, Origin] = {**ORIGINS, PLAY: "file"}
LONGEST_PAUSE = 3_600.0  # seconds after which nobody plays on
NOTHING_SAID = SessionNote()


def insert(
    tx: Transaction, turn: Turn, *, words: str, digest: str, importance: float, note: SessionNote = NOTHING_SAID
) -> Appended:
    """Stores a turn with the terms it is found by; `seq` is set here. A key that is there already stores nothing."""
    if turn.key is not None and (known := _keyed(tx, turn, digest)):
        return known
    seq = _next_seq(tx, turn, importance)
    turn = _less_trusted(turn, _touch_session(tx, turn, seq, note), note.play == "begins")
    tx.run(
        "INSERT INTO turns (id, space, seq, session, role, text, at, origin, trust, speaker, metadata, key, digest,"
        " redacted, words, block, quarantine) VALUES (:id, :space, :seq, :session, :role, :text, :at, :origin, :trust,"
        " :speaker, :metadata, :key, :digest, :redacted, :words, :block, :quarantine)",
        id=turn.id,
        space=turn.space,
        seq=seq,
        session=turn.session,
        role=turn.role,
        text=turn.text,
        at=turn.at,
        origin=turn.origin,
        trust=int(turn.trust),
        speaker=turn.speaker,
        metadata=dumps_given(dict(turn.metadata)) if turn.metadata else "{}",
        key=turn.key,
        digest=digest if turn.key is not None else None,
        redacted=turn.redacted,
        words=words,
        block=turn.block,
        quarantine=turn.quarantine,
    )
    return Appended(turn.id, seq, redacted=turn.redacted)


def _next_seq(tx: Transaction, turn: Turn, importance: float) -> int:
    """The next place in the space's sequence, under its row lock: a late commit is never behind the watermark."""
    row = tx.row(
        "UPDATE activity SET last_seq = last_seq + 1, last_at = :at, importance = importance + :importance"
        " WHERE space = :space RETURNING last_seq",
        space=turn.space,
        at=turn.at,
        importance=importance,
    ) or tx.row(
        "INSERT INTO activity (space, last_seq, last_at, importance) VALUES (:space,"
        " 1 + coalesce((SELECT watermark FROM spaces WHERE id = :space), 0), :at, :importance)"
        " ON CONFLICT (space) DO UPDATE SET last_seq = activity.last_seq + 1, last_at = excluded.last_at,"
        " importance = activity.importance + excluded.importance RETURNING last_seq",
        space=turn.space,
        at=turn.at,
        importance=importance,
    )
    assert row is not None
    return int(row["last_seq"])


def raise_sequence(tx: Transaction, space: str, seq: int) -> None:
    """Lets the turns of a space go on after that place: what was read up to there and is lost leaves a gap."""
    tx.run(
        "INSERT INTO activity (space, last_seq, last_at) VALUES (:space, :seq, 0)"
        " ON CONFLICT (space) DO UPDATE SET last_seq = excluded.last_seq WHERE activity.last_seq < excluded.last_seq",
        space=space,
        seq=seq,
    )


def _lock(tx: Transaction, space: str) -> None:
    """Before anything else of a space's log is written: whoever takes another row first may wait in a circle."""
    tx.locked_row("SELECT last_seq FROM activity WHERE space = :space", space=space)


def _keyed(tx: Transaction, turn: Turn, digest: str) -> Appended | None:
    _lock(tx, turn.space)
    row = tx.row(
        "SELECT id, seq, digest, redacted FROM turns WHERE space = :space AND key = :key",
        space=turn.space,
        key=turn.key,
    )
    if row is None:
        return None
    if row["digest"] != digest:
        raise KeyReused(f"the key {turn.key!r} was used for another turn", key=turn.key, turn=row["id"])
    return Appended(row["id"], row["seq"], repeated=True, redacted=row["redacted"])


def _touch_session(tx: Transaction, turn: Turn, seq: int, note: SessionNote) -> str | None:
    """Counts the turn to its session, and answers what has come from outside there since the user last spoke: an
    origin, or that a play goes on.
    """
    outside = turn.origin if turn.role == "tool" or turn.origin in OUTSIDE else None
    row = tx.row(
        "INSERT INTO sessions (space, session, first_seq, last_seq, began_at, last_at, turns, tainted_by, kind,"
        " channel, source) VALUES (:space, :session, :seq, :seq, :at, :at, 1, :outside, coalesce(:kind, 'interactive'),"
        " :channel, :source) ON CONFLICT (space, session) DO UPDATE SET last_seq = excluded.last_seq,"
        " last_at = excluded.last_at, turns = sessions.turns + 1, ended_at = NULL,"
        " kind = coalesce(:kind, sessions.kind), channel = coalesce(:channel, sessions.channel),"
        " source = coalesce(:source, sessions.source), tainted_by = CASE WHEN :play = 'begins' THEN 'play'"
        " WHEN sessions.tainted_by = 'play' AND :play <> 'ends' AND :at - sessions.last_at < :pause THEN 'play'"
        " WHEN :speaks = 1 THEN NULL"
        " WHEN sessions.tainted_by IS NULL OR :outside IN ('web', 'file', 'unknown') THEN"
        " coalesce(:outside, sessions.tainted_by) ELSE sessions.tainted_by END RETURNING tainted_by",
        space=turn.space,
        session=turn.session,
        seq=seq,
        at=turn.at,
        outside=PLAY if note.play == "begins" else outside,
        speaks=int(turn.role == "user" and turn.trust >= Trust.USER),
        play=note.play,
        pause=LONGEST_PAUSE,
        kind=note.kind,
        channel=note.channel,
        source=note.source,
    )
    assert row is not None
    return None if row["tainted_by"] is None else str(row["tainted_by"])


def is_play(tx: Reads, space: str, session: str) -> bool:
    """Whether parts are played in a session: nobody asks for anything of their own there."""
    row = tx.row(
        "SELECT tainted_by FROM sessions WHERE space = :space AND session = :session", space=space, session=session
    )
    return row is not None and row["tainted_by"] == PLAY


def _less_trusted(turn: Turn, taint: str | None, opens: bool) -> Turn:
    """An assistant's text after a page is no more trusted than the page, until the user speaks again. In a play
    nobody speaks of themselves, from the turn after the one that opened it.
    """
    outside = _ORIGIN_OF.get(taint or "")
    heard = turn.role == "assistant" or (turn.role == "user" and taint == PLAY and not opens)
    if outside is None or not heard or turn.trust <= TRUST_OF[outside]:
        return turn
    return replace(turn, origin=outside, trust=TRUST_OF[outside])


def tainted_by(db: Database, space: str, session: str | None, since: Instant) -> Origin | None:
    """What has come from outside into a session since the user last spoke there, or None.

    Where nobody knows the session, into any that had a turn since that moment.
    """
    where = "last_at >= :since" if session is None else "session = :session"
    row = db.row(
        f"SELECT tainted_by FROM sessions WHERE space = :space AND tainted_by IS NOT NULL AND {where}"
        " ORDER BY last_seq DESC LIMIT 1",
        space=space,
        **({"since": since} if session is None else {"session": session}),
    )
    return _ORIGIN_OF.get(row["tainted_by"]) if row else None


def heard(db: Database, space: str, limit: int) -> list[Turn]:
    """The user's own last turns, the newest first."""
    rows = db.rows(
        "SELECT * FROM turns WHERE space = :space AND role = 'user' AND trust >= :user AND quarantine IS NULL"
        " ORDER BY seq DESC LIMIT :limit",
        space=space,
        user=int(Trust.USER),
        limit=limit,
    )
    return [turn_of(row) for row in rows]


def brought(db: Database, space: str, limit: int) -> list[Turn]:
    """What last came from outside, or was said under its influence, the newest first."""
    rows = db.rows(
        "SELECT * FROM turns WHERE space = :space AND trust < :assistant ORDER BY seq DESC LIMIT :limit",
        space=space,
        assistant=int(Trust.ASSISTANT),
        limit=limit,
    )
    return [turn_of(row) for row in rows]


def space_of(db: Reads, turn: str) -> str | None:
    """Whose turn an id names; the caller must still check who may see that space."""
    found = db.row("SELECT space FROM turns WHERE id = :id", id=turn)
    return None if found is None else str(found["space"])


def by_id(db: Database, space: str, turn: str) -> Turn:
    row = db.row("SELECT * FROM turns WHERE space = :space AND id = :id", space=space, id=turn)
    if row is None:
        raise NotFound("turn", turn)
    return turn_of(row)


def anywhere(db: Database, id: str) -> Turn | None:
    """The turn of that id, in whichever space it is."""
    row = db.row("SELECT * FROM turns WHERE id = :id", id=id)
    return None if row is None else turn_of(row)


def by_ids(db: Reads, space: str, ids: Sequence[str]) -> dict[str, Turn]:
    rows = db.each("SELECT * FROM turns WHERE space = :space AND id IN (:keys)", ids, space=space)
    return {row["id"]: turn_of(row) for row in rows}


def past(db: Reads, space: str, seq: int, *, upto: int | None = None, limit: int = 200) -> list[Turn]:
    """Turns after a place in the sequence, in order, but those that were taken back."""
    rows = db.rows(
        "SELECT * FROM turns WHERE space = :space AND seq > :seq AND seq <= :upto"
        " AND (quarantine IS NULL OR quarantine <> :retracted) ORDER BY seq LIMIT :limit",
        retracted=RETRACTED,
        space=space,
        seq=seq,
        upto=2**62 if upto is None else upto,
        limit=limit,
    )
    return [turn_of(row) for row in rows]


def listed(
    db: Reads,
    space: str,
    *,
    session: str | None = None,
    after: int | None = None,
    before: int | None = None,
    descending: bool = False,
    limit: int = 50,
    shown: bool = False,
) -> list[Turn]:
    """Turns between two places of the sequence, both exclusive; `shown` leaves out those in quarantine."""
    where = " AND session = :session" if session is not None else ""
    where += " AND quarantine IS NULL" if shown else ""
    rows = db.rows(
        f"SELECT * FROM turns WHERE space = :space AND seq > :after AND seq < :before{where}"
        f" ORDER BY seq {'DESC' if descending else 'ASC'} LIMIT :limit",
        space=space,
        after=-1 if after is None else after,
        before=2**62 if before is None else before,
        limit=limit,
        **({"session": session} if session is not None else {}),
    )
    return [turn_of(row) for row in rows]


def last(db: Database, space: str, n: int, session: str | None = None) -> list[Turn]:
    """The last `n` turns that may be shown, oldest first."""
    return listed(db, space, session=session, descending=True, limit=n, shown=True)[::-1]


def before(db: Reads, space: str, ids: Sequence[str]) -> dict[str, Turn]:
    """For each of these turns the one before it in its session, if it may be shown and is somebody's speech."""
    rows = db.each(
        "SELECT t.id AS reply, p.* FROM turns t JOIN turns p ON p.space = t.space AND p.seq = (SELECT max(q.seq)"
        " FROM turns q WHERE q.space = t.space AND q.session = t.session AND q.seq < t.seq)"
        " WHERE t.space = :space AND t.id IN (:keys)",
        ids,
        space=space,
    )
    spoken = (row for row in rows if row["quarantine"] is None and row["trust"] >= Trust.ASSISTANT)
    return {row["reply"]: turn_of(row) for row in spoken}


def set_aside(tx: Transaction, space: str, ids: Sequence[str], why: str) -> None:
    """Shows turns to nobody from now on."""
    tx.many(
        "UPDATE turns SET quarantine = :why WHERE space = :space AND id = :id",
        [{"id": id, "space": space, "why": why} for id in ids],
    )


def release(tx: Transaction, ids: Sequence[str]) -> None:
    """Shows turns again that were in quarantine: a person has looked at them."""
    tx.many("UPDATE turns SET quarantine = NULL WHERE id = :id", [{"id": id} for id in ids])


def delete(tx: Transaction, turn: str) -> None:
    """Deletes a turn that was forgotten."""
    tx.run("DELETE FROM turns WHERE id = :id", id=turn)


def delete_empty_sessions(tx: Transaction, space: str) -> None:
    """Deletes the names of sessions of which no turn is left."""
    tx.run(
        "DELETE FROM sessions WHERE space = :space AND NOT EXISTS"
        " (SELECT 1 FROM turns t WHERE t.space = :space AND t.session = sessions.session)",
        space=space,
    )


def activity(db: Database, space: str) -> Activity:
    row = db.row("SELECT * FROM activity WHERE space = :space", space=space)
    if row is None:
        return Activity()
    return Activity(row["last_seq"], row["last_at"], row["importance"], row["ended_sessions"], row["overflows"])


def end_session(tx: Transaction, space: str, session: str, now: Instant) -> bool:
    """Marks a session as ended; False if it had ended before. A trigger looks at it."""
    _lock(tx, space)
    ended = tx.run(
        "UPDATE sessions SET ended_at = :now WHERE space = :space AND session = :session AND ended_at IS NULL",
        now=now,
        space=space,
        session=session,
    )
    if ended:
        tx.run("UPDATE activity SET ended_sessions = ended_sessions + 1 WHERE space = :space", space=space)
    return bool(ended)


def overflowed(tx: Transaction, space: str) -> None:
    """Counts a context that could not hold all that it wanted to: a trigger looks at it."""
    tx.run("UPDATE activity SET overflows = overflows + 1 WHERE space = :space", space=space)


def sessions(db: Database, space: str, *, limit: int = 50, after: int = 0) -> list[dict[str, Any]]:
    """Sessions in the order they began; `after` is the first sequence of the last one seen."""
    rows = db.rows(
        "SELECT session, first_seq, last_seq, began_at, last_at, turns, ended_at, kind, channel, source FROM sessions"
        " WHERE space = :space AND first_seq > :after ORDER BY first_seq LIMIT :limit",
        space=space,
        after=after,
        limit=limit,
    )
    return [by_name(row) for row in rows]


def described(db: Reads, space: str, names: Iterable[str]) -> list[dict[str, Any]]:
    """What these sessions are and where they come from."""
    sql = "SELECT session, kind, channel, source FROM sessions WHERE space = :space AND session IN (:keys)"
    return [by_name(row) for row in db.each(sql, names, space=space)]


def count_in(db: Reads, space: str, session: str) -> int:
    """How many turns a session has."""
    rows = db.rows(
        "SELECT turns FROM sessions WHERE space = :space AND session = :session", space=space, session=session
    )
    return int(rows[0]["turns"]) if rows else 0


def sessions_by_channel(db: Reads, space: str, channel: str, limit: int) -> list[str]:
    """The people's own sessions of a channel, the last one first."""
    rows = db.rows(
        "SELECT session FROM sessions WHERE space = :space AND channel = :channel AND kind = 'interactive'"
        " ORDER BY last_seq DESC LIMIT :limit",
        space=space,
        channel=channel,
        limit=limit,
    )
    return [row["session"] for row in rows]


def sessions_since(db: Database, space: str, seq: int) -> int:
    """How many sessions have a turn past this place."""
    return int(
        db.value("SELECT count(*) AS n FROM sessions WHERE space = :space AND last_seq > :seq", space=space, seq=seq)
    )


def blocks_seen(db: Database, space: str, session: str) -> dict[str, int]:
    """Which version of each block a session's context showed last."""
    found = db.value(
        "SELECT blocks_seen FROM sessions WHERE space = :space AND session = :session", space=space, session=session
    )
    seen: dict[str, int] = json.loads(found) if found else {}
    return seen


def see_blocks(tx: Transaction, space: str, session: str, seen: dict[str, int]) -> None:
    """Stores which version of each block a session's context has shown."""
    tx.run(
        "UPDATE sessions SET blocks_seen = :seen WHERE space = :space AND session = :session",
        seen=dumps(seen),
        space=space,
        session=session,
    )
