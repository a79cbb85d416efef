"""A store of an older version is brought up to date, on both backends, and nothing in it is lost."""

from pathlib import Path

import pytest

from reverie import Reverie
from reverie.store.db import Side
from reverie.store.dialect import migrate, postgres, sqlite
from reverie.store.dialect.open import dialect_of
from tests.conftest import BACKENDS

SIDES: tuple[Side, ...] = ("memory", "log")
OLD = 2  # the last version with a full-text index over turns
SPACE = "INSERT INTO spaces (id, org, name, created_at) VALUES ('s', 'o', 'default', 0)"
SAID = ["I bought a kayak", "It is yellow"]


def _connected(location: str, side: Side) -> sqlite.SqliteConnection | postgres.PostgresConnection:
    if "://" in location:
        return postgres.PostgresConnection(location)
    return sqlite.SqliteConnection(Path(location), side, durable=False, attach=False)


def _say(connection: sqlite.SqliteConnection | postgres.PostgresConnection, seq: int, text: str, words: str) -> None:
    connection.run(
        "INSERT INTO turns (id, space, seq, session, role, text, at, origin, trust)"
        " VALUES (:id, 's', :seq, 'one', 'user', :text, 0, 'user', 3)",
        {"seq": seq, "id": f"turn-{seq}", "text": text},
    )
    connection.run(
        "INSERT INTO turn_words (rowid, body, context) VALUES (:seq, :words, '')", {"seq": seq, "words": words}
    )


@pytest.fixture
def old(location: str) -> str:
    """A store as version 2 left it, with two turns that no night has read."""
    if "://" in location:
        server = postgres.PostgresConnection(location)
        server.script("DROP SCHEMA public CASCADE; CREATE SCHEMA public")
        server.close()
    else:
        for file in Path(location).iterdir():
            file.unlink()
    for side in SIDES:
        connection = _connected(location, side)
        connection.begin(write=True)
        connection.script(migrate.VERSIONS + ";")
        for number, sql in migrate.scripts(side, dialect_of(location).name, connection.words):
            if number <= OLD:
                connection.script(sql)
        connection.run("INSERT INTO schema_version (side, version) VALUES (:side, :at)", {"side": side, "at": OLD})
        if side == "memory":
            connection.run("INSERT INTO orgs (id, name, created_at) VALUES ('o', 'default', 0)", {})
            connection.run(SPACE, {})
        else:
            connection.run("INSERT INTO activity (space, last_seq, last_at) VALUES ('s', 2, 0)", {})
            _say(connection, 1, SAID[0], "1_user 1_bought 1_kayak")
            _say(connection, 2, SAID[1], "1_user 1_yellow")
        connection.commit()
        connection.close()
    return location


@pytest.mark.parametrize("location", BACKENDS, indirect=True)
def test_turns_of_an_older_store_are_found_and_go_on(old: str) -> None:
    with Reverie.open(old, embedder="none", durable=False) as memory:
        space = memory.space()
        assert [hit.text for hit in space.recall("kayak")] == SAID
        assert space.append("user", "The paddle is red", "one").seq == 3
        assert space.recall("paddle")[0].text == "The paddle is red"
        assert [turn.text for turn in space.turns()] == [*SAID, "The paddle is red"]
