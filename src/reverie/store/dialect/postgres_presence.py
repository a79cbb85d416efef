"""A worker's presence on Postgres: a session of its own that holds a lock, which ends when the worker dies."""

import secrets
import threading

from reverie.errors import StoreError
from reverie.store.db import Database
from reverie.store.dialect import presence
from reverie.store.dialect.dialect import Rows
from reverie.store.dialect.postgres import PostgresConnection

HELD = (
    "SELECT 1 AS yes FROM pg_locks WHERE locktype = 'advisory' AND granted AND objsubid = 1"
    " AND classid::bigint = :high AND objid::bigint = :low"
    " AND database = (SELECT oid FROM pg_database WHERE datname = current_database())"
)


class HeldSession:
    """The session of one opened store in one process, made when the first lease is taken, closed with the store."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._guard = threading.Lock()
        self._connection: PostgresConnection | None = None
        self._told = ""

    def presence(self, db: Database) -> str:
        """What is kept with a lease. A session that its server has ended, or that came by a fork, is begun anew."""
        with self._guard:
            if self._connection is None:
                db.on_close.append(self.close)
                db.after_fork.append(self._forked)
            if not self._lives():
                self._begin()
            return self._told

    def _lives(self) -> bool:
        """Asked over the wire: a session that was ended from afar does not know it yet."""
        try:
            return self._connection is not None and bool(self._connection.rows("SELECT 1 AS yes", {}))
        except StoreError:
            return False

    def _begin(self) -> None:
        key = secrets.randbits(62)
        self._connection = PostgresConnection(self._url)
        self._connection.rows("SELECT pg_advisory_lock(:key) AS held", {"key": key})
        self._told = presence.here(lock=key)

    def _forked(self) -> None:
        self._guard, self._inherited, self._connection = threading.Lock(), self._connection, None

    def close(self) -> None:
        with self._guard:
            if self._connection is not None:
                self._connection.close()
                self._connection = None


def is_gone(tx: Rows, holder: str) -> bool:
    """Whether the holder's session has ended; False of a lease that was stored without one."""
    key = presence.read(holder).get("lock")
    return isinstance(key, int) and not tx.rows(HELD, high=key >> 32, low=key & 0xFFFFFFFF)
