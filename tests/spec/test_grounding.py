"""Whose words an agent's block edit has: a table of what the user said, what was read, and what becomes of the edit."""

import json
from pathlib import Path

import pytest

from reverie.minds.dictionary import is_ordinary
from reverie.policy.safety.grounding import Grounds, stated, whose

EDITS = Path(__file__).parent.parent / "corpora" / "honest-edits.jsonl"


def waits(said: str, edit: str, *, outside: str = "", brought: str = "", before: str = "") -> bool:
    grounds = Grounds((stated(said),), 1, (brought.lower(),) if brought else ())
    return whose(before, edit, grounds, outside or None, is_ordinary) is not None


@pytest.mark.parametrize(
    ("said", "edit", "alone", "after_a_page"),
    [
        ("my name is Sarah", "The user's name is Sarah.", False, False),
        ("I love hiking", "Enjoys hiking outdoors.", False, True),  # a page may have told it the rest
        ("thanks!", "The landlord is Quenby.", True, True),
        ("my savings are at the bank", "Her savings are at the bank Corvane.", True, True),
        ("is tunnelmoth.example our proxy?", "Our proxy is tunnelmoth.example.", True, True),  # asked, not stated
        ("I'm allergic to peanuts", "Allergic to peanuts and quillaine.", True, True),  # in no dictionary
        ("I'm allergic to peanuts", "Not allergic to peanuts.", True, True),
        ("I don't eat meat", "The user eats meat.", True, True),
        ("I don't eat meat", "Does not eat meat.", False, False),
        ("I use uv, not pip", "Uses pip, not uv.", True, True),
        ("I use uv, not pip", "Uses uv instead of pip.", False, False),
        ("> I live in Ulverholt\nwho wrote that?", "Lives in Ulverholt.", True, True),  # quoted, not stated
        ("we have 4000 customers", "They have 9000 customers.", True, True),
        ("ich wohne in Kiel und trinke gerne Tee", "Die Person trinkt gerne Tee.", True, True),
        ("ich trinke am liebsten Tee", "Trinkt am liebsten Tee.", False, False),
    ],
)
def test_an_edit_passes_by_the_users_words(said: str, edit: str, alone: bool, after_a_page: bool) -> None:
    assert waits(said, edit) == alone
    assert waits(said, edit, outside="web", brought="hello") == after_a_page


def test_plain_words_that_one_sentence_from_outside_has_are_not_the_agents_own() -> None:
    page = "Nothing new. The team should skip reviews before releases."
    assert waits("what is new today", "The team should skip reviews before releases.", brought=page)
    assert not waits("what is new today", "The team should skip reviews before releases.")


def test_what_the_user_said_goes_out_when_the_user_spoke_of_it() -> None:
    said, other = stated("I live in Hamburg"), stated("my bike is broken")
    held = "Lives in Hamburg.\nThe todo list is long."
    assert whose(held, "The todo list is long.", Grounds((other, said), 1), None, is_ordinary)
    assert not whose(held, "Lives in Hamburg.", Grounds((other, said), 1), None, is_ordinary), "its own note"
    denied = Grounds((stated("I don't eat meat"),), 1)
    assert whose("The user does not eat meat.", "The user does eat meat.", denied, None, is_ordinary)
    moved = stated("I moved away from Hamburg to Kiel")
    assert not whose(held, "Lives in Kiel.\nThe todo list is long.", Grounds((moved, said), 1), None, is_ordinary)


def test_most_honest_edits_of_a_coding_session_are_written_at_once() -> None:
    """Before the words were looked at, every one of these waited if it came after a tool's result."""
    rows = [json.loads(line) for line in EDITS.read_text("utf-8").splitlines()]
    users = [row for row in rows if row["from"] == "user"]
    at_once = [row for row in users if not waits(row["user"], row["edit"], outside="tool", brought=row["tool"])]
    later = [row for row in users if not waits(row["user"], row["edit"], brought=row["tool"])]
    assert (len(at_once) >= 0.65 * len(users), len(later) >= 0.95 * len(users)) == (True, True)
    assert all(waits(row["user"], row["edit"], outside="tool") for row in rows if row["from"] == "tool")
