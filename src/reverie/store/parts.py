"""Deletions a part at a time: a transaction has as many rows as take a few milliseconds."""

import json
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from reverie.store.catalog import Table
from reverie.store.db import Database, T, Transaction
from reverie.store.rows import by_name

HELD_MS = 5.0  # what a transaction should hold the lock for
FIRST, MOST = 4, 2_000  # items a transaction
LOOKED_UP = 200_000  # rows at a time


class Pace:
    """How many items the next transaction takes: by how long the last one held the lock."""

    def __init__(self) -> None:
        self.size = min(FIRST, MOST)

    def parts(self, items: Sequence[T]) -> Iterator[Sequence[T]]:
        """The items in parts. Call `ended` after each."""
        start = 0
        while start < len(items):
            part = items[start : start + self.size]
            start += len(part)
            yield part

    def ended(self, tx: Transaction, items: int) -> None:
        """Learns from a transaction with so many items, and lets others write for as long as it took."""
        fitting = items * HELD_MS / max(tx.held_ms, 0.1)
        if items == self.size or fitting < self.size:
            self.size = int(min(max(fitting, 1), 2 * self.size, MOST))
        tx.give_way()


def delete_rows(
    db: Database, table: Table, space: str, *, where: str = "", after: Callable[[], None] = lambda: None
) -> None:
    """Deletes a space's rows of one table; calls `after` when a part is gone. They are looked up without the lock.

    What memory holds is not waited for on the disk: its tombstone says what is still to go.
    """
    condition, pace = f"{table.where}{where}", Pace()
    named = table.key or (f"{db.dialect.row_id} AS id",)
    rows = f"SELECT {', '.join(named)} FROM {table.name} WHERE {condition} LIMIT {LOOKED_UP}"
    while found := [tuple(by_name(row).values()) for row in db.rows(rows, space=space)]:
        for part in pace.parts(sorted(found)):  # rows that lie together are written together
            with db.write(table.side, durable=table.side == "log") as tx:
                _delete(tx, table, space, condition, part)
            pace.ended(tx, len(part))
            after()


def _delete(tx: Transaction, table: Table, space: str, condition: str, part: Sequence[tuple[Any, ...]]) -> None:
    """Deletes rows by their keys, or by their numbers if nobody has given these to others meanwhile."""
    if table.key:
        which = " AND ".join(f"{name} = :{name}" for name in table.key)
        tx.many(f"DELETE FROM {table.name} WHERE {which}", [dict(zip(table.key, key, strict=True)) for key in part])
    else:
        ids = json.dumps([id for (id,) in part])
        tx.run(f"DELETE FROM {table.name}{tx.db.dialect.among} AND {condition}", space=space, ids=ids)
