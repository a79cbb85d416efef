"""Figures: of the whole store at this moment, for metrics; and how many memories a space has."""

import json
from collections import Counter, OrderedDict

from reverie.model.base import Instant
from reverie.model.spaces import Gauges
from reverie.store.db import Database
from reverie.store.tables import memories, workers
from reverie.store.tables.rhythm import FAILING, SLEEPER

MOST_SPACES = 1_000  # whose counts are kept


def read(db: Database, now: Instant) -> Gauges:
    states = {row["space"]: json.loads(row["state"]) for row in db.rows("SELECT space, state FROM rhythm")}
    sleeper = states.pop(SLEEPER, {})
    unread = db.row(
        "SELECT coalesce(sum(a.last_seq - s.watermark), 0) AS n, min(t.at) AS oldest FROM spaces s"
        " JOIN activity a ON a.space = s.id AND a.last_seq > s.watermark"
        " LEFT JOIN turns t ON t.space = s.id AND t.seq = s.watermark + 1"
    )
    served = db.row("SELECT count(*) AS asked, coalesce(sum(served), 0) AS served FROM servings")
    assert unread is not None
    assert served is not None
    return Gauges(
        spaces=int(db.value("SELECT count(*) AS n FROM spaces")),
        unread_turns=int(unread["n"]),
        oldest_unread_at=unread["oldest"],
        nights=_by(db, "SELECT status AS k, count(*) AS v FROM nights GROUP BY status"),
        step_seconds={
            step: ms / 1_000
            for step, ms in _by(db, "SELECT step AS k, sum(duration_ms) AS v FROM night_steps GROUP BY step").items()
        },
        leases=int(db.value("SELECT count(*) AS n FROM leases WHERE expires_at > :now", now=now)),
        failing_spaces=sum(state.get("failures", 0) >= FAILING for state in states.values()),
        tokens={
            "asleep": int(db.value("SELECT coalesce(sum(tokens_in + tokens_out), 0) AS n FROM ledger")),
            "awake": int(db.value("SELECT coalesce(sum(tokens_in + tokens_out), 0) AS n FROM awake_ledger")),
        },
        cost={
            "asleep": float(db.value("SELECT coalesce(sum(cost), 0) AS n FROM ledger")),
            "awake": float(db.value("SELECT coalesce(sum(cost), 0) AS n FROM awake_ledger")),
        },
        answers_asked=int(served["asked"]),
        answers_served=int(served["served"]),
        sleeper_seen_at=sleeper.get("at"),
        workers=dict.fromkeys(("busy", "gone", "idle"), 0) | Counter(one.state for one in workers.listed(db, now)),
    )


def _by(db: Database, sql: str) -> dict[str, int]:
    return {row["k"]: row["v"] for row in db.rows(sql)}


class MemoryCounts:
    """How many memories of each kind a space has: counted once, and again when its change sequence has moved."""

    def __init__(self, db: Database) -> None:
        self._db = db
        self._known: OrderedDict[str, tuple[int, dict[str, int]]] = OrderedDict()

    def of(self, space: str) -> dict[str, int]:
        changes = int(self._db.value("SELECT changes FROM spaces WHERE id = :space", space=space))
        known = self._known.get(space)
        if known is None or known[0] != changes:
            known = (changes, memories.count(self._db, space))
            self._known[space] = known
            if len(self._known) > MOST_SPACES:
                self._known.popitem(last=False)
        return dict(known[1])
