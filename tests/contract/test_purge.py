"""After a forget no byte of it is left in the store's files: at once on SQLite, after a purge on Postgres."""

import json
import threading
from pathlib import Path

import psycopg
import pytest

from reverie import Reverie
from reverie.space import Space
from reverie.store.db import Database
from tests.conftest import BACKENDS

both = pytest.mark.parametrize("location", BACKENDS, indirect=True)
WORD = "Willowbrook"
SESSION = "planning-kestrelfield"
LINE = "Hand-written: the ospreydale key hangs left."
TRACES = (WORD, SESSION, "ospreydale", "marmotvale", "lynxwater")


def files(db: Database, location: str) -> list[Path]:
    """Every file of the store: its directory, or the server's data directory."""
    root = Path(location if "://" not in location else db.value("SHOW data_directory"))
    return [path for path in root.rglob("*") if path.is_file()]


def found(db: Database, location: str, *words: str) -> dict[str, list[str]]:
    """Which files still hold which of the words, in whatever case."""
    held: dict[str, list[str]] = {}
    for path in files(db, location):
        try:
            data = path.read_bytes().lower()
        except FileNotFoundError:  # the server is at work
            continue
        for word in words:
            if word.lower().encode() in data:
                held.setdefault(word, []).append(path.name)
    return held


def lived_in(memory: Reverie, space: Space) -> None:
    """Turns, a note, a hand-written line, metadata and a recall, a night over them, and one page written to disk."""
    for n in range(30):
        space.append(
            "user", f"The heron nests behind {WORD} mill, year {n}", session=SESSION, metadata={"where": "marmotvale"}
        )
    space.remember(f"{WORD} mill has a wheel", tags=("lynxwater",))
    space.blocks["human"].set(LINE)
    space.recall(f"what nests at {WORD}?")
    space.change(metadata={"project": "marmotvale"})
    memory.parts.events.flush()
    space.sleep()


@both
def test_no_byte_of_a_space_is_left_once_everything_is_forgotten(location: str, memory: Reverie, alice: Space) -> None:
    lived_in(memory, alice)
    db = memory.parts.db
    assert found(db, location, *TRACES).keys() == set(TRACES)
    done = alice.forget(everything=True, purge="://" in location)
    assert found(db, location, *TRACES) == {}
    assert (alice.turns(), alice.sessions(), alice.all()) == ([], [], [])
    assert {block.value for block in alice.blocks} == {""}
    assert memory.space("alice").record.metadata == {}
    assert done.receipt is not None
    assert not done.receipt.purge.left


@both
@pytest.mark.parametrize("named", ["query", "ids", "session"])
def test_no_byte_is_left_of_the_part_that_is_forgotten(
    location: str, memory: Reverie, alice: Space, named: str
) -> None:
    """What stays of the space is still there, and is still found in the files: the control of the search itself."""
    stays = "The ferry to Saltgrove leaves at nine"
    alice.append("user", stays, session="another")
    for n in range(30):
        alice.append("user", f"The heron nests behind {WORD} mill, year {n}", session=SESSION)
    alice.append("assistant", f"So it is by {WORD} mill.", session=SESSION)
    memory.parts.events.flush()
    alice.sleep()
    db = memory.parts.db
    assert found(db, location, WORD, "Saltgrove").keys() == {WORD, "Saltgrove"}
    here = {turn.id for turn in alice.turns(limit=500) if WORD in turn.text}
    here |= {one.id for one in alice.all() if WORD in one.text}
    assert len(here) > 30
    purge = "://" in location
    if named == "query":
        done = alice.forget(query=WORD, purge=purge)
    elif named == "ids":
        done = alice.forget(*sorted(here), purge=purge)
    else:
        done = alice.forget(session=SESSION, purge=purge)
    assert here <= {*done.turns, *done.memories}
    gone = (WORD, SESSION) if named == "session" else (WORD,)
    assert found(db, location, *gone) == {}
    assert found(db, location, "Saltgrove")
    assert [turn.text for turn in alice.turns()] == [stays]
    assert done.receipt is not None
    assert not done.receipt.purge.left


@pytest.mark.parametrize("location", ["postgres"], indirect=True)
def test_a_purge_waits_for_a_transaction_that_began_before_it(location: str, memory: Reverie, alice: Space) -> None:
    """Between two statements such a transaction has no snapshot, and yet the server keeps rows for it."""
    lived_in(memory, alice)
    elsewhere = psycopg.connect(location)
    elsewhere.execute("SELECT pg_current_xact_id()")
    ending = threading.Timer(1.0, elsewhere.close)
    ending.start()
    done = alice.forget(everything=True, purge=True)
    ending.join()
    assert found(memory.parts.db, location, *TRACES) == {}
    assert done.receipt is not None
    assert not done.receipt.purge.left


@pytest.mark.parametrize("location", ["postgres"], indirect=True)
def test_a_purge_leaves_no_value_in_the_statistics_of_a_table_that_is_empty_now(
    location: str, memory: Reverie, alice: Space
) -> None:
    lived_in(memory, alice)
    db = memory.parts.db
    db.alone("memory", "ANALYZE")
    quoted = "SELECT count(*) AS n FROM pg_stats WHERE CAST(most_common_vals AS text) LIKE :word"
    assert db.value(quoted, word=f"%{SESSION}%")
    done = alice.forget(everything=True, purge=True)
    assert found(db, location, *TRACES) == {}
    assert done.receipt is not None
    assert not done.receipt.purge.left


@pytest.mark.parametrize("location", ["postgres"], indirect=True)
def test_postgres_says_what_stays_until_a_purge(memory: Reverie, alice: Space) -> None:
    alice.append("user", f"{WORD} mill")
    done = alice.forget(everything=True)
    assert "VACUUM" in done.left[0]
    assert "backups" in done.left[-1]


@both
def test_a_dry_run_shows_every_text_that_would_go_and_deletes_none(memory: Reverie, alice: Space) -> None:
    alice.append("user", f"The heron nests behind {WORD} mill")
    alice.remember("Tea at four")
    alice.sleep()
    plan = alice.forget(query="heron", dry_run=True)
    assert all(WORD in text for text in plan.texts.values())
    assert set(plan.texts) == {*plan.turns, *plan.memories}
    assert plan.receipt is None
    assert len(alice.turns()) == 1
    done = alice.forget(query="heron")
    assert set(done.memories) == set(plan.memories)


@both
def test_a_receipt_lists_what_went_without_a_word_of_it(alice: Space) -> None:
    turn = alice.append("user", f"The heron nests behind {WORD} mill", session=SESSION)
    receipt = alice.forget(session=SESSION).receipt
    assert receipt is not None
    written = json.loads(receipt.as_json())
    assert list(written["turns"]) == [turn.id]
    assert written["counts"]["turns"] == 1
    assert not [word for word in (WORD, "heron", SESSION) if word in receipt.as_json()]
    assert alice.sessions() == []  # a session of which nothing is left leaves no name
