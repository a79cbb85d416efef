"""An answer holds while nothing that it rests on has changed and nobody has just spoken of it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.model.answers import Answer
from reverie.model.base import Trust
from reverie.policy.answers.freshness import NewFact, World, check, fact_keys, said
from reverie.policy.answers.guards.reading import read

QUESTION = read("Where do I live?")
ANSWER = Answer(
    id="ans-1",
    space="s",
    question=QUESTION.text,
    answer="You live in Hamburg, near the Elbe.",
    embedder="e1",
    confidence=0.9,
    threshold=0.95,
    predictor="recurring",
    sources=("mem-1",),
    rests_on={"mem-1": 1, "mem-2": 4},
    trust=Trust.USER,
    created_at=0.0,
    expires_at=100.0,
)
HELD = {"mem-1": 1, "mem-2": 4, "mem-9": 7}


def world(
    *texts: str, versions: dict[str, int] | None = None, embedder: str = "e1", facts: tuple[NewFact, ...] = ()
) -> World:
    tail = tuple(statement for text in texts for statement in said(text))
    return World(versions=HELD if versions is None else versions, embedder=embedder, tail=tail, facts=facts)


def test_an_answer_whose_world_stands_still_is_fresh() -> None:
    assert check(ANSWER, QUESTION, world())


@pytest.mark.parametrize(
    ("now", "why"),
    [
        (world(versions={"mem-1": 2, "mem-2": 4}), "mem-1 has changed"),
        (world(versions={"mem-1": 1}), "mem-2 is gone"),
        (world(embedder="e2"), "made with embedder e1, now e2"),
        (world("I moved to Berlin."), "just spoken of: move"),
        (world("We got a new flat!"), "just spoken of: flat"),
        (world("Hamburg was great while it lasted."), "just spoken of: hamburg"),
        (world("Nice weather. I am leaving the Elbe."), "just spoken of: elb"),
        (world("That changed last week."), "something was just changed, not yet clear what"),
        (world("It is not so."), "something was just changed, not yet clear what"),
        (world(facts=(NewFact("user", "lives_in", "mem-7"),)), "mem-7 says something new about user lives_in"),
    ],
)
def test_an_answer_goes_stale_and_says_by_what(now: World, why: str) -> None:
    decision = check(ANSWER, QUESTION, now)
    assert not decision
    assert decision.why == why


@pytest.mark.parametrize(
    "now",
    [
        world(versions={**HELD, "mem-9": 8}),  # a write elsewhere in the space
        world("Where do I live?"),  # the question itself, just appended
        world("do I live far from work"),  # a question without its mark
        world("I had a great lunch with Tom."),
        world(facts=(NewFact("user", "likes", "mem-7"), NewFact("Anna", "lives_in", "mem-8"))),
        world(facts=(NewFact("user", "lives_in", "mem-1"),)),  # the very fact that it rests on
    ],
)
def test_what_does_not_touch_an_answer_leaves_it_fresh(now: World) -> None:
    decision = check(ANSWER, QUESTION, now)
    assert decision, decision.why


def test_a_new_fact_about_what_the_answer_rests_on_counts_even_if_the_question_does_not_show_it() -> None:
    question = read("Which parks are near me?")
    facts = (NewFact("User", "lives_in", "mem-7"),)
    assert check(ANSWER, question, world(facts=facts))
    assert not check(ANSWER, question, world(facts=facts), keys=(("user", "lives_in"),))


@pytest.mark.parametrize(
    ("question", "keys"),
    [
        ("Where do I live?", {("user", "lives_in")}),
        ("Where does Anna live?", {("anna", "lives_in")}),
        ("What is my favourite food?", {("user", "favorite")}),
        ("What is a park?", set()),
    ],
)
def test_a_personal_question_names_the_facts_that_answer_it(question: str, keys: set[tuple[str, str]]) -> None:
    assert fact_keys(read(question).personal) == keys


def test_a_relation_is_matched_whatever_its_ending() -> None:
    question = read("Where does my sister live?")
    assert not check(ANSWER, question, world(facts=(NewFact("user's sister", "lives_in", "mem-7"),)))


@given(st.dictionaries(st.sampled_from(["mem-1", "mem-2", "mem-9"]), st.integers(1, 6)))
def test_no_state_of_the_store_serves_an_answer_whose_dependency_has_changed(versions: dict[str, int]) -> None:
    unchanged = all(versions.get(ref) == version for ref, version in ANSWER.rests_on.items())
    assert check(ANSWER, QUESTION, world(versions=versions)).allowed == unchanged
