"""What nights learn from questions: whom to believe, what to drop, when to stop, and what to let go of."""

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import pytest

from reverie import Reverie
from reverie.asleep.steps.anticipate.history import answer_id
from reverie.model.answers import Answer, Anticipating, Serving, TrackRecord
from reverie.model.base import DAY, HOUR
from reverie.policy.answers.serving import starting_bar
from reverie.space import Space
from reverie.store import upkeep
from reverie.store.tables import answers
from tests.conftest import BACKENDS
from tests.support.clock import Clock
from tests.support.truth import woken_after

Keep = Callable[[Any], Any]
pytestmark = pytest.mark.parametrize("location", BACKENDS, indirect=True)
HOME = "Where do I live?"


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def alice(location: str, opened: Keep, clock: Clock) -> Space:
    memory: Reverie = opened(Reverie.open(location, embedder="none", durable=False, clock=clock))
    memory.parts.minds = replace(memory.parts.minds, anticipating=Anticipating(probed=1.0))
    space = memory.space("alice")
    space.append("user", "I live in Hamburg.", session="a")
    assert space.sleep().status == "done"
    return space


def newest(answer: str | None) -> str:
    """The town of the newest statement that an answer tells."""
    told = re.match(r'You said on [\w ]+: "I (?:live in|moved to) (\w+)', answer or "")
    return told[1] if told else ""


def napped(space: Space) -> list[str]:
    """The notes of a nap over what has been asked."""
    assert space.parts.events.flush()
    night = space.nap()
    assert night.status == "done", night.error
    return [note for notes in night.told.values() for note in notes]


def entry(space: Space) -> Answer:
    return next(a for a in space.answers(live=False, limit=100) if a.question == HOME)


def rewritten(space: Space, **columns: Any) -> None:
    """The prepared answer as something else had left it."""
    sets = ", ".join(f"{name} = :{name}" for name in columns)
    with space.parts.db.write("memory") as tx:
        tx.run(f"UPDATE answers SET {sets} WHERE space = :space AND question = :q", space=space.id, q=HOME, **columns)


def recorded(space: Space, *records: TrackRecord) -> None:
    with space.parts.db.write("memory") as tx:
        for record in records:
            answers.put_record(tx, space.id, record)


def state(space: Space) -> Mapping[str, Any]:
    return answers.records(space.parts.db, space.id)["_space"].state


def test_an_answer_that_a_person_dropped_is_not_made_again(alice: Space) -> None:
    alice.drop_answer(entry(alice).id, "none of your business")
    napped(alice)
    assert not alice.answer(HOME)
    assert entry(alice).dropped == "dropped by a person: none of your business"


def test_a_dropped_question_is_answered_anew_once_there_is_something_else_to_say(alice: Space) -> None:
    alice.drop_answer(entry(alice).id)
    alice.append("user", "I moved to Berlin.", session="b")
    napped(alice)
    assert newest(alice.answer(HOME).text) == "Berlin"


def test_counting_a_hit_does_not_revive_what_was_dropped_meanwhile(alice: Space) -> None:
    assert alice.answer(HOME)
    alice.drop_answer(entry(alice).id)
    napped(alice)
    assert entry(alice).hits == 1
    assert entry(alice).refused


def test_an_expired_answer_is_dropped_and_made_anew(alice: Space, clock: Clock) -> None:
    clock.now += 25 * HOUR
    assert alice.answer(HOME).why == "expired"
    napped(alice)
    assert newest(alice.answer(HOME).text) == "Hamburg"


def test_a_probe_that_finds_a_hit_wrong_drops_the_answer_and_tells_on_its_predictor(alice: Space) -> None:
    rewritten(alice, answer="You live on a boat in Venice.")
    assert alice.answer(HOME)
    napped(alice)
    report = alice.answers_report()
    assert (report.hits, report.probes, report.wrong) == (1, 1, 1)
    assert "Venice" not in str(alice.answer(HOME).text)


def test_what_changed_after_a_hit_is_not_held_against_it(alice: Space) -> None:
    assert alice.answer(HOME)
    alice.append("user", "I moved to Berlin.", session="b")
    napped(alice)
    assert alice.answers_report().wrong == 0


def test_right_hits_keep_the_bar_or_lower_it(alice: Space) -> None:
    for _ in range(5):
        assert alice.answer(HOME)
    napped(alice)
    found = entry(alice)
    assert (found.accepted, found.rejected) == (5, 0)
    assert found.probed_at is not None
    assert found.threshold <= starting_bar(0.02)


