"""A space as JSON lines, losslessly: `restore.py` makes a space of them, in any store."""

import base64
import json
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from reverie.errors import StoreBroken
from reverie.files import write_whole
from reverie.model.spaces import SpaceRecord
from reverie.store.catalog import TABLES, Table
from reverie.store.db import Database, Row
from reverie.store.rows import by_name, dumps
from reverie.store.tables import spaces
from reverie.store.terms import FIELDS, bare
from reverie.store.transfer.seal import sealed

FORMAT = 2  # 2: what steers Reverie stands apart from callers' metadata
Through = Callable[[Iterable[str]], Iterable[str]]


def export(db: Database, space: str) -> Iterator[str]:
    """Lines of JSON: a header, one row each, and the store's seal. All of it reads one snapshot."""
    return sealed(db, spaces.by_id(db, space).org, _lines(db, space))


def _lines(db: Database, space: str) -> Iterator[str]:
    with db.snapshot():
        yield _header(db, spaces.by_id(db, space))
        for table in TABLES:
            for row in db.rows(
                f"SELECT * FROM {table.name} WHERE {table.exported} ORDER BY {table.order}", space=space
            ):
                yield dumps({table.name: _plain(table, row)})


def export_to(db: Database, space: str, path: Path, through: Through = iter) -> None:
    """Writes an export to a file that is all of it or as it was, for its owner alone: under another name, synced,
    counted, then renamed. `through` sees the lines pass."""
    try:
        write_whole(path, (line + "\n" for line in through(export(db, space))), check_complete)
    except OSError as error:
        raise StoreBroken(f"{path} cannot be written: {error.strerror}") from error


def check_complete(path: Path) -> None:
    """Reads an export as it lies on the disk; raises StoreBroken if it has not as many rows as its header says."""
    with path.open(encoding="utf-8") as file:
        said = json.loads(next(file, "{}")).get("rows")
        rows = sum(not line.startswith('{"seal"') for line in file)
    if rows != said:
        raise StoreBroken(f"{path} has {rows:,} rows of {said:,}", next_move="Export the space again.")


def _header(db: Database, space: SpaceRecord) -> str:
    """The first line: the space itself, and how many rows follow, by which a file that was cut off is known."""
    counts = (
        db.value(f"SELECT count(*) AS n FROM {table.name} WHERE {table.exported}", space=space.id) for table in TABLES
    )
    return dumps({
        "reverie": FORMAT,
        "space": space.id,
        "name": space.name,
        "settings": dict(space.settings),
        "metadata": dict(space.metadata),
        "private": dict(space.private),
        "watermark": space.watermark,
        "changes": space.changes,
        "rows": sum(map(int, counts)),
    })  # fmt: skip


def _plain(table: Table, row: Row) -> dict[str, Any]:
    """A row as JSON: bytes in base64, terms without the space's number."""
    values = {name: value for name, value in by_name(row).items() if name not in table.left_out}
    for name, value in values.items():
        if table.name == "documents" and name in FIELDS:
            values[name] = bare(value)
        elif isinstance(value, (bytes, memoryview)):
            values[name] = {"base64": base64.b64encode(bytes(value)).decode()}
    return values
