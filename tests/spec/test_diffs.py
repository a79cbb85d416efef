"""What a rewrite takes away, and when a person must look at it."""

import pytest

from reverie.policy.core.rewriting import needs_review, removed_share, unified

FOUR = "Anna bakes bread. Tom sings. Ben runs. Eve reads."


def test_nothing_changed_has_no_diff() -> None:
    assert unified("tea\nmilk", "tea\nmilk") == ""


@pytest.mark.parametrize(
    ("before", "after", "share", "review"),
    [
        (FOUR, FOUR, 0.0, False),
        (FOUR, "Eve reads.\nBen runs!\nTom  sings.\nAnna bakes BREAD.", 0.0, False),  # order and spacing are no loss
        (FOUR, f"{FOUR} Kim swims.", 0.0, False),
        (FOUR, "Anna bakes bread. Tom sings. Ben runs.", 0.25, False),  # a quarter is allowed
        (FOUR, "Anna bakes bread. Tom sings.", 0.5, True),
        (FOUR, "", 1.0, True),
        ("One sentence only.", " ", 1.0, True),
        ("", "New.", 0.0, False),
        ("", "", 0.0, False),
    ],
)
def test_a_rewrite_that_removes_more_than_a_quarter_needs_a_review(
    before: str, after: str, share: float, review: bool
) -> None:
    assert removed_share(before, after) == share
    assert (needs_review(before, after) is not None) is review
