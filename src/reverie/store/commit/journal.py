"""The undo journal: what a night did to each row, as the columns that moved. Every write of a night goes through it."""

import base64
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from reverie.errors import StoreBroken
from reverie.model.night import Change
from reverie.store.db import Database, Row, Transaction
from reverie.store.rows import by_name, dumps, insertion
from reverie.store.terms import FIELDS, bare

# The key columns of every table that an undo puts back. New vectors, chores and statistics are made again.
KEYS: Mapping[str, tuple[str, ...]] = {
    "memories": ("id",),
    "sources": ("memory", "source"),
    "documents": ("ref",),
    "mentions": ("space", "entity", "memory"),  # no table: a name in `memory_words`
    "edges": ("a", "b", "relation"),
    "contradictions": ("id",),
    "reviews": ("id",),
    "blocks": ("id",),
    "block_sentences": ("block", "sentence", "source"),
    "answers": ("id",),
    "answer_rests": ("answer", "ref"),
    "vectors": ("ref",),
    "spaces": ("id",),
    "studies": ("id",),
}
GENERATED = ("row", "words")  # columns that the database fills in itself
TOGETHER, MADE = "", "made"  # the key of a row for several made memories, and where it has their ids
BINARY = "base64:"  # a mapping with this one key stands for bytes; columns themselves are never mappings


class Journal:
    """Writes rows for one step of a night, inside one transaction, and remembers how to take them back."""

    def __init__(self, tx: Transaction, *, space: str, night: str, step: str) -> None:
        self.tx = tx
        self.space = space
        self.night = night
        self.step = step
        self._entries: list[dict[str, Any]] = []
        self._ahead: dict[tuple[str, str], Row] = {}
        self._updates: dict[str, list[dict[str, Any]]] = {}  # that wait to be written together, by their statement

    def insert_all(self, relation: str, rows: Sequence[Mapping[str, Any]]) -> None:
        """Inserts rows that need no entry: they follow from a text, or are deleted with a row of this night."""
        if rows:
            self.tx.many(_unless_there(relation, rows[0]), rows)

    def insert_new(
        self, relation: str, rows: Sequence[Mapping[str, Any]], *, quiet: Callable[[Mapping[str, Any]], bool]
    ) -> list[Mapping[str, Any]]:
        """Inserts those rows that are not there, together; answers the others, which can then be had by `current`.

        `quiet` names those that need no entry, because they are deleted with a row of this night.
        """
        self.read_ahead(relation, rows)
        new: dict[str, Mapping[str, Any]] = {}
        there: list[Mapping[str, Any]] = []
        for row in rows:
            key = key_text(relation, row)
            if key in new or (relation, key) in self._ahead:
                there.append(row)
            else:
                new[key] = row
        self.insert_all(relation, list(new.values()))
        for row in new.values():
            if not quiet(row):
                self._add_entry(relation, row, before=None, after={})
        return there

    def made(self, relation: str, rows: Iterable[Mapping[str, Any]]) -> None:
        """Remembers rows that somebody else has inserted for this step."""
        for row in rows:
            self._add_entry(relation, row, before=None, after={})

    def insert(self, relation: str, row: Mapping[str, Any], *, quiet: bool = False) -> bool:
        """False if the row is there already. `quiet`: no entry, because it is deleted with a row of this night."""
        new = self.tx.run(_unless_there(relation, row), **row)
        if new and not quiet:
            self._add_entry(relation, row, before=None, after={})
        return bool(new)

    def read_ahead(self, relation: str, keys: Iterable[Mapping[str, Any]]) -> None:
        """Reads the rows with these keys together, and locks them; `current` then has each of them once."""
        self._write_updates()
        wanted, name = list(keys), KEYS[relation][0]
        rows = self.tx.each(
            f"SELECT * FROM {relation} WHERE {name} IN (:keys){self.tx.db.dialect.row_lock}",
            (key[name] for key in wanted),
        )
        asked = {key_text(relation, key) for key in wanted}
        found = {key_text(relation, row): row for row in rows}
        self._ahead = {(relation, key): row for key, row in found.items() if key in asked}

    def current(self, relation: str, key: Mapping[str, Any]) -> Row | None:
        """The row as it is, locked until the commit."""
        ahead = self._ahead.pop((relation, key_text(relation, key)), None) if self._ahead else None
        if ahead is not None:
            return ahead
        self._write_updates()
        return self.tx.locked_row(f"SELECT * FROM {relation} WHERE {_where(relation)}", **_key(relation, key))

    def update(
        self, relation: str, current: Row, columns: Mapping[str, Any], /, quiet: bool = False, **silent: Any
    ) -> bool:
        """Writes the columns that differ; False if none does. `silent` ones are written too, but never undone.

        They are written with others of the same columns, before anything is read. `quiet`: no entry.
        """
        moved = {name: value for name, value in columns.items() if not _same(current[name], value)}
        if not moved:
            return False
        sets = ", ".join(f"{name} = :{name}" for name in (*moved, *silent))
        key = _key(relation, current)
        sql = f"UPDATE {relation} SET {sets} WHERE {_where(relation, 'key_')}"
        keys = {f"key_{name}": value for name, value in key.items()}
        self._updates.setdefault(sql, []).append({**moved, **silent, **keys})
        if not quiet:
            self._add_entry(relation, current, before={name: current[name] for name in moved}, after=moved)
        return True

    def _write_updates(self) -> None:
        for sql, rows in self._updates.items():
            self.tx.many(sql, rows)
        self._updates.clear()

    def delete(self, relation: str, key: Mapping[str, Any]) -> bool:
        """Deletes a row and keeps all of it in the journal; False if it is not there."""
        row = self.current(relation, key)
        if row is None:
            return False
        self.tx.run(f"DELETE FROM {relation} WHERE {_where(relation)}", **_key(relation, key))
        kept = {name: value for name, value in by_name(row).items() if name not in GENERATED}
        self._add_entry(relation, row, before=kept, after=None)
        return True

    def flush(self) -> int:
        """Writes what waits, and stores the entries; answers how many."""
        self._write_updates()
        if not self._entries:
            return 0
        start = self.tx.row("SELECT coalesce(max(n), -1) + 1 AS n FROM journal WHERE night = :night", night=self.night)
        first = int(start["n"]) if start else 0
        self.tx.many(
            "INSERT INTO journal (night, n, step, relation, key, before, after, space)"
            " VALUES (:night, :n, :step, :relation, :key, :before, :after, :space)",
            _together([{**entry, "n": first + i} for i, entry in enumerate(self._entries)]),
        )
        kept, self._entries = len(self._entries), []
        return kept

    def _add_entry(self, relation: str, row: Any, *, before: Mapping[str, Any] | None, after: Any) -> None:
        self._entries.append(
            {
                "night": self.night,
                "step": self.step,
                "relation": relation,
                "key": key_text(relation, row),
                "before": None if before is None else encode(_bare(relation, before)),
                "after": None if after is None else encode(_bare(relation, after)),
                "space": self.space,
            }
        )


