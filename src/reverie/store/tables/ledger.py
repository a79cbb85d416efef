"""What models cost, call by call: a night's calls beside what they paid for, awake ones in the log."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal

from reverie.model.base import Instant, day_of
from reverie.model.ledger import Entry, Line, Purpose, Regime, Scope
from reverie.policy.spending import Spent
from reverie.store.db import Database, Row, Transaction
from reverie.store.tables.nights import OLDER

By = Literal["day", "night", "step", "model"]

TABLES: Mapping[Regime, str] = {"asleep": "ledger", "awake": "awake_ledger"}
_SPENT = (
    "SELECT COALESCE(SUM(tokens_in + tokens_out), 0) AS tokens, COALESCE(SUM(cost), 0) AS money FROM {table}"
    " WHERE at >= :since AND (:space = '' OR space = :space)"
)


class StoreLedger:
    """The meter's ledger in the store. Each write is a short transaction: none stays open over a model call."""

    def __init__(self, db: Database) -> None:
        self._db = db

    def find(self, prompt_hash: str, space: str) -> Entry | None:
        """The first finished call with the same prompt whose response is kept."""
        row = self._db.row(
            "SELECT * FROM ledger WHERE space = :space AND prompt_hash = :hash AND status = 'done'"
            " AND response IS NOT NULL ORDER BY at LIMIT 1",
            space=space,
            hash=prompt_hash,
        )
        return None if row is None else _entry(row)

    def under_way(self, prompt_hash: str, space: str) -> Entry | None:
        """The last call with the same prompt that went out in a batch and has not come back."""
        row = self._db.row(
            "SELECT * FROM ledger WHERE space = :space AND prompt_hash = :hash AND status = 'open' AND batch <> ''"
            " ORDER BY at DESC LIMIT 1",
            space=space,
            hash=prompt_hash,
        )
        return None if row is None else _entry(row)

    def open(self, entry: Entry) -> None:
        """Stores a call that begins, or what has come of one that is stored already."""
        if entry.purpose.regime == "awake":
            self._put_awake(entry)
            return
        with self._db.write("memory") as tx:
            tx.run(
                "INSERT INTO ledger (id, space, night, step, regime, role, model, prompt_hash, status,"
                " tokens_in, tokens_out, cached, thinking, batch, cost, response, error, duration_ms, at)"
                " VALUES (:id, :space, :night, :step, :regime, :role, :model, :prompt_hash, :status,"
                " :tokens_in, :tokens_out, :cached, :thinking, :batch, :cost, :response, :error, :duration_ms, :at)"
                " ON CONFLICT (id) DO UPDATE SET status = excluded.status, tokens_in = excluded.tokens_in,"
                " tokens_out = excluded.tokens_out, cached = excluded.cached, thinking = excluded.thinking,"
                " batch = excluded.batch, cost = excluded.cost, response = excluded.response, error = excluded.error,"
                " duration_ms = excluded.duration_ms",
                id=entry.id,
                night=entry.purpose.night or None,
                regime=entry.purpose.regime,
                role=entry.purpose.role,
                prompt_hash=entry.prompt_hash,
                batch=entry.batch,
                response=entry.response and self._db.redactor.json(entry.response),
                error=tx.clean(entry.fault) or None,
                duration_ms=1000 * ((entry.settled_at or entry.at) - entry.at),
                **_counted(entry),
            )

    def settle(self, entry: Entry) -> None:
        self.open(entry)

    def spent(self, scope: Scope, since: Instant) -> Spent:
        space = scope.space or ""
        if scope.night is not None:  # the awake side has no nights
            sql = _SPENT.format(table="ledger") + " AND night = :night"
            return _sum(self._db.rows(sql, since=since, space=space, night=scope.night))
        tables = [table for regime, table in TABLES.items() if scope.regime in (None, regime)]
        return _sum(row for t in tables for row in self._db.rows(_SPENT.format(table=t), since=since, space=space))

    def _put_awake(self, entry: Entry) -> None:
        with self._db.write("log") as tx:
            tx.run(
                "INSERT INTO awake_ledger"
                " (id, space, step, model, tokens_in, tokens_out, cached, thinking, cost, status, at)"
                " VALUES (:id, :space, :step, :model, :tokens_in, :tokens_out, :cached, :thinking, :cost, :status, :at)"
                " ON CONFLICT (id) DO UPDATE SET status = excluded.status, tokens_in = excluded.tokens_in,"
                " tokens_out = excluded.tokens_out, cached = excluded.cached, thinking = excluded.thinking,"
                " cost = excluded.cost",
                id=entry.id,
                **_counted(entry),
            )


