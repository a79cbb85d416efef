"""The right to run a night over a space: with an expiry, a heartbeat, and a fencing token that only grows.

A lease knows which process holds it: that of a dead one is free at once, and only where that cannot be told (another
machine on SQLite) is its silence waited for. Where the end of one cannot be written (a full disk), the process that
held it knows: it takes the space again whenever it likes, and writes that end as soon as it can.
"""

from reverie.errors import LeaseLost, StoreError
from reverie.language.calendar import span
from reverie.model.base import Instant
from reverie.model.night import Lease
from reverie.store.db import Database, Row, Transaction
from reverie.store.dialect.presence import shown

SECONDS = 120.0  # of silence, after which a holder is taken for dead
FAR = 10 * SECONDS  # no lease ends so late: the clock was set back since, and its holder would block the space for good


_ENDED: set[Lease] = set()  # leases of this process that have ended, which could not be written


def acquire(db: Database, space: str, holder: str, now: Instant) -> Lease | None:
    """Takes the lease of a space; None while somebody else holds it. Every older token is worthless from then on."""
    for ended in list(_ENDED):
        release(db, ended)
    with db.write("memory") as tx:
        return acquire_in(tx, space, holder, now)


def acquire_in(tx: Transaction, space: str, holder: str, now: Instant) -> Lease | None:
    """The same inside a transaction of the caller's."""
    owner = tx.db.dialect.presence(tx.db)
    row = tx.row(
        "INSERT INTO leases (space, holder, token, expires_at, owner, since)"
        " VALUES (:space, :holder, 1, :until, :owner, :now)"
        " ON CONFLICT (space) DO UPDATE SET holder = excluded.holder, token = leases.token + 1,"
        " expires_at = excluded.expires_at, owner = excluded.owner, since = excluded.since"
        " WHERE leases.expires_at <= :now OR leases.expires_at > :far OR leases.token = :dead RETURNING token",
        space=space,
        holder=holder,
        until=now + SECONDS,
        now=now,
        far=now + FAR,
        owner=owner,
        dead=_dead_token(tx, space),
    )
    return None if row is None else Lease(space, holder, row["token"], now + SECONDS, now, shown(owner))


def _dead_token(tx: Transaction, space: str) -> int:
    """The token of a lease whose holder has died or has let it go; none has -1."""
    row = tx.locked_row("SELECT * FROM leases WHERE space = :space", space=space)
    free = row is not None and (_has_ended(row) or tx.db.dialect.is_gone(tx, row["owner"]))
    return int(row["token"]) if row is not None and free else -1


def _has_ended(row: Row) -> bool:
    return any((row["space"], row["token"]) == (lease.space, lease.token) for lease in _ENDED)


def held(db: Database, space: str, now: Instant) -> Lease | None:
    """The lease that is in force, whoever holds it."""
    row = db.row(
        "SELECT * FROM leases WHERE space = :space AND expires_at > :now AND expires_at <= :far",
        space=space,
        now=now,
        far=now + FAR,
    )
    return None if row is None or _has_ended(row) or db.dialect.is_gone(db, row["owner"]) else _lease(row)


def held_in_org(db: Database, org: str, now: Instant) -> int:
    """How many spaces of an org somebody sleeps for."""
    rows = db.rows(
        "SELECT l.owner FROM leases l JOIN spaces s ON s.id = l.space"
        " WHERE s.org = :org AND l.expires_at > :now AND l.expires_at <= :far",
        org=org,
        now=now,
        far=now + FAR,
    )
    return sum(not db.dialect.is_gone(db, row["owner"]) for row in rows)


def who(db: Database, space: str, now: Instant) -> str:
    """Who holds the lease of a space, in which process and for how long, for a person."""
    found = held(db, space, now)
    if found is None:
        return "just ended"
    process = f" ({found.process})" if found.process else ""
    return f"held by {found.holder}{process} for {span(max(0.0, now - found.since))}"


def _lease(row: Row) -> Lease:
    return Lease(row["space"], row["holder"], row["token"], row["expires_at"], row["since"], shown(row["owner"]))


def renew(db: Database, lease: Lease, now: Instant) -> None:
    """The heartbeat: the lease holds two minutes more. Raises LeaseLost when it came too late."""
    with db.write("memory") as tx:
        fence(tx, lease, now)


def fence(tx: Transaction, lease: Lease, now: Instant) -> None:
    """Proves, inside the transaction that writes, that the lease is still held; and renews it on the way."""
    kept = tx.run(
        "UPDATE leases SET expires_at = :until WHERE space = :space AND holder = :holder AND token = :token"
        " AND expires_at > :now",
        until=now + SECONDS,
        space=lease.space,
        holder=lease.holder,
        token=lease.token,
        now=now,
    )
    if not kept:
        raise LeaseLost(f"the lease on this space (token {lease.token}) is no longer held", token=lease.token)


def release(db: Database, lease: Lease) -> None:
    """Ends a lease at once, also where that cannot be written. Its row stays, so that the next token is higher."""
    try:
        with db.write("memory") as tx:
            tx.run(
                "UPDATE leases SET expires_at = 0 WHERE space = :space AND holder = :holder AND token = :token",
                space=lease.space,
                holder=lease.holder,
                token=lease.token,
            )
            here = tx.rows("SELECT 1 AS yes FROM leases WHERE space = :space", space=lease.space)
        if here:  # and not in another store
            _ENDED.discard(lease)
    except StoreError:
        _ENDED.add(lease)


def delete(tx: Transaction, space: str) -> None:
    """Deletes the lease of a space that is deleted."""
    tx.run("DELETE FROM leases WHERE space = :space", space=space)
