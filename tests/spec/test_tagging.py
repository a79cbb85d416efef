"""Keywords by rarity, source tags first, and never an untagged memory."""

import pytest

from reverie.policy.care.tagging import Frequencies, auto_tags, keywords

SPACE = Frequencies(100, {"garden": 60, "tomato": 2, "water": 30})


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The garden needs water and the tomatoes", ("tomatoes", "water", "garden")),  # rare before common
        ("I am so at it", ()),  # nothing long enough
        ("cat dog 2026 b2b4 12345", ()),  # short, or not a word
        ("I really think that was great, thanks!", ()),  # long, but empty
        ("tomato, tomatoes, Tomato!", ("tomato",)),  # one stem, first form
        (
            "alpha bravo charlie delta foxtrot golf hotel india",
            ("alpha", "bravo", "charlie", "delta", "foxtrot", "golf"),
        ),
        ("", ()),
    ],
)
def test_the_words_that_say_most(text: str, expected: tuple[str, ...]) -> None:
    assert keywords(text, SPACE) == expected


def test_a_word_said_often_says_more() -> None:
    assert keywords("olive bread bread bread", Frequencies()) == ("bread", "olive")


def test_source_tags_come_first_and_once() -> None:
    assert auto_tags("baking bread", "chat", Frequencies(), ["bread", "kitchen"]) == ("bread", "kitchen", "baking")


def test_a_text_without_keywords_is_tagged_with_its_source() -> None:
    assert auto_tags("ok", "import:notes", Frequencies()) == ("import:notes",)
