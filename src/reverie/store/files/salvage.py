"""Every row of a damaged SQLite store that can still be read: counted, or copied into a new store.

Tables are read by their row numbers. Where a page cannot be read the range is halved, until the rows around it are in.
A table without numbers is read from both ends.
"""

import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from reverie.store.db import SIDES, Side
from reverie.store.dialect.sqlite import file_of, uri_to_read
from reverie.store.rows import insertion

OWN = ("schema_version", "identity", "leases", "near", "workers")  # of a file, not of what it holds
INDEXES = ("document_words", "word_postings", "band_postings", "name_postings")  # of other tables: made anew
MOST_TRIES = 20_000  # reads that may fail in one table
PART = 500
Range = tuple[int, int]  # the first and the last row number
Put = Callable[[str, Sequence[str], Sequence[tuple[object, ...]]], None]
Change = Callable[[dict[str, Any]], dict[str, Any] | None]


@dataclass
class Salvaged:
    """How many rows of each table were copied, and in how many places nothing could be read."""

    rows: dict[str, int] = field(default_factory=dict)
    lost: dict[str, int] = field(default_factory=dict)


def readable(home: Path) -> Iterator[tuple[Side, int, int]]:
    """For each file how many rows can be read, and how many places cannot."""
    for side in SIDES:
        found = Salvaged()
        _walk(home, side, found, lambda _table, _columns, _rows: None)
        yield side, sum(found.rows.values()), sum(found.lost.values())


def rows_of(home: Path, side: Side, table: str) -> list[dict[str, Any]]:
    """Every row of a table that can be read."""
    found: list[dict[str, Any]] = []

    def take(_table: str, columns: Sequence[str], rows: Sequence[tuple[object, ...]]) -> None:
        found.extend(dict(zip(columns, row, strict=True)) for row in rows)

    _walk(home, side, Salvaged(), take, (table,))
    return found


def copy_rows(home: Path, target: Path, side: Side, wanted: Mapping[str, Change] | None = None) -> Salvaged:
    """Copies every row of a file that can be read into that of a new store, which has its tables already.

    `wanted`: only these tables, each with what becomes of its rows; a row of which nothing becomes stays behind.
    """
    found = Salvaged()
    with closing(sqlite3.connect(file_of(target, side), isolation_level=None)) as new:
        known = {table: _columns(new, table) for table in _tables(new)}

        def put(table: str, columns: Sequence[str], rows: Sequence[tuple[object, ...]]) -> None:
            change = (wanted or {}).get(table, _as_it_is)
            for row in rows:
                values = change(dict(zip(columns, row, strict=True)))
                if values is not None and table in known:
                    _insert(new, table, {name: values[name] for name in known[table] if name in values})

        new.execute("BEGIN IMMEDIATE")
        _walk(home, side, found, put, tuple(wanted or ()))
        new.execute("COMMIT")
    return found


def _as_it_is(row: dict[str, object]) -> dict[str, object]:
    return row


def _insert(new: sqlite3.Connection, table: str, row: dict[str, object]) -> None:
    new.execute(f"{insertion(table, row)} ON CONFLICT DO NOTHING", row)


def _walk(home: Path, side: Side, found: Salvaged, put: Put, tables: Sequence[str] = ()) -> None:
    """Hands over every readable row of a file, some at a time."""
    path = file_of(home, side)
    if not path.exists():
        return
    with closing(sqlite3.connect(uri_to_read(path), uri=True)) as old:
        old.text_factory = lambda raw: raw.decode("utf-8", "replace")
        try:
            known = _tables(old)
        except sqlite3.DatabaseError:  # not even the names of its tables
            found.lost[path.name] = 1
            return
        for table in known:
            if not tables or table in tables:
                _walk_table(old, table, found, put)


def _walk_table(old: sqlite3.Connection, table: str, found: Salvaged, put: Put) -> None:
    columns = _columns(old, table)
    if _has_no_numbers(old, table):
        _walk_keys(old, table, found, put)
        return
    waiting, tries = [_bounds(old, table)], 0
    found.rows.setdefault(table, 0)
    while waiting and tries < MOST_TRIES:
        low, high = waiting.pop()
        rows, broke = _read(old, table, (low, high))
        for start in range(0, len(rows), PART):
            put(table, columns, [row[1:] for row in rows[start : start + PART]])
        found.rows[table] += len(rows)
        if not broke:
            continue
        tries += 1
        low = max(low, rows[-1][0] + 1) if rows else low
        if low >= high:
            found.lost[table] = found.lost.get(table, 0) + 1
        else:
            middle = (low + high) // 2
            waiting += [(middle + 1, high), (low, middle)]


def _walk_keys(old: sqlite3.Connection, table: str, found: Salvaged, put: Put) -> None:
    """A table whose rows lie in the order of their keys is read from its beginning and its end, as far as it goes."""
    columns, key = _columns(old, table), _key(old, table)
    seen: set[tuple[object, ...]] = set()
    places = [columns.index(name) for name in key]
    broke = False
    for way in ("", " DESC"):
        order = ", ".join(f"{name}{way}" for name in key)
        rows, broke = _read_all(old, f"SELECT {', '.join(columns)} FROM {table} ORDER BY {order}")
        new = [row for row in rows if tuple(row[place] for place in places) not in seen]
        seen |= {tuple(row[place] for place in places) for row in new}
        for start in range(0, len(new), PART):
            put(table, columns, new[start : start + PART])
        if not broke:
            break
    found.rows[table] = len(seen)
    if broke:
        found.lost[table] = 1


def _read_all(old: sqlite3.Connection, sql: str) -> tuple[list[tuple[object, ...]], bool]:
    """The rows up to the first that cannot be read, and whether there was such a one."""
    rows: list[tuple[object, ...]] = []
    try:
        for row in old.execute(sql):
            rows.append(row)
    except sqlite3.Error:
        return rows, True
    return rows, False


def _has_no_numbers(old: sqlite3.Connection, table: str) -> bool:
    made = old.execute("SELECT sql FROM sqlite_master WHERE type = 'table' AND name = ?", (table,)).fetchone()
    return "WITHOUT ROWID" in str(made[0])


def _key(old: sqlite3.Connection, table: str) -> list[str]:
    """The columns of a table's primary key, in their order."""
    named = [(row[5], row[1]) for row in old.execute(f"PRAGMA table_info({table})") if row[5]]
    return [name for _, name in sorted(named)]


def _read(old: sqlite3.Connection, table: str, span: Range) -> tuple[list[tuple[int, ...]], bool]:
    """The rows of a range up to the first that cannot be read, and whether there was such a one."""
    rows: list[tuple[int, ...]] = []
    try:
        for row in old.execute(f"SELECT rowid, * FROM {table} WHERE rowid BETWEEN ? AND ? ORDER BY rowid", span):
            rows.append(row)
    except sqlite3.Error:
        return rows, True
    return rows, False


def _bounds(old: sqlite3.Connection, table: str) -> Range:
    """The lowest and highest row number; where even these cannot be read, far more than any table has."""
    try:
        low, high = old.execute(f"SELECT min(rowid), max(rowid) FROM {table}").fetchone()
    except sqlite3.Error:
        return 1, 2**24
    return (0, -1) if low is None else (low, high)


def _tables(connection: sqlite3.Connection) -> list[str]:
    rows = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name").fetchall()
    hidden = ("sqlite_", *INDEXES)
    return [name for (name,) in rows if not name.startswith(hidden) and name not in OWN]


def _columns(connection: sqlite3.Connection, table: str) -> list[str]:
    return [row[1] for row in connection.execute(f"PRAGMA table_info({table})")]
