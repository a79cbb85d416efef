"""A store to try a night on: what is written there is thrown away."""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from reverie.store.db import Database
from reverie.store.dialect.postgres import open_postgres
from reverie.store.dialect.sqlite import SqliteConnection, file_of, open_sqlite


class _Nothing(Exception):
    """Raised to roll back; never seen outside."""


@contextmanager
def scratch(location: str) -> Iterator[Database]:
    """SQLite: a copy, so that nobody waits for it. Postgres: one transaction that is rolled back."""
    if "://" in location:
        with _rolled_back(location) as db:
            yield db
    else:
        with _copied(Path(location).expanduser()) as db:
            yield db


@contextmanager
def _copied(home: Path) -> Iterator[Database]:
    with tempfile.TemporaryDirectory(prefix="reverie-dry-run-") as folder:
        for side in ("memory", "log"):  # memory first: its watermark never runs ahead of the log
            source = SqliteConnection(home, side, durable=False, attach=False)
            try:
                source.backup(file_of(Path(folder), side))
            finally:
                source.close()
        db = open_sqlite(Path(folder), durable=False)
        try:
            yield db
        finally:
            db.close()


@contextmanager
def _rolled_back(url: str) -> Iterator[Database]:
    db = open_postgres(url)
    try:
        with db.write("memory"):
            yield db
            raise _Nothing
    except _Nothing:
        pass
    finally:
        db.close()
