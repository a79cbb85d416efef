"""Nights and their steps: asked for, begun, resumed, ended, listed."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from reverie.errors import NotFound
from reverie.model.base import Instant
from reverie.model.night import TOLD, Night, NightKind, NightStep
from reverie.store.db import Database, Reads, Transaction
from reverie.store.rows import column, dumps, insertion, night_of, night_row, step_of
from reverie.store.tables import chores, spaces
from reverie.store.tables.failures import SET_ASIDE_AFTER

MOST_SKIPPED = 50  # of a space: the history says why nothing happened lately, not ever
# Nights that have ended, or were never begun, and are older than a moment.
OLDER = "SELECT id FROM nights WHERE space = :space AND requested_at < :oldest AND status <> 'running'"


def insert(tx: Transaction, night: Night) -> None:
    row = night_row(night)
    tx.run(insertion("nights", row), **row)


def insert_skipped(tx: Transaction, night: Night) -> None:
    """Keeps why a night was not begun, with the latest others of its space; whoever asks all day long fills nothing."""
    insert(tx, night)
    tx.run(
        "DELETE FROM nights WHERE space = :space AND status = 'skipped' AND id NOT IN (SELECT id FROM nights"
        " WHERE space = :space AND status = 'skipped' ORDER BY requested_at DESC, id DESC LIMIT :most)",
        space=night.space,
        most=MOST_SKIPPED,
    )


def update(tx: Transaction, night: str, **columns: Any) -> None:
    """Writes some columns of a night."""
    sets = ", ".join(f"{name} = :{name}" for name in columns)
    values = {name: column(name, value) for name, value in columns.items()}
    tx.run(f"UPDATE nights SET {sets} WHERE id = :night_", **values, night_=night)


def by_id(db: Database, space: str, night: str) -> Night:
    row = db.row("SELECT * FROM nights WHERE space = :space AND id = :night", space=space, night=night)
    if row is None:
        raise NotFound("night", night, next_move="`reverie nights` lists them.")
    return night_of(row)


def anywhere(db: Database, night: str) -> Night | None:
    """A night by its id alone; the caller must still check who may see its space."""
    row = db.row("SELECT * FROM nights WHERE id = :night", night=night)
    return None if row is None else night_of(row)


UNFINISHED = "status IN ('requested', 'running', 'failed', 'undoing')"


def unfinished(db: Database, space: str) -> list[Night]:
    """Nights that were asked for and have not come to an end, oldest first: a new one waits for these."""
    rows = db.rows(f"SELECT * FROM nights WHERE space = :space AND {UNFINISHED} ORDER BY requested_at, id", space=space)
    return [night_of(row) for row in rows]


def delete_unfinished(tx: Transaction, space: str) -> None:
    """Deletes the nights of a space that nobody is to begin or to go on with: the space is deleted."""
    open_ones = f"SELECT id FROM nights WHERE space = :space AND {UNFINISHED}"
    tx.run(f"DELETE FROM night_steps WHERE night IN ({open_ones})", space=space)
    tx.run(f"DELETE FROM nights WHERE space = :space AND {UNFINISHED}", space=space)


def spaces_with_unfinished(db: Database) -> list[str]:
    """Every space where somebody asked for a night, or one was broken off; longest waiting first."""
    rows = db.rows(
        f"SELECT space, min(requested_at) AS at FROM nights WHERE {UNFINISHED} GROUP BY space ORDER BY at, space"
    )
    return [row["space"] for row in rows]


def spaces_with_running(db: Database) -> list[str]:
    """Every space whose night runs, or ran when its worker died; longest waiting first."""
    rows = db.rows("SELECT space FROM nights WHERE status = 'running' ORDER BY requested_at, space")
    return list(dict.fromkeys(row["space"] for row in rows))


def asked_for(db: Database) -> list[str]:
    """Every space whose night a person asked for and nobody has begun; longest waiting first."""
    rows = db.rows(
        "SELECT space FROM nights WHERE status = 'requested' AND trigger = 'manual' AND began_at IS NULL"
        " ORDER BY requested_at, space"
    )
    return list(dict.fromkeys(row["space"] for row in rows))


def listed(
    db: Database,
    space: str,
    *,
    limit: int = 50,
    before: str | None = None,
    statuses: Sequence[str] = (),
    kind: NightKind | None = None,
) -> list[Night]:
    """Newest first; `before` is the id of the last one seen."""
    start = db.row(
        "SELECT requested_at, id FROM nights WHERE space = :space AND id = :id", space=space, id=before or ""
    )
    among = f" AND status IN ({', '.join(f':s{i}' for i in range(len(statuses)))})" if statuses else ""
    rows = db.rows(
        "SELECT * FROM nights WHERE space = :space"
        f" AND (requested_at < :at OR (requested_at = :at AND id < :id)){among}{' AND kind = :kind' if kind else ''}"
        " ORDER BY requested_at DESC, id DESC LIMIT :limit",
        space=space,
        at=start["requested_at"] if start else 1e18,
        id=start["id"] if start else "",
        limit=limit,
        kind=kind,
        **{f"s{i}": status for i, status in enumerate(statuses)},
    )
    return [night_of(row) for row in rows]


def steps(db: Reads, night: str) -> list[NightStep]:
    rows = db.rows("SELECT * FROM night_steps WHERE night = :night ORDER BY position", night=night)
    return [step_of(row) for row in rows]


def plan(tx: Transaction, night: str, names: Sequence[str]) -> None:
    """Stores the steps of a night, once; a resumed one keeps the plan that it began with."""
    tx.many(
        "INSERT INTO night_steps (night, step, position, status) VALUES (:night, :step, :position, 'pending')"
        " ON CONFLICT (night, step) DO NOTHING",
        [{"night": night, "step": name, "position": i} for i, name in enumerate(names)],
    )


def keep_progress(
    tx: Transaction, night: str, step: str, *, cursor: str | None, counts: Mapping[str, int], duration_ms: float
) -> None:
    """One more batch of a step is done: where the next begins (None: there is none), and all counts so far."""
    tx.run(
        "UPDATE night_steps SET status = :status, cursor = :cursor, batches = batches + 1, counts = :counts,"
        " duration_ms = duration_ms + :ms, error = NULL WHERE night = :night AND step = :step",
        status="done" if cursor is None else "running",
        cursor=cursor,
        counts=dumps(counts),
        ms=duration_ms,
        night=night,
        step=step,
    )


def fail_step(tx: Transaction, night: str, step: str, error: str, *, own: bool) -> int:
    """Marks a step as failed; answers how often it has failed in this night by its `own` fault."""
    here = "night = :night AND step = :step"
    row = tx.row(f"SELECT counts FROM night_steps WHERE {here}", night=night, step=step)
    counts: dict[str, int] = json.loads(row["counts"]) if row else {}
    times = counts.get("failures", 0) + own
    if own:
        counts["failures"] = times
    tx.run(
        f"UPDATE night_steps SET status = 'failed', error = :error, counts = :counts WHERE {here}",
        error=error,
        counts=dumps(counts),
        night=night,
        step=step,
    )
    return times


def finish(tx: Transaction, night: Night, now: Instant, *, tokens: int, cost: float) -> None:
    """Ends a night that has done all its steps: adds up what they counted, and deletes the READ chores it has done.

    Where a step failed, the next night reads it all again; what three runs have read so is not read another time.
    """
    row = tx.row("SELECT counts FROM nights WHERE id = :night", night=night.id)
    counts: dict[str, Any] = json.loads(row["counts"]) if row else {}
    done = failed = 0
    for step in tx.rows(
        "SELECT status, counts FROM night_steps WHERE night = :night ORDER BY position", night=night.id
    ):
        done += step["status"] == "done"
        failed += step["status"] == "failed"
        for name, times in json.loads(step["counts"]).items():
            counts[name] = counts.get(name, 0) + times
    counts |= {"steps_done": done, "steps_failed": failed}
    update(tx, night.id, status="done", ended_at=now, counts=counts, tokens=tokens, cost=cost)
    spaces.settle(tx, night.space)
    if failed:
        chores.add_read_of_night(tx, night.id)
    chores.delete_read(tx, night.space, _tried_enough(tx, night.space) if failed else night.now)


def _tried_enough(tx: Transaction, space: str) -> Instant:
    """The moment of the run before the last three: what was stored up to then has been read often enough."""
    row = tx.row(
        "SELECT now FROM nights WHERE space = :space AND status = 'done' ORDER BY requested_at DESC, id DESC"
        " LIMIT 1 OFFSET :runs",
        space=space,
        runs=SET_ASIDE_AFTER,
    )
    return float("-inf") if row is None else float(row["now"])


def tell(tx: Transaction, night: str, step: str, lines: Sequence[str]) -> None:
    """Adds lines to a night's report: why nothing was promoted, which files were written."""
    row = tx.row("SELECT counts FROM nights WHERE id = :night", night=night) if lines else None
    if row is not None:
        counts = json.loads(row["counts"])
        told = counts.setdefault(TOLD, {})
        told[step] = [*told.get(step, []), *lines]
        tx.run("UPDATE nights SET counts = :counts WHERE id = :night", counts=dumps(counts), night=night)


