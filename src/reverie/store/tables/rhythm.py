"""When each space last slept and when it is due again: what triggers and gates read, one row a space."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from reverie.model.base import HOUR, MINUTE, Instant
from reverie.model.night import Night
from reverie.model.rhythm import Rhythm, Sleeping
from reverie.model.spaces import SpaceRecord
from reverie.store.db import Database, Transaction
from reverie.store.rows import dumps
from reverie.store.tables import leases, turns

SLEEPER = "*sleeper"
FAILING = 3  # failures in a row after which a person should look
SKEW = MINUTE  # between the clocks of two machines
INSTANTS = ("last_nap_at", "last_night_at", "last_full_at", "last_scan_at", "failed_at")


@dataclass(frozen=True, slots=True)
class Mark:
    """How far the log's counters stood when a run was asked for; its success makes them the new zero."""

    seq: int = 0
    importance: float = 0.0
    ended: int = 0
    overflows: int = 0

    @classmethod
    def of(cls, saved: Mapping[str, Any]) -> "Mark":
        return cls(**{name: saved[name] for name in ("seq", "importance", "ended", "overflows") if name in saved})

    def saved(self) -> dict[str, Any]:
        return {"seq": self.seq, "importance": self.importance, "ended": self.ended, "overflows": self.overflows}


def mark(db: Database, space: str) -> Mark:
    """The log's counters of a space as they stand now."""
    now = turns.activity(db, space)
    return Mark(now.last_seq, now.importance, now.ended_sessions, now.overflows)


def read(db: Database, space: SpaceRecord, settings: Sleeping, now: Instant) -> Rhythm:
    """Everything that the policies ask about a space. Sessions are counted only when a scan is due."""
    saved = _past(_saved(db, space.id), now)
    last = Mark.of(saved.get("mark", {}))
    active = turns.activity(db, space.id)
    held = leases.held(db, space.id, now)
    known = Rhythm(
        created_at=space.created_at,
        turns_since=active.last_seq - space.watermark,
        last_turn_at=(active.last_at if active.last_at <= now + SKEW else 0.0) if active.last_seq else None,
        importance_sum=active.importance - last.importance,
        edits_since=_edits(db, space.id),
        session_ended_at=active.last_at if active.ended_sessions > last.ended else None,
        overflowed_at=active.last_at if active.overflows > last.overflows else None,
        turns_since_night=active.last_seq - saved.get("night_seq", 0),
        sessions_since=saved.get("sessions", 0),
        last_nap_at=saved.get("last_nap_at"),
        last_night_at=saved.get("last_night_at"),
        last_full_at=saved.get("last_full_at"),
        recent_naps=tuple(at for at in saved.get("recent_naps", ()) if at > now - HOUR),
        last_scan_at=saved.get("last_scan_at"),
        failures=saved.get("failures", 0),
        failed_at=saved.get("failed_at"),
        paused=saved.get("paused", False),
        lease_holder=held.holder if held else None,
        lease_process=held.process if held else "",
        lease_since=held.since if held else 0.0,
        lease_until=held.expires_at if held else 0.0,
    )
    if not scans(known, settings, now):
        return known
    return replace(known, sessions_since=turns.sessions_since(db, space.id, saved.get("night_seq", 0)))


def _past(saved: dict[str, Any], now: Instant) -> dict[str, Any]:
    """Without instants that lie ahead: the clock was set back, and nothing must wait until it comes there again."""
    return {name: value for name, value in saved.items() if name not in INSTANTS or (value or 0.0) <= now + SKEW}


def scans(state: Rhythm, settings: Sleeping, now: Instant) -> bool:
    """Whether it is time to count sessions: a night could be due by them, and the last count is not fresh."""
    since = state.created_at if state.last_night_at is None else state.last_night_at
    waited = state.last_scan_at is None or now - state.last_scan_at >= settings.scan_throttle_minutes * MINUTE
    return waited and now - since >= settings.night_after_hours * HOUR


def _edits(db: Database, space: str) -> int:
    """What a person gave directly and no night has looked at yet; a few are as good as many."""
    rows = db.rows(
        "SELECT id FROM memories WHERE space = :space AND last_tagged_at IS NULL AND night IS NULL LIMIT 10",
        space=space,
    )
    waiting = db.rows("SELECT id FROM studies WHERE space = :space AND pondered <> digest LIMIT 10", space=space)
    return len(rows) + len(waiting)


