"""Faults of a disk, of rights and of other processes: a clear error or a whole store, and the doctor names it."""

import json
import os
import shutil
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from reverie import Reverie
from reverie.config import load
from reverie.doctor.doctor import examine
from reverie.doctor.recovery import rebuild
from reverie.errors import ReverieError, StoreBusy, StoreUnpaired
from reverie.store.dialect import sqlite
from reverie.store.dialect.sqlite import RIGHTS
from reverie.store.files.backup import PARTIAL

NOBODY = 65_534
DEAD = 999_999_999  # no process has this number


@pytest.fixture
def store(home: Path) -> Path:
    with open_at(home / "store") as memory:
        memory.space("alice").append("user", "I moved to Hamburg last week.")
        memory.space("alice").sleep()
    return home / "store"


def open_at(place: Path) -> Reverie:
    return Reverie.open(place, embedder="none", durable=False)


def named(place: Path) -> list[tuple[str, str, str]]:
    """Everything that the doctor does not find well: the check, what it says, the next move."""
    found = examine(load({"home": str(place), "embedder": "none"}), time.time())
    return [(one.check, one.said, one.next_move) for one in found if one.status != "ok"]


def as_somebody_else(act: Callable[[], Any], home: Path) -> Any:
    """What an act comes to in a process of a user without rights; what it needs must have been loaded before."""
    reader, pipe = os.pipe()
    child = os.fork()
    if not child:
        try:
            os.environ.update(HOME=str(home), XDG_CONFIG_HOME=str(home))
            os.chdir(home)
            if not os.geteuid():
                os.setgid(NOBODY)
                os.setuid(NOBODY)
            said = json.dumps(act())
        except BaseException as error:
            said = json.dumps(f"{type(error).__name__}: {error}")
        os.write(pipe, said.encode())
        os._exit(0)
    os.close(pipe)
    with open(reader, encoding="utf-8") as told:
        answer = json.load(told)
    os.waitpid(child, 0)
    return answer


@pytest.fixture
def give(home: Path, store: Path) -> Iterator[Callable[[int, int, bool], None]]:
    """Sets the modes of the directory and of its files, and whose they are; taken back at the end."""

    def change(folder: int, files: int, mine: bool) -> None:
        home.chmod(0o755)
        for path in (*store.iterdir(), store):
            if not os.geteuid():
                owner = NOBODY if mine else 0
                os.chown(path, owner, owner)
            path.chmod(folder if path == store else files)

    yield change
    store.chmod(0o700)


@pytest.mark.parametrize(
    ("folder", "files", "mine"),
    [(0o500, 0o400, True), (0o500, 0o600, True), (0o700, 0o400, True), (0o700, 0o000, True), (0o700, 0o600, False)],
)
def test_a_store_without_the_right_to_write_is_said_by_whoever_tries_and_by_the_doctor(
    home: Path, store: Path, give: Callable[[int, int, bool], None], folder: int, files: int, mine: bool
) -> None:
    if os.geteuid() and not mine:
        pytest.skip("only root can give a directory away")

    def try_it() -> Any:
        doctor = named(store)
        try:
            with open_at(store) as memory:
                memory.space("alice").append("user", "I live in Kiel now.")
        except ReverieError as error:
            return doctor, error.message, error.next_move
        return doctor, "", ""

    assert try_it() == ([], "", "")  # with the right to
    give(folder, files, mine)
    doctor, said, move = as_somebody_else(try_it, home)
    assert "cannot be" in said
    assert move == RIGHTS
    assert {move for check, _, move in doctor if check != "sleeper"} == {RIGHTS}
    give(0o700, 0o600, not os.geteuid())
    with open_at(store) as memory:
        assert len(memory.space("alice").turns()) == 2


def test_a_file_that_another_program_locks_for_long_is_said_and_nothing_is_half_written(
    store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite, "BUSY_SECONDS", 0.1)
    with open_at(store) as memory, closing(sqlite3.connect(store / "log.db", isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreBusy, match="in use"):
            memory.space("alice").append("user", "I live in Kiel now.")
        assert len(memory.space("alice").turns()) == 1
        assert named(store) == []
        other.execute("ROLLBACK")
        memory.space("alice").append("user", "I live in Kiel now.")
        assert len(memory.space("alice").turns()) == 2


def test_files_copied_from_a_running_store_without_their_last_writes_are_refused(store: Path, home: Path) -> None:
    """What `cp` leaves behind is in the -wal files; a night had read turns that are only there."""
    with open_at(store) as memory:
        for text in ("My sister Clara lives in Lisbon.", "We decided to paint the kitchen green."):
            memory.space("alice").append("user", text)
        memory.space("alice").sleep()
        (home / "copy").mkdir()
        shutil.copy(store / "log.db", home / "copy")
        for name in ("memory.db", "memory.db-wal"):
            shutil.copy(store / name, home / "copy")
    with pytest.raises(StoreUnpaired, match=r"log\.db"):
        open_at(home / "copy")
    assert "pair" in {check for check, _, _ in named(home / "copy")}


def test_half_of_a_backup_is_named_when_somebody_takes_it_for_a_store(store: Path, home: Path) -> None:
    half = home / f"copy{PARTIAL}{DEAD}"
    half.mkdir()
    shutil.copy(store / "memory.db", half)
    with pytest.raises(StoreUnpaired, match=r"log\.db is missing"):
        open_at(half)
    assert ("pair", "log.db is missing or empty beside a memory.db in use") in {one[:2] for one in named(half)}


def test_what_a_killed_rebuild_left_is_named_and_goes_with_the_next_one(store: Path) -> None:
    left = store / f"rebuild{PARTIAL}{DEAD}"
    left.mkdir()
    shutil.copy(store / "log.db", left)
    assert [(check, said) for check, said, _ in named(store)] == [
        ("files", f"left by a rebuild that was cut off: {left.name}")
    ]
    with open_at(store) as memory:
        assert len(memory.space("alice").turns()) == 1
    assert rebuild(load({"home": str(store), "embedder": "none"}), time.time()).turns == 1
    assert named(store) == []
