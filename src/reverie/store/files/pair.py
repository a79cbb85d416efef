"""The two files of a SQLite store know each other, so that a pair that does not belong together is refused.

Both carry the store's id and a generation. The generation goes up when a night, an undo, a forget or a deletion has
ended: in the log first, then in memory, so that the log is at most one ahead. No space has read further than its
log goes. A file that was restored alone, lost, emptied or swapped breaks one of these rules.
"""

import contextlib
import sqlite3
import time
import uuid
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from reverie.errors import StoreDamaged, StoreUnpaired
from reverie.language.calendar import counted
from reverie.store.db import SIDES, Database, Side
from reverie.store.dialect.sqlite import ERRORS, file_of, uri_to_read

TOGETHER = "Put both files back from one backup"
REBUILD = "`reverie rebuild` makes memory.db anew from what was said"
KEEP = "`reverie rebuild --keep-memory` goes on with memory.db as it is"
TRIES = 3


@dataclass(frozen=True, slots=True)
class FileFacts:
    """What one file says about itself."""

    store: str | None = None  # None until it was joined with the other
    generation: int = 0
    used: bool = False  # whether a space, or a turn, was ever in it


@dataclass(frozen=True, slots=True)
class PairFault:
    """Why two files are no store, and what to do."""

    said: str
    next_move: str


def refuse_unpaired(home: Path) -> None:
    """Raises StoreUnpaired if the files in a directory are not a pair; two missing ones are a store yet to be made."""
    fault = _settled_fault(home)
    if fault is not None:
        raise StoreUnpaired(f"{home}: {fault.said}", next_move=fault.next_move)


def _settled_fault(home: Path) -> PairFault | None:
    """As `fault_of`, looked at again: another process may be between the two files just now."""
    for tried in range(1, TRIES):
        with contextlib.suppress(StoreDamaged):
            if fault_of(home) is None:
                return None
        time.sleep(0.02 * tried)
    return fault_of(home)


def fault_of(home: Path) -> PairFault | None:
    """What is wrong with the pair; None if nothing is. Memory is read first: what comes meanwhile moves the log on."""
    memory, log = (facts(home, side) for side in SIDES)
    if memory is None and log is None:
        return None
    return _unjoined(memory, log) or _unlike(memory, log) or _behind(home, memory, log)


def _unjoined(memory: FileFacts | None, log: FileFacts | None) -> PairFault | None:
    """A file that is missing or new beside one that is in use. Making a store begins with memory.db."""
    if memory is None or (memory.store is None and not memory.used and log is not None and log.used):
        if log is None or not log.used:
            return None
        return PairFault("memory.db is missing or empty beside a log.db with turns", f"{TOGETHER}, or {REBUILD}.")
    known = memory.store is not None or memory.used
    if known and (log is None or (log.store is None and memory.store is not None)):
        return PairFault("log.db is missing or empty beside a memory.db in use", f"{TOGETHER}, or {KEEP}.")
    return None


def _unlike(memory: FileFacts | None, log: FileFacts | None) -> PairFault | None:
    if memory is None or log is None or memory.store is None or log.store is None:
        return None
    if memory.store != log.store:
        return PairFault("log.db and memory.db belong to two different stores", f"{TOGETHER}, or {REBUILD}.")
    if log.generation < memory.generation:
        return PairFault("log.db is an older copy than memory.db", f"{TOGETHER}, or {KEEP}.")
    if log.generation > memory.generation + 1:
        return PairFault("memory.db is an older copy than log.db", f"{TOGETHER}, or {REBUILD}.")
    return None


def _behind(home: Path, memory: FileFacts | None, log: FileFacts | None) -> PairFault | None:
    """Turns that were read and are not there: whatever is appended next would look as if it had been read."""
    if memory is None or log is None or not memory.used:
        return None
    lost = missing_turns(home)
    if not lost:
        return None
    which = f"{counted(sum(lost.values()), 'turn')} of {counted(len(lost), 'space')}"
    return PairFault(f"log.db ends before what memory.db has read: {which} missing", f"{TOGETHER}, or {KEEP}.")


