"""A space as JSON lines, losslessly, and back into any store: the same one, another one, another dialect."""

import base64
import json
import re
from collections.abc import Iterable, Iterator
from typing import Any

from reverie.errors import BadInput, Conflict
from reverie.model.base import Instant, derived_id
from reverie.model.spaces import SpaceRecord
from reverie.policy.terms import turn_terms
from reverie.store import near, search, spaces
from reverie.store.db import Database, Row, Transaction, batches
from reverie.store.rows import by_name, dumps, insertion, turn_of
from reverie.store.tables import TABLES, Table

FORMAT = 1
ID = re.compile(r"\b(?:turn|mem|block|con|rev|ans|night|agent)-(?:[0-9a-f]{32}|[0-9a-f-]{36})\b")
PREFIX = re.compile(r"(?<!\S)\d+_")
WORDS = ("body", "context", "extra")  # columns whose terms carry the space's number


def export(db: Database, space: SpaceRecord) -> Iterator[str]:
    """Lines of JSON: a header, then one row each. Reads in one snapshot."""
    yield dumps({
        "reverie": FORMAT,
        "space": space.id,
        "name": space.name,
        "settings": dict(space.settings),
        "metadata": dict(space.metadata),
        "watermark": space.watermark,
        "changes": space.changes,
    })  # fmt: skip
    with db.snapshot():
        for table in TABLES:
            for row in db.rows(
                f"SELECT * FROM {table.name} WHERE {table.where} ORDER BY {table.order}", space=space.id
            ):
                yield dumps({table.name: _plain(table, row)})


def restore(db: Database, org: str, name: str, lines: Iterable[str], now: Instant) -> SpaceRecord:
    """Makes a space of an export. Ids are kept where they are free; in a store that has them, all are made anew."""
    source = iter(lines)
    header = _header(next(source, ""))
    if spaces.named(db, org, name) is not None:
        raise Conflict(f"there is a space named {name!r} already", next_move="Choose another name.")
    read = [_read(line, number) for number, line in enumerate(source, 2) if line.strip()]
    space = spaces.create(db, org, name, now, settings=header["settings"], metadata=header["metadata"])
    fresh = _Names(header["space"], space, keep=_is_free(db, header["space"]))
    rows = [(table, _renewed(table, line, fresh, org)) for table, line in read]
    for side in ("memory", "log"):
        for part in batches([(table, row) for table, row in rows if table.side == side], 2_000):
            with db.write(side) as tx:
                for table, row in part:
                    _insert(tx, table, row)
    with db.write("memory") as tx:
        tx.run(
            "UPDATE spaces SET watermark = :watermark, changes = :changes, settled = :changes WHERE id = :id",
            watermark=header["watermark"],
            changes=header["changes"],
            id=space.id,
        )
    return spaces.by_id(db, space.id)


def delete_space(db: Database, space: str) -> None:
    """Everything of a space, both sides, and blocks that no other space shares."""
    with db.write("log") as tx:
        for table in TABLES:
            if table.side == "log":
                tx.run(f"DELETE FROM {table.name} WHERE {table.where}", space=space)
    with db.write("memory") as tx:
        tx.run(
            "UPDATE blocks SET owner = NULL WHERE owner = :space AND id IN"
            " (SELECT block FROM attachments WHERE space <> :space)",
            space=space,
        )
        for table in reversed(TABLES):
            if table.side == "memory":
                tx.run(f"DELETE FROM {table.name} WHERE {table.where}", space=space)
        near.drop(db, tx, space)
        tx.run("DELETE FROM leases WHERE space = :space", space=space)
        tx.run("DELETE FROM spaces WHERE id = :space", space=space)
    search.purge(db)


class _Names:
    """Old ids to new ones. The export's own space becomes the new one; the rest stays if it is free here."""

    def __init__(self, old: str, space: SpaceRecord, *, keep: bool) -> None:
        self.old, self.space, self.keep = old, space, keep

    def renew(self, line: str) -> str:
        if self.keep:
            return line.replace(self.old, self.space.id)
        return ID.sub(self._new, line)

    def _new(self, match: re.Match[str]) -> str:
        found = match[0]
        return self.space.id if found == self.old else derived_id(found.split("-", 1)[0], self.space.id, found)


def _header(line: str) -> dict[str, Any]:
    try:
        header: dict[str, Any] = json.loads(line)
        version = header["reverie"]
    except (ValueError, KeyError, TypeError) as error:
        raise BadInput("this is not a Reverie export: its first line is not a header") from error
    if version != FORMAT:
        raise BadInput(
            f"this export has format {version}, this Reverie reads {FORMAT}",
            next_move="Import it with the Reverie that wrote it, or a newer one.",
        )
    return header


def _is_free(db: Database, space: str) -> bool:
    """Whether the exported space is not in this store."""
    return db.row("SELECT 1 AS yes FROM spaces WHERE id = :id", id=space) is None and not db.rows(
        "SELECT 1 AS yes FROM tombstones WHERE space = :id LIMIT 1", id=space
    )


def _plain(table: Table, row: Row) -> dict[str, Any]:
    """A row as JSON: bytes in base64, terms without the space's number."""
    values = {name: value for name, value in by_name(row).items() if name not in table.left_out}
    for name, value in values.items():
        if isinstance(value, (bytes, memoryview)):
            values[name] = {"base64": base64.b64encode(bytes(value)).decode()}
        elif table.name == "documents" and name in WORDS:
            values[name] = PREFIX.sub("", value)
    return values


def _read(line: str, number: int) -> tuple[Table, str]:
    """The table that a line belongs to; a line that cannot be read is told before anything is made."""
    try:
        ((name, _),) = json.loads(line).items()
        return next(table for table in TABLES if table.name == name), line
    except (ValueError, AttributeError, StopIteration) as error:
        raise BadInput(f"line {number} of the export cannot be read", line=number) from error


def _renewed(table: Table, line: str, names: _Names, org: str) -> dict[str, Any]:
    values: dict[str, Any] = json.loads(names.renew(line))[table.name]
    for column, value in values.items():
        if isinstance(value, dict) and "base64" in value:
            values[column] = base64.b64decode(value["base64"])
        elif table.name == "documents" and column in WORDS:
            values[column] = " ".join(f"{names.space.num}_{term}" for term in value.split())
        elif column == "org":
            values[column] = org
    if table.name == "turns":
        values["words"] = turn_terms(names.space.num, turn_of(values))
    return values


def _insert(tx: Transaction, table: Table, row: dict[str, Any]) -> None:
    tx.run(f"{insertion(table.name, row)} ON CONFLICT DO NOTHING", **row)
