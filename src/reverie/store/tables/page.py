"""One page of a table's rows in the order they were made, for lists that people leaf through."""

from collections.abc import Sequence

from reverie.store.db import Database, Row


def page(
    db: Database,
    relation: str,
    by: str,
    owner: str,
    *,
    limit: int,
    after: str | None,
    status: str | None = None,
    columns: str = "*",
) -> Sequence[Row]:
    """Rows of one owner (`by` is the column that names it: space or org), oldest first.

    `after` is the id of the last row seen. It need not have the `status` that is asked for: a review that has been
    decided meanwhile still marks the place.
    """
    start = db.row(
        f"SELECT created_at, id FROM {relation} WHERE {by} = :owner AND id = :id", owner=owner, id=after or ""
    )
    return db.rows(
        f"SELECT {columns} FROM {relation} WHERE {by} = :owner"
        " AND (created_at > :at OR (created_at = :at AND id > :last))"
        + (" AND status = :status" if status is not None else "")
        + " ORDER BY created_at, id LIMIT :limit",
        owner=owner,
        at=start["created_at"] if start else -1e18,
        last=start["id"] if start else "",
        limit=limit,
        **({} if status is None else {"status": status}),
    )
