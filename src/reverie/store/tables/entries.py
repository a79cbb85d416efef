"""Entries of shelves, and their versions where a shelf keeps them."""

import json
import uuid
from collections.abc import Mapping, Sequence
from typing import Any

from reverie.errors import BadInput
from reverie.model.base import JSON, Instant
from reverie.model.spaces import EntryVersion, Operation, ShelfEntry
from reverie.store.db import Database, Row, Transaction
from reverie.store.rows import insertion

Rows = Database | Transaction
LIVE = "space = :space AND shelf = :shelf AND (expires_at IS NULL OR expires_at > :now)"
MOST = 1_000_000


def exact(value: JSON) -> str:
    """The JSON of a value, its keys in their order. Raises BadInput if it would not come back as it is."""
    try:
        return json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    except (TypeError, ValueError, RecursionError) as error:
        raise BadInput(
            f"a value that JSON has no word for: {error}",
            next_move="Give texts, finite numbers, true, false, null, lists and objects; NaN and Infinity are none.",
        ) from error


def get(db: Rows, space: str, shelf: str, key: str, now: Instant) -> ShelfEntry | None:
    row = db.row(f"SELECT * FROM entries WHERE {LIVE} AND key = :key", space=space, shelf=shelf, key=key, now=now)
    return None if row is None else _entry(row)


def by_id(db: Rows, space: str, shelf: str, id: str, now: Instant) -> ShelfEntry | None:
    row = db.row(f"SELECT * FROM entries WHERE {LIVE} AND id = :id", space=space, shelf=shelf, id=id, now=now)
    return None if row is None else _entry(row)


def anywhere(db: Database, org: str, shelf: str, key: str, now: Instant) -> ShelfEntry | None:
    """The entry under a key of that shelf, in whichever space of the org it is."""
    row = db.row(
        "SELECT e.* FROM entries e JOIN spaces s ON s.id = e.space WHERE s.org = :org AND e.shelf = :shelf"
        " AND e.key = :key AND (e.expires_at IS NULL OR e.expires_at > :now)",
        org=org,
        shelf=shelf,
        key=key,
        now=now,
    )
    return None if row is None else _entry(row)


def of_org(db: Database, org: str, shelf: str, now: Instant) -> list[ShelfEntry]:
    """The entries of that shelf in all spaces of the org, oldest first."""
    rows = db.rows(
        "SELECT e.* FROM entries e JOIN spaces s ON s.id = e.space WHERE s.org = :org AND e.shelf = :shelf"
        " AND (e.expires_at IS NULL OR e.expires_at > :now) ORDER BY e.created_at, e.key",
        org=org,
        shelf=shelf,
        now=now,
    )
    return [_entry(row) for row in rows]


def listed(
    db: Rows,
    space: str,
    shelf: str,
    now: Instant,
    *,
    prefix: str = "",
    newest_first: bool = False,
    limit: int | None = None,
    after: int | None = None,
) -> list[ShelfEntry]:
    """Entries in their order, whose keys begin so; `after` is the `seq` of the last one seen."""
    past = "" if after is None else f" AND seq {'<' if newest_first else '>'} :after"
    rows = db.rows(
        f"SELECT * FROM entries WHERE {LIVE} AND substr(key, 1, :length) = :prefix{past}"
        f" ORDER BY seq {'DESC' if newest_first else 'ASC'} LIMIT :limit",
        space=space,
        shelf=shelf,
        now=now,
        prefix=prefix,
        length=len(prefix),
        limit=MOST if limit is None else limit,
        **({} if after is None else {"after": after}),
    )
    return [_entry(row) for row in rows]


def put(tx: Transaction, entry: ShelfEntry) -> None:
    """Stores an entry under its key, in place of what was there; the caller has read that under the lock."""
    tx.run(
        "DELETE FROM entries WHERE space = :space AND shelf = :shelf AND (key = :key OR id = :id)",
        space=entry.space,
        shelf=entry.shelf,
        key=entry.key,
        id=entry.id,
    )
    row = {
        "space": entry.space,
        "shelf": entry.shelf,
        "key": entry.key,
        "id": entry.id,
        "seq": entry.seq,
        "version": entry.version,
        "value": tx.redactor.json(exact(entry.value)),
        "ref": entry.ref,
        "created_at": entry.created_at,
        "updated_at": entry.updated_at,
        "expires_at": entry.expires_at,
    }
    tx.run(insertion("entries", row), **row)


