"""When a precomputed answer is given, and how its bar learns."""

from dataclasses import replace
from typing import Any

import pytest

from reverie.model.answers import Answer
from reverie.model.base import Trust
from reverie.policy.answers.closeness import Closeness, closeness
from reverie.policy.answers.guards.compare import Guarded, compare
from reverie.policy.answers.guards.reading import read
from reverie.policy.answers.serving import (
    CURVE,
    NEVER,
    AnswerHit,
    Outcome,
    ServingLimits,
    decide,
    expected_wrong,
    learned_bar,
    starting_bar,
)
from reverie.policy.decision import Decision

NOW = 1_000_000.0
ANSWER = Answer(
    id="ans-1",
    space="s",
    question="Where do I live?",
    answer="You live in Hamburg.",
    embedder="e",
    confidence=0.9,
    threshold=0.95,
    predictor="recurring",
    sources=("mem-1",),
    rests_on={"mem-1": 1},
    trust=Trust.USER,
    created_at=NOW - 60,
    expires_at=NOW + 60,
)
FRESH = Decision(True, "nothing it rests on has changed")
OPEN = Guarded(ok=True, why="", parts={})


def hit(score: float = 0.99, fresh: Decision = FRESH, guarded: Guarded = OPEN, **changes: Any) -> AnswerHit:
    close = Closeness(score, "meaning")
    return AnswerHit(replace(ANSWER, **changes), close, guarded, fresh)


def test_a_close_fresh_sure_and_trusted_answer_is_given() -> None:
    served = decide(hit(), "s", NOW)
    assert served
    assert served.kind == "hit"
    assert served.why == "similar by 0.990 (meaning)"


@pytest.mark.parametrize(
    ("entry", "kind", "why"),
    [
        (hit(space="other"), "miss", "belongs to another space"),
        (hit(dropped="wrong twice"), "miss", "dropped: wrong twice"),
        (hit(expires_at=NOW), "miss", "expired"),
        (hit(confidence=0.5), "miss", "confidence 0.50, needs 0.60"),
        (hit(trust=Trust.CONTENT), "miss", "rests on content alone"),
        (hit(fresh=Decision(False, "mem-1 has changed")), "miss", "mem-1 has changed"),
        (hit(guarded=Guarded(False, "numbers differ: 3, not 4", {})), "miss", "numbers differ: 3, not 4"),
        (hit(score=0.94), "near", "similar by 0.940, needs 0.950"),
        (hit(score=0.70), "miss", "similar by 0.700, needs 0.950"),
        (hit(threshold=NEVER, score=1.0), "near", "similar by 1.000, needs 1.010"),
    ],
)
def test_an_answer_is_withheld_with_its_reason(entry: AnswerHit, kind: str, why: str) -> None:
    served = decide(entry, "s", NOW)
    assert not served
    assert (served.kind, served.why) == (kind, why)


def test_what_is_not_fresh_is_never_even_near() -> None:
    assert decide(hit(score=0.94, fresh=Decision(False, "gone")), "s", NOW).kind == "miss"


def test_a_stricter_target_means_a_higher_bar() -> None:
    bars = [starting_bar(target) for target in (0.10, 0.05, 0.02, 0.015)]
    assert bars == sorted(set(bars))
    assert starting_bar(0.001) == NEVER


def test_the_curve_only_falls() -> None:
    assert list(CURVE) == sorted(CURVE)
    wrong = [share for _, share in CURVE]
    assert wrong == sorted(wrong, reverse=True)
    assert expected_wrong(0.0) == CURVE[0][1]
    assert expected_wrong(1.5) == CURVE[-1][1]


def test_one_rejected_hit_lifts_the_bar_above_it() -> None:
    before = learned_bar([], 0.05)
    after = learned_bar([Outcome(before, accepted=False)], 0.05)
    assert after > before


def test_an_answer_that_was_wrong_for_its_own_question_is_never_served_again() -> None:
    assert learned_bar([Outcome(1.0, accepted=False)]) == NEVER


def test_accepted_hits_lower_the_bar_no_further_than_they_reach() -> None:
    accepted = [Outcome(0.96, accepted=True)] * 40
    bar = learned_bar(accepted, 0.02)
    assert 0.955 <= bar < starting_bar(0.02)


def test_a_few_accepted_hits_move_nothing_far() -> None:
    assert learned_bar([Outcome(0.999, accepted=True)] * 2, 0.02) >= 0.985


def test_limits_can_be_set() -> None:
    assert decide(
        hit(confidence=0.5, trust=Trust.TOOL), "s", NOW, ServingLimits(min_confidence=0.4, min_trust=Trust.TOOL)
    )


@pytest.mark.parametrize(
    ("asked", "cached", "cosine", "why", "score"),
    [
        ("Where do I live?", "What's my address?", 0.44, "reading", 1.0),
        ("When is my exam?", "What time is my exam?", 0.9, "personal", 0.995),
        ("When is my exam?", "What time is my exam?", 0.3, "words", 0.31),  # the same few words by chance
        ("What are tea plants?", "What is a tea plant?", 0.9, "words", 0.91),
        ("What is green tea?", "What is tea?", 0.9, "meaning", 0.896),
        ("Why is my car loud?", "Why is my car so loud?", 0.97, "words", 0.98),  # a reason, not a fact
        ("What would I eat at noon?", "What do I eat at noon?", 0.93, "words", 0.94),
        ("What did I say to Anna?", "What did I say about Anna?", 0.93, "words", 0.94),
        ("Which books have I read?", "Which book am I reading?", 0.8, "words", 0.81),
        ("What kind of dog do I have?", "What is my dog called?", 0.8, "words", 0.81),
        ("What does my sister call me at home?", "What does my sister call at home?", 0.8, "words", 0.81),
        ("What is tea?", "What is tea?", None, "words", 1.0),
        ("What is tea?", "What is rain?", None, "meaning", 0.0),
    ],
)
def test_closeness_says_what_settled_it(asked: str, cached: str, cosine: float | None, why: str, score: float) -> None:
    close = closeness(read(asked), read(cached), cosine)
    assert close.why == why
    assert close.score == pytest.approx(score)


def test_a_yes_or_no_hangs_on_who_does_it_to_whom() -> None:
    asked, cached = read("Is Anna my boss?"), read("Am I Anna's boss?")
    assert not (compare(asked, cached).ok and closeness(asked, cached, 0.95).score >= starting_bar(0.02))
