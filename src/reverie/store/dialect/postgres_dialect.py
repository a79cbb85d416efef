"""Postgres as a backend: row locks, full text by tsvector, large spaces in pgvector tables, dry runs rolled back."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from reverie.errors import BadInput
from reverie.model.memories import Purge
from reverie.store.db import SIDES, Database, Side
from reverie.store.dialect import migrate
from reverie.store.dialect.dialect import Dialect, Finding, Rows
from reverie.store.dialect.postgres import PostgresConnection
from reverie.store.dialect.postgres_presence import HeldSession, is_gone
from reverie.store.dialect.postgres_purge import LEFT, OUT_OF_REACH, purged

if TYPE_CHECKING:
    from reverie.store.search.pgvector import PgvectorTables


class _RollBack(Exception):
    """Ends a dry run; never seen outside."""


class PostgresDialect(Dialect[Database]):
    """A store in one Postgres database, which holds both sides."""

    name = "postgres"
    row_lock = " FOR UPDATE"
    gathered = "string_agg(source, chr(31) ORDER BY position)"
    row_id = "CAST(ctid AS TEXT)"
    among = (
        " WHERE ctid = ANY (ARRAY(SELECT CAST(given.place AS tid)"
        " FROM json_array_elements_text(CAST(CAST(:ids AS TEXT) AS json)) AS given (place)))"
    )
    candidates = (
        "SELECT ref FROM documents, cast(:match AS tsquery) AS asked WHERE words @@ asked"
        " ORDER BY ts_rank(words, asked, 1) DESC, ref LIMIT :n"
    )

    def __init__(self, url: str) -> None:
        super().__init__(url)
        self._sessions: WeakKeyDictionary[Database, HeldSession] = WeakKeyDictionary()

    @cached_property
    def index(self) -> "PgvectorTables":
        from reverie.store.search.pgvector import PgvectorTables

        return PgvectorTables()

    @property
    def shown(self) -> str:
        return self.name  # a URL may hold a password

    @property
    def is_there(self) -> bool:
        """The server has to be asked; opening the store does that."""
        return True

    def migrate(self) -> None:
        connection = PostgresConnection(self.location)
        try:
            for side in SIDES:
                migrate.apply(connection, side, self.name)
        finally:
            connection.close()

    @property
    def schema(self) -> int:
        connection = PostgresConnection(self.location)
        try:
            return min(migrate.version_of(connection, side) for side in SIDES)
        finally:
            connection.close()

    def open(self, *, read_only: bool = False) -> Database:
        def connect(_side: Side) -> PostgresConnection:
            return PostgresConnection(self.location, read_only=read_only)

        return Database(self, connect)

    def advance(self, _db: Database) -> None:
        """Nothing to do: one database holds both sides."""

    def presence(self, db: Database) -> str:
        return self._sessions.setdefault(db, HeldSession(self.location)).presence(db)

    def is_gone(self, tx: Rows, holder: str) -> bool:
        return is_gone(tx, holder)

    def match(self, terms: Sequence[str]) -> str:
        return " | ".join(f"'{term}'" for term in terms)

    def purge(self, db: Database, *, thorough: bool = False) -> Purge:
        """Deleted rows stay in the server's files until vacuum and the recycling of its log; `thorough` does both."""
        return purged(db) if thorough else Purge(left=LEFT, out_of_reach=OUT_OF_REACH)

    def reclaim(self, _db: Database) -> int:
        """No page: vacuum is the server's."""
        return 0

    @contextmanager
    def scratch(self) -> Iterator[Database]:
        """One transaction that is rolled back."""
        db = self.open()
        try:
            with db.write("memory"):
                yield db
                raise _RollBack
        except _RollBack:
            pass
        finally:
            db.close()

    def backup(self, _target: Path, _now: float, _keep: int | None = None) -> Path:
        raise BadInput("a Postgres store is backed up with pg_dump", next_move="pg_dump -Fc URL > reverie.dump")

    def check(self, _repair: bool) -> Iterator[Finding]:
        """Nothing: its files are the server's."""
        return iter(())
