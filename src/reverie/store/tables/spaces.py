"""Orgs and spaces."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from reverie.errors import BadInput, Conflict, NotFound
from reverie.model.base import Instant, new_id
from reverie.model.spaces import SpaceRecord
from reverie.store.db import Database, Reads, Row, Transaction
from reverie.store.rows import dumps, dumps_given

COLUMNS = "id, num, org, name, settings, metadata, private, watermark, changes, created_at"


def org_named(db: Database, name: str, now: Instant) -> str:
    """The org's id; made if it is not there yet."""
    name = db.redactor.name(name)
    found = db.value("SELECT id FROM orgs WHERE name = :name", name=name)
    if found is not None:
        return str(found)
    with db.write("memory") as tx:
        tx.run(
            "INSERT INTO orgs (id, name, created_at) VALUES (:id, :name, :now) ON CONFLICT (name) DO NOTHING",
            id=new_id("org"),
            name=name,
            now=now,
        )
    return str(db.value("SELECT id FROM orgs WHERE name = :name", name=name))


def org_name(db: Database, org: str) -> str:
    return str(db.value("SELECT name FROM orgs WHERE id = :id", id=org))


def named(db: Database, org: str, name: str) -> SpaceRecord | None:
    where = "org = :org AND name = :name"
    row = db.row(f"SELECT {COLUMNS} FROM spaces WHERE {where}", org=org, name=db.redactor.name(name))
    return None if row is None else record(row)


def by_id(db: Reads, space: str) -> SpaceRecord:
    row = db.row(f"SELECT {COLUMNS} FROM spaces WHERE id = :space", space=space)
    if row is None:
        raise NotFound("space", space)
    return record(row)


def find(db: Database, org: str, ref: str) -> SpaceRecord | None:
    """A space of the org by its id or its name; a name may look like an id."""
    if ref.startswith("agent-"):
        row = db.row(f"SELECT {COLUMNS} FROM spaces WHERE id = :space", space=ref)
        if row is not None:
            return record(row) if row["org"] == org else None
    return named(db, org, ref)


def settings(db: Database, space: str) -> Mapping[str, Any]:
    """A space's own settings; empty if there is no such space."""
    found = db.value("SELECT settings FROM spaces WHERE id = :space", space=space)
    return {} if found is None else dict(json.loads(found))


def locked(tx: Transaction, space: str) -> SpaceRecord:
    """The space, its row held until the transaction ends: whoever asks next sees what came of it."""
    row = tx.locked_row(f"SELECT {COLUMNS} FROM spaces WHERE id = :space", space=space)
    if row is None:
        raise NotFound("space", space)
    return record(row)


def check_name(name: str) -> None:
    if not name or len(name) > 200:
        raise BadInput("a space's name has 1 to 200 characters", name=name)


def create(
    db: Database, org: str, name: str, now: Instant, *, id: str | None = None, **more: Mapping[str, Any]
) -> SpaceRecord:
    """Makes a space; answers the one that is there if somebody made it meanwhile."""
    check_name(name)
    with db.write("memory") as tx:
        tx.run(
            "INSERT INTO spaces (id, org, name, settings, metadata, private, created_at)"
            " VALUES (:id, :org, :name, :settings, :metadata, :private, :now) ON CONFLICT (org, name) DO NOTHING",
            id=id or new_id("agent"),  # the id that letta-client expects of an agent, which a space is to it
            org=org,
            name=tx.clean(name),
            settings=dumps(tx.clean(more.get("settings", {}))),
            metadata=dumps_given(tx.clean(more.get("metadata", {}))),
            private=dumps(more.get("private", {})),
            now=now,
        )
    made = named(db, org, name)
    assert made is not None
    return made


def recover(tx: Transaction, org: str, id: str, num: int, now: Instant) -> None:
    """Makes a space anew of which only the log is left: its name is lost, its number is that of its turns' terms."""
    tx.run(
        "INSERT INTO spaces (num, id, org, name, created_at) VALUES (:num, :id, :org, :name, :now)"
        " ON CONFLICT DO NOTHING",
        num=num,
        id=id,
        org=org,
        name=f"recovered {id.removeprefix('agent-')[:8]}",
        now=now,
    )