def key_text(relation: str, row: Any) -> str:
    """The key as the journal holds it: the id itself, or a JSON list."""
    values = [row[name] for name in KEYS[relation]]
    return str(values[0]) if len(values) == 1 else dumps(values)


def key_of(relation: str, text: str) -> dict[str, Any]:
    """The key columns with their values, from a key as the journal holds it."""
    names = KEYS[relation]
    return {names[0]: text} if len(names) == 1 else dict(zip(names, json.loads(text), strict=True))


def encode(columns: Mapping[str, Any]) -> str:
    """Columns as the journal stores them: JSON, bytes in base64."""
    return dumps({name: _tagged(value) for name, value in columns.items()})


def decode(text: str) -> dict[str, Any]:
    """Columns from what `encode` made of them."""
    return {name: _untagged(value) for name, value in json.loads(text).items()}


def of_night(db: Database, night: str, *, limit: int = 1_000_000, after: int = -1) -> list[Change]:
    """What a night changed, in order."""
    rows = db.rows(
        "SELECT * FROM journal WHERE night = :night AND n > :after ORDER BY n LIMIT :limit",
        night=night,
        after=after,
        limit=limit,
    )
    return [change for row in rows for change in changes_of(row) if change.n > after][:limit]


def of_memory(db: Database, space: str, memory: str, limit: int) -> list[Change]:
    """What nights that can still be undone did to one memory, the newest first; last that it was made."""
    rows = db.rows(
        "SELECT j.* FROM journal j JOIN nights n ON n.id = j.night WHERE n.space = :space AND j.relation = 'memories'"
        " AND j.key = :memory ORDER BY n.requested_at DESC, j.n DESC LIMIT :limit",
        space=space,
        memory=memory,
        limit=limit,
    )
    together = db.rows(
        "SELECT j.* FROM memories m JOIN journal j ON j.night = m.night WHERE m.space = :space AND m.id = :memory"
        " AND j.relation = 'memories' AND j.key = '' AND j.after LIKE :named",
        space=space,
        memory=memory,
        named=f'%"{memory}"%',
    )
    made = [change for row in together for change in changes_of(row) if change.key == memory]
    return [*map(change_of, rows), *made][:limit]


def count(db: Database, night: str) -> int:
    """How many rows a night changed."""
    entries = int(db.value("SELECT count(*) AS n FROM journal WHERE night = :night AND key <> ''", night=night))
    rows = db.rows("SELECT * FROM journal WHERE night = :night AND key = ''", night=night)
    return entries + sum(len(changes_of(row)) for row in rows)


