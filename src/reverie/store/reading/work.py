"""What a night has to do: its news, follow-up work, what failed before, and what an undo holds back."""

from collections.abc import Sequence

from reverie.model.memories import Kind, Memory
from reverie.store.db import Row
from reverie.store.reader import Reader
from reverie.store.reading.memories import in_order
from reverie.store.tables.chores import READ


def news(
    reader: Reader, kinds: Sequence[Kind], *, cursor: str | None, limit: int, echoes: bool = False
) -> tuple[list[Memory], str | None]:
    """The next memories to think about, oldest said first, and the cursor of the batch after them (None: no more).

    News is what this night made, and what it took over: texts that a person gave to `remember`, what a cancelled
    night left, what is redone or reprocessed. Quarantined and excluded ones are left out, and stale ones too, unless
    `echoes`: what was said again in the same words has been merged away, but that it was said again is news.
    """
    return _next(reader, "night = :of", reader.night.id, kinds, cursor, limit, echoes)


def recent(reader: Reader, kinds: Sequence[Kind], *, cursor: str | None, limit: int) -> tuple[list[Memory], str | None]:
    """Like `news`, with what naps have made since the last night: for steps that naps leave out."""
    since = reader.night.settings.get("since", 0.0)
    among = f"space = :space AND kind IN ({_names(kinds)}) AND created_at > :of"
    return _next(reader, among, since, kinds, cursor, limit)


def _next(
    reader: Reader,
    among: str,
    of: str | float,
    kinds: Sequence[Kind],
    cursor: str | None,
    limit: int,
    echoes: bool = False,
) -> tuple[list[Memory], str | None]:
    alive = "" if echoes else " AND stale = 0"
    at, id = _place(cursor)
    columns = "id, kind, stale, quarantined, excluded, coalesce(said_at, created_at) AS at"
    rows = reader.rows(  # two ways in, each by its own index: never a scan of the space
        f"SELECT id, at FROM (SELECT {columns} FROM memories WHERE {among} UNION"
        f" SELECT {columns} FROM memories WHERE id IN (SELECT memory FROM chores WHERE space = :space"
        f" AND chore = :chore)) AS news WHERE kind IN ({_names(kinds)}){alive} AND quarantined = 0"
        " AND excluded IS NULL AND (at > :at OR (at = :at AND id > :id)) ORDER BY at, id LIMIT :limit",
        space=reader.space,
        of=of,
        chore=READ,
        at=at,
        id=id,
        limit=limit,
        **{f"kind{i}": kind for i, kind in enumerate(kinds)},
    )
    batch = in_order(reader, [row["id"] for row in rows])
    return batch, _cursor(rows[-1]) if len(rows) == limit else None


def _names(kinds: Sequence[Kind]) -> str:
    return ", ".join(f":kind{i}" for i in range(len(kinds)))


def _place(cursor: str | None) -> tuple[float, str]:
    if cursor is None:
        return float("-inf"), ""
    at, id = cursor.split(" ", 1)
    return float(at), id


def _cursor(row: Row) -> str:
    return f"{row['at']!r} {row['id']}"


def given_directly(reader: Reader, *, after: str, limit: int) -> list[str]:
    """Memories that a person gave directly and no night has looked at, by id."""
    rows = reader.rows(
        "SELECT id FROM memories WHERE space = :space AND last_tagged_at IS NULL AND night IS NULL AND id > :after"
        " ORDER BY id LIMIT :limit",
        space=reader.space,
        after=after,
        limit=limit,
    )
    return [row["id"] for row in rows]


def reprocesses(reader: Reader, step: str = "") -> bool:
    """Whether this night does a step (or any) over again, for all memories."""
    steps = reader.night.settings.get("reprocess", ())
    return step in steps if step else bool(steps)


def suppressed(reader: Reader) -> frozenset[str]:
    """Turns and memories of undone nights: nothing is to be concluded from them again until a redo."""
    rows = reader.rows("SELECT ref FROM suppressed WHERE space = :space", space=reader.space)
    return frozenset(row["ref"] for row in rows)


def set_aside(reader: Reader, step: str) -> frozenset[str]:
    """Items that failed three times at this step: the same ones from a night's beginning to its end."""
    rows = reader.rows(
        "SELECT item FROM failures WHERE space = :space AND step = :step AND aside = 1 AND at < :now",
        space=reader.space,
        step=step,
        now=reader.night.now,
    )
    return frozenset(row["item"] for row in rows)


def failed_before(reader: Reader, step: str, *, after: str = "", limit: int = 1_000) -> list[str]:
    """Items that failed at this step in earlier nights and have not been tried in this one."""
    rows = reader.rows(
        "SELECT item FROM failures WHERE space = :space AND step = :step AND aside = 0 AND at < :now"
        " AND item > :after ORDER BY item LIMIT :limit",
        space=reader.space,
        step=step,
        now=reader.night.now,
        after=after,
        limit=limit,
    )
    return [row["item"] for row in rows]


def chores(reader: Reader, chore: str, limit: int) -> list[str]:
    """Memories with this follow-up work, most urgent first."""
    return [memory for memory, _ in chores_of(reader, [chore], limit)]


def chores_of(reader: Reader, names: Sequence[str], limit: int) -> list[tuple[str, str]]:
    """(memory, chore) of any of these, the most urgent first."""
    rows = reader.rows(
        "SELECT memory, chore FROM chores WHERE space = :space"
        f" AND chore IN ({', '.join(f':c{i}' for i in range(len(names)))})"
        " ORDER BY priority DESC, memory LIMIT :limit",
        space=reader.space,
        limit=limit,
        **{f"c{i}": name for i, name in enumerate(names)},
    )
    return [(row["memory"], row["chore"]) for row in rows]
