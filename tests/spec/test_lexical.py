"""How words are weighed, and what a turn is found by."""

import pytest

from reverie.awake.recall import query_hash
from reverie.language.words import MAX_TERMS, index_terms, query_terms
from reverie.model.turns import Turn
from reverie.policy.recall.bm25 import name_rarity, rarity, saturated
from reverie.policy.recall.search_keys import turn_document, vector_texts


def turn(n: int, text: str) -> Turn:
    return Turn(f"turn-{n}", "space", n, "one", "user", text, at=1_794_182_400.0, speaker="Ann" if n % 2 else None)


TALK = [turn(n, f"word{n}") for n in range(7)]


def test_a_rare_word_says_more_and_no_word_says_nothing() -> None:
    assert rarity(1_000, 1) > rarity(1_000, 10) > rarity(1_000, 1_000) > 0
    assert rarity(1, 1) > 0


@pytest.mark.parametrize(("holding", "says"), [(1, True), (400, True), (500, False), (1_000, False)])
def test_a_name_that_half_of_a_talk_holds_says_nothing(holding: int, says: bool) -> None:
    assert (name_rarity(1_000, holding) > 0) is says


def test_repetition_saturates_and_length_dilutes() -> None:
    assert saturated(1.0, 1.0) < saturated(2.0, 1.0) < saturated(100.0, 1.0) < 2.2
    assert saturated(1.0, 2.0) < saturated(1.0, 1.0) < saturated(1.0, 0.5)


def test_terms_carry_their_space_and_only_word_characters() -> None:
    assert query_terms(3, 'tea" OR (coffee*) NEAR') == ["3_tea", "3_coffe", "3_near"]
    assert query_terms(3, "the of and") == []


def test_an_endless_text_has_few_terms() -> None:
    assert len(index_terms(1, "alpha beta " * 1_000_000).split()) == MAX_TERMS


def test_a_turn_is_found_by_its_neighbours_and_its_day() -> None:
    document = turn_document("mem-1", TALK[3], TALK[:3], TALK[4:], ["Ann likes tea"])
    assert document.body == "Ann: word3"
    assert document.context == "Ann: word1 user: word2 user: word4 monday 9 november 2026"
    assert document.extra == "user: word0 Ann: word5 Ann likes tea"


def test_a_reply_is_embedded_with_what_it_replies_to() -> None:
    assert vector_texts(TALK[3], TALK[:3]) == ["user: word2\nAnn: word3"]
    assert vector_texts(TALK[0], []) == ["user: word0"]


def test_questions_that_differ_in_case_or_spacing_are_one_question() -> None:
    assert query_hash("Green  TEA!") == query_hash("green tea")
    assert query_hash("green tea") != query_hash("green tea?")