def listed(db: Database, org: str, *, limit: int = 50, after: str | None = None) -> list[SpaceRecord]:
    """In the order they were made."""
    floor = 0 if after is None else db.value("SELECT num FROM spaces WHERE org = :org AND id = :id", org=org, id=after)
    return [
        record(row)
        for row in db.rows(
            f"SELECT {COLUMNS} FROM spaces WHERE org = :org AND num > :floor ORDER BY num LIMIT :limit",
            org=org,
            floor=floor or 0,
            limit=limit,
        )
    ]


def every(db: Database) -> list[SpaceRecord]:
    """All spaces of all orgs: for the sleeper, never for a caller of one org."""
    return [record(row) for row in db.rows(f"SELECT {COLUMNS} FROM spaces ORDER BY num")]


def update(db: Database, space: str, *, name: str | None = None, **columns: Mapping[str, Any]) -> None:
    """Sets the name, and merges `settings`, `metadata` or `private` (a None takes a key out)."""
    with db.write("memory") as tx:
        row = tx.locked_row(f"SELECT {COLUMNS} FROM spaces WHERE id = :space", space=space)
        if row is None:
            raise NotFound("space", space)
        name = tx.clean(name)
        if name is not None and name != row["name"]:
            _free(tx, row["org"], name)
            tx.run("UPDATE spaces SET name = :name WHERE id = :space", name=name, space=space)
        for column, given in columns.items():
            merged = {**json.loads(row[column]), **tx.clean(given)}
            kept = {key: value for key, value in merged.items() if value is not None}
            tx.run(f"UPDATE spaces SET {column} = :value WHERE id = :space", value=dumps_given(kept), space=space)


def clear_metadata(tx: Transaction, space: str) -> None:
    """A space without metadata; what makes it a Letta agent is private, and stays."""
    tx.run("UPDATE spaces SET metadata = '{}' WHERE id = :space", space=space)


def next_change(tx: Transaction, space: str, *, settled: bool = True) -> int:
    """The next place in the space's change sequence; caches catch up by it: at once, or soon if it is not `settled`."""
    also = ", settled = changes + 1" if settled else ""
    row = tx.row(f"UPDATE spaces SET changes = changes + 1{also} WHERE id = :space RETURNING changes", space=space)
    if row is None:
        raise NotFound("space", space)
    return int(row["changes"])


def settle(tx: Transaction, space: str) -> None:
    """Marks every change so far as settled: caches take it up before their next search."""
    tx.run("UPDATE spaces SET settled = changes WHERE id = :space", space=space)


def rewind(tx: Transaction, space: str, seq: int) -> None:
    """Moves the watermark back to a place, if it is past it: turns after that are found as the log's tail again."""
    tx.run("UPDATE spaces SET watermark = :seq WHERE id = :space AND watermark > :seq", seq=seq, space=space)


def set_place(tx: Transaction, space: str, watermark: int, changes: int) -> None:
    """Sets the watermark and the change sequence of a space that is being restored."""
    tx.run(
        "UPDATE spaces SET watermark = :watermark, changes = :changes, settled = :changes WHERE id = :id",
        watermark=watermark,
        changes=changes,
        id=space,
    )


def delete(tx: Transaction, space: str) -> None:
    """Deletes the space's own row alone."""
    tx.run("DELETE FROM spaces WHERE id = :space", space=space)


def record(row: Row) -> SpaceRecord:
    return SpaceRecord(
        id=row["id"],
        num=row["num"],
        org=row["org"],
        name=row["name"],
        watermark=row["watermark"],
        changes=row["changes"],
        created_at=row["created_at"],
        settings=json.loads(row["settings"]),
        metadata=json.loads(row["metadata"]),
        private=json.loads(row["private"]),
    )


def _free(tx: Transaction, org: str, name: str) -> None:
    taken: Sequence[Row] = tx.rows("SELECT id FROM spaces WHERE org = :org AND name = :name", org=org, name=name)
    if taken:
        raise Conflict(f"there is a space named {name!r} already", next_move="Choose another name.")
