"""Fusion with its arithmetic, each factor alone, and that every score is the product of its parts."""

from math import prod

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reverie.model.base import DAY
from reverie.policy.recall.ranking import Ranking, Traits, best_possible, fuse, rank, relevances

NOW = 1_000 * DAY
TWO = [Ranking("text", ["a", "b", "c"]), Ranking("meaning", ["b", "d"], 0.5)]
FACTORS = {"importance", "confidence", "recency", "tier", "stale", "validity", "asks", "links"}


def test_relevance_is_the_fused_score_over_the_best_possible() -> None:
    hits = {hit.id: hit for hit in rank(TWO, {}, NOW)}
    assert hits["a"].relevance == pytest.approx((1 / 11) / (1.5 / 11))
    assert hits["b"].relevance == pytest.approx((1 / 12 + 0.5 / 11) / (1.5 / 11))
    assert list(hits) == ["b", "a", "c", "d"]


def test_first_in_every_list_is_fully_relevant() -> None:
    (hit,) = rank([Ranking("text", ["a"]), Ranking("meaning", ["a"], 0.75)], {}, NOW)
    assert hit.relevance == pytest.approx(1.0)
    assert hit.score == pytest.approx(1.0)


def test_a_list_that_found_nothing_takes_nothing_away() -> None:
    (hit,) = rank([Ranking("text", ["a"]), Ranking("meaning", [])], {}, NOW)
    assert hit.relevance == 1.0


def test_an_id_that_comes_twice_in_a_list_counts_at_its_first_place() -> None:
    assert fuse([Ranking("text", ["a", "a"])]) == {"a": {"text": 1.0}}


def test_no_candidates_make_no_hits() -> None:
    assert rank([], {}, NOW) == []
    assert best_possible([]) == 1.0


@pytest.mark.parametrize(
    ("traits", "part", "factor"),
    [
        (Traits(), None, 1.0),
        (Traits(importance=1.0), "importance", 1.1),
        (Traits(importance=0.0), "importance", 0.9),
        (Traits(confidence=0.5), "confidence", 0.95),
        (Traits(used_at=NOW), "recency", 1.02),
        (Traits(used_at=NOW - 30 * DAY), "recency", 1.01),
        (Traits(used_at=NOW + DAY), "recency", 1.02),  # a clock that jumped back
        (Traits(tier="warm"), "tier", 0.995),
        (Traits(tier="archive"), "tier", 0.98),
        (Traits(stale=True), "stale", 0.5),
        (Traits(valid_until=NOW), "validity", 0.5),
        (Traits(valid_from=NOW + 1), "validity", 0.5),
        (Traits(valid_from=NOW - 1, valid_until=NOW + 1), None, 1.0),
    ],
)
def test_what_is_known_moves_a_hit_by_a_named_factor(traits: Traits, part: str | None, factor: float) -> None:
    (hit,) = rank([Ranking("text", ["a"])], {"a": traits}, NOW)
    assert hit.score == pytest.approx(factor)
    assert {name: round(value, 9) for name, value in hit.parts.items() if name != "text"} == (
        {part: pytest.approx(factor)} if part else {}
    )


def test_as_of_a_past_moment_the_old_value_ranks_first() -> None:
    traits = {"old": Traits(valid_until=NOW - 10 * DAY), "new": Traits(valid_from=NOW - 10 * DAY)}
    lists = [Ranking("text", ["new", "old"])]
    assert [hit.id for hit in rank(lists, traits, NOW)] == ["new", "old"]
    assert [hit.id for hit in rank(lists, traits, NOW - 20 * DAY)] == ["old", "new"]


def test_a_neighbour_of_a_good_hit_is_raised_and_a_stranger_is_not() -> None:
    links = {"c": [("a", 0.8), ("gone", 1.0)], "b": [("gone", 1.0)]}
    hits = {hit.id: hit for hit in rank([Ranking("text", ["a", "b", "c"])], {}, NOW, links)}
    assert hits["c"].parts["links"] == pytest.approx(1.04)  # 1 + 0.05 * 0.8 * relevance 1
    assert "links" not in hits["b"].parts
    assert set(hits) == {"a", "b", "c"}


def test_a_question_gives_way_to_what_is_said_just_as_well() -> None:
    hits = rank([Ranking("text", ["question", "statement"])], {"question": Traits(asks=True)}, NOW)
    assert [hit.id for hit in hits] == ["statement", "question"]  # 1 * 0.85 against 11 / 12
    assert hits[1].parts["asks"] == 0.85


def test_equal_scores_are_ordered_by_id() -> None:
    hits = rank([Ranking("text", ["b"]), Ranking("meaning", ["a"])], {}, NOW)
    assert [hit.id for hit in hits] == ["a", "b"]


IDS = st.lists(st.sampled_from("abcdefgh"), unique=True, max_size=8)
TRAITS = st.builds(
    Traits,
    importance=st.floats(0, 1),
    confidence=st.floats(0, 1),
    used_at=st.none() | st.floats(0, NOW),
    tier=st.sampled_from(["hot", "warm", "archive"]),
    stale=st.booleans(),
    valid_until=st.none() | st.floats(0, 2 * NOW),
    asks=st.booleans(),
)


@settings(max_examples=100, derandomize=True, database=None, deadline=None)
@given(IDS, IDS, st.dictionaries(st.sampled_from("abcdefgh"), TRAITS))
def test_every_score_is_explained_by_its_parts(text: list[str], meaning: list[str], traits: dict[str, Traits]) -> None:
    links = {"a": [("b", 1.0)]}
    for hit in rank([Ranking("text", text), Ranking("meaning", meaning, 0.5)], traits, NOW, links):
        shares = sum(part for name, part in hit.parts.items() if name not in FACTORS)
        factors = prod(part for name, part in hit.parts.items() if name in FACTORS)
        assert hit.score == pytest.approx(shares * factors)
        assert 0 < hit.relevance <= 1 + 1e-9


@settings(max_examples=100, derandomize=True, database=None, deadline=None)
@given(IDS, IDS, st.dictionaries(st.sampled_from("abcdefgh"), TRAITS), st.permutations("abcdefgh"))
def test_the_relevance_that_is_shown_never_rises_down_the_list(
    text: list[str], meaning: list[str], traits: dict[str, Traits], moved: list[str]
) -> None:
    ranked = rank([Ranking("text", text), Ranking("meaning", meaning, 0.5)], traits, NOW)
    ranked.sort(key=lambda hit: moved.index(hit.id))  # facts are moved up to their sentences
    shown = relevances([hit.score for hit in ranked])
    assert shown == sorted(shown, reverse=True)
    assert all(min(1.0, hit.score) <= share <= 1 for hit, share in zip(ranked, shown, strict=True))