def succeeded(tx: Transaction, night: Night, now: Instant) -> None:
    """A run has succeeded: failures are zero again, and counting begins where the log stood when it was asked for."""

    def slept(saved: dict[str, Any]) -> dict[str, Any]:
        saved |= {"failures": 0, "failed_at": None, "mark": night.settings.get("mark", {})}
        if night.kind == "nap":
            naps = [at for at in saved.get("recent_naps", []) if at > now - HOUR]
            return saved | {"last_nap_at": now, "recent_naps": [*naps, now]}
        saved |= {"last_night_at": now, "night_seq": night.upto, "sessions": 0}
        return saved | {"last_full_at": now} if night.settings.get("full") else saved

    _change(tx, night.space, slept, now)


def failed(tx: Transaction, space: str, now: Instant) -> None:
    """One more run in a row has failed."""
    _change(tx, space, lambda saved: saved | {"failures": saved.get("failures", 0) + 1, "failed_at": now}, now)


def failures(db: Database, space: str) -> int:
    """How many runs in a row have failed."""
    return int(_saved(db, space).get("failures", 0))


def scanned(tx: Transaction, space: str, sessions: int, now: Instant) -> None:
    """Stores how many sessions were counted, and when."""
    _change(tx, space, lambda saved: saved | {"last_scan_at": now, "sessions": sessions}, now)


def say_alive(tx: Transaction, worker: str, now: Instant) -> None:
    """Stores that a sleeper is alive, in a row whose name no space has."""
    _change(tx, SLEEPER, lambda _: {"worker": worker, "at": now}, now)


def say_gone(tx: Transaction, worker: str, now: Instant) -> None:
    """Deletes that a sleeper is alive, unless another one has said so since."""
    _change(tx, SLEEPER, lambda saved: {} if saved.get("worker") == worker else saved, now)


def last_alive(db: Database) -> tuple[str, Instant] | None:
    """Which sleeper was last heard of, and when."""
    saved = _saved(db, SLEEPER)
    return (saved["worker"], saved["at"]) if saved else None


def set_paused(tx: Transaction, space: str, paused: bool, now: Instant) -> None:
    _change(tx, space, lambda saved: saved | {"paused": paused}, now)


def set_due(tx: Transaction, space: str, due_at: Instant | None, now: Instant) -> None:
    """Stores when a space is due, so that a cooldown ends in a run even if nobody appends meanwhile."""
    _change(tx, space, lambda saved: saved, now)
    tx.run("UPDATE rhythm SET due_at = :due WHERE space = :space", due=due_at, space=space)


def due_at(db: Database, space: str) -> Instant | None:
    found: Instant | None = db.value("SELECT due_at FROM rhythm WHERE space = :space", space=space)
    return found


def due_spaces(db: Database, now: Instant) -> list[str]:
    """Every space whose stored time has come, longest waiting first."""
    rows = db.rows("SELECT space FROM rhythm WHERE due_at <= :now ORDER BY due_at, space", now=now)
    return [row["space"] for row in rows]


def delete(tx: Transaction, space: str) -> None:
    """Deletes the row of a space that is deleted: it is never due again."""
    tx.run("DELETE FROM rhythm WHERE space = :space", space=space)


def pulse(db: Database) -> tuple[int, ...]:
    """A few numbers that change whenever the log of any space moves: counters only grow."""
    row = db.row(
        "SELECT count(*) AS n, coalesce(sum(last_seq), 0) AS turns, coalesce(sum(ended_sessions), 0) AS ended,"
        " coalesce(sum(overflows), 0) AS overflows FROM activity"
    )
    return () if row is None else tuple(int(row[name]) for name in ("n", "turns", "ended", "overflows"))


def fresh_spaces(db: Database, seen: Mapping[str, tuple[int, int, int]]) -> dict[str, tuple[int, int, int]]:
    """Spaces whose log has moved since it was `seen`, with where it stands: (last turn, ended sessions, overflows)."""
    rows = db.rows("SELECT space, last_seq, ended_sessions, overflows FROM activity")
    now = {row["space"]: (row["last_seq"], row["ended_sessions"], row["overflows"]) for row in rows}
    return {space: place for space, place in now.items() if seen.get(space) != place}


def _saved(db: Database, space: str) -> dict[str, Any]:
    found = db.value("SELECT state FROM rhythm WHERE space = :space", space=space)
    saved: dict[str, Any] = json.loads(found) if found else {}
    return saved


def _change(tx: Transaction, space: str, change: Any, now: Instant) -> None:
    row = tx.row("SELECT state FROM rhythm WHERE space = :space", space=space)
    state = dumps(change(json.loads(row["state"]) if row else {}))
    tx.run(
        "INSERT INTO rhythm (space, state, updated_at) VALUES (:space, :state, :now) ON CONFLICT (space) DO UPDATE"
        " SET state = excluded.state, updated_at = excluded.updated_at",
        space=space,
        state=state,
        now=now,
    )
