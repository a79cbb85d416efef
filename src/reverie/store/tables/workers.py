"""Workers: who sleeps for this store, on what, since when. The dead are known by their presence or their silence."""

from dataclasses import replace

from reverie.model.base import Instant
from reverie.model.night import WorkerRecord
from reverie.store.db import Database, Row, Transaction

SILENT = 90.0  # seconds; who dies on the same Postgres or machine is known to be gone at once
KEPT = 3_600.0  # seconds that the row of a worker that died stays to be seen


def say(tx: Transaction, worker: WorkerRecord) -> None:
    """Stores what a worker does now, and that it lives."""
    tx.run(
        "INSERT INTO workers (name, host, pid, version, engine, owner, space, step, since, began_at, heard_at) VALUES"
        " (:name, :host, :pid, :version, :engine, :owner, :space, :step, :since, :began_at, :heard_at)"
        " ON CONFLICT (name) DO UPDATE SET owner = excluded.owner, space = excluded.space, step = excluded.step,"
        " since = excluded.since, heard_at = excluded.heard_at",
        name=worker.name,
        host=worker.host,
        pid=worker.pid,
        version=worker.version,
        engine=worker.engine,
        owner=tx.db.dialect.presence(tx.db),
        space=worker.space,
        step=worker.step,
        since=worker.since,
        began_at=worker.began_at,
        heard_at=worker.heard_at,
    )


def leave(tx: Transaction, name: str, now: Instant) -> None:
    """Deletes a worker that ends, and those that died long ago."""
    tx.run("DELETE FROM workers WHERE name = :name OR heard_at < :old", name=name, old=now - KEPT)


def listed(db: Database, now: Instant) -> list[WorkerRecord]:
    """All workers that were heard of within the hour, the dead too, by name."""
    rows = db.rows(
        "SELECT w.*, s.name AS space_name FROM workers w LEFT JOIN spaces s ON s.id = w.space"
        " WHERE w.heard_at >= :old ORDER BY w.name",
        old=now - KEPT,
    )
    return [_judged(db, row, now) for row in rows]


def living(db: Database, now: Instant) -> list[str]:
    """The names of the workers that live, in order."""
    rows = db.rows("SELECT name, owner, heard_at FROM workers ORDER BY name")
    return [row["name"] for row in rows if not _is_gone(db, row, now)]


def _judged(db: Database, row: Row, now: Instant) -> WorkerRecord:
    columns = ("name", "host", "pid", "version", "engine", "began_at", "heard_at", "space", "step", "since")
    worker = WorkerRecord(**{name: row[name] for name in columns}, space_name=row["space_name"] or "")
    if _is_gone(db, row, now):
        return replace(worker, state="gone")
    return replace(worker, state="busy" if worker.space else "idle")


def _is_gone(db: Database, row: Row, now: Instant) -> bool:
    return abs(now - row["heard_at"]) > SILENT or db.dialect.is_gone(db, row["owner"])
