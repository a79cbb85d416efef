"""Which questions are worth an answer tonight, and when it pays to answer any."""

from dataclasses import replace

import pytest

from reverie.model.answers import TrackRecord
from reverie.model.base import DAY
from reverie.policy.answers.prediction import (
    NEW_FACT,
    OPEN_THREAD,
    RECURRING,
    TRY_AGAIN,
    AnswerUsage,
    AskedBefore,
    Candidate,
    askable,
    choose,
    clusters,
    dropped,
    left_open,
    likelihood_of_recurrence,
    pays,
    probed,
    recurring,
    weight_of,
)

NOW = 100 * DAY


def alike(_a: int, _b: int) -> float | None:
    return 0.95


def apart(_a: int, _b: int) -> float | None:
    return 0.2


def test_questions_that_ask_the_same_become_one_cluster() -> None:
    past = [
        AskedBefore("Where do I live?", NOW, 2),
        AskedBefore("What's my address again?", NOW - DAY),
        AskedBefore("Who is my boss?", NOW),
    ]
    first, second = clusters(past, apart, NOW)
    assert first.question == "Where do I live?"  # the phrasing used most is the face
    assert first.times == 3
    assert set(first.members) == {"Where do I live?", "What's my address again?"}
    assert second.members == ("Who is my boss?",)


def test_the_guards_keep_apart_what_only_looks_alike() -> None:
    past = [AskedBefore("When is the May meeting?", NOW), AskedBefore("When is the June meeting?", NOW)]
    assert len(clusters(past, alike, NOW)) == 2
    assert len(clusters([past[0], AskedBefore("When's the May meeting", NOW)], alike, NOW)) == 1


def test_recent_questions_weigh_more_than_old_ones() -> None:
    past = [
        AskedBefore("Who is Tom?", NOW - 28 * DAY, 1),
        AskedBefore("What is rust?", NOW, 1),
        AskedBefore("Who is Tom?", NOW - 14 * DAY),
    ]
    rust, tom = clusters(past, apart, NOW)
    assert (rust.question, rust.weight) == ("What is rust?", 1.0)
    assert tom.weight == pytest.approx(0.25 + 0.5)


def test_clusters_do_not_depend_on_the_order_of_the_log() -> None:
    past = [AskedBefore(f"Who is Person{i}?", NOW - i) for i in range(6)] + [
        AskedBefore("Where do I live?", NOW - 9, 4)
    ]
    assert clusters(past, apart, NOW) == clusters(past[::-1], apart, NOW)


def test_only_what_was_asked_more_than_once_recurs() -> None:
    groups = clusters([AskedBefore("Who is Tom?", NOW), AskedBefore("Where do I live?", NOW, 5)], apart, NOW)
    (candidate,) = recurring(groups)
    assert candidate.question == "Where do I live?"
    assert candidate.predictor == RECURRING
    assert candidate.likelihood == pytest.approx(likelihood_of_recurrence(5.0))
    assert candidate.why == "asked 5 times"


def test_a_predictor_that_hits_is_believed_more_and_one_that_is_wrong_less() -> None:
    good, idle, wrong = (
        TrackRecord("new", 20, 10),
        TrackRecord("new", 20, 0),
        TrackRecord("new", 20, 10, probes=10, wrong=5),
    )
    assert weight_of(good) > 1.0 > weight_of(idle)
    assert weight_of(wrong) == pytest.approx(weight_of(good) / 4)


def test_the_best_k_are_chosen_by_likelihood_and_record() -> None:
    candidates = [
        askable("What is my diet?", 1.0),
        left_open("Who is coming to dinner?", 0),
        left_open("Where is it?", 9),
    ]
    plain = choose(candidates, {}, k=2)
    assert [chosen.candidate.predictor for chosen in plain] == [OPEN_THREAD, NEW_FACT]
    trusted = choose(candidates, {NEW_FACT: TrackRecord("new", made=20, hits=15)}, k=1)
    assert trusted[0].candidate.question == "What is my diet?"
    assert trusted[0].score == pytest.approx(trusted[0].candidate.likelihood * trusted[0].weight)


def test_nothing_is_chosen_twice_or_when_it_is_held() -> None:
    candidates = [
        askable("Where do I live?", 0.9),
        askable("What is my address?", 0.8),
        askable("When is my big exam?", 0.7),
        askable("When is my exam, the big one?", 0.6),
        askable("Who is my boss?", 0.5),
    ]
    chosen = [c.candidate.question for c in choose(candidates, {}, k=8, held=["Who do I report to?"])]
    assert chosen == ["Where do I live?", "When is my big exam?"]


def test_a_predictor_whose_hits_were_wrong_is_dropped_with_its_reason() -> None:
    bad = TrackRecord("new", made=50, hits=20, probes=10, wrong=3)
    assert dropped(bad).why == "3 of 10 probed hits were wrong"
    assert not dropped(bad)
    assert dropped(replace(bad, wrong=2))
    assert dropped(TrackRecord("new", made=5, hits=5, probes=5, wrong=5))  # too few probes to judge
    assert choose([askable("What is my diet?", 1.0)], {NEW_FACT: bad}, k=3) == []
    assert choose([Candidate("What is my diet?", "other", 0.2, "")], {NEW_FACT: bad}, k=3)


@pytest.mark.parametrize(
    ("usage", "allowed", "why"),
    [
        (AnswerUsage(), True, "too early to judge: 0 answers, 0 questions"),
        (AnswerUsage(made=100, asked=10), True, "too early to judge: 100 answers, 10 questions"),
        (AnswerUsage(made=100, asked=200, hits=1), False, "1 hits of 200 questions: not predictable here"),
        (
            AnswerUsage(made=100, asked=200, hits=20, tokens_asleep=90_000, tokens_saved=40_000),
            False,
            "saves 40000 tokens for 45000: does not pay here",
        ),
        (
            AnswerUsage(made=100, asked=200, hits=20, tokens_asleep=80_000, tokens_saved=40_000),
            True,
            "saves 40000 tokens for 40000",
        ),
        (AnswerUsage(made=100, asked=200, hits=20), True, "saves 0 tokens for 0"),  # the rules answer for nothing
        (AnswerUsage(off_since=NOW - DAY), False, "off since it did not pay; tries again in 6 days"),
        (AnswerUsage(off_since=NOW - TRY_AGAIN), True, "tries again after a week off"),
    ],
)
def test_anticipation_switches_itself_off_where_it_does_not_pay(usage: AnswerUsage, allowed: bool, why: str) -> None:
    decision = pays(usage, NOW)
    assert (decision.allowed, decision.why) == (allowed, why)


def test_about_the_right_share_of_hits_is_probed() -> None:
    picked = sum(probed(f"srv-{i}", 0.1) for i in range(5_000))
    assert 300 <= picked <= 700


def test_a_question_that_a_model_adds_takes_no_place_of_one_that_the_rules_expect() -> None:
    expected = [askable("What is my diet?", 0.2), askable("Who do I report to?", 0.1)]
    added = askable("Where do I keep the blue bicycle?", 1.0, added=True)
    assert [one.candidate for one in choose([added, *expected], {}, k=2)] == expected
    assert [one.candidate for one in choose([added, *expected], {}, k=3)] == [*expected, added]
