"""Which facts are compared at all, when two say the same, and which episodes are on one topic."""

from typing import Any

import pytest

from reverie.model.base import DAY
from reverie.model.memories import Memory
from reverie.policy.care.grouping import GroupWeights, Topical, topics
from reverie.policy.truth.contradiction import in_order, worth_asking
from reverie.policy.truth.statements import is_over, statement_key


def fact(predicate: str, value: str, at: float = 0.0, subject: str = "user", **metadata: Any) -> Memory:
    id = f"{subject} {predicate} {value} {at}"
    said = {"subject": subject, "predicate": predicate, "value": value, "said_at": at}
    return Memory(id, "s", "fact", f"{subject} {predicate} {value}", ("t",), 0.0, marks=metadata, **said)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("older", "newer", "asked"),
    [
        (fact("likes", "tea"), fact("likes", "coffee"), False),
        (fact("likes", "tea"), fact("dislikes", "tea"), True),
        (fact("likes", "tea"), fact("dislikes", "coffee"), False),
        (fact("lives_in", "Kiel"), fact("lives_in", "Bonn"), True),
        (fact("lives_in", "Kiel"), fact("lives_in", "Kiel", at=9.0), False),  # said again
        (fact("has_pet", "a dog"), fact("has_pet", "a cat"), False),
        (fact("owns", "a car"), fact("owns", "a bike", replaces="car"), True),
        (fact("habit", "runs daily"), fact("habit", "runs daily", 9.0, negated=True), True),
        (fact("plays", "chess"), fact("plays", "chess with Tom", cue="now"), True),
        (fact("role_in_team", "lead"), fact("role_in_team", "member", exclusive=True), True),  # a model's own predicate
    ],
)
def test_only_what_may_clash_is_asked_about(older: Memory, newer: Memory, asked: bool) -> None:
    assert worth_asking(older, newer) is asked


def test_what_was_said_first_comes_first_however_it_was_found() -> None:
    early, late = fact("lives_in", "Kiel", at=1.0), fact("lives_in", "Bonn", at=2.0)
    assert in_order(late, early) == in_order(early, late) == (early, late)


def went_running(at: float) -> Memory:
    return fact("event", "went running", at, fact_kind="event")


@pytest.mark.parametrize(
    ("a", "b", "same"),
    [
        (fact("likes", "green tea"), fact("likes", "Green Teas", at=5.0), True),
        (fact("likes", "tea"), fact("likes", "tea", negated=True), False),
        (fact("likes", "tea"), fact("likes", "tea", subject="Anna"), False),
        (went_running(0.0), went_running(3 * DAY), False),  # two occasions
        (went_running(0.0), went_running(60.0), True),
        (fact("likes", "北京"), fact("likes", "上海"), False),
    ],
)
def test_two_statements_are_one_only_if_they_say_the_same(a: Memory, b: Memory, same: bool) -> None:
    assert (statement_key(a) == statement_key(b)) is same


def test_a_fact_is_over_when_it_has_ended() -> None:
    ended = Memory("m", "s", "fact", "x", ("t",), 0.0, valid_until=5.0)
    assert [is_over(ended, now) for now in (4.9, 5.0)] == [False, True]


def said(id: str, at: float, quote: str) -> Topical:
    return Topical.of(id, f"e-{id}", at, quote)


def found(*statements: Topical, new: str = "", speakers: tuple[str, ...] = ()) -> dict[str, list[str]]:
    """The statements of each topic, by its words."""
    ids = {statement.id for statement in statements}
    made = topics(statements, set(new) or ids, speakers)
    return {topic.shown: [statement.id for statement in topic.statements] for topic in made}


def test_a_name_a_compound_or_a_thing_with_company_is_a_topic() -> None:
    assert found(said("a", 0, "We asked Petra for it"), said("b", 1, "then petra wrote back")) == {"Petra": ["a", "b"]}
    ledger = said("a", 0, "we moved the ledger deadline"), said("b", 1, "is the ledger deadline off")
    assert found(*ledger) == {"ledger deadline": ["a", "b"]}
    kiln = said("a", 0, "the kiln ruined my celadon glaze"), said("b", 1, "our kiln likes the celadon glaze")
    assert list(found(*kiln).values()) == [["a", "b"]]  # they share more than the one word


NO_TOPIC = [
    ("a weekday", "I swim on Friday", "we deploy on Friday"),
    ("a month", "the lease ends in March", "my exam is in March"),
    ("a number", "I paid 40 for it", "there were 40 at the door"),
    ("a verb", "I am going to swim", "she is going to paint"),
    ("a filler", "it was a thing btw", "he did the thing btw"),
    ("a word for two things", "I take a tablet for my heart", "he dropped the tablet in the pool"),
]


@pytest.mark.parametrize(("one", "other"), [row[1:] for row in NO_TOPIC], ids=[row[0] for row in NO_TOPIC])
def test_what_two_statements_merely_use_is_no_topic(one: str, other: str) -> None:
    assert found(said("a", 0, one), said("b", 1, other)) == {}


def test_one_turn_is_no_topic_and_far_days_are_none_together() -> None:
    twice = Topical.of("a", "e", 0, "We met Petra"), Topical.of("b", "e", 0, "and Petra left")
    assert found(*twice) == {}
    assert found(said("a", 0, "We met Petra"), said("b", 60 * DAY, "and Petra left")) == {}


def test_a_speaker_is_no_topic_of_their_own_talk() -> None:
    greeted = said("a", 0, "I baked it, Petra"), said("b", 1, "You know Petra, I paint")
    assert found(*greeted, speakers=("Petra", "Deon")) == {}


def test_a_topic_without_anything_new_is_not_made_again() -> None:
    statements = [said("a", 0, "We met Petra"), said("b", 1, "and Petra left")]
    assert topics(statements, new=set()) == []


def test_a_statement_is_in_one_topic_and_a_topic_is_bounded() -> None:
    many = [said(f"s{n:02}", n, f"We met Petra and Deon at the {n}th gate") for n in range(10)]
    made = topics(many, {s.id for s in many}, w=GroupWeights(most=4, few=20))
    ids = [statement.id for topic in made for statement in topic.statements]
    assert len(ids) == len(set(ids))
    assert all(len(topic.statements) <= 4 for topic in made)


def test_what_everything_is_about_is_no_topic() -> None:
    many = [said(f"s{n:02}", n, f"We met Petra near gate number {n}") for n in range(30)]
    assert "Petra" not in found(*many)
