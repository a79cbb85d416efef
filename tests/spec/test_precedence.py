"""A fact that holds stands before the sentence it was drawn from."""

import pytest

from reverie.policy.recall.ranking import facts_first


@pytest.mark.parametrize(
    ("order", "drawn", "expected"),
    [
        (["a", "b"], {}, ["a", "b"]),
        (["said", "fact"], {"fact": ["said"]}, ["fact", "said"]),
        (["fact", "said"], {"fact": ["said"]}, ["fact", "said"]),  # already first
        (["x", "said", "y", "fact"], {"fact": ["said"]}, ["x", "fact", "said", "y"]),
        (["one", "two", "fact"], {"fact": ["two", "one"]}, ["fact", "one", "two"]),  # before the first of its sentences
        (["said", "f", "g"], {"f": ["said"], "g": ["said"]}, ["f", "said", "g"]),  # the best of its facts only
        (["fact"], {"fact": ["elsewhere"]}, ["fact"]),
    ],
)
def test_facts_come_first(order: list[str], drawn: dict[str, list[str]], expected: list[str]) -> None:
    assert facts_first(order, drawn) == expected
