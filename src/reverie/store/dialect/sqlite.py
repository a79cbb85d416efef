"""A SQLite connection. There are two files, `log.db` and `memory.db`: each side writes its own and reads the other."""

import contextlib
import re
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, ClassVar
from urllib.parse import quote

from reverie.errors import BadInput, StoreBroken, StoreBusy, StoreDamaged, StoreError
from reverie.store.db import Params, Row, Side

BUSY_SECONDS = 10.0
# Whoever reads just now is waited for only briefly: a later checkpoint, or the end of the process, empties it then.
EMPTY_WAL = (
    f"PRAGMA busy_timeout = 200; PRAGMA main.wal_checkpoint(TRUNCATE); PRAGMA busy_timeout = {int(BUSY_SECONDS * 1000)}"
)
MOVE_WAL = "PRAGMA main.wal_checkpoint(PASSIVE)"  # the most of it, while others may write; `EMPTY_WAL` lets nobody
OTHER: dict[Side, Side] = {"log": "memory", "memory": "log"}
RIGHTS = "Nothing is lost. Reverie needs the right to write in the store's directory: `ls -la` there shows whose it is."
CHECKPOINT_PAGES = 1_000  # SQLite's own default
TIDY_AFTER = 8  # quick commits: about as many pages
IN_USE = re.compile(r"locked|busy", re.I)


def file_of(home: Path, side: Side) -> Path:
    return home / f"{side}.db"


def uri_of(path: Path, *, read_only: bool = False) -> str:
    mode = "ro" if read_only else "rwc"
    return f"file:{quote(str(path.resolve()))}?mode={mode}"


def uri_to_read(path: Path) -> str:
    """For a connection that makes no file: nobody has the store open where there is no write-ahead log to share."""
    used = any(path.with_name(f"{path.name}{ending}").exists() for ending in ("-wal", "-shm"))
    return uri_of(path, read_only=True) + ("" if used else "&immutable=1")


class SqliteErrors:
    """Raises the driver's errors as ours. One object serves all: making one for every statement would cost time."""

    def __enter__(self) -> None:
        pass

    def __exit__(self, _: object, error: BaseException | None, __: object) -> None:
        if error is None or isinstance(error, sqlite3.IntegrityError):
            return
        if isinstance(error, sqlite3.OperationalError):
            raise _explained(error) from error
        if isinstance(error, sqlite3.DatabaseError):
            raise StoreDamaged(f"the store is damaged: {error}") from error
        if isinstance(error, UnicodeEncodeError):
            raise BadInput("a text holds half a character (a lone surrogate), which no store can keep") from error


ERRORS = SqliteErrors()
# What schema scripts need and older SQLites lack; Postgres has both of its own. They run on a side alone.
FOR_SCRIPTS: dict[str, Callable[[Any], Any]] = {
    "from_hex": lambda text: None if text is None else bytes.fromhex(text),
    "number_of_hex": lambda text: int(text, 16),
}


