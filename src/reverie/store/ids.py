"""Short ids: the whole id of the memory or turn that a few characters stand for."""

from reverie.errors import AmbiguousId
from reverie.model.base import SHORT, short_id
from reverie.store.db import Database


def whole_id(db: Database, space: str, id: str) -> str:
    """The id itself, or the only one of the space that is shown as it. Raises AmbiguousId where there are several."""
    if len(id) != SHORT:
        return id
    found = [
        row["id"]
        for table in ("memories", "turns")
        for row in db.rows(
            f"SELECT id FROM {table} WHERE space = :space AND (id LIKE :begins OR id LIKE :follows)",
            space=space,
            begins=f"{_literal(id)}%",
            follows=f"%-{_literal(id)}%",
        )
    ]
    meant = sorted(one for one in found if short_id(one) == id)
    if id in found or not meant:
        return id
    if len(meant) > 1:
        raise AmbiguousId(id, meant)
    return str(meant[0])


def _literal(id: str) -> str:
    """For LIKE: whatever is not a letter or digit may be any character, the caller compares again."""
    return "".join(sign if sign.isalnum() else "_" for sign in id)
