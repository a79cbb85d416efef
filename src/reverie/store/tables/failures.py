"""Items that nights could not do: how often they failed, with which error, and whether they are set aside."""

from collections.abc import Collection, Iterable, Mapping
from typing import Any

from reverie.model.base import Instant
from reverie.model.changes import Failed
from reverie.store.db import Database, Transaction

SET_ASIDE_AFTER = 3  # failures of an item
LONGEST_ERROR = 500  # characters of it that are kept


def put(tx: Transaction, space: str, step: str, failed: Iterable[Failed], now: Instant) -> None:
    """Counts one more failure of each item; one that has failed three times is set aside."""
    tx.many(
        "INSERT INTO failures (space, step, item, times, error, aside, at)"
        " VALUES (:space, :step, :item, 1, :error, 0, :at) ON CONFLICT (space, step, item) DO UPDATE SET"
        " times = failures.times + 1, error = excluded.error, at = excluded.at,"
        " aside = CASE WHEN failures.times + 1 >= :limit THEN 1 ELSE 0 END",
        [
            {
                "space": space,
                "step": step,
                "item": item.item,
                "error": tx.clean(item.error)[:LONGEST_ERROR],
                "at": now,
                "limit": SET_ASIDE_AFTER,
            }
            for item in failed
        ],
    )


def listed(db: Database, space: str, *, aside: bool | None = None) -> list[Mapping[str, Any]]:
    """The items of a space with step, error and how often each failed; `aside` keeps only those set aside, or not."""
    among = "" if aside is None else f" AND aside = {int(aside)}"
    rows = db.rows(f"SELECT * FROM failures WHERE space = :space{among} ORDER BY step, item", space=space)
    return [{name: row[name] for name in ("step", "item", "times", "error", "aside", "at")} for row in rows]


def clear(tx: Transaction, space: str, step: str, done: Collection[str]) -> None:
    """Deletes the failures of items that have succeeded at this step now."""
    known = tx.rows("SELECT item FROM failures WHERE space = :space AND step = :step", space=space, step=step)
    tx.many(
        "DELETE FROM failures WHERE space = :space AND step = :step AND item = :item",
        [{"space": space, "step": step, "item": row["item"]} for row in known if row["item"] in done],
    )


def retry(db: Database, space: str) -> int:
    """Lets the next night try again what was set aside; answers how many items."""
    with db.write("memory") as tx:
        return tx.run("UPDATE failures SET aside = 0, times = 0 WHERE space = :space AND aside = 1", space=space)


def delete_items(tx: Transaction, space: str, items: Iterable[str]) -> None:
    """Deletes the failures of turns and memories that were forgotten, at every step."""
    tx.many(
        "DELETE FROM failures WHERE space = :space AND item = :ref", [{"space": space, "ref": ref} for ref in items]
    )
