"""Words, stems, hashes, dates and token counts, as tables."""

import threading

import pytest

from reverie.language.calendar import date_words
from reverie.language.sentences import sentences
from reverie.language.vocabulary import STOP_WORDS
from reverie.language.words import (
    MAX_TERM,
    content_hash,
    jaccard,
    normalised,
    stem,
    stems,
    terms,
    token_count,
    tokens,
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I live in Berlin.", ["i", "live", "in", "berlin"]),
        ("Anna's cats' toys", ["anna", "cats", "toys"]),
        ("I'll go, we'd stay, they're here", ["i", "go", "we", "stay", "they", "here"]),  # never "ill", "wed"
        ("don't can’t won't", ["dont", "cant", "wont"]),
        ("O'Brien", ["obrien"]),
        ("Zoë ate crème brûlée", ["zoe", "ate", "creme", "brulee"]),
        ("1,200 and 3,50 and 2026-11-09", ["1200", "and", "3", "50", "and", "2026", "11", "09"]),
        ("snake_case and kebab-case", ["snake", "case", "and", "kebab", "case"]),
        ("我住在柏林 ok", ["我住", "住在", "在柏", "柏林", "ok"]),
        ("茶", ["茶"]),
        ("Привет, мир", ["привет", "мир"]),
        ("!!! ... ?", []),
        ("", []),
    ],
)
def test_tokens_are_plain_lowercase_words(text: str, expected: list[str]) -> None:
    assert tokens(text) == expected


def test_a_very_long_word_is_cut_into_pieces() -> None:
    assert tokens("x" * (2 * MAX_TERM + 1)) == ["x" * MAX_TERM, "x" * MAX_TERM, "x"]


def test_terms_are_stems_without_stop_words() -> None:
    assert terms("Which allergies does the running club's coach have?") == ["allergi", "run", "club", "coach"]
    assert terms("Who are you, and why?") == []


def test_stop_words_hold_question_words_but_no_month_and_no_country() -> None:
    assert {"what", "who", "when", "where", "why", "how", "which"} <= STOP_WORDS
    assert not {"may", "us", "march"} & STOP_WORDS
    assert all(tokens(word) == [word] for word in STOP_WORDS), "a stop word must look as `tokens` would make it"


def test_stems_fold_inflections() -> None:
    assert stems(["cooking", "cooks", "cooked"]) == ["cook"] * 3


def test_stems_are_the_same_from_every_thread() -> None:
    words = [f"{base}{ending}" for base in ("cook", "walk", "paint", "visit") for ending in ("s", "ed", "ing")] * 50
    seen: list[list[str]] = []
    stem.cache_clear()
    threads = [threading.Thread(target=lambda: seen.append(stems(words))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=10)
    assert seen == [[base for base in ("cook", "walk", "paint", "visit") for _ in range(3)] * 50] * 4


@pytest.mark.parametrize(
    ("a", "b", "same"),
    [
        ("I moved to Berlin.", "i moved  to\nberlin", True),
        ("It's “fine” (really)", "Its fine, really!", True),
        ("run `make` now", "Run make now", True),
        ("well-known", "well known", True),
        ("ﬁne ５", "fine 5", True),
        ("I like C++", "I like C#", False),
        ("-5 degrees", "5 degrees", False),
        ("3.5 kg", "35 kg", False),
        ("from 2-3 to 4", "from 2 3 to 4", False),
        ("You like tea.", "You like tea?", False),
        ("What??", "what ?", True),
        ("!!!", "...", False),
        ("👍", "👎", False),
    ],
)
def test_texts_are_the_same_up_to_case_space_and_punctuation(a: str, b: str, same: bool) -> None:
    assert (content_hash(a) == content_hash(b)) is same
    assert (normalised(a) == normalised(b)) is same


def test_a_broken_character_does_not_break_the_hash_or_the_count() -> None:
    assert content_hash("bad \ud800") != content_hash("bad")
    assert token_count("bad \ud800") > 0


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        ("ab", "ab", 1.0),
        ("ab", "bc", 1 / 3),
        ("ab", "c", 0.0),
        ("", "", 0.0),
    ],
)
def test_jaccard_is_what_is_shared_of_all(a: str, b: str, expected: float) -> None:
    assert jaccard(set(a), set(b)) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("instant", "expected"),
    [
        (0.0, "thursday 1 january 1970"),
        (1_794_268_799.0, "monday 9 november 2026"),
        (1_794_268_800.0, "tuesday 10 november 2026"),
        (-1.0, "wednesday 31 december 1969"),
    ],
)
def test_dates_are_told_in_words(instant: float, expected: str) -> None:
    assert date_words(instant) == expected


@pytest.mark.parametrize(
    ("text", "low", "high"),
    [
        ("", 0, 0),
        ("hello", 1, 3),
        ("The quick brown fox jumps over the lazy dog.", 9, 14),
        ("x" * 400, 100, 100),
        ("我住在柏林", 3, 7),
    ],
)
def test_token_counts_are_near_what_models_count(text: str, low: int, high: int) -> None:
    assert low <= token_count(text) <= high


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("One. Two! Three? Four", ["One.", "Two!", "Three?", "Four"]),
        ("i moved. my job is great", ["i moved.", "my job is great"]),
        ("Dr. Lee met Mr. J. Smith.", ["Dr. Lee met Mr. J. Smith."]),
        ("So did I. Then we left.", ["So did I.", "Then we left."]),
        ("It costs 3.50 or so. Fine.", ["It costs 3.50 or so.", "Fine."]),
        ("See https://a.example/x?y=1. Then go.", ["See https://a.example/x?y=1.", "Then go."]),
        ("We met at 5 p.m. on Friday.", ["We met at 5 p.m. on Friday."]),
        ("We met at 5 p.m. Then we ate.", ["We met at 5 p.m.", "Then we ate."]),
        ("Tea, milk, etc. and more.", ["Tea, milk, etc. and more."]),
        ("Room No. 5 is free. I said no. Really.", ["Room No. 5 is free.", "I said no.", "Really."]),
        ("He works at the U.S. embassy.", ["He works at the U.S. embassy."]),
        ('"Really?" he asked. "Yes." She left.', ['"Really?" he asked.', '"Yes."', "She left."]),
        ("Well... maybe. Hm... Fine.", ["Well... maybe.", "Hm...", "Fine."]),
        ("Todo:\n- buy milk\n- call Bob. Soon\n2. sleep", ["Todo:", "buy milk", "call Bob.", "Soon", "sleep"]),
        ("a line that was\nwrapped here\n\nanother one", ["a line that was wrapped here", "another one"]),
        ("Name: Ana\nCity: Porto", ["Name: Ana", "City: Porto"]),
        ("我住在柏林。你呢？", ["我住在柏林。", "你呢？"]),
        ("Wow!!! Great", ["Wow!!!", "Great"]),
        ("v1.2 is out", ["v1.2 is out"]),
        (" \n ", []),
    ],
)
def test_sentences_end_where_a_reader_would_say_so(text: str, expected: list[str]) -> None:
    assert sentences(text) == expected
