"""Schema files, applied once each, in order, in a transaction. A newer store is refused."""

import re
from importlib import resources
from string import Template
from typing import ClassVar, Protocol

from reverie.errors import StoreTooNew
from reverie.store.db import Connection, Database, Side

NUMBERED = re.compile(r"(\d{3})_(log|memory)\.sql")
VERSIONS = "CREATE TABLE IF NOT EXISTS schema_version (side TEXT PRIMARY KEY, version BIGINT NOT NULL)"


class SchemaConnection(Connection, Protocol):
    """A connection that can also change the schema."""

    words: ClassVar[dict[str, str]]  # what the schema files write as `$SERIAL` and `$BLOB`

    def script(self, sql: str) -> None:
        """Runs several statements inside the caller's transaction."""

    def has_table(self, name: str) -> bool: ...

    def lock_schema(self) -> None:
        """Lets nobody else migrate until the caller's transaction ends."""


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


def apply(connection: SchemaConnection, side: Side, dialect: str) -> None:
    """Brings one side up to date. Looks first without a lock: an up-to-date store opens beside any writer."""
    known = scripts(side, dialect, connection.words)
    newest = known[-1][0]
    if version_of(connection, side) == newest:
        return
    connection.begin(write=True)
    try:
        connection.lock_schema()
        connection.script(VERSIONS + ";")
        at = version_of(connection, side)
        if at > newest:
            raise StoreTooNew(at, newest)
        for number, sql in known:
            if number > at:
                connection.script(sql)
        connection.run(
            "INSERT INTO schema_version (side, version) VALUES (:side, :version)"
            " ON CONFLICT (side) DO UPDATE SET version = excluded.version",
            {"side": side, "version": newest},
        )
        connection.commit()
    except BaseException:
        connection.rollback()
        raise


def newest(dialect: str) -> int:
    """The schema that this Reverie makes."""
    return max(number for number, _ in scripts("memory", dialect, {"SERIAL": "", "BLOB": ""}))


def version(db: Database) -> int:
    """The schema that the store has; both its sides move together."""
    return int(db.value("SELECT max(version) AS version FROM schema_version"))


def version_of(connection: SchemaConnection, side: Side) -> int:
    """The schema of one side; 0 if it has no tables yet."""
    if not connection.has_table("schema_version"):
        return 0
    found = connection.rows("SELECT version FROM schema_version WHERE side = :side", {"side": side})
    return int(found[0]["version"]) if found else 0
