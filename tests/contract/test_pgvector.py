"""A large space on Postgres is searched by pgvector: it finds what the scan finds, and nothing that is gone."""

from collections.abc import Sequence

import numpy as np
import pytest

from reverie.config import load
from reverie.doctor import Finding, examine
from reverie.model.changes import Vector
from reverie.store import forget, pgtables, portable, spaces, vectors
from reverie.store.db import Database
from reverie.store.indexes import Indexes, Limits
from reverie.store.matrix import Matrix
from reverie.store.pgvector import Pgvector
from tests.searching import DIM, EMBEDDER, NOW, Place

pytestmark = pytest.mark.parametrize("location", ["postgres"], indirect=True)
SIZE = 1_200
LARGE = Limits(scan=SIZE - 1)
RANDOM = np.random.default_rng(7)
MADE: vectors.Vectors = RANDOM.standard_normal((SIZE + 40, DIM), np.float32)
MADE /= np.linalg.norm(MADE, axis=1, keepdims=True)
ASKED = MADE[SIZE:]


def put(place: Place, refs: Sequence[str], made: vectors.Vectors) -> None:
    with place.db.write("memory") as tx:
        rows = [Vector(ref, EMBEDDER.id, row.tobytes()) for ref, row in zip(refs, made, strict=True)]
        vectors.put_vectors(tx, place.id, rows, spaces.next_change(tx, place.id))


def tend(place: Place) -> int:
    return pgtables.tend(place.db, place.id, LARGE.scan)


def nearest(indexes: Indexes, place: Place, query: vectors.Vectors, n: int = 10) -> list[tuple[str, float]]:
    with indexes.open(place.id, EMBEDDER.id, DIM) as index:
        return index.nearest(query, n, None)


def near_of(indexes: Indexes, place: Place) -> object:
    with indexes.open(place.id, EMBEDDER.id, DIM) as index:
        return index.near


@pytest.fixture
def alice(db: Database) -> Place:
    place = Place(db)
    put(place, [f"mem-{n}" for n in range(SIZE)], MADE[:SIZE])
    db.value("SELECT set_config('enable_seqscan', 'off', false)")  # as if there were too many rows to sort
    return place


def test_it_finds_what_the_scan_finds_with_the_same_cosines(alice: Place) -> None:
    exact, large = Indexes(alice.db), Indexes(alice.db, LARGE)
    assert isinstance(near_of(large, alice), Matrix)  # no night has made the table yet
    assert tend(alice) == SIZE
    put(alice, ["mem-new"], ASKED[:1])
    assert isinstance(near_of(large, alice), Pgvector)
    found = []
    for query in ASKED:
        wanted, near = dict(nearest(exact, alice, query)), dict(nearest(large, alice, query))
        found.append(len(wanted.keys() & near.keys()) / len(wanted))
        assert all(near[ref] == pytest.approx(wanted[ref], abs=1e-6) for ref in wanted.keys() & near.keys())
    assert np.mean(found) >= 0.95
    assert nearest(large, alice, ASKED[0])[0][0] == "mem-new"


def test_its_index_can_answer_what_is_asked(alice: Place) -> None:
    tend(alice)
    near = near_of(Indexes(alice.db, LARGE), alice)
    assert isinstance(near, Pgvector)
    plan = alice.db.rows(
        f"EXPLAIN SELECT ref FROM {near.table.relation} ORDER BY CAST(vec AS halfvec({DIM})) <#>"
        f" CAST(:query AS halfvec({DIM})) LIMIT 10",
        query=str(ASKED[0].tolist()),
    )
    assert "Index Scan" in str(plan)


