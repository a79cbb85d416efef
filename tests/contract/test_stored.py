"""Stores that older versions really wrote are opened, lived with and taken back, and nothing in them is lost."""

import gzip
import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from importlib import resources
from pathlib import Path
from typing import Any

import psycopg
import pytest

from reverie import Reverie
from reverie.config import load
from reverie.doctor.doctor import examine
from reverie.errors import StoreTooNew
from tests.conftest import BACKENDS
from tests.stored.make import AFTER_THE_NIGHT, MONDAY, TALK

STORED = Path(__file__).parents[1] / "stored"
VERSIONS = sorted({int(found[1]) for path in STORED.glob("*.gz") if (found := re.match(r"schema-(\d+)", path.name))})
SCHEMA = resources.files("reverie.store.dialect") / "schema"
KNOWN = max(int(entry.name[:3]) for entry in SCHEMA.iterdir() if entry.name.endswith(".sql"))
LATER = MONDAY + 2 * 86_400 + 3_600  # within the hour of the last turn: prepared answers still hold
SAID = [text for turns in TALK.values() for _, text in turns] + [text for _, text in AFTER_THE_NIGHT]
SENTENCE = "You live in Hamburg."
QUOTE = 'You said on 2 November 2026: "I moved to Hamburg last week, my sister Ines helped me".'
WHOLE_QUOTE = QUOTE.replace('"I moved', "\"Hi, I'm Mara. I moved")
# A full-text index is made from other tables, and its inner ones belong to SQLite.
INDEXES = re.compile(r"sqlite_|(turn|document)_words|schema_version")
TABLES = "SELECT name FROM sqlite_master WHERE type = 'table'"
COLUMNS = "SELECT name FROM pragma_table_info('{}')"
PG_TABLES = "SELECT table_name FROM information_schema.tables WHERE table_schema = 'public'"
PG_COLUMNS = "SELECT column_name FROM information_schema.columns WHERE table_name = '{}'"
Columns = dict[str, list[str]]
PACKED = {
    "keywords": "word",
    "bands": "band",
    "mentions": "name",
}  # tables that schema 8 has replaced, and their columns
POSTINGS = (
    "SELECT s.id, p.{0}, w.memory FROM {0}_postings p JOIN memory_words w ON w.row = p.memory"
    " JOIN spaces s ON s.num = p.num AND s.num = w.num"
)


