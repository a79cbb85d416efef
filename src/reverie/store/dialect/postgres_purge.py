"""`forget --purge` on Postgres: no byte of deleted rows stays in the server's own files, as far as its rights reach.

Tables are rewritten, statistics are made anew (they quote frequent values), and the write-ahead log is gone through:
a segment that is used again keeps its old bytes until it is written over, so each is filled up and left behind.
"""

import time

from reverie.errors import StoreError
from reverie.model.memories import Purge
from reverie.store.catalog import TABLES
from reverie.store.db import Database

LEFT = (
    "deleted rows stay in the server's table files until VACUUM has passed, and in its write-ahead log until that is"
    " used again: `reverie forget --purge` does both now",
)
OUT_OF_REACH = ("archived log segments, replicas, backups and the server's own log, if it logs statements",)
POSTINGS = ("word_postings", "band_postings", "name_postings")
OURS = (*dict.fromkeys((*(table.name for table in TABLES), "spaces", "replies", "leases", "keys")), *POSTINGS)
_TABLES = ", ".join(f"CAST('{name}' AS regclass)" for name in OURS)
# Statistics quote frequent values, and those of a table that has become empty are not made anew.
NO_STATISTICS = (
    f"DELETE FROM pg_statistic WHERE starelid IN ({_TABLES})"
    f" OR starelid IN (SELECT indexrelid FROM pg_index WHERE indrelid IN ({_TABLES}))"
)
# A deleted row stays in its table for as long as somebody may see it who began before: any transaction of the server
# that has a number, and any snapshot of this database, or of one who is still on the way to a database.
NEXT = "SELECT CAST(pg_snapshot_xmax(pg_current_snapshot()) AS text) AS next"
BEGUN_BEFORE = (
    "SELECT pg_snapshot_xmin(pg_current_snapshot()) < CAST(:next AS xid8) OR EXISTS (SELECT 1 FROM pg_stat_activity"
    " WHERE pid <> pg_backend_pid() AND coalesce(datname, current_database()) = current_database()"
    " AND age(backend_xmin) > age(CAST(CAST(:next AS xid8) AS xid))) AS yes"
)
WAITED, PAUSE = 15.0, 0.1  # seconds, for all of them to end
SEGMENTS = 200  # of the write-ahead log that are gone through: 3 GB


def purged(db: Database) -> Purge:
    """Does all that the rights of this login allow; says what they do not."""
    steps = (
        ("planner statistics", [NO_STATISTICS], "a superuser"),
        ("tables", [f"VACUUM (FULL, ANALYZE) {name}" for name in OURS], "owning the tables"),
        ("planner statistics", ["VACUUM FULL pg_statistic"], "a superuser"),
        ("the write-ahead log", ["SELECT pg_switch_wal()", "CHECKPOINT"], "pg_checkpoint and pg_switch_wal"),
    )
    left, until = list[str](), time.monotonic() + WAITED
    for what, statements, right in steps:
        if not _unseen(db, until):
            left.append("rows that a transaction which is still open may see stay in their tables")
        if not _done(db, statements):
            left.append(f"{what} could not be cleaned: it needs {right}")
    if not _log_gone_through(db):
        left.append("segments of the write-ahead log that are used again keep old bytes until they are written over")
    return Purge(True, tuple(dict.fromkeys(left)), OUT_OF_REACH)


def _unseen(db: Database, until: float) -> bool:
    """Whether nobody may see any more what was deleted until now; waits so long for those who may."""
    following = db.value(NEXT)
    while db.value(BEGUN_BEFORE, next=following):
        if time.monotonic() > until:
            return False
        time.sleep(PAUSE)
    return True


def _done(db: Database, statements: list[str]) -> bool:
    try:
        for statement in statements:
            db.alone("memory", statement)
    except StoreError:
        return False
    return True


def _log_gone_through(db: Database) -> bool:
    """Fills every segment that lies ready: a switch writes zeros to a segment's end, and needs a record before it."""
    try:
        ready = int(db.value("SELECT count(*) AS n FROM pg_ls_waldir()") or 0)
    except StoreError:
        return False
    switch = ["SELECT pg_logical_emit_message(false, 'reverie', 'purge')", "SELECT pg_switch_wal()"]
    return _done(db, switch * min(ready + 2, SEGMENTS)) and _done(db, ["CHECKPOINT"]) and ready <= SEGMENTS
