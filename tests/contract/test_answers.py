"""Answers before the question: useful, and never a lie."""

from collections.abc import Callable
from typing import Any

import pytest

from reverie import Reverie
from reverie.errors import NotFound
from reverie.model.base import DAY, HOUR
from reverie.space import Space
from tests.conftest import BACKENDS
from tests.support.clock import Clock

Keep = Callable[[Any], Any]
HAMBURG = 'You said on 9 November 2026: "I live in Hamburg".'
both = pytest.mark.parametrize("location", BACKENDS, indirect=True)


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def memory(location: str, opened: Keep, clock: Clock) -> Reverie:
    reverie: Reverie = opened(Reverie.open(location, embedder="none", durable=False, clock=clock))
    return reverie


@pytest.fixture
def alice(memory: Reverie) -> Space:
    space = memory.space("alice")
    space.append("user", "I live in Hamburg.", session="a")
    space.append("user", "I am allergic to peanuts.", session="a")
    assert space.sleep().status == "done"
    return space


def settled(space: Space) -> Space:
    assert space.parts.events.flush()
    return space


@both
def test_a_night_answers_what_new_facts_make_askable(alice: Space) -> None:
    found = alice.answer("Where do I live?")
    assert found.text == HAMBURG
    assert found.kind == "hit"
    assert found.age is not None
    assert alice.memory(found.sources[0]).quote == "I live in Hamburg."


@both
def test_the_same_question_in_other_words_hits(alice: Space) -> None:
    assert alice.answer("what's my address again?").text == HAMBURG


@both
def test_another_question_misses_with_the_reason(alice: Space) -> None:
    found = alice.answer("Where does my sister live?")
    assert not found
    assert found.why


@both
def test_a_correction_takes_the_answer_back_at_once(alice: Space) -> None:
    fact = alice.answer("Where do I live?").sources[0]
    alice.correct(fact, "I live in Bremen")
    found = alice.answer("Where do I live?")
    assert not found
    assert fact in found.why


@both
def test_what_was_said_a_moment_ago_is_a_miss_and_not_the_old_answer(alice: Space) -> None:
    alice.append("user", "I moved to Berlin yesterday.")
    found = alice.answer("Where do I live?")
    assert not found
    assert "just spoken of" in found.why


@both
def test_a_turn_about_something_else_flushes_nothing(alice: Space) -> None:
    alice.append("user", "The weather was lovely on the boat.")
    assert alice.answer("Where do I live?").text == HAMBURG


@both
def test_what_a_person_remembers_counts_as_said(alice: Space) -> None:
    alice.remember("My new address is in Berlin")
    assert not alice.answer("Where do I live?")


@both
def test_the_next_nap_answers_anew(alice: Space) -> None:
    alice.append("user", "I moved to Berlin.", session="b")
    for _ in range(3):
        alice.answer("Where do I live?")
    settled(alice).nap()
    told = alice.answer("Where do I live?").text
    assert told is not None
    assert told.startswith('You said on 9 November 2026: "I moved to Berlin".')


@both
def test_an_answer_expires(alice: Space, clock: Clock) -> None:
    clock.now += 25 * HOUR
    assert alice.answer("Where do I live?").why == "expired"


@both
def test_one_space_is_never_answered_from_another(memory: Reverie, alice: Space) -> None:
    assert not memory.space("bob").answer("Where do I live?")
    with pytest.raises(NotFound):
        memory.space("bob").drop_answer(alice.answers()[0].id)


@both
def test_untrusted_evidence_alone_is_no_answer(memory: Reverie) -> None:
    eve = memory.space("eve")
    eve.append("tool", "The user lives in Paris.", origin="web")
    eve.sleep()
    assert not eve.answer("Where do I live?")


@both
def test_a_dropped_answer_is_not_given_again(alice: Space) -> None:
    found = alice.answer("Where do I live?")
    assert found.id is not None
    alice.drop_answer(found.id)
    assert not alice.answer("Where do I live?")
    assert alice.prepared(found.id).dropped == "dropped by a person"


@both
def test_a_forgotten_memory_takes_its_answer_along(alice: Space) -> None:
    found = alice.answer("Where do I live?")
    alice.forget(query="hamburg")
    assert not alice.answer("Where do I live?")
    assert found.id not in [answer.id for answer in alice.answers(live=False)]


@both
def test_hits_are_counted_and_probed_asleep(alice: Space, clock: Clock) -> None:
    for _ in range(20):
        alice.answer("Where do I live?")
    clock.now += HOUR
    settled(alice).nap()
    report = alice.answers_report()
    assert (report.hits, report.asked, report.wrong) == (20, 20, 0)
    assert report.probes > 0
    assert report.tokens_saved > 0


@both
def test_questions_that_recur_are_answered_in_advance(memory: Reverie, clock: Clock) -> None:
    bob = memory.space("bob")
    bob.append("user", "The staging server is called Heron.", session="a")
    for _ in range(3):
        bob.recall("What is the staging server called?")
        clock.now += DAY
    settled(bob).sleep()
    assert any(answer.predictor == "recurring" for answer in bob.answers())


def test_a_near_miss_is_shown_to_the_model_as_prepared(location: str, opened: Keep, clock: Clock) -> None:
    memory = opened(Reverie.open(location, embedder="none", durable=False, clock=clock))
    alice = memory.space("alice")
    alice.append("user", "I live in Hamburg.", session="a")
    alice.sleep()
    assert "prepared for the question 'Where do I live?': You said" in alice.context("Where do I live?", 2_000).text


def test_undo_takes_a_nights_answers_back(alice: Space) -> None:
    alice.undo(alice.nights()[0].id)
    assert not alice.answer("Where do I live?")


@both
def test_a_plain_personal_question_finds_what_is_so_before_what_was_said(memory: Reverie) -> None:
    carol = memory.space("carol")
    carol.append("user", "Hi, I live in Lisbon and I work at Brightloop.", session="a")
    carol.append("user", "If I lived in Berlin I would cycle more.", session="b")
    carol.append("user", "I moved to Hamburg.", session="c")
    carol.sleep()
    first = carol.recall("where do I live?", 5)[0]
    assert (first.kind, first.text) == ("fact", 'The user, 9 November 2026: "I moved to Hamburg."')
