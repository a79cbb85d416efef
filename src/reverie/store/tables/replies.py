"""What POSTs with an idempotency key came to: the same key gives the same reply, and the work is done once.

Runs that are answered later are kept here too, each under its id.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from reverie.model.base import Instant
from reverie.model.spaces import RUNNING, StoredReply
from reverie.store.db import Database, Row, Transaction

_KEPT = "SELECT org, status, digest, body, at FROM replies WHERE org = :org AND key = :key AND route = :route"


def claim(
    db: Database, org: str, key: str, route: str, digest: str, now: Instant, *, give_up: float, body: str = ""
) -> StoredReply | None:
    """None: the caller may go on, and must `settle` or `release`. Otherwise the reply that is there.

    A claim whose holder died is taken over after `give_up` seconds.
    """
    with db.write("memory") as tx:
        tx.run(
            "DELETE FROM replies WHERE org = :org AND key = :key AND route = :route AND status = :running"
            " AND at < :dead",
            org=org,
            key=key,
            route=route,
            running=RUNNING,
            dead=now - give_up,
        )
        new = tx.run(
            "INSERT INTO replies (org, key, route, digest, status, body, at)"
            " VALUES (:org, :key, :route, :digest, :running, :body, :now) ON CONFLICT (org, key, route) DO NOTHING",
            org=org,
            key=key,
            route=route,
            digest=digest,
            running=RUNNING,
            body=tx.redactor.json(body),
            now=now,
        )
        if new:
            return None
        row = tx.row(_KEPT, org=org, key=key, route=route)
    assert row is not None
    return _reply(row)


def kept(db: Database, org: str, key: str, route: str) -> StoredReply | None:
    row = db.row(_KEPT, org=org, key=key, route=route)
    return None if row is None else _reply(row)


def under(db: Database, org: str, route: str) -> Iterator[StoredReply]:
    """All of one route, oldest first."""
    rows = db.rows(
        "SELECT org, status, digest, body, at FROM replies WHERE org = :org AND route = :route ORDER BY at, key",
        org=org,
        route=route,
    )
    return map(_reply, rows)


def unanswered(db: Database, route: str) -> list[StoredReply]:
    """What has begun and not ended, of all orgs: for the server itself, never for a caller."""
    rows = db.rows(
        "SELECT org, status, digest, body, at FROM replies WHERE route = :route AND status = :running ORDER BY at, key",
        route=route,
        running=RUNNING,
    )
    return list(map(_reply, rows))


def note(db: Database, org: str, key: str, route: str, body: str) -> None:
    """Replaces the body of a reply whose request has not ended; one that has stays as it is."""
    with db.write("memory") as tx:
        tx.run(
            "UPDATE replies SET body = :body WHERE org = :org AND key = :key AND route = :route AND status = :running",
            body=tx.redactor.json(body),
            org=org,
            key=key,
            route=route,
            running=RUNNING,
        )


def _reply(row: Row) -> StoredReply:
    return StoredReply(row["org"], row["status"], row["digest"], row["body"], row["at"])


def settle(db: Database, org: str, key: str, route: str, status: int, body: str) -> None:
    """Stores what the request of a claimed key came to."""
    with db.write("memory") as tx:
        tx.run(
            "UPDATE replies SET status = :status, body = :body WHERE org = :org AND key = :key AND route = :route",
            status=status,
            body=tx.redactor.json(body),
            org=org,
            key=key,
            route=route,
        )


def release(db: Database, org: str, key: str, route: str) -> None:
    """Deletes a claim of which nothing came: the same key may be tried again."""
    with db.write("memory") as tx:
        tx.run("DELETE FROM replies WHERE org = :org AND key = :key AND route = :route", org=org, key=key, route=route)


def forget_space(tx: Transaction, space: str) -> None:
    """Deletes every reply of a route of this space, by its id or its name, or whose body names its id."""
    tx.run(
        "DELETE FROM replies WHERE org = (SELECT org FROM spaces WHERE id = :space) AND (body LIKE :id"
        " OR route LIKE :id OR route LIKE (SELECT '%/spaces/' || name || '/%' FROM spaces WHERE id = :space))",
        space=space,
        id=f"%{space}%",
    )


def delete(tx: Transaction, keys: Sequence[Mapping[str, Any]]) -> None:
    """Deletes replies, each named by `org`, `key` and `route`."""
    tx.many("DELETE FROM replies WHERE org = :org AND key = :key AND route = :route", keys)


def forget(db: Database, before: Instant) -> None:
    with db.write("memory") as tx:
        tx.run("DELETE FROM replies WHERE at < :before", before=before)
