"""A Postgres connection. One database holds both sides; rows are locked where SQLite locks the file."""

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from typing import Any, ClassVar

from reverie.errors import BadInput, ConfigError, StoreBroken, StoreBusy, StoreError, extra_needed
from reverie.store.db import Params, Row

UNQUOTED = re.compile(r"[@/#\s]|%(?![0-9a-fA-F]{2})")
PARAMETER = re.compile(r"(?<!:):([a-z_][a-z0-9_]*)")
MIGRATING = 727374  # the number of the advisory lock
# A night alone has some two hundred statements. With psycopg's own hundred each came to be prepared and dropped again.
PREPARED = 500


@lru_cache(maxsize=2_048)
def pyformat(sql: str) -> str:
    """`:name` as psycopg wants it.

    >>> pyformat("SELECT a::text FROM t WHERE b = :b AND c LIKE '5%'")
    "SELECT a::text FROM t WHERE b = %(b)s AND c LIKE '5%%'"
    """
    return PARAMETER.sub(r"%(\1)s", sql.replace("%", "%%"))


def checked(url: str) -> str:
    """The URL, if its password is written as a URL can hold it: libpq would quote a part of it in its complaint.

    >>> checked("postgresql://me:s%40fe@db/memory")
    'postgresql://me:s%40fe@db/memory'
    """
    userinfo, at, _ = url.partition("://")[2].partition("?")[0].rpartition("@")
    if at and UNQUOTED.search(userinfo):
        raise ConfigError(
            "the store's URL has signs in its user or password that a URL cannot hold as they are",
            next_move="Write them percent-encoded: @ is %40, / is %2F, % is %25.",
        )
    return url


class PostgresConnection:
    words: ClassVar = {"SERIAL": "BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY", "BLOB": "BYTEA"}

    def __init__(self, url: str, *, read_only: bool = False) -> None:
        try:
            import psycopg
            from psycopg.rows import dict_row
        except ImportError as error:
            raise ConfigError("Postgres needs the package psycopg", next_move=extra_needed("postgres")) from error
        self._psycopg = psycopg
        with self._errors():
            try:
                self._db: Any = psycopg.connect(checked(url), autocommit=True, row_factory=dict_row)
                self._db.prepared_max = PREPARED
                if read_only:
                    self._db.execute("SET default_transaction_read_only = on")
            except psycopg.ProgrammingError as error:
                raise ConfigError(f"Postgres does not understand the URL: {str(error).strip()}") from error

    def rows(self, sql: str, params: Params) -> Sequence[Row]:
        with self._errors():
            found: Sequence[Row] = self._db.execute(pyformat(sql), params, prepare=True).fetchall()
            return found

    def run(self, sql: str, params: Params) -> int:
        with self._errors():
            return int(self._db.execute(pyformat(sql), params, prepare=True).rowcount)

    def many(self, sql: str, params: Sequence[Params]) -> None:
        with self._errors(), self._db.cursor() as cursor:
            cursor.executemany(pyformat(sql), params)

    def script(self, sql: str) -> None:
        with self._errors():
            self._db.execute(sql)

    def has_table(self, name: str) -> bool:
        return bool(self.rows("SELECT 1 AS yes WHERE to_regclass(:name) IS NOT NULL", {"name": name}))

    def lock_schema(self) -> None:
        self.script(f"SELECT pg_advisory_xact_lock({MIGRATING})")

    def alone(self, sql: str) -> None:
        self.script(sql)

    def begin(self, *, write: bool, durable: bool = True) -> None:
        with self._errors():
            self._db.execute("BEGIN" if write else "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
            if write and not durable:
                self._db.execute("SET LOCAL synchronous_commit = off")

    def commit(self) -> None:
        with self._errors():
            self._db.execute("COMMIT")

    def tidy(self) -> None:
        """Nothing to do: the server checkpoints on its own."""

    def rollback(self) -> None:
        if not self._db.closed:
            self._db.execute("ROLLBACK")

    def detach(self) -> None:
        """Nothing to do: both sides are one database."""

    def close(self) -> None:
        self._db.close()

    @property
    def alive(self) -> bool:
        return not self._db.closed

    @contextmanager
    def _errors(self) -> Iterator[None]:
        pg = self._psycopg
        try:
            yield
        except pg.errors.IntegrityError:
            raise
        except (pg.errors.LockNotAvailable, pg.errors.DeadlockDetected, pg.errors.SerializationFailure) as error:
            raise StoreBusy(f"the store is in use: {error}") from error
        except pg.DataError as error:
            raise BadInput(f"Postgres cannot hold a value: {error}") from error
        except pg.OperationalError as error:
            raise StoreBroken(
                f"Postgres cannot be reached: {str(error).splitlines()[0]}",
                next_move="Check the URL and that the server is up.",
            ) from error
        except pg.Error as error:
            raise StoreError(f"the store refused a statement: {error}") from error
        except UnicodeEncodeError as error:
            raise BadInput("a text holds half a character (a lone surrogate), which no store can keep") from error
