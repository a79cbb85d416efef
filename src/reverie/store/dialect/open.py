"""A store from its location: the one place that tells a directory from a URL."""

from reverie.errors import ConfigError
from reverie.store.db import Database
from reverie.store.dialect.dialect import Dialect


def open_store(location: str, *, durable: bool = True) -> Database:
    """The store at a directory or a postgresql:// URL: made if it is not there, brought up to date if it is older."""
    dialect = dialect_of(location, durable=durable)
    dialect.migrate()
    return dialect.open()


def dialect_of(location: str, *, durable: bool = True) -> Dialect[Database]:
    """The backend that a location stands for; nothing is opened yet."""
    if location.startswith(("postgresql://", "postgres://")):
        from reverie.store.dialect.postgres_dialect import PostgresDialect

        return PostgresDialect(location)
    scheme, url, _ = location.partition("://")
    if url:  # its rest may hold a password
        raise ConfigError(f"no store at {scheme}://…", next_move="Give a directory, or a postgresql:// URL.")
    if not location:
        raise ConfigError("`home` is empty", next_move="Give a directory, or leave it unset for ./.reverie.")
    from reverie.store.dialect.sqlite_dialect import SqliteDialect

    return SqliteDialect(location, durable=durable)
