"""What is current comes first: after nights, awake, and after a person's correction. Nothing is lost by it."""

from datetime import datetime

import pytest

from reverie import Reverie
from reverie.model.base import DAY
from reverie.model.hits import Hit
from reverie.space import Space
from tests.conftest import BACKENDS
from tests.support.clock import Clock

pytestmark = pytest.mark.parametrize("location", BACKENDS, indirect=True)


def at(day: str) -> float:
    return datetime.fromisoformat(f"2026-{day}T09:00:00+00:00").timestamp()


def say(space: Space, day: str, text: str, reply: str = "") -> None:
    space.append("user", text, session=day, at=at(day))
    if reply:
        space.append("assistant", reply, session=day, at=at(day) + 60)


def told(space: Space) -> None:
    say(space, "03-02", "the pilot go-live is 16 march and Jussi runs it", "Noted, 16 March.")
    say(space, "03-03", "my cat Miso is ill again, the vet comes in the evening")


def order(hits: list[Hit], *words: str) -> list[tuple[str, bool]]:
    """The hits that hold one of these words: which one, and whether it is marked."""
    found = ((next((word for word in words if word in hit.text), ""), hit) for hit in hits)
    return [(word, bool({"earlier", "superseded"} & set(hit.flags))) for word, hit in found if word]


@pytest.mark.parametrize("nights", ["one night", "two nights"])
def test_the_newest_statement_stands_before_the_older_one_which_is_marked(alice: Space, nights: str) -> None:
    told(alice)
    if nights == "two nights":
        alice.sleep(kind="night")
    say(alice, "03-09", "the pilot go-live moved to 18 march, their manager is on holiday", "Moved to 18 March.")
    alice.sleep(kind="night")
    seen = order(alice.recall("When is the pilot go-live?"), "18 march", "16 march")
    assert seen[0] == ("18 march", False)
    assert ("16 march", True) in seen
    assert ("16 march", False) not in seen
    text = alice.context("When is the pilot go-live?", 2_000, session="elsewhere").text
    assert text.index("18 march") < text.find("16 march") or "16 march" not in text


def test_what_was_believed_before_the_change_is_not_marked(alice: Space) -> None:
    told(alice)
    say(alice, "03-09", "the pilot go-live moved to 18 march, their manager is on holiday")
    alice.sleep(kind="night")
    seen = order(alice.recall("When is the pilot go-live?", as_of=at("03-05")), "18 march", "16 march")
    assert seen
    assert set(seen) == {("16 march", False)}


def test_an_unread_change_stands_before_what_it_changes(alice: Space) -> None:
    told(alice)
    alice.sleep(kind="night")
    say(alice, "03-09", "the pilot go-live moved to 18 march, their manager is on holiday")
    seen = order(alice.recall("When is the pilot go-live?"), "18 march", "16 march")
    assert seen[0] == ("18 march", False)
    assert ("16 march", True) in seen


def test_somebody_elses_change_marks_nothing(alice: Space) -> None:
    say(alice, "05-01", "my dentist appointment is on 14 may at 8:00")
    say(alice, "05-06", "my son's dentist appointment got moved to the 21st of may, school trip")
    alice.sleep(kind="night")
    hits = alice.recall("When is the dentist appointment?")
    assert hits
    assert not any(hit.flags for hit in hits)


@pytest.mark.parametrize("undone", [True, False])
def test_a_change_that_is_taken_back_leaves_no_mark(alice: Space, undone: bool) -> None:
    told(alice)
    alice.sleep(kind="night")
    say(alice, "03-09", "the pilot go-live moved to 18 march, their manager is on holiday")
    night = alice.sleep(kind="night")
    if undone:
        alice.undo(night.id)
    alice.forget(query="the pilot go-live moved to 18 march")
    seen = order(alice.recall("When is the pilot go-live?"), "18 march", "16 march")
    assert seen
    assert set(seen) == {("16 march", False)}


@pytest.mark.parametrize("when", ["awake", "after a night"])
def test_a_correction_stands_before_every_other_wording(alice: Space, memory: Reverie, when: str) -> None:
    say(alice, "03-02", "the essay on herons is due on 3 may", "Noted: the essay on herons by 3 May.")
    say(alice, "03-04", "remember, the herons essay must be in on 3 may, and Ida reads it first")
    alice.sleep(kind="night")
    wrong = next(hit for hit in alice.recall("When is the herons essay due?") if "3 may" in hit.text.lower())
    right = alice.correct(wrong.id, "The essay on herons is due on 10 May")
    if when == "after a night":
        say(alice, "03-05", "the weather is awful today")
        alice.sleep(kind="night")
    hits = alice.recall("When is the herons essay due?")
    assert hits[0].id == right.id
    old = [hit for hit in hits if "3 may" in hit.text.lower()]
    assert old
    assert all({"earlier", "superseded"} & set(hit.flags) for hit in old)


def test_a_corrected_turn_that_no_night_has_read_stays_corrected(alice: Space) -> None:
    turn = alice.append("user", "the essay on herons is due on 3 may", session="a", at=at("03-02"))
    right = alice.correct(turn.id, "The essay on herons is due on 10 May")
    for _ in range(2):
        hits = alice.recall("When is the herons essay due?")
        assert hits[0].id == right.id
        assert all(hit.flags for hit in hits if "3 may" in hit.text)
        alice.sleep(kind="night")


def test_an_allergy_told_in_one_breath_with_a_deadline_does_not_go_with_it(location: str) -> None:
    clock = Clock()
    with Reverie.open(location, clock=clock) as memory:
        space = memory.space("alice")
        space.append("user", "I'm allergic to peanuts. My audit is due on 3 May.", "s1")
        space.sleep()
        clock.now += 3 * DAY
        space.append("user", "The audit moved, it's due on 10 May now.", "s2")
        space.sleep()
        core = "\n".join(block.value for block in space.blocks)
        assert "peanuts" in core
        assert "3 May" not in core
        assert space.recall("What am I allergic to?")[0].flags == ()


def test_what_is_overtaken_in_part_stays_in_core_without_those_words(location: str) -> None:
    clock = Clock()
    with Reverie.open(location, clock=clock) as memory:
        space = memory.space("alice")
        space.append("user", "I'm Mara. I live in Lisbon and I work at Brightloop as a data engineer.", "s1")
        space.sleep()
        clock.now += 3 * DAY
        space.append("user", "I moved to Hamburg last weekend! Boxes everywhere.", "s2")
        moved = space.sleep()
        core = space.blocks["learned_context"].value
        assert "Hamburg" in core
        assert "I'm Mara. […] and I work at Brightloop" in core
        space.undo(moved.id)
        assert "I live in Lisbon and I work at Brightloop" in space.blocks["learned_context"].value