def test_a_predictor_that_is_often_wrong_makes_no_more_questions_and_the_night_says_so(alice: Space) -> None:
    recorded(alice, TrackRecord("new_fact", made=20, hits=12, probes=12, wrong=6))
    alice.append("user", "My dog is called Rex.", session="b")
    before = len(alice.answers())
    notes = napped(alice)
    assert "predictor new_fact makes no more questions: 6 of 12 probed hits were wrong" in notes
    assert len(alice.answers()) == before


def test_where_nothing_can_be_foreseen_it_switches_off_says_so_and_tries_again_after_a_week(
    alice: Space, clock: Clock
) -> None:
    recorded(alice, TrackRecord("new_fact", made=100), TrackRecord("_space", state={**state(alice), "asked": 60}))
    why = "0 hits of 60 questions: not predictable here"
    assert f"anticipation is off: {why}" in napped(alice)
    assert alice.answers_report().off == why
    clock.now += 2 * DAY
    assert "anticipation is off: off since it did not pay; tries again in 5 days" in napped(alice)
    assert alice.answers_report().off == why
    clock.now += 6 * DAY
    assert "anticipation is on again: tries again after a week off" in napped(alice)
    assert alice.answers_report().off is None
    assert not [note for note in napped(alice) if "is off" in note]  # it is judged anew, not by its past


def test_a_night_that_has_only_begun_does_not_make_an_old_answer_true_again(alice: Space) -> None:
    alice.append("user", "I moved to Berlin.", session="b")
    for batches in (1, 2, 3, 4):
        woken_after(alice, batches)
        assert newest(alice.answer(HOME).text) in ("", "Berlin")
    napped(alice)
    assert newest(alice.answer(HOME).text) == "Berlin"


def test_moving_there_and_back_ends_where_it_began(alice: Space) -> None:
    for said in ("I moved to Berlin.", "I moved to Oslo.", "I live in Berlin now."):
        alice.append("user", said, session="b")
    napped(alice)
    assert newest(alice.answer(HOME).text) == "Berlin"


def test_an_edit_of_core_memory_counts_as_said_and_outlives_the_night(alice: Space) -> None:
    alice.blocks["human"].set("Lives in Oslo.")
    assert not alice.answer(HOME)
    alice.sleep()
    assert "Hamburg" not in str(alice.answer(HOME).text)


def test_a_very_long_or_odd_question_is_a_miss(alice: Space) -> None:
    assert not alice.answer("where \x00 " * 100_000)
    assert alice.parts.events.flush()
    assert alice.parts.events.failed == 0


def test_a_row_that_is_gone_leaves_the_cache(alice: Space) -> None:
    assert alice.answer(HOME)
    with alice.parts.db.write("memory") as tx:
        tx.run("DELETE FROM answers WHERE space = :space", space=alice.id)
    assert alice.answer(HOME).why in ("the nearest answer is gone", "no answers are prepared for this space")
    assert answer_id(alice.id, HOME) not in alice.parts.answerer.held.of(alice.id).questions


def test_the_report_counts_what_no_night_has_read_yet(alice: Space) -> None:
    assert alice.answer(HOME)
    assert not alice.answer("Who is Tom?")
    assert alice.parts.events.flush()
    report = alice.answers_report()
    assert (report.asked, report.hits) == (2, 1)
    assert report.tokens_saved > 0
    assert report.tokens_per_query < 0
    napped(alice)
    after = alice.answers_report()
    assert (after.asked, after.hits, after.tokens_saved) == (2, 1, report.tokens_saved)


def test_past_the_cap_the_least_recently_used_go_first(alice: Space, monkeypatch: pytest.MonkeyPatch) -> None:
    alice.append("user", "I am allergic to peanuts.", session="b")
    napped(alice)
    rewritten(alice, last_hit_at=alice.parts.clock())
    monkeypatch.setattr(upkeep, "MAX_ANSWERS", 1)
    upkeep.drop_answers(alice.parts.db, alice.id, alice.parts.clock())
    assert [a.question for a in alice.answers(live=False)] == [HOME]


def test_servings_and_questions_are_bounded(alice: Space, monkeypatch: pytest.MonkeyPatch) -> None:
    with alice.parts.db.write("log") as tx:
        for n in range(30):
            answers.put_serving(
                tx, alice.id, Serving(f"q{n}", None, 0.0, False, "nothing close", at=alice.parts.clock())
            )
    monkeypatch.setattr(upkeep, "MAX_ASKED", 10)
    upkeep.tidy(alice.parts.db, alice.id, alice.parts.clock(), keep_nights=30)
    assert [s.asked for s in answers.servings(alice.parts.db, alice.id)] == [f"q{n}" for n in range(20, 30)]
