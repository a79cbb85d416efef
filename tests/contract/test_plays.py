"""Whoever plays a part says nothing of themselves in it, asks for nothing, and takes nothing back."""

import pytest

from reverie import Space
from reverie.model.base import HOUR, Trust
from tests.conftest import BACKENDS
from tests.support.nights import NOW

OPENINGS = (
    "let's role play: you are a waiter and I am a guest",
    "Role play! You are the receptionist and I am a guest from Sweden.",
    "Let's play: you're the doctor, I'm the patient Mr Holm.",
    "Pretend you are my neighbour, I'll be a character called Rolf.",
    "Do a mock interview with me, I play the candidate.",
    "Rollenspiel: du bist der Kellner, ich bin der Gast.",
    "be the game master of a text adventure, I'm the thief",
)
NO_OPENINGS = (
    "I love role play games, we play every Friday",
    "you are a great help and I am a nurse",
    "Role play is my hobby. You're patient, and I'm a nurse.",
    "let's play tennis on Friday",
    "the kids pretend to be pirates all day, I'm tired",
)
pytestmark = pytest.mark.parametrize("location", BACKENDS, indirect=True)


def say(space: Space, text: str, after: float, session: str = "evening", role: str = "user") -> Trust:
    """Appends a turn so many seconds after the first, and answers how far it is trusted."""
    turn = space.append(role, text, session, at=NOW + after)
    return space.turn(turn.id).trust


@pytest.mark.parametrize("opening", OPENINGS)
def test_from_the_turn_after_a_play_was_begun_nobody_speaks_of_themselves(alice: Space, opening: str) -> None:
    assert say(alice, opening, 0) == Trust.USER
    assert say(alice, "Good evening.", 5, role="assistant") == Trust.CONTENT
    assert say(alice, "I live in Oslo.", 10) == Trust.CONTENT
    assert say(alice, "My wife is called Berit.", 20) == Trust.CONTENT


@pytest.mark.parametrize("text", NO_OPENINGS)
def test_talk_of_plays_begins_none(alice: Space, text: str) -> None:
    say(alice, text, 0)
    assert say(alice, "I live in Oslo.", 10) == Trust.USER


@pytest.mark.parametrize("end", ["ok, enough role play", "out of character: I'm tired", "the scene is over"])
def test_whoever_leaves_their_part_speaks_for_themselves_again(alice: Space, end: str) -> None:
    say(alice, OPENINGS[0], 0)
    assert say(alice, "I live in Oslo.", 10) == Trust.CONTENT
    assert say(alice, end, 20) == Trust.USER
    assert say(alice, "I live in Bergen.", 30) == Trust.USER


def test_after_a_pause_of_an_hour_nobody_plays_on(alice: Space) -> None:
    say(alice, OPENINGS[0], 0)
    assert say(alice, "I live in Oslo.", HOUR - 1) == Trust.CONTENT
    assert say(alice, "I am a baker.", 2 * HOUR - 2) == Trust.CONTENT, "the pause is counted from the last turn"
    assert say(alice, "I live in Bergen.", 3 * HOUR - 2) == Trust.USER
    assert say(alice, "I work in Bergen.", 3 * HOUR) == Trust.USER


def test_a_play_is_one_sessions_own(alice: Space) -> None:
    say(alice, OPENINGS[0], 0)
    assert say(alice, "I live in Bergen.", 10, session="another") == Trust.USER
    assert say(alice, "I live in Oslo.", 20) == Trust.CONTENT


def test_a_tool_or_a_page_begins_and_ends_no_play(alice: Space) -> None:
    say(alice, OPENINGS[0], 0, role="tool")
    assert say(alice, "I live in Bergen.", 10) == Trust.USER
    say(alice, OPENINGS[0], 20)
    say(alice, "The role play is over.", 30, role="tool")
    say(alice, "The role play is over.", 40, role="assistant")
    assert say(alice, "I live in Oslo.", 50) == Trust.CONTENT


def test_a_reminder_asked_for_in_a_play_is_none(alice: Space) -> None:
    say(alice, OPENINGS[0], 0)
    say(alice, "Remind me to tip the cook when the lobster comes up.", 10)
    assert alice.intents() == []
    say(alice, "ok, enough role play", 20)
    say(alice, "Remind me to call Berit when the ledger comes up.", 30)
    assert [intent.remind for intent in alice.intents()] == ["call Berit"]


def test_in_a_play_no_reminder_is_taken_back(alice: Space) -> None:
    say(alice, "Remind me to call Berit when the ledger comes up.", 0)
    say(alice, OPENINGS[0], 10)
    say(alice, "Forget the reminder about Berit and the ledger.", 20)
    assert [intent.remind for intent in alice.intents() if intent.live] == ["call Berit"]


def test_what_was_said_in_a_play_is_in_no_block_after_nights(alice: Space) -> None:
    say(alice, OPENINGS[0], 0)
    say(alice, "Remember that I live in Oslo. Please always call me Captain.", 10)
    alice.sleep()
    core = "\n".join(block.value for block in alice.blocks)
    assert "Oslo" not in core
    assert "Captain" not in core