def cancel(tx: Transaction, space: str, night: str, now: Instant) -> bool:
    """A running night stops at its next batch boundary. False if it had already ended."""
    return bool(
        tx.run(
            "UPDATE nights SET status = 'cancelled', ended_at = :now WHERE space = :space AND id = :night"
            " AND status IN ('requested', 'running', 'failed')",
            space=space,
            night=night,
            now=now,
        )
    )


def last_done(db: Database, space: str) -> Instant:
    """The moment, by its own clock, of the last night (not nap) that succeeded; 0 before the first."""
    found = db.value(
        "SELECT max(now) AS now FROM nights WHERE space = :space AND kind = 'night' AND status = 'done'", space=space
    )
    return float(found or 0.0)


def latest(db: Database) -> Instant | None:
    """The moment at which a night was last asked for, begun or ended, in any space."""
    found: Instant | None = db.value(
        "SELECT max(coalesce(ended_at, began_at, requested_at)) AS at FROM nights WHERE status <> 'skipped'"
    )
    return found


def spent(db: Reads, night: str) -> tuple[int, float]:
    """Tokens and money that a night's model calls came to."""
    row = db.row(
        "SELECT coalesce(sum(tokens_in + tokens_out), 0) AS tokens, coalesce(sum(cost), 0) AS cost"
        " FROM ledger WHERE night = :night",
        night=night,
    )
    return (0, 0.0) if row is None else (int(row["tokens"]), float(row["cost"]))


def counted(db: Database, space: str, since: Instant) -> dict[str, int]:
    """How many nights ended how, since then."""
    rows = db.rows(
        "SELECT status, count(*) AS n FROM nights WHERE space = :space AND requested_at >= :since GROUP BY status",
        space=space,
        since=since,
    )
    return {row["status"]: row["n"] for row in rows}


def delete_naps(tx: Transaction, space: str, oldest: Instant) -> None:
    """Deletes naps older than `oldest`, with their steps."""
    tx.run(f"DELETE FROM night_steps WHERE night IN ({OLDER} AND kind = 'nap')", space=space, oldest=oldest)
    tx.run(f"DELETE FROM nights WHERE id IN ({OLDER} AND kind = 'nap')", space=space, oldest=oldest)


def clear_words(tx: Transaction, space: str) -> None:
    """Takes out of a space's nights what they told: figures, dates and outcomes stay."""
    tx.run("UPDATE nights SET why = '', counts = '{}', error = NULL WHERE space = :space", space=space)
    tx.run(
        "UPDATE night_steps SET error = NULL, cursor = NULL WHERE status <> 'running'"
        " AND night IN (SELECT id FROM nights WHERE space = :space AND ended_at IS NOT NULL)",
        space=space,
    )
