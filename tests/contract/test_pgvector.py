"""pgvector behind a large space on Postgres: its index is used, and without the extension the scan goes on."""

import pytest

from reverie.config import load
from reverie.doctor.doctor import examine
from reverie.store.db import Database
from reverie.store.dialect.dialect import Finding
from reverie.store.search import large_spaces, pgvector
from reverie.store.search.index import Indexes
from reverie.store.search.pgvector import Pgvector
from tests.support.large import ASKED, LARGE, MADE, large_space, near_of, nearest, tend
from tests.support.searching import DIM, NOW, Place

pytestmark = pytest.mark.parametrize("location", ["postgres"], indirect=True)


@pytest.fixture
def alice(db: Database) -> Place:
    return large_space(db)


def test_its_index_can_answer_what_is_asked(alice: Place) -> None:
    tend(alice)
    held = near_of(Indexes(alice.db, LARGE), alice)
    assert isinstance(held, Pgvector)
    plan = alice.db.rows(
        f"EXPLAIN SELECT ref FROM {held.made.relation} ORDER BY CAST(vec AS halfvec({DIM})) <#>"
        f" CAST(:query AS halfvec({DIM})) LIMIT 10",
        query=str(ASKED[0].tolist()),
    )
    assert "Index Scan" in str(plan)


def test_without_the_extension_the_scan_goes_on(alice: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pgvector, "extension", lambda _: pgvector.Extension(None, "0.6.2"))
    assert tend(alice) == 0
    assert nearest(Indexes(alice.db, LARGE), alice, MADE[3])[0][0] == "mem-3"


def test_the_doctor_names_what_large_spaces_lack(alice: Place, location: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def said() -> Finding:
        found = examine(load(env={}).with_values(store=location, embedder="none"), NOW)
        return next(finding for finding in found if finding.check == "vectors")

    assert (said().status, "none is large" in said().said) == ("ok", True)
    monkeypatch.setattr(large_spaces, "unserved", lambda _: 1)
    assert (said().status, "CREATE EXTENSION" in said().next_move) == ("warning", True)
    tend(alice)
    assert (said().status, "1 space" in said().said) == ("ok", True)
    monkeypatch.setattr(pgvector, "extension", lambda _: pgvector.Extension(None, None))
    assert (said().status, "Install pgvector" in said().next_move) == ("warning", True)