def report(db: Database, by: By, space: str | None = None, since: Instant = 0.0) -> list[Line]:
    """What was spent under each day, night, step or model, awake and asleep apart, sorted by those names."""
    lines: dict[tuple[str, str], Line] = {}
    where = "WHERE at >= :since AND (:space = '' OR space = :space) ORDER BY at"
    columns = "step, model, tokens_in, tokens_out, cached, thinking, cost, status, at"
    asleep = db.rows(f"SELECT {columns}, night FROM ledger {where}", since=since, space=space or "")
    awake = db.rows(f"SELECT {columns}, '' AS night FROM awake_ledger {where}", since=since, space=space or "")
    for regime, rows in (("asleep", asleep), ("awake", awake)):
        for row in rows:
            key = (_heading(row, by), regime)
            lines[key] = _add(lines.get(key) or Line(key[0], "awake" if regime == "awake" else "asleep"), row)
    return sorted(lines.values(), key=lambda line: (line.key, line.regime))


def queries(db: Database, space: str | None = None, since: Instant = 0.0) -> int:
    """How many questions were asked: what the cost of nights is spread over."""
    sql = "SELECT COALESCE(SUM(times), 0) AS n FROM asked WHERE last_at >= :since AND (:space = '' OR space = :space)"
    return int(db.value(sql, since=since, space=space or ""))


def clear_responses(tx: Transaction, keys: Sequence[Mapping[str, Any]]) -> None:
    """Deletes what models replied in calls, each named by its `id`; what they cost stays."""
    tx.many("UPDATE ledger SET response = NULL WHERE id = :id", keys)


def clear_words(tx: Transaction, space: str) -> None:
    """Deletes every response and error of a space; what they cost stays."""
    tx.run("UPDATE ledger SET response = NULL, error = NULL WHERE space = :space", space=space)


def clear_responses_before(tx: Transaction, space: str, oldest: Instant) -> None:
    """Deletes what models replied to nights older than `oldest`; what they cost stays."""
    tx.run(
        f"UPDATE ledger SET response = NULL WHERE response IS NOT NULL AND night IN ({OLDER})",
        space=space,
        oldest=oldest,
    )


def _counted(entry: Entry) -> dict[str, object]:
    return {
        "space": entry.purpose.space,
        "step": entry.purpose.step,
        "model": entry.model,
        "tokens_in": entry.tokens_in,
        "tokens_out": entry.tokens_out,
        "cached": entry.tokens_cached,
        "thinking": entry.tokens_thinking,
        "cost": entry.cost,
        "status": entry.status,
        "at": entry.at,
    }


def _entry(row: Row) -> Entry:
    regime: Regime = "awake" if row["regime"] == "awake" else "asleep"
    return Entry(
        id=row["id"],
        purpose=Purpose(regime, row["space"], row["night"] or "", row["step"], row["role"]),
        model=row["model"],
        prompt_hash=row["prompt_hash"],
        at=row["at"],
        tokens_in=row["tokens_in"],
        tokens_out=row["tokens_out"],
        tokens_cached=row["cached"],
        tokens_thinking=row["thinking"],
        batch=row["batch"],
        cost=row["cost"],
        status=row["status"],
        fault=row["error"] or "",
        response=row["response"],
        settled_at=row["at"] + row["duration_ms"] / 1000,
    )


def _sum(rows: Iterable[Row]) -> Spent:
    total = Spent()
    for row in rows:
        total += Spent(int(row["tokens"]), float(row["money"]))
    return total


def _heading(row: Row, by: By) -> str:
    if by == "day":
        return day_of(row["at"])
    return row[by] or "(none)"


def _add(line: Line, row: Row) -> Line:
    return Line(
        key=line.key,
        regime=line.regime,
        calls=line.calls + 1,
        failed=line.failed + (row["status"] == "failed"),
        unpriced=line.unpriced + (row["cost"] is None),
        tokens_in=line.tokens_in + row["tokens_in"],
        tokens_out=line.tokens_out + row["tokens_out"],
        tokens_cached=line.tokens_cached + row["cached"],
        tokens_thinking=line.tokens_thinking + row["thinking"],
        cost=line.cost + (row["cost"] or 0.0),
    )
