"""A space as JSON lines, losslessly: `restoring.py` makes a space of them, in any store. And a space's end."""

import base64
import re
import time
from collections.abc import Iterator
from typing import Any

from reverie.model.spaces import SpaceRecord
from reverie.store.catalog import TABLES, Table
from reverie.store.db import Database, Row
from reverie.store.rows import by_name, dumps
from reverie.store.tables import replies, spaces

FORMAT = 1
PART = 200  # rows of the log a transaction
GONE = "space"  # the tombstone of one that is not out of the log yet
PREFIX = re.compile(r"(?<!\S)\d+_")
WORDS = ("body", "context", "extra")  # columns whose terms carry the space's number


def export(db: Database, space: str) -> Iterator[str]:
    """Lines of JSON: a header, then one row each. All of it reads one snapshot, beside whatever else goes on."""
    with db.snapshot():
        yield _header(db, spaces.by_id(db, space))
        for table in TABLES:
            for row in db.rows(
                f"SELECT * FROM {table.name} WHERE {table.exported} ORDER BY {table.order}", space=space
            ):
                yield dumps({table.name: _plain(table, row)})


def _header(db: Database, space: SpaceRecord) -> str:
    """With how many rows follow, so that a file that was cut off is known by it."""
    counts = (
        db.value(f"SELECT count(*) AS n FROM {table.name} WHERE {table.exported}", space=space.id) for table in TABLES
    )
    return dumps({
        "reverie": FORMAT,
        "space": space.id,
        "name": space.name,
        "settings": dict(space.settings),
        "metadata": dict(space.metadata),
        "watermark": space.watermark,
        "changes": space.changes,
        "rows": sum(map(int, counts)),
    })  # fmt: skip


def delete_space(db: Database, space: str) -> None:
    """Everything of a space, both sides, and blocks that no other space shares. Memory first: a space that lost its
    turns and stayed would give new ones places that it believes to have read."""
    with db.write("memory") as tx:
        tx.run(
            "UPDATE blocks SET owner = NULL WHERE owner = :space AND id IN"
            " (SELECT block FROM attachments WHERE space <> :space)",
            space=space,
        )
        for table in reversed(TABLES):
            if table.side == "memory":
                tx.run(f"DELETE FROM {table.name} WHERE {table.where}", space=space)
        db.dialect.index.drop(db, tx, space)
        tx.run("DELETE FROM leases WHERE space = :space", space=space)
        replies.forget_space(tx, space)
        tx.run("DELETE FROM spaces WHERE id = :space", space=space)
        tx.run(f"INSERT INTO tombstones (space, ref, what, at) VALUES (:space, :space, '{GONE}', 0)", space=space)
    finish_deleting(db)


def finish_deleting(db: Database) -> None:
    """Takes deleted spaces out of the log: the second half of a deletion, also after a crash."""
    gone = [row["ref"] for row in db.rows(f"SELECT ref FROM tombstones WHERE what = '{GONE}'")]
    for space in gone:
        for table in TABLES:
            if table.side == "log":
                _take_out(db, table, space)
        with db.write("memory") as tx:
            tx.run("DELETE FROM tombstones WHERE space = :space", space=space)
    if gone:
        db.dialect.purge(db)


def _take_out(db: Database, table: Table, space: str) -> None:
    """A part a transaction: an append to another space waits for no more than that."""
    part = f"SELECT {table.key} FROM {table.name} WHERE {table.where} LIMIT {PART}"
    taken = PART
    while taken >= PART:  # an `asked` hash may stand for several days
        with db.write("log") as tx:
            taken = tx.run(f"DELETE FROM {table.name} WHERE {table.where} AND {table.key} IN ({part})", space=space)
        time.sleep(tx.held_ms / 1000)  # as long as it was held, the lock is free for whoever waits


def _plain(table: Table, row: Row) -> dict[str, Any]:
    """A row as JSON: bytes in base64, terms without the space's number."""
    values = {name: value for name, value in by_name(row).items() if name not in table.left_out}
    for name, value in values.items():
        if isinstance(value, (bytes, memoryview)):
            values[name] = {"base64": base64.b64encode(bytes(value)).decode()}
        elif table.name == "documents" and name in WORDS:
            values[name] = PREFIX.sub("", value)
    return values