def state(db: Database | Transaction, night: str) -> tuple[int, int]:
    """Two numbers, one of which changes whenever something is taken out of a night's journal."""
    (row,) = db.rows(
        "SELECT count(*) AS n, coalesce(sum(length(after)), 0) AS size FROM journal WHERE night = :night", night=night
    )
    return int(row["n"]), int(row["size"])


def forget(tx: Transaction, entries: Sequence[Mapping[str, Any]]) -> None:
    """Deletes entries that cite or quote what a person forgot, each named by `night` and `n`. Of memories that were
    made together those stay that are still there."""
    whole: list[Mapping[str, Any]] = []
    for entry in entries:
        row = tx.row("SELECT * FROM journal WHERE night = :night AND n = :n", night=entry["night"], n=entry["n"])
        made = [change.key for change in changes_of(row)] if row is not None and row["key"] == TOGETHER else []
        there = {found["id"] for found in tx.each("SELECT id FROM memories WHERE id IN (:keys)", made)}
        if there:
            left = dumps({MADE: [memory if memory in there else "" for memory in made]})
            replace_texts(tx, entry["night"], entry["n"], None, left)
        else:
            whole.append(entry)
    delete(tx, whole)


def delete(tx: Transaction, entries: Sequence[Mapping[str, Any]]) -> None:
    """Deletes entries, each named by `night` and `n`: an undo has nothing left to take back there."""
    tx.many("DELETE FROM journal WHERE night = :night AND n = :n", entries)


def replace_before(tx: Transaction, night: str, n: int, before: Mapping[str, Any]) -> None:
    """Other columns for an entry to go back to."""
    tx.run(
        "UPDATE journal SET before = :before WHERE night = :night AND n = :n", before=encode(before), night=night, n=n
    )


def replace_texts(tx: Transaction, night: str, n: int, before: str | None, after: str | None) -> None:
    """Both sides of an entry as they are stored: what a person forgot is taken out of them."""
    tx.run(
        "UPDATE journal SET before = :before, after = :after WHERE night = :night AND n = :n",
        before=before,
        after=after,
        night=night,
        n=n,
    )


def changes_of(row: Row) -> list[Change]:
    """The changes that a row of the journal stands for: one, or all memories that were made together."""
    change = change_of(row)
    if change.key != TOGETHER:
        return [change]
    made: list[str] = (change.after or {})[MADE]
    first = change.n - len(made) + 1
    return [replace(change, n=first + i, key=key, after={}) for i, key in enumerate(made) if key]


def change_of(row: Row) -> Change:
    """A row of the journal as a Change. Raises StoreBroken if it cannot be read."""
    try:
        before, after = (
            None if row[name] is None else _bare(row["relation"], decode(row[name])) for name in ("before", "after")
        )
    except (ValueError, AttributeError) as broken:
        raise StoreBroken(
            f"entry {row['n']} of the journal of {row['night']} cannot be read",
            next_move="Nothing was undone. `reverie doctor` checks the store; `reverie backup` has older copies.",
        ) from broken
    return Change(row["night"], row["n"], row["step"], row["relation"], row["key"], before, after)


def _together(entries: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """The rows for these entries: memories that were made one after the other share one, under the last number. Most of
    what a night does is that, and a row each took longer than the memory's own id."""
    rows: list[dict[str, Any]] = []
    for entry in entries:
        made = entry["relation"] == "memories" and entry["before"] is None
        if made and rows and rows[-1]["key"] == TOGETHER:
            rows[-1] |= {"n": entry["n"], "after": [*rows[-1]["after"], entry["key"]]}
        else:
            rows.append(entry | {"key": TOGETHER, "after": [entry["key"]]} if made else entry)
    return [row | {"after": dumps({MADE: row["after"]})} if row["key"] == TOGETHER else row for row in rows]


def _bare(relation: str, columns: Mapping[str, Any]) -> Mapping[str, Any]:
    """The terms of documents stand in the journal as text, whatever the backend and the space's number."""
    if relation != "documents":
        return columns
    return {name: bare(value) if name in FIELDS else value for name, value in columns.items()}


def _tagged(value: Any) -> Any:
    if isinstance(value, (bytes, memoryview)):
        return {BINARY: base64.b64encode(bytes(value)).decode()}
    return value


def _untagged(value: Any) -> Any:
    return base64.b64decode(value[BINARY]) if isinstance(value, dict) else value


def _same(a: Any, b: Any) -> bool:
    if isinstance(a, memoryview) or isinstance(b, memoryview):
        return bytes(a or b"") == bytes(b or b"")
    return bool(a == b)


def _unless_there(relation: str, row: Mapping[str, Any]) -> str:
    return f"{insertion(relation, row)} ON CONFLICT ({', '.join(KEYS[relation])}) DO NOTHING"


def _key(relation: str, row: Any) -> dict[str, Any]:
    return {name: row[name] for name in KEYS[relation]}


def _where(relation: str, prefix: str = "") -> str:
    return " AND ".join(f"{name} = :{prefix}{name}" for name in KEYS[relation])
