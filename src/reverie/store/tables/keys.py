"""API keys as they are stored: a hash, never the secret."""

from reverie.model.base import Instant
from reverie.model.spaces import VERBS, ApiKey, with_brought
from reverie.store.db import Database, Row
from reverie.store.tables.page import page

COLUMNS = "id, org, name, scope, space, created_at, expires_at, revoked_at, used_at"
LIVE = "revoked_at IS NULL AND (expires_at IS NULL OR expires_at > :now)"


def create(db: Database, key: ApiKey, hash: str) -> None:
    with db.write("memory") as tx:
        tx.run(
            "INSERT INTO keys (id, org, name, hash, scope, space, created_at, expires_at)"
            " VALUES (:id, :org, :name, :hash, :scope, :space, :created_at, :expires_at)",
            id=key.id,
            org=key.org,
            name=key.name,
            hash=hash,
            scope=",".join(key.verbs),
            space=key.space,
            created_at=key.created_at,
            expires_at=key.expires_at,
        )


def by_hash(db: Database, hash: str) -> ApiKey | None:
    """The key with this hash, also a revoked or expired one: the caller decides at that moment."""
    row = db.row(f"SELECT {COLUMNS} FROM keys WHERE hash = :hash", hash=hash)
    return None if row is None else _key(row)


def by_id(db: Database, org: str, key: str) -> ApiKey | None:
    row = db.row(f"SELECT {COLUMNS} FROM keys WHERE org = :org AND id = :id", org=org, id=key)
    return None if row is None else _key(row)


def listed(db: Database, org: str, *, limit: int = 50, after: str | None = None) -> list[ApiKey]:
    """In the order they were made."""
    return [_key(row) for row in page(db, "keys", "org", org, limit=limit, after=after, columns=COLUMNS)]


def any_live(db: Database, now: Instant) -> bool:
    """Whether any org has a key that is neither revoked nor expired."""
    return bool(db.rows(f"SELECT 1 AS yes FROM keys WHERE {LIVE} LIMIT 1", now=now))


def revoke(db: Database, org: str, key: str, now: Instant) -> bool:
    """False if there is no such key in this org; one that was revoked before stays as it was."""
    with db.write("memory") as tx:
        tx.run(
            "UPDATE keys SET revoked_at = :now WHERE org = :org AND id = :id AND revoked_at IS NULL",
            now=now,
            org=org,
            id=key,
        )
        return bool(tx.rows("SELECT 1 AS yes FROM keys WHERE org = :org AND id = :id", org=org, id=key))


def used(db: Database, key: str, now: Instant) -> None:
    """Writes when a key was last used."""
    with db.write("memory") as tx:
        tx.run("UPDATE keys SET used_at = :now WHERE id = :id", now=now, id=key)


def _key(row: Row) -> ApiKey:
    return ApiKey(
        id=row["id"],
        org=row["org"],
        name=row["name"],
        verbs=with_brought(verb for verb in VERBS if verb in row["scope"].split(",")),
        space=row["space"],
        created_at=row["created_at"],
        expires_at=row["expires_at"],
        revoked_at=row["revoked_at"],
        used_at=row["used_at"],
    )