class SqliteConnection:
    words: ClassVar = {"SERIAL": "INTEGER PRIMARY KEY AUTOINCREMENT", "BLOB": "BLOB"}

    def __init__(self, home: Path, side: Side, *, durable: bool, attach: bool = True, read_only: bool = False) -> None:
        self._other = OTHER[side]
        self._durable = durable
        self._hurried = False
        self._untidy = 0  # quick commits since the WAL was last moved into the file
        with ERRORS:
            self._db = sqlite3.connect(
                uri_to_read(file_of(home, side)) if read_only else uri_of(file_of(home, side)),
                uri=True,
                timeout=BUSY_SECONDS,
                isolation_level=None,
                check_same_thread=False,
                cached_statements=512,
            )
            self._db.row_factory = sqlite3.Row
            for name, function in FOR_SCRIPTS.items() if not attach else ():
                self._db.create_function(name, 1, function)
            if not read_only:
                if not self._db.execute("PRAGMA page_count").fetchone()[0]:
                    self._db.execute("PRAGMA auto_vacuum = INCREMENTAL")  # a write, and later ones change nothing
                self._db.execute("PRAGMA journal_mode = WAL")
            for pragma in (
                f"synchronous = {'FULL' if durable else 'NORMAL'}",
                "secure_delete = ON",
                "foreign_keys = OFF",
                "temp_store = MEMORY",
                "cache_size = -32000",
                "mmap_size = 268435456",
                "journal_size_limit = 33554432",
            ):
                self._db.execute(f"PRAGMA {pragma}")
            if attach:
                there = file_of(home, self._other)
                where = uri_to_read(there) if read_only else uri_of(there, read_only=True)
                self._db.execute(f"ATTACH ? AS {self._other}_side", (where,))

    def rows(self, sql: str, params: Params) -> Sequence[Row]:
        with ERRORS:
            return self._db.execute(sql, params).fetchall()

    def run(self, sql: str, params: Params) -> int:
        with ERRORS:
            return self._db.execute(sql, params).rowcount

    def many(self, sql: str, params: Sequence[Params]) -> None:
        with ERRORS:
            self._db.executemany(sql, params)

    def script(self, sql: str) -> None:
        """Statements inside the caller's transaction (`executescript` would commit it)."""
        with ERRORS:
            for statement in statements(sql):
                self._db.execute(statement)

    def has_table(self, name: str) -> bool:
        return bool(self.rows("SELECT 1 AS yes FROM sqlite_master WHERE name = :name", {"name": name}))

    def lock_schema(self) -> None:
        """Nothing to do: a write transaction has locked the file."""

    def alone(self, sql: str) -> None:
        with ERRORS:
            self._db.executescript(sql)  # steps to the end: `execute` would give back one page and stop

    def begin(self, *, write: bool, durable: bool = True) -> None:
        with ERRORS:
            if write:
                self._hurry(not durable)
            self._db.execute("BEGIN IMMEDIATE" if write else "BEGIN")

    def _hurry(self, hurried: bool) -> None:
        """Whether commits are quick: they neither wait for the disk nor move the WAL into the file, `tidy` does."""
        if hurried != self._hurried:
            synced = self._durable and not hurried
            self._db.execute(f"PRAGMA synchronous = {'FULL' if synced else 'NORMAL'}")
            self._db.execute(f"PRAGMA wal_autocheckpoint = {0 if hurried else CHECKPOINT_PAGES}")
            self._hurried = hurried
        self._untidy += hurried

    def tidy(self) -> None:
        """After a commit, when others may write again: in the middle of it they would have waited for the disk.

        What was committed stays so, whatever happens here: it is tried again a few commits later.
        """
        if self._untidy >= TIDY_AFTER:
            self._untidy = 0
            with contextlib.suppress(sqlite3.Error):
                self._db.execute("PRAGMA main.wal_checkpoint(PASSIVE)").fetchall()

    def commit(self) -> None:
        with ERRORS:
            try:
                self._db.execute("COMMIT")
            except sqlite3.Error:
                self.rollback()
                raise

    def rollback(self) -> None:
        if self._db.in_transaction:
            self._db.execute("ROLLBACK")

    def backup(self, target: Path) -> None:
        with ERRORS:
            copy = sqlite3.connect(target)
            try:
                self._db.backup(copy, pages=2_000)
            finally:
                copy.close()

    def detach(self) -> None:
        with contextlib.suppress(sqlite3.Error):  # inside a transaction, or never attached
            self._db.execute(f"DETACH {self._other}_side")

    def close(self) -> None:
        self._db.close()

    @property
    def alive(self) -> bool:
        return True


def statements(sql: str) -> Iterator[str]:
    """Whole statements of a script; a trigger's inner semicolons do not end it."""
    pending = ""
    for line in sql.splitlines(keepends=True):
        pending += line
        if sqlite3.complete_statement(pending):
            if pending.strip():
                yield pending
            pending = ""


def _explained(error: sqlite3.OperationalError) -> StoreError:
    """The driver's error as ours, with the next move."""
    said = str(error)
    if IN_USE.search(said):
        return StoreBusy(f"the store is in use: {said}")
    if "readonly" in said or "unable to open" in said:
        return StoreBroken(f"the store cannot be written: {said}", next_move=RIGHTS)
    if "full" in said or "disk I/O" in said:
        return StoreBroken(f"the store cannot be written: {said}")
    return StoreError(f"the store refused a statement: {said}")
