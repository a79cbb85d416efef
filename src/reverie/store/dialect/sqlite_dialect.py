"""SQLite as a backend: one writer a file, files of large spaces, copies for dry runs."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from reverie.errors import ConfigError, StoreBroken
from reverie.files import close_to_others, make_directory, make_file
from reverie.model.memories import Purge
from reverie.store.db import SIDES, Database, Side
from reverie.store.dialect import migrate, presence
from reverie.store.dialect.dialect import Dialect, Finding, Rows
from reverie.store.dialect.sqlite import EMPTY_WAL, MOVE_WAL, RIGHTS, SqliteConnection, file_of
from reverie.store.files import pair

if TYPE_CHECKING:
    from reverie.store.search.space_files import SpaceFiles

PAGES = 250  # of free space given back to the disk in one go
GIVEN_BACK = 20  # goes
OURS = ("log.db", "memory.db", "indexes", "token", ".token.", "server.", ".server.")  # what its directory holds


@contextmanager
def _rights_told(home: Path) -> Iterator[None]:
    """Somebody else's directory, into which this user cannot look, is an error with its next move."""
    try:
        yield
    except PermissionError as error:
        raise StoreBroken(f"the store in {home} cannot be read: {error.strerror}", next_move=RIGHTS) from error


class SqliteDialect(Dialect[Database]):
    """A store in a directory: `log.db`, `memory.db`, and `indexes/`, which can be made again at any time."""

    name = "sqlite"
    row_lock = ""  # a write transaction has locked the whole file
    gathered = "group_concat(source, char(31))"
    row_id = "rowid"
    packs_terms = True
    # Without statistics SQLite would rather read a whole space by its index than find a few rows.
    among = " NOT INDEXED WHERE rowid IN (SELECT value FROM json_each(:ids))"

    def __init__(self, location: str | Path, *, durable: bool = True) -> None:
        self.home: Path = Path(location).expanduser()
        self._durable = durable
        super().__init__(str(location))

    @cached_property
    def index(self) -> "SpaceFiles":
        from reverie.store.search.space_files import SpaceFiles

        return SpaceFiles(self.home / "indexes")

    @property
    def shown(self) -> str:
        return self.location

    @property
    def is_there(self) -> bool:
        with _rights_told(self.home):
            return any(file_of(self.home, side).exists() for side in SIDES)

    @property
    def schema(self) -> int:
        found = []
        for side in SIDES:
            connection = SqliteConnection(self.home, side, durable=False, attach=False, read_only=True)
            try:
                found.append(migrate.version_of(connection, side))
            finally:
                connection.close()
        return min(found)

    def migrate(self) -> None:
        with _rights_told(self.home):
            if self.home.exists() and not self.home.is_dir():
                raise ConfigError(
                    f"{self.home} is a file, not a directory", next_move="Give `home` a directory of its own."
                )
            pair.refuse_unpaired(self.home)
        try:
            _make_private(self.home)
        except OSError as error:
            raise StoreBroken(f"cannot make the store's directory {self.home}: {error}") from error
        self.make_tables()
        pair.join(self.home)

    def make_tables(self) -> None:
        """Makes both files, or brings older ones up to date, whether or not they are a pair."""
        for side in SIDES:
            self._make_private(side)
            connection = SqliteConnection(self.home, side, durable=True, attach=False)
            try:
                migrate.apply(connection, side, self.name)
            finally:
                connection.close()

    def _make_private(self, side: Side) -> None:
        """A new file belongs to its owner alone, whatever becomes of the directory."""
        with suppress(OSError):  # it is there; or opening it will say better what is wrong
            os.close(os.open(file_of(self.home, side), os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))

    def open(self, *, read_only: bool = False) -> Database:
        def connect(side: Side) -> SqliteConnection:
            return SqliteConnection(self.home, side, durable=self._durable, read_only=read_only)

        return Database(self, connect)

    def advance(self, db: Database) -> None:
        pair.advance(db)

    def presence(self, _db: Database) -> str:
        return presence.here()

    def is_gone(self, _tx: Rows, holder: str) -> bool:
        return presence.is_gone(holder)

    def purge(self, db: Database, *, thorough: bool = False) -> Purge:
        """Deleted rows are overwritten with zeros as they go; what is left is the write-ahead log."""
        for side in SIDES:
            if thorough:
                db.alone(side, "VACUUM main")
            db.alone(side, MOVE_WAL)
            db.alone(side, EMPTY_WAL)
        held = [name for side in SIDES if _size(name := file_of(self.home, side).with_suffix(".db-wal"))]
        left = tuple(f"{file.name} is in use by a reader; it is emptied when that one ends" for file in held)
        return Purge(thorough, left, ("backups and exports of this store",))

    def reclaim(self, db: Database) -> int:
        """A few pages at a time, so that an append never waits for long."""
        return sum(_reclaim(db, side) for side in SIDES)

    @contextmanager
    def scratch(self) -> Iterator[Database]:
        """A copy, so that nobody waits for it."""
        with tempfile.TemporaryDirectory(prefix="reverie-dry-run-") as folder:
            from reverie.store.files import backup

            backup.copy(self.home, Path(folder))
            db = SqliteDialect(folder, durable=False).open()
            try:
                yield db
            finally:
                db.close()

    def backup(self, target: Path, now: float, keep: int | None = None) -> Path:
        from reverie.store.files import backup

        return backup.backup(self.home, target, now, keep)

    def check(self, repair: bool) -> Iterator[Finding]:
        from reverie.store.files.repair import examine

        return examine(self.home, repair)


def _make_private(home: Path) -> None:
    """What a person said is theirs: nobody else reads the store. A directory that holds other things too stays open."""
    make_directory(home)
    if all(path.name.startswith(OURS) for path in home.iterdir()):
        close_to_others(home)
    for side in SIDES:
        make_file(file_of(home, side))
        for ending in ("-wal", "-shm"):
            close_to_others(home / f"{side}.db{ending}")


def _size(path: Path) -> int:
    return path.stat().st_size if path.exists() else 0


def _reclaim(db: Database, side: Side) -> int:
    gone = 0
    for _ in range(GIVEN_BACK):
        before = _free_pages(db, side)
        if not before:
            break
        db.alone(side, f"PRAGMA main.incremental_vacuum({PAGES})")
        gone += before - _free_pages(db, side)
    return gone


def _free_pages(db: Database, side: Side) -> int:
    with db.write(side) as tx:
        row = tx.row("PRAGMA main.freelist_count")
    return 0 if row is None else int(row["freelist_count"])
