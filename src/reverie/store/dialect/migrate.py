"""Schema files, applied once each, in order, in a transaction. A newer store is refused."""

import re
from importlib import resources
from pathlib import Path
from string import Template

from reverie.errors import ConfigError, StoreBroken, StoreTooNew
from reverie.store.db import Side
from reverie.store.dialect import postgres, sqlite

NUMBERED = re.compile(r"(\d{3})_(log|memory)\.sql")
VERSIONS = "CREATE TABLE IF NOT EXISTS schema_version (side TEXT PRIMARY KEY, version BIGINT NOT NULL)"


def scripts(side: Side, dialect: str, words: dict[str, str]) -> list[tuple[int, str]]:
    """(number, SQL) of one side: the shared script, then what only this dialect needs."""
    folder = resources.files("reverie.store.dialect") / "schema"
    found = []
    for entry in folder.iterdir():
        match = NUMBERED.fullmatch(entry.name)
        if match and match[2] == side:
            own = folder / f"{match[1]}_{side}.{dialect}.sql"
            text = entry.read_text("utf-8") + ("\n" + own.read_text("utf-8") if own.is_file() else "")
            found.append((int(match[1]), Template(text).substitute(words)))
    return sorted(found)


def migrate_sqlite(home: Path) -> None:
    if home.exists() and not home.is_dir():
        raise ConfigError(f"{home} is a file, not a directory", next_move="Give `home` a directory of its own.")
    try:
        home.mkdir(mode=0o700, parents=True, exist_ok=True)  # what a person said is theirs
    except OSError as error:
        raise StoreBroken(f"cannot make the store's directory {home}: {error}") from error
    for side in ("memory", "log"):
        connection = sqlite.SqliteConnection(home, side, durable=True, attach=False)
        try:
            _apply(connection, side, scripts(side, "sqlite", sqlite.WORDS))
        finally:
            connection.close()


def migrate_postgres(url: str) -> None:
    connection = postgres.PostgresConnection(url)
    try:
        for side in ("memory", "log"):
            _apply(connection, side, scripts(side, "postgres", postgres.WORDS))
    finally:
        connection.close()


def _apply(
    connection: sqlite.SqliteConnection | postgres.PostgresConnection, side: Side, known: list[tuple[int, str]]
) -> None:
    """Looks first without a lock: an up-to-date store opens beside any writer."""
    if _version(connection, side) == known[-1][0]:
        return
    connection.begin(write=True)
    try:
        if isinstance(connection, postgres.PostgresConnection):
            connection.script("SELECT pg_advisory_xact_lock(727374)")
        connection.script(VERSIONS + ";")
        at = _version(connection, side)
        if at > known[-1][0]:
            raise StoreTooNew(at, known[-1][0])
        for number, sql in known:
            if number > at:
                connection.script(sql)
        connection.run(
            "INSERT INTO schema_version (side, version) VALUES (:side, :version)"
            " ON CONFLICT (side) DO UPDATE SET version = excluded.version",
            {"side": side, "version": known[-1][0]},
        )
        connection.commit()
    except BaseException:
        connection.rollback()
        raise


def _version(connection: sqlite.SqliteConnection | postgres.PostgresConnection, side: Side) -> int:
    if isinstance(connection, sqlite.SqliteConnection):
        there = connection.rows("SELECT 1 AS yes FROM sqlite_master WHERE name = 'schema_version'", {})
    else:
        there = connection.rows("SELECT 1 AS yes WHERE to_regclass('schema_version') IS NOT NULL", {})
    if not there:
        return 0
    found = connection.rows("SELECT version FROM schema_version WHERE side = :side", {"side": side})
    return int(found[0]["version"]) if found else 0