def new_id() -> str:
    return uuid.uuid4().hex


def next_seq(tx: Transaction, space: str, shelf: str) -> int:
    """The next place on a shelf; two writers of one space wait for each other here."""
    tx.locked_row("SELECT id FROM spaces WHERE id = :space", space=space)
    row = tx.row(
        "SELECT max(seq) AS seq FROM entries WHERE space = :space AND shelf = :shelf", space=space, shelf=shelf
    )
    return 1 + int((row["seq"] if row else None) or 0)


def expire(tx: Transaction, space: str, shelf: str, now: Instant) -> int:
    """Deletes what has expired; answers how many."""
    where = "space = :space AND shelf = :shelf AND expires_at <= :now"
    return tx.run(f"DELETE FROM entries WHERE {where}", space=space, shelf=shelf, now=now)


def set_expiry(tx: Transaction, entry: ShelfEntry, expires_at: Instant | None) -> None:
    tx.run(
        "UPDATE entries SET expires_at = :at WHERE space = :space AND shelf = :shelf AND key = :key",
        at=expires_at,
        space=entry.space,
        shelf=entry.shelf,
        key=entry.key,
    )


def delete(tx: Transaction, keys: Sequence[Mapping[str, Any]]) -> None:
    """Deletes entries, each named by `space`, `shelf` and `key`."""
    tx.many("DELETE FROM entries WHERE space = :space AND shelf = :shelf AND key = :key", keys)


def put_version(tx: Transaction, entry: ShelfEntry, operation: Operation, at: Instant, actor: str) -> None:
    """Keeps what an entry is at this version; of a deleted one, that it went."""
    row = {
        "space": entry.space,
        "shelf": entry.shelf,
        "entry": entry.id,
        "version": entry.version,
        "key": entry.key,
        "operation": operation,
        "value": None if operation == "deleted" else tx.redactor.json(exact(entry.value)),
        "at": at,
        "actor": actor,
    }
    tx.run(insertion("entry_versions", row), **row)


def versions(db: Rows, space: str, shelf: str, entry: str | None = None) -> list[EntryVersion]:
    """Oldest first, of one entry or of all that the shelf ever had."""
    one = "" if entry is None else " AND entry = :entry"
    rows = db.rows(
        f"SELECT * FROM entry_versions WHERE space = :space AND shelf = :shelf{one} ORDER BY at, entry, version",
        space=space,
        shelf=shelf,
        **({} if entry is None else {"entry": entry}),
    )
    return [_version(row) for row in rows]


def redact_version(tx: Transaction, space: str, shelf: str, entry: str, version: int, now: Instant) -> None:
    """Takes the value of a version out for good."""
    tx.run(
        "UPDATE entry_versions SET value = NULL, redacted_at = :now"
        " WHERE space = :space AND shelf = :shelf AND entry = :entry AND version = :version",
        now=now,
        space=space,
        shelf=shelf,
        entry=entry,
        version=version,
    )


def rewrite(tx: Transaction, keys: Sequence[Mapping[str, Any]]) -> None:
    """Other values for entries, each with `space`, `shelf`, `key` and `value`, a JSON text: for a person's forget."""
    tx.many("UPDATE entries SET value = :value WHERE space = :space AND shelf = :shelf AND key = :key", keys)


def rewrite_versions(tx: Transaction, keys: Sequence[Mapping[str, Any]]) -> None:
    """The same for versions, each with `space`, `shelf`, `entry`, `version` and `value`."""
    tx.many(
        "UPDATE entry_versions SET value = :value"
        " WHERE space = :space AND shelf = :shelf AND entry = :entry AND version = :version",
        keys,
    )


def _entry(row: Row) -> ShelfEntry:
    return ShelfEntry(
        row["id"],
        row["space"],
        row["shelf"],
        row["key"],
        row["seq"],
        row["version"],
        json.loads(row["value"]),
        row["created_at"],
        row["updated_at"],
        row["ref"],
        row["expires_at"],
    )


def _version(row: Row) -> EntryVersion:
    return EntryVersion(
        row["entry"],
        row["version"],
        row["key"],
        row["operation"],
        None if row["value"] is None else json.loads(row["value"]),
        row["at"],
        row["actor"],
        row["redacted_at"],
    )