class Stored:
    """A store as it was left, at a place of this test's own; SQL reads what is in it."""

    def __init__(self, location: str, version: int) -> None:
        self.location, self.version = location, version
        if "://" in location:
            self._restore_postgres()
        else:
            self._restore_sqlite(Path(location))

    def _script(self, part: str) -> str:
        return gzip.decompress((STORED / f"schema-{self.version}.{part}.sql.gz").read_bytes()).decode()

    def _restore_sqlite(self, home: Path) -> None:
        for fresh in home.iterdir():
            fresh.unlink()
        for side in ("log", "memory"):
            with closing(sqlite3.connect(home / f"{side}.db")) as file:
                file.executescript(self._script(side))

    def _restore_postgres(self) -> None:
        with psycopg.connect(self.location, autocommit=True) as connection:
            connection.execute("DROP SCHEMA public CASCADE")
            connection.execute("CREATE SCHEMA public")
            connection.execute(self._script("postgres").encode())

    @contextmanager
    def _connected(self, side: str) -> Iterator[Any]:
        if "://" in self.location:
            with psycopg.connect(self.location) as connection:
                yield connection
        else:
            with closing(sqlite3.connect(Path(self.location) / f"{side}.db")) as file, file:
                yield file

    def run(self, side: str, *statements: str) -> list[list[tuple[Any, ...]]]:
        """The rows of each statement."""
        with self._connected(side) as connection:
            done = [connection.execute(statement) for statement in statements]
            return [cursor.fetchall() if cursor.description else [] for cursor in done]

    @property
    def sides(self) -> tuple[str, ...]:
        """Where to look: on Postgres both sides are one database."""
        return ("memory",) if "://" in self.location else ("log", "memory")

    def versions(self) -> set[int]:
        found = [self.run(side, "SELECT version FROM schema_version")[0] for side in self.sides]
        return {version for rows in found for (version,) in rows}

    def columns(self) -> list[Columns]:
        """For each side the columns of every table."""
        tables, columns = (PG_TABLES, PG_COLUMNS) if "://" in self.location else (TABLES, COLUMNS)
        found = []
        for side in self.sides:
            names = sorted(name for (name,) in self.run(side, tables)[0] if not INDEXES.match(name))
            rows = self.run(side, *(columns.format(name) for name in names))
            found.append({name: [column for (column,) in row] for name, row in zip(names, rows, strict=True)})
        return found

    def rows(self, columns: list[Columns]) -> dict[str, list[tuple[Any, ...]]]:
        """What stands in these columns, by table, in an order that does not depend on the store."""
        found: dict[str, list[tuple[Any, ...]]] = {}
        for side, tables in zip(self.sides, columns, strict=True):
            rows = self.run(side, *(f"SELECT {', '.join(names)} FROM {table}" for table, names in tables.items()))
            found.update((table, sorted(row, key=repr)) for table, row in zip(tables, rows, strict=True))
        return found

    def postings(self, columns: list[Columns]) -> dict[str, list[tuple[Any, ...]]]:
        """What had a row a word or band and memory, read from where it is since schema 8."""
        found = {}
        for relation, column in PACKED.items():
            sql = POSTINGS.format(column)
            if any(relation in tables for tables in columns):
                rows = self.run("memory", sql)[0]
                found[relation] = sorted(((a, f"{b:09x}" if column == "band" else b, c) for a, b, c in rows), key=repr)
        return found

    def open(self) -> Reverie:
        return Reverie.open(self.location, embedder="minilm", durable=False, clock=lambda: LATER)


@pytest.fixture(params=VERSIONS, ids=lambda version: f"schema-{version}")
def version(request: pytest.FixtureRequest) -> int:
    return int(request.param)


@pytest.fixture
def stored(location: str, version: int) -> Stored:
    return Stored(location, version)


def test_there_is_a_stored_database_of_every_schema_on_both_backends() -> None:
    assert list(range(1, KNOWN + 1)) == VERSIONS
    parts = ("log", "memory", "postgres")
    names = {f"schema-{version}.{part}.sql.gz" for version in VERSIONS for part in parts}
    assert {path.name for path in STORED.glob("*.gz")} == names


def _packed(tables: Columns) -> Columns:
    return {table: names for table, names in tables.items() if table not in PACKED}


