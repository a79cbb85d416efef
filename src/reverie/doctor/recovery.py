"""A store put together again: memory.db anew from the log, a pair taken as it is, or every row that can be read.

Whatever is made lies under another name until it is whole, was opened and checked.
"""

import fcntl
import json
import os
import shutil
import sqlite3
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from reverie.awake.edits.spaces import open_or_create
from reverie.config import Config
from reverie.errors import BadInput, Conflict, NotFound, StoreBroken, StoreDamaged
from reverie.files import sync_directory
from reverie.model.base import Instant
from reverie.model.night import Progress
from reverie.model.spaces import NewSpace
from reverie.reverie import Reverie
from reverie.space import Space
from reverie.store.db import SIDES
from reverie.store.dialect.open import dialect_of
from reverie.store.dialect.sqlite import file_of, uri_to_read
from reverie.store.dialect.sqlite_dialect import SqliteDialect
from reverie.store.files import backup, pair
from reverie.store.files.backup import PARTIAL, BackupFacts
from reverie.store.files.salvage import Change, Salvaged, copy_rows, rows_of
from reverie.store.tables import memory_words, spaces
from reverie.store.transfer.recover import add_lost_spaces, raise_sequences

Tell = Callable[[Progress], None]
OPEN_BYTE = 128  # of the -shm file: every process that has a SQLite store open holds a lock on it
BEFORE = "memory.db.before"  # where the old file stays after a rebuild
# Made by people and by nobody else: what a rebuild takes over from the old memory.db, where that can be read.
ONLY_THERE = (
    "orgs", "keys", "spaces", "blocks", "block_versions", "block_sentences", "attachments", "tombstones", "studies",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Rebuilt:
    """What a rebuild made, and what it could take over from the old memory.db."""

    turns: int
    spaces: int
    memories: int
    salvaged: Mapping[str, int]  # rows of the old file, by what they are
    nameless: int  # spaces whose name was lost
    missing: Mapping[str, int] = field(default_factory=dict)  # turns that were read and are not in the log, by space
    old_file: str = ""  # where the old memory.db is


@dataclass(frozen=True, slots=True)
class SalvageReport:
    """The new store, and how many rows of each table could be copied; `lost` counts places where nothing could."""

    target: str
    rows: Mapping[str, int]
    lost: Mapping[str, int]


def rebuild(config: Config, now: Instant, tell: Tell | None = None) -> Rebuilt:
    """Makes memory.db anew from log.db alone: the same turns, read by the rules in one night of each space."""
    home = _home_of(config)
    if not file_of(home, "log").exists() or pair.facts(home, "log") is None:
        raise BadInput("there is no log.db to rebuild from", next_move="Put log.db back from a backup.")
    if wrong := backup.integrity(home, "log"):
        raise StoreDamaged(f"log.db is damaged: {wrong[0]}", next_move="First `reverie salvage DIR`, then that store.")
    _refuse_in_use(home)
    with _partial(home / "rebuild") as made:
        _copy_log(home, made)
        SqliteDialect(made).make_tables()
        salvaged = _take_over(home, made)
        pair.join(made)
        nameless = _sleep_over(config, home, made, now, tell)
        return replace(_swap(home, made, backup.verify(made)), salvaged=salvaged, nameless=nameless)


def keep_memory(config: Config) -> Rebuilt:
    """Takes memory.db with whatever log.db there is; each space's turns go on after what was read."""
    home = _home_of(config)
    memory = pair.facts(home, "memory")
    if memory is None:
        raise BadInput("there is no memory.db to keep", next_move="`reverie rebuild` makes one from log.db.")
    _refuse_in_use(home)
    dialect = SqliteDialect(home)
    dialect.make_tables()
    db = dialect.open()
    try:
        missing = raise_sequences(db)
    finally:
        db.close()
    pair.join(home, anew=True)
    facts = backup.look(home, 0.0)
    return Rebuilt(facts.turns, facts.spaces, facts.memories, {}, 0, missing)


def salvage(config: Config, target: Path, now: Instant) -> SalvageReport:
    """Copies every row that can be read into a new store in `target`, checks it, and gives it its name."""
    home = _home_of(config)
    if target.exists() and (not target.is_dir() or any(target.iterdir())):
        raise Conflict(f"{target} is not empty", next_move="Give a new directory.")
    target.parent.mkdir(parents=True, exist_ok=True)
    with _partial(target) as made:
        dialect = SqliteDialect(made)
        dialect.make_tables()
        found = Salvaged()
        for side in SIDES:
            part = copy_rows(home, made, side)
            found.rows.update(part.rows)
            found.lost.update(part.lost)
        db = dialect.open()
        add_lost_spaces(db, config["org"], now)
        raise_sequences(db)
        memory_words.index_all(db)
        db.close()
        pair.join(made, anew=True)
        backup.verify(made)
        backup.sync(made)
        made.replace(target)
        sync_directory(target.parent)
    return SalvageReport(str(target), {name: n for name, n in sorted(found.rows.items()) if n}, found.lost)


def verify(path: Path) -> BackupFacts:
    """What a backup holds, if it is whole; otherwise raises StoreDamaged."""
    return backup.verify(path)


def _home_of(config: Config) -> Path:
    dialect = dialect_of(config.location)
    if not isinstance(dialect, SqliteDialect):
        raise BadInput("a Postgres store is one database", next_move="Restore it with pg_restore.")
    if not dialect.is_there:
        raise NotFound("store", dialect.shown, next_move="`reverie config show --origin` says where it is looked for.")
    return dialect.home


def _refuse_in_use(home: Path) -> None:
    """Whoever has the store open would go on writing into a file that has no name any more."""
    for side in SIDES:
        shared = file_of(home, side).with_name(f"{side}.db-shm")
        if not shared.exists():
            continue
        with shared.open("r+b") as file:
            try:
                fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, OPEN_BYTE)
            except OSError as error:
                raise Conflict(
                    f"another process has {home} open", next_move="Stop servers and sleepers of this store first."
                ) from error


