"""Memories by hand: remembered, corrected, filtered, pinned, tagged."""

from typing import Any

import pytest

from reverie import Filter, Reverie
from reverie.errors import BadInput, NotFound
from reverie.space import Space
from tests.conftest import BACKENDS

pytestmark = pytest.mark.parametrize("location", BACKENDS, indirect=True)


def test_what_is_remembered_comes_back_whole(alice: Space) -> None:
    kept = alice.remember("The door code is on the fridge", tags=("home",), metadata={"room": "kitchen"}, at=1000.0)
    found = alice.memory(kept.id)
    assert found == kept
    assert (found.kind, found.sources, found.asked, found.said_at) == ("episode", (kept.id,), True, 1000.0)


def test_an_importers_id_stores_once(alice: Space) -> None:
    alice.remember("one", id="mem-x")
    alice.remember("one", id="mem-x")
    assert alice.count() == {"episode": 1}


def test_a_correction_wins_and_the_old_one_stays_superseded(alice: Space) -> None:
    wrong = alice.remember("I live in Lisbon")
    right = alice.correct(wrong.id, "I live in Porto")
    old = alice.memory(wrong.id)
    assert (right.correction, right.confidence, right.sources[1]) == (True, 1.0, wrong.id)
    assert old.valid_until is not None
    assert old.stale
    assert [(e.a, e.b, e.relation) for e in alice.links(wrong.id)] == [(right.id, wrong.id, "supersedes")]


def test_filters_on_metadata_tags_kind_and_time(alice: Space) -> None:
    a = alice.remember("a", tags=("x", "y"), metadata={"p": 1}, at=100.0)
    b = alice.remember("b", tags=("x",), metadata={"p": 2}, at=200.0)

    def ids(**filter: Any) -> list[str]:
        return [memory.id for memory in alice.all(Filter(**filter))]

    assert ids() == [a.id, b.id]
    assert ids(tags=("x", "y")) == [a.id]
    assert ids(metadata={"p": 2}) == [b.id]
    assert ids(kinds=("fact",)) == []
    assert ids(after=150.0) == [b.id]
    assert ids(before=150.0) == [a.id]


def test_lists_are_paged_to_the_end(alice: Space) -> None:
    made = [alice.remember(str(n)).id for n in range(5)]
    first = alice.all(limit=2)
    rest = alice.all(limit=10, after=first[-1].id)
    assert [m.id for m in (*first, *rest)] == made


def test_pin_and_tags_are_set_and_taken_back(alice: Space) -> None:
    kept = alice.remember("a")
    alice.pin(kept.id)
    alice.tag(kept.id, "Home", "tea")
    alice.untag(kept.id, "tea")
    found = alice.memory(kept.id)
    assert (found.pinned, found.manual_tags) == (True, ("home",))
    assert not alice.unpin(kept.id).pinned


def test_an_empty_text_is_refused(alice: Space) -> None:
    with pytest.raises(BadInput):
        alice.remember("  ")


def test_one_space_never_sees_anothers_memory(memory: Reverie, alice: Space) -> None:
    kept = alice.remember("mine")
    bob = memory.space("bob")
    for verb in (bob.memory, bob.pin, bob.links):
        with pytest.raises(NotFound):
            verb(kept.id)
    with pytest.raises(NotFound):
        bob.correct(kept.id, "stolen")
    assert bob.all() == []
