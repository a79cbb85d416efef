"""Which facts are compared at all, when two say the same, and which episodes are on one topic."""

from typing import Any

import pytest

from reverie.model.base import DAY
from reverie.model.memories import Memory
from reverie.policy.care.grouping import GroupWeights, Topical, groups
from reverie.policy.truth.contradiction import in_order, worth_asking
from reverie.policy.truth.statements import is_over, statement_key


def fact(predicate: str, value: str, at: float = 0.0, subject: str = "user", **metadata: Any) -> Memory:
    id = f"{subject} {predicate} {value} {at}"
    said = {"subject": subject, "predicate": predicate, "value": value, "said_at": at}
    return Memory(id, "s", "fact", f"{subject} {predicate} {value}", ("t",), 0.0, metadata=metadata, **said)  # type: ignore[arg-type]


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


def said(id: str, at: float, *words: str) -> Topical:
    return Topical(id, at, frozenset(words))


def test_a_group_needs_two_shared_rare_words() -> None:
    episodes = [said("a", 0, "kiln", "glaze"), said("b", 1, "kiln", "rain"), said("c", 2, "kiln", "glaze")]
    assert groups(episodes, {"kiln": 3, "glaze": 2, "rain": 1}, new={"a", "b", "c"}) == [("a", "c")]


def test_common_words_and_far_days_make_no_topic() -> None:
    common = [said("a", 0, "day", "work"), said("b", 1, "day", "work")]
    assert groups(common, {"day": 99, "work": 99}, new={"a", "b"}) == []
    far = [said("a", 0, "kiln", "glaze"), said("b", 60 * DAY, "kiln", "glaze")]
    assert groups(far, {"kiln": 2, "glaze": 2}, new={"b"}) == []


def test_a_group_without_anything_new_is_not_made_again() -> None:
    episodes = [said("a", 0, "kiln", "glaze"), said("b", 1, "kiln", "glaze")]
    assert groups(episodes, {"kiln": 2, "glaze": 2}, new=set()) == []


def test_groups_are_bounded_and_share_nobody() -> None:
    episodes = [said(f"e{n:02}", n, "kiln", "glaze") for n in range(10)]
    found = groups(episodes, {"kiln": 10, "glaze": 10}, {e.id for e in episodes}, GroupWeights(most=4))
    assert [len(group) for group in found] == [4, 4, 2]
    assert len({id for group in found for id in group}) == 10