def missing_turns(home: Path) -> dict[str, int]:
    """For each space that has read further than its log goes, by how much."""
    with _reading(home, "memory") as memory:
        memory.execute("ATTACH ? AS log_side", (uri_to_read(file_of(home, "log")),))
        found = memory.execute(
            "SELECT s.id, s.watermark - coalesce(a.last_seq, 0) FROM spaces s LEFT JOIN log_side.activity a"
            " ON a.space = s.id WHERE s.watermark > coalesce(a.last_seq, 0)"
        )
        return dict(found.fetchall())


def facts(home: Path, side: Side) -> FileFacts | None:
    """What a file says; None if there is none, or nothing in it. Nothing is made or changed."""
    path = file_of(home, side)
    if not path.exists() or (path.stat().st_size == 0 and not path.with_name(f"{path.name}-wal").exists()):
        return None
    with _reading(home, side) as connection:
        tables = {row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
        if "schema_version" not in tables:
            return None
        used = bool(connection.execute(f"SELECT 1 FROM {USED[side]} LIMIT 1").fetchone())
        row = connection.execute("SELECT store, generation FROM identity").fetchone() if "identity" in tables else None
        return FileFacts(None, 0, used) if row is None else FileFacts(row[0], row[1], used)


USED: dict[Side, str] = {"memory": "spaces", "log": "activity"}


def join(home: Path, *, anew: bool = False) -> None:
    """Gives both files the same id, the log first. `anew`: also where they have one; the pair is taken as it is."""
    if not anew and all((one := facts(home, side)) is not None and one.store for side in SIDES):
        return  # a store that is joined opens beside any writer
    with _writing(home, "memory") as memory, _writing(home, "log") as log:
        known = [_identity(memory), _identity(log)]
        if None not in known and not anew:
            return
        ids = {one[0] for one in known if one is not None}
        store = ids.pop() if len(ids) == 1 else uuid.uuid4().hex
        generation = max((one[1] for one in known if one is not None), default=0) + anew
        _put(log, store, generation)
        log.execute("COMMIT")
        _put(memory, store, generation)
        memory.execute("COMMIT")


def stamp(home: Path, side: Side, known: FileFacts | None) -> None:
    """Writes into one file what the other says of itself; with None that it was never joined."""
    with _writing(home, side) as connection:
        connection.execute("DELETE FROM identity")
        if known is not None and known.store is not None:
            _put(connection, known.store, known.generation)
        connection.execute("COMMIT")


def _identity(connection: sqlite3.Connection) -> tuple[str, int] | None:
    row = connection.execute("SELECT store, generation FROM identity").fetchone()
    return None if row is None else (row[0], row[1])


def _put(connection: sqlite3.Connection, store: str, generation: int) -> None:
    connection.execute("DELETE FROM identity")
    connection.execute("INSERT INTO identity (store, generation) VALUES (?, ?)", (store, generation))


def advance(db: Database) -> None:
    """Marks both files with the next generation. The write lock of memory keeps this to one at a time."""
    highest = "SELECT max(generation) AS highest FROM (SELECT generation FROM {} UNION ALL SELECT generation FROM {})"
    with db.write("memory") as tx:
        row = tx.row(highest.format("main.identity", "log_side.identity"))
        if row is None or row["highest"] is None:
            return
        with db.write("log") as log:
            log.run("UPDATE identity SET generation = :next", next=row["highest"] + 1)
        tx.run("UPDATE identity SET generation = :next", next=row["highest"] + 1)


@contextmanager
def _reading(home: Path, side: Side) -> Iterator[sqlite3.Connection]:
    path = file_of(home, side)
    with ERRORS, closing(sqlite3.connect(uri_to_read(path), uri=True, timeout=10)) as connection:
        yield connection


@contextmanager
def _writing(home: Path, side: Side) -> Iterator[sqlite3.Connection]:
    """A file, locked for whoever writes; what is not committed is gone."""
    with ERRORS, closing(sqlite3.connect(file_of(home, side), timeout=10, isolation_level=None)) as connection:
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("BEGIN IMMEDIATE")
        yield connection