def test_what_changes_after_a_night_is_seen_at_once_and_indexed_by_the_next(alice: Place) -> None:
    tend(alice)
    large = Indexes(alice.db, LARGE)
    put(alice, ["mem-0", "mem-new"], ASKED[:2])
    with alice.db.write("memory") as tx:
        vectors.drop_vectors(tx, alice.id, ["mem-1"], spaces.next_change(tx, alice.id))
    for _ in range(2):
        assert nearest(large, alice, ASKED[0])[0][0] == "mem-0"
        assert nearest(large, alice, ASKED[1])[0][0] == "mem-new"
        assert nearest(large, alice, MADE[0])[0][1] < 0.99
        assert "mem-1" not in dict(nearest(large, alice, MADE[1], SIZE * 2))
        assert tend(alice) in (3, 0)
        large = Indexes(alice.db, LARGE)
    assert tend(alice) == 0


def test_a_forgotten_vector_leaves_the_table_at_once(alice: Place) -> None:
    alice.know("mem-secret", "The safe is behind the painting")
    tend(alice)
    (table,) = [row["relation"] for row in alice.db.rows("SELECT relation FROM near")]
    here = f"SELECT count(*) AS n FROM {table} WHERE ref = 'mem-secret'"
    assert alice.db.value(here) == 1
    forget.forget(alice.db, alice.id, memories=["mem-secret"], now=NOW)
    assert alice.db.value(here) == 0
    portable.delete_space(alice.db, alice.id)
    assert alice.db.value("SELECT to_regclass(:name) AS here", name=table) is None
    assert alice.db.rows("SELECT 1 AS yes FROM near") == []


def test_two_large_spaces_never_mix(alice: Place) -> None:
    bob = Place(alice.db, "bob")
    put(bob, [f"bob-{n}" for n in range(SIZE)], MADE[:SIZE])
    assert (tend(alice), tend(bob)) == (SIZE, SIZE)
    large = Indexes(alice.db, LARGE)
    for query in ASKED[:5]:
        ours, theirs = nearest(large, alice, query), nearest(large, bob, query)
        assert {ref[:4] for ref, _ in ours} == {"mem-"}
        assert {ref[:4] for ref, _ in theirs} == {"bob-"}


def test_a_filtered_search_still_answers_as_many_as_asked(alice: Place) -> None:
    tend(alice)
    near = near_of(Indexes(alice.db, LARGE), alice)
    assert isinstance(near, Pgvector)
    few = {f"mem-{n}" for n in range(0, SIZE, 100)}
    with alice.db.snapshot():
        assert {ref for ref, _ in near.search(ASKED[0], 12, few.__contains__)} == few
        assert len(near.search(ASKED[0], 1_000_000)) == SIZE


def test_turns_of_the_tail_stay_in_memory_and_leave_when_a_night_has_read_them(alice: Place) -> None:
    turn = alice.say("The train leaves at nine")
    put(alice, [turn], ASKED[:1])
    assert tend(alice) == SIZE
    large = Indexes(alice.db, LARGE)
    assert nearest(large, alice, ASKED[0])[0][0] == turn
    alice.night_reads(1)
    assert nearest(large, alice, ASKED[0])[0][0] != turn
    assert nearest(Indexes(alice.db, LARGE), alice, ASKED[0])[0][0] != turn


def test_without_the_extension_the_scan_goes_on(alice: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pgtables, "extension", lambda _: pgtables.Extension(None, "0.6.2"))
    assert tend(alice) == 0
    assert nearest(Indexes(alice.db, LARGE), alice, MADE[3])[0][0] == "mem-3"


def test_the_doctor_names_what_large_spaces_lack(alice: Place, location: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def said() -> Finding:
        found = examine(load(env={}).with_values(store=location, embedder="none"), NOW)
        return next(finding for finding in found if finding.check == "vectors")

    assert (said().status, "none is large" in said().said) == ("ok", True)
    monkeypatch.setattr(pgtables, "unserved", lambda _: 1)
    assert (said().status, "CREATE EXTENSION" in said().next_move) == ("warning", True)
    tend(alice)
    assert (said().status, "1 space" in said().said) == ("ok", True)
    monkeypatch.setattr(pgtables, "extension", lambda _: pgtables.Extension(None, None))
    assert (said().status, "Install pgvector" in said().next_move) == ("warning", True)


def test_a_dry_run_makes_no_table(alice: Place) -> None:
    with alice.db.write("memory"):
        assert tend(alice) == 0
