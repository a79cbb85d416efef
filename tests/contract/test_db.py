"""The database layer keeps its promises on both backends."""

import threading
import time
from pathlib import Path

import pytest

from reverie.errors import ConfigError, StoreBroken, StoreError, StoreTooNew
from reverie.store.db import Database
from reverie.store.dialect import sqlite
from reverie.store.dialect.open import dialect_of
from reverie.store.dialect.sqlite import SqliteConnection
from reverie.store.dialect.sqlite_dialect import SqliteDialect
from tests.conftest import BACKENDS

both = pytest.mark.parametrize("location", BACKENDS, indirect=True)
PUT = "INSERT INTO orgs (id, name, created_at) VALUES (:id, :id, 0)"


def orgs(db: Database) -> list[str]:
    return [row["id"] for row in db.rows("SELECT id FROM orgs ORDER BY id")]


@both
def test_a_failed_transaction_leaves_nothing(db: Database) -> None:
    with pytest.raises(RuntimeError), db.write("memory") as tx:
        tx.run(PUT, id="a")
        raise RuntimeError
    assert orgs(db) == []


@both
def test_a_nested_write_joins_the_outer_one(db: Database) -> None:
    with db.write("memory") as outer:
        outer.run(PUT, id="a")
        with db.write("memory") as inner:
            inner.run(PUT, id="b")
    assert orgs(db) == ["a", "b"]


@pytest.mark.parametrize("location", ["postgres"], indirect=True)
def test_a_server_that_went_away_and_came_back_is_found_again(db: Database) -> None:
    pid = db.value("SELECT pg_backend_pid() AS pid")
    other = threading.Thread(target=lambda: db.value("SELECT pg_terminate_backend(:pid) AS gone", pid=pid))
    other.start()
    other.join()
    with pytest.raises(StoreBroken):
        orgs(db)
    with db.write("memory") as tx:
        tx.run(PUT, id="a")
    assert orgs(db) == ["a"]


@both
def test_a_snapshot_does_not_see_what_is_written_meanwhile(db: Database) -> None:
    with db.snapshot():
        assert orgs(db) == []
        writer = threading.Thread(target=_put, args=(db, "a"))
        writer.start()
        writer.join(10)
        assert orgs(db) == []
    assert orgs(db) == ["a"]


@both
def test_a_write_that_need_not_be_durable_is_whole_and_does_not_change_the_next(db: Database) -> None:
    with pytest.raises(RuntimeError), db.write("memory", durable=False) as tx:
        tx.run(PUT, id="a")
        raise RuntimeError
    with db.write("memory", durable=False) as tx:
        tx.run(PUT, id="b")
    with db.write("memory") as tx:
        tx.run(PUT, id="c")
    assert orgs(db) == ["b", "c"]


@both
def test_a_locked_row_is_not_changed_by_another_until_the_commit(db: Database) -> None:
    with db.write("memory") as tx:
        tx.run(PUT, id="a")

    def one_more() -> None:
        with db.write("memory") as tx:
            row = tx.locked_row("SELECT created_at FROM orgs WHERE id = :id", id="a")
            assert row is not None
            time.sleep(0.05)  # time for the others to read, if they could
            tx.run("UPDATE orgs SET created_at = :at WHERE id = :id", at=row["created_at"] + 1, id="a")

    threads = [threading.Thread(target=one_more) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(10)
    assert db.value("SELECT created_at FROM orgs WHERE id = :id", id="a") == len(threads)


def test_a_url_is_postgres_and_anything_else_a_directory(home: Path) -> None:
    places = [str(home), "postgresql://me@db/memory", "postgres://me@db/memory"]
    assert [dialect_of(place).name for place in places] == ["sqlite", "postgres", "postgres"]


@pytest.mark.parametrize("location", ["", "mysql://me:s3cret@db/memory"])
def test_a_location_that_is_no_store_is_refused_without_its_password(location: str) -> None:
    with pytest.raises(ConfigError) as refused:
        dialect_of(location)
    assert "s3cret" not in str(refused.value)


def test_a_store_in_postgres_is_shown_without_its_password() -> None:
    assert "s3cret" not in dialect_of("postgresql://me:s3cret@db/memory").shown


@both
def test_many_keys_are_read_in_parts(db: Database) -> None:
    with db.write("memory") as tx:
        tx.many(PUT, [{"id": f"{i:04}"} for i in range(900)])
    assert len(db.each("SELECT id FROM orgs WHERE id IN (:keys)", (f"{i:04}" for i in range(900)))) == 900


@both
def test_closing_waits_for_a_thread_that_still_reads(db: Database) -> None:
    reading, go_on, seen = threading.Event(), threading.Event(), []

    def read() -> None:
        with db.snapshot():
            reading.set()
            go_on.wait(10)
            seen.append(orgs(db) if not db._closed else None)

    reader = threading.Thread(target=read)
    reader.start()
    assert reading.wait(10)
    closer = threading.Thread(target=db.close)
    closer.start()
    go_on.set()
    closer.join(10)
    reader.join(10)
    assert not closer.is_alive()
    with pytest.raises(StoreError, match="closed"):
        db.rows("SELECT 1 AS one")


def test_a_newer_store_is_refused(home: Path) -> None:
    SqliteDialect(home).migrate()
    connection = SqliteConnection(home, "memory", durable=False, attach=False)
    connection.run("UPDATE schema_version SET version = 999", {})
    connection.close()
    with pytest.raises(StoreTooNew, match="999"):
        SqliteDialect(home).migrate()


def test_the_log_side_cannot_write_memory(db: Database) -> None:
    with pytest.raises(StoreError), db.write("log") as tx:
        tx.run(PUT, id="a")


@pytest.mark.parametrize(
    ("relation", "key"), [("memories", "id"), ("turns", "id"), ("edges", "b"), ("contradictions", "older")]
)
def test_a_few_ids_are_looked_up_without_reading_their_space(db: Database, relation: str, key: str) -> None:
    sql = f"EXPLAIN QUERY PLAN SELECT * FROM {relation} WHERE space = :space AND {key} IN (:a, :b, :c)"
    plan = " ".join(row["detail"] for row in db.rows(sql, space="s", a="1", b="2", c="3"))
    assert f"({key}=?)" in plan


def _put(db: Database, key: str) -> None:
    with db.write("memory") as tx:
        tx.run(PUT, id=key)


def test_only_writes_that_may_be_lost_skip_the_disk_sync(home: Path) -> None:
    SqliteDialect(home).migrate()
    connection = SqliteConnection(home, "memory", durable=True)

    def synchronous() -> int:
        return int(connection.rows("PRAGMA synchronous", {})[0]["synchronous"])

    seen = []
    for durable in (True, False, True):
        connection.begin(write=True, durable=durable)
        seen.append(synchronous())
        connection.commit()
    connection.close()
    full, normal = 2, 1
    assert seen == [full, normal, full]


def test_a_store_is_opened_beside_a_long_write(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Opening writes nothing: it needs no lock, and no room on a full disk."""
    monkeypatch.setattr(sqlite, "BUSY_SECONDS", 0.05)
    SqliteDialect(home).migrate()
    writer = SqliteConnection(home, "memory", durable=False, attach=False)
    writer.begin(write=True)
    try:
        SqliteDialect(home).migrate()
        SqliteConnection(home, "memory", durable=True).close()
    finally:
        writer.rollback()
    assert writer.rows("PRAGMA auto_vacuum", {})[0]["auto_vacuum"] == 2  # incremental, from its first page on
    writer.close()
