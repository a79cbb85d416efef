"""A large space is searched by what nights made of it: that finds what the scan finds, and nothing that is gone."""

import numpy as np
import pytest

from reverie.store.db import Database
from reverie.store.forget import forget
from reverie.store.search.index import Indexes
from reverie.store.search.matrix import Layered, Matrix
from reverie.store.search.space_files import SpaceFiles
from reverie.store.transfer.delete_space import delete_space
from tests.conftest import BACKENDS
from tests.support.large import ASKED, LARGE, MADE, SIZE, drop, large_space, near_of, nearest, put, put_several, tend
from tests.support.searching import NOW, Place

pytestmark = pytest.mark.parametrize("location", BACKENDS, indirect=True)
HALF = 2e-3  # what a cosine in half precision may be off


@pytest.fixture
def alice(db: Database) -> Place:
    return large_space(db)


def test_it_finds_what_the_scan_finds_with_the_same_cosines(alice: Place) -> None:
    exact, large = Indexes(alice.db), Indexes(alice.db, LARGE)
    assert isinstance(near_of(large, alice), Matrix)  # no night has looked at it yet
    assert tend(alice) == SIZE
    put(alice, ["mem-new"], ASKED[:1])
    assert isinstance(near_of(large, alice), Layered)
    found = []
    for query in ASKED:
        wanted, near = dict(nearest(exact, alice, query)), dict(nearest(large, alice, query))
        found.append(len(wanted.keys() & near.keys()) / len(wanted))
        assert all(near[ref] == pytest.approx(wanted[ref], abs=HALF) for ref in wanted.keys() & near.keys())
    assert np.mean(found) >= 0.95
    assert nearest(large, alice, ASKED[0])[0][0] == "mem-new"


def test_what_changes_after_a_night_is_seen_at_once_and_indexed_by_the_next(alice: Place) -> None:
    tend(alice)
    large = Indexes(alice.db, LARGE)
    put(alice, ["mem-0", "mem-new"], ASKED[:2])
    drop(alice, ["mem-1"])
    for _ in range(2):
        assert nearest(large, alice, ASKED[0])[0][0] == "mem-0"
        assert nearest(large, alice, ASKED[1])[0][0] == "mem-new"
        assert nearest(large, alice, MADE[0])[0][1] < 0.99
        assert "mem-1" not in dict(nearest(large, alice, MADE[1], SIZE * 2))
        assert tend(alice) in (3, 0)
        large = Indexes(alice.db, LARGE)
    assert tend(alice) == 0


def test_a_memory_with_several_vectors_is_found_once_by_any_of_them(alice: Place) -> None:
    put_several(alice, "mem-long", ASKED[:4])
    put_several(alice, "mem-cut", ASKED[4:8])
    tend(alice)
    put_several(alice, "mem-cut", ASKED[4:6])
    for _ in range(2):
        large = Indexes(alice.db, LARGE)
        for query in ASKED[:4]:
            found = [ref for ref, _ in nearest(large, alice, query)]
            assert found[0] == "mem-long"
            assert len(set(found)) == len(found) == 10
        assert nearest(large, alice, ASKED[5])[0][0] == "mem-cut"
        assert nearest(large, alice, ASKED[6])[0][1] < 0.99
        assert len(nearest(large, alice, ASKED[0], SIZE * 2)) == SIZE + 2
        put(alice, [f"mem-{n}" for n in range(SIZE // 5)], MADE[: SIZE // 5])  # enough for the file to be made anew
        tend(alice)


def test_much_that_changed_is_indexed_anew(alice: Place) -> None:
    tend(alice)
    reader = Indexes(alice.db, LARGE)
    before = near_of(reader, alice)
    put(alice, [f"mem-{n}" for n in range(150)], -MADE[:150])
    drop(alice, ["mem-151"])
    assert tend(alice) == 151
    put(alice, ["mem-new"], ASKED[30:31])
    assert near_of(reader, alice) is not before
    for indexes in (reader, Indexes(alice.db, LARGE)):
        assert nearest(indexes, alice, -MADE[7])[0][0] == "mem-7"
        assert nearest(indexes, alice, ASKED[30])[0][0] == "mem-new"
        assert len(nearest(indexes, alice, ASKED[0], SIZE * 2)) == SIZE


def test_two_large_spaces_never_mix(alice: Place) -> None:
    bob = large_space(alice.db, "bob", "bob")
    assert (tend(alice), tend(bob)) == (SIZE, SIZE)
    large = Indexes(alice.db, LARGE)
    for query in ASKED[:5]:
        ours, theirs = nearest(large, alice, query), nearest(large, bob, query)
        assert {ref[:4] for ref, _ in ours} == {"mem-"}
        assert {ref[:4] for ref, _ in theirs} == {"bob-"}


def test_a_filtered_search_still_answers_as_many_as_asked(alice: Place) -> None:
    tend(alice)
    near = near_of(Indexes(alice.db, LARGE), alice)
    assert isinstance(near, Layered)
    few = {f"mem-{n}" for n in range(0, SIZE, 100)}
    with alice.db.snapshot():
        assert {ref for ref, _ in near.search(ASKED[0], 12, lambda refs: [ref in few for ref in refs])} == few
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


def test_a_forgotten_vector_is_gone_at_once(alice: Place) -> None:
    alice.know("mem-secret", "The safe is behind the painting")
    tend(alice)
    reader = Indexes(alice.db, LARGE)
    assert "mem-secret" in dict(nearest(reader, alice, ASKED[0], SIZE * 2))
    forget.forget(alice.db, alice.id, memories=["mem-secret"], now=NOW)
    for indexes in (reader, Indexes(alice.db, LARGE)):
        assert "mem-secret" not in dict(nearest(indexes, alice, ASKED[0], SIZE * 2))
        assert nearest(indexes, alice, MADE[5])[0][0] == "mem-5"


def test_a_deleted_space_leaves_nothing(alice: Place) -> None:
    tend(alice)
    delete_space(alice.db, alice.id, 0.0)
    assert alice.db.rows("SELECT 1 AS yes FROM near") == []
    index = alice.db.dialect.index
    assert not isinstance(index, SpaceFiles) or list(index.folder.iterdir()) == []


def test_a_dry_run_makes_nothing(alice: Place) -> None:
    with alice.db.write("memory"):
        assert tend(alice) == 0
