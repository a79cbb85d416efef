"""What a step may see of the store: one space, as one night reads it. It cannot write."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from reverie.errors import StoreError
from reverie.model.night import Night
from reverie.store.db import Database, Row, each_of


@dataclass(frozen=True, slots=True)
class Reader:
    """A night, its space, and queries. The functions of `store/reading/` ask them, by topic; so do those of
    `store/tables/` that take a `Reads`."""

    night: Night
    rows: Callable[..., Sequence[Row]]  # SQL with `:name` parameters, and those by name
    gathered: str  # the dialect's: the column `source` of an ordered subselect as one text
    kept: dict[Any, Any] = field(default_factory=dict, compare=False, repr=False)  # what is asked for again and again

    @staticmethod
    def of(db: Database, night: Night) -> "Reader":
        """The database stays behind: what the reader holds of it runs SELECT and nothing else."""

        def rows(sql: str, **params: Any) -> Sequence[Row]:
            if not sql.startswith("SELECT "):
                raise StoreError("a step reads only", next_move="Put what is to be written into the step's Changes.")
            return db.rows(sql, **params)

        return Reader(night, rows, db.gathered)

    @property
    def space(self) -> str:
        return self.night.space

    def row(self, sql: str, **params: Any) -> Row | None:
        found = self.rows(sql, **params)
        return found[0] if found else None

    def value(self, sql: str, **params: Any) -> Any:
        """The first column of the first row; None if there is no row."""
        found = self.row(sql, **params)
        return None if found is None else found[next(iter(found.keys()))]

    def each(self, sql: str, keys: Iterable[str], **params: Any) -> list[Row]:
        """Rows for many keys, a few hundred at a time: `sql` has `IN (:keys)`."""
        return each_of(self.rows, sql, keys, params)