@contextmanager
def _partial(target: Path) -> Iterator[Path]:
    """A new directory beside the target; whatever becomes of it, no half of a store stays. Older halves go."""
    for left in target.parent.glob(f"{target.name}{PARTIAL}*"):
        if not Path(f"/proc/{left.name.rpartition(PARTIAL)[2]}").exists():
            shutil.rmtree(left, ignore_errors=True)
    made = target.with_name(f"{target.name}{PARTIAL}{os.getpid()}")
    try:
        made.mkdir(mode=0o700)
        yield made
    except OSError as error:
        raise StoreBroken(f"{made} cannot be written: {error.strerror}") from error
    finally:
        shutil.rmtree(made, ignore_errors=True)


def _copy_log(home: Path, made: Path) -> None:
    """A night deletes old questions from the log: it works on a copy, and the log stays as it is."""
    with (
        closing(sqlite3.connect(uri_to_read(file_of(home, "log")), uri=True)) as old,
        closing(sqlite3.connect(file_of(made, "log"))) as new,
    ):
        old.backup(new)


def _take_over(home: Path, made: Path) -> dict[str, int]:
    """Copies what people made from the old memory.db, as far as it can be read; how many rows of each."""
    if not file_of(home, "memory").exists():
        return {}
    given = _given_directly(home)
    wanted: dict[str, Change] = dict.fromkeys(ONLY_THERE, _as_it_is)
    wanted["spaces"] = lambda row: {**row, "watermark": 0, "changes": 0, "settled": 0}
    wanted["studies"] = lambda row: {**row, "pondered": "", "pondered_at": None}
    wanted["memories"] = lambda row: _to_read(row) if row["id"] in given else None
    wanted["sources"] = lambda row: row if row["memory"] in given else None
    wanted["documents"] = lambda row: row if row["ref"] in given else None
    wanted["edges"] = lambda row: row if row["a"] in given or row["b"] in given else None
    found = copy_rows(home, made, "memory", wanted)
    counts = {name: found.rows.get(name, 0) for name in ONLY_THERE} | {"memories given by hand": len(given)}
    return {name: n for name, n in counts.items() if n}


def _as_it_is(row: dict[str, Any]) -> dict[str, Any]:
    return row


def _to_read(row: dict[str, Any]) -> dict[str, Any]:
    """The next night reads it anew; a passage of a studied document is found by its study."""
    return row if row["excluded"] else {**row, "last_tagged_at": None}


def _given_directly(home: Path) -> set[str]:
    """The ids of memories that no night made: remembered, imported, corrected."""
    return {row["id"] for row in rows_of(home, "memory", "memories") if row["night"] is None}


def _sleep_over(config: Config, home: Path, made: Path, now: Instant, tell: Tell | None) -> int:
    """One night by the rules over each space, then pins and tags again; how many spaces have lost their name."""
    none = dict.fromkeys(("store", "sleeper_model", "primary_model", "reviewer_model", "mirror"), "")
    with Reverie.open(config=config.with_values(home=str(made), **none)) as memory:
        db = memory.parts.db
        lost = add_lost_spaces(db, config["org"], now)
        if len(lost) == 1 and not memory.has_space(config["space"]):
            spaces.update(db, lost[0], name=config["space"])
        marked = [row for row in rows_of(home, "memory", "memories") if row["pinned"] or row["manual_tags"] != "[]"]
        for record in spaces.every(db):
            open_or_create(db, record.org, NewSpace(record.name), now)
            space = memory.of_org(record.org).space_by_id(record.id)
            night = space.sleep(progress=tell)
            if night.status != "done":
                why = night.error or night.why
                raise StoreBroken(f"{space.name} could not be read: {why}", next_move="The old files are untouched.")
            _mark_again(space, [row for row in marked if row["space"] == space.id])
    return len(lost)


def _mark_again(space: Space, marked: list[dict[str, Any]]) -> None:
    """Pins and tags of memories that the nights have made again; ids follow from what was said."""
    for row in marked:
        with suppress(NotFound):
            if row["pinned"]:
                space.pin(row["id"])
            if tags := json.loads(row["manual_tags"]):
                space.tag(row["id"], *tags)


def _swap(home: Path, made: Path, facts: BackupFacts) -> Rebuilt:
    """Puts the new memory.db into the place of the old, which stays beside it under another name."""
    known = pair.facts(home, "log")
    pair.stamp(made, "memory", known if known is not None and known.store is not None else None)
    backup.verify_file(made, "memory")
    backup.sync(made)
    old, aside = file_of(home, "memory"), home / BEFORE
    _empty_wal(old)
    for ending in ("-wal", "-shm"):  # what could not be moved into the old file must not be read into the new one
        beside = old.with_name(f"{old.name}{ending}")
        if beside.exists():
            beside.replace(aside.with_name(f"{aside.name}{ending}"))
    if old.exists():
        aside.unlink(missing_ok=True)
        os.link(old, aside)
    file_of(made, "memory").replace(old)
    shutil.rmtree(home / "indexes", ignore_errors=True)
    if (made / "indexes").is_dir():
        (made / "indexes").replace(home / "indexes")
    sync_directory(home)
    return Rebuilt(facts.turns, facts.spaces, facts.memories, {}, 0, old_file=str(aside) if aside.exists() else "")


def _empty_wal(path: Path) -> None:
    """Moves what is in the write-ahead log into the file, where that can be done."""
    if path.exists():
        with suppress(sqlite3.Error), closing(sqlite3.connect(path)) as connection:
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