@pytest.mark.parametrize("location", BACKENDS, indirect=True)
class TestAStoreOfAnOlderVersion:
    def test_has_every_row_after_it_is_brought_up_to_date(self, stored: Stored) -> None:
        columns = stored.columns()
        before = stored.rows(columns)
        assert stored.versions() == {stored.version}
        stored.open().close()
        assert stored.versions() == {KNOWN}
        kept = [_packed(tables) for tables in columns]
        after = stored.rows(kept) | stored.postings(columns)
        if stored.version < 5:  # what nights knew of a memory stood in callers' metadata, and has a column of its own
            marks = stored.run("memory", "SELECT id, marks FROM memories WHERE kind <> 'episode'")[0]
            place = next(tables for tables in columns if "memories" in tables)["memories"].index("metadata")
            known = {row[0]: row[place] for row in before["memories"] if row[2] != "episode"}
            assert dict(marks) == known
            before["journal"] = [_renamed(row) for row in before["journal"]]
            before["memories"], after["memories"] = (
                sorted((*row[:place], *row[place + 1 :]) for row in rows)
                for rows in (before["memories"], after["memories"])
            )
        assert after == before
        assert sum(bool(rows) for rows in before.values()) > 25, "most tables have something to lose"

    def test_shows_its_turns_and_blocks(self, stored: Stored) -> None:
        [rows] = stored.run("memory", "SELECT label, value FROM blocks")
        blocks = dict(rows)
        with stored.open() as memory:
            space = memory.space("mara")
            assert [turn.text for turn in space.turns()] == SAID
            assert {block.label: block.value for block in space.blocks} == blocks
            assert "Mara prefers short answers." in blocks["human"]

    def test_is_recalled_from_by_words_and_by_meaning(self, stored: Stored) -> None:
        with stored.open() as memory:
            space = memory.space("mara")
            assert "peanuts" in space.recall("which food is dangerous for her?")[0].text
            assert space.recall("paddle")[0].text == AFTER_THE_NIGHT[0][1], "no night has read it"
            assert "seven in the morning" in space.recall("when does the alarm go off?")[0].text
            assert "Hamburg" in space.context("where does she live?", 1_000).text

    def test_serves_the_answers_that_were_prepared(self, stored: Stored) -> None:
        with stored.open() as memory:
            answered = memory.space("mara").answer("where do I live?")
            told = SENTENCE if stored.version < 4 else QUOTE if stored.version < 8 else WHOLE_QUOTE
            assert (answered.kind, answered.text) == ("hit", told)

    def test_sleeps_on_and_both_nights_can_be_taken_back(self, stored: Stored) -> None:
        with stored.open() as memory:
            space = memory.space("mara")
            [old] = space.nights()
            new = space.sleep()
            assert new.status == "done"
            assert any("Henning" in found.text for found in space.all() if found.kind == "fact")
            space.undo(new.id)
            assert not any("Henning" in found.text for found in space.all() if found.kind == "fact")
            space.undo(old.id)
            assert {found.kind for found in space.all()} == {"episode"}, "what was given to remember stays"
            assert [turn.text for turn in space.turns()] == SAID
            assert "Mara prefers short answers." in space.blocks["human"].value

    def test_is_exported_and_comes_back_elsewhere(self, stored: Stored) -> None:
        with stored.open() as memory:
            space = memory.space("mara")
            copy = memory.import_space("copy", list(space.export()))
            assert [turn.text for turn in copy.turns()] == SAID
            assert [(block.label, block.value) for block in copy.blocks] == [
                (block.label, block.value) for block in space.blocks
            ]
            assert copy.count() == space.count()

    def test_is_healthy_to_the_doctor(self, stored: Stored) -> None:
        stored.open().close()
        where = {"store": stored.location} if "://" in stored.location else {"home": stored.location}
        found = examine(load(env={}).with_values(**where), LATER)
        assert {finding.check: finding.said for finding in found if finding.status == "wrong"} == {}
        assert any(finding.check == "store" and f"schema {KNOWN}" in finding.said for finding in found)


def _renamed(row: tuple[Any, ...]) -> tuple[Any, ...]:
    """A row of the journal that speaks of memories, as it is since their marks have a column."""
    if "memories" not in row:
        return row
    return tuple(part.replace('"metadata":', '"marks":') if isinstance(part, str) else part for part in row)


@pytest.mark.parametrize("location", BACKENDS, indirect=True)
@pytest.mark.parametrize("side", ["log", "memory"])
def test_a_store_one_version_newer_than_known_is_refused_untouched(location: str, side: str) -> None:
    stored = Stored(location, KNOWN)
    stored.run(side, f"UPDATE schema_version SET version = {KNOWN + 1} WHERE side = '{side}'")
    columns = stored.columns()
    before = stored.rows(columns)
    with pytest.raises(StoreTooNew, match=f"schema {KNOWN + 1}.*up to {KNOWN}") as refused:
        stored.open()
    assert "newer Reverie" in refused.value.next_move
    assert (stored.columns(), stored.rows(columns)) == (columns, before)
