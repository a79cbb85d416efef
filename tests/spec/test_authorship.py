"""The small reader of whose words a sentence is: the user's own, or of a text that stands in their turn."""

import pytest

from reverie.language.speech import utterances
from reverie.minds.authorship import AuthorshipReader, PlaceInTurn
from reverie.minds.embed import NoEmbedder
from reverie.minds.judge import Judge
from reverie.minds.minilm import MiniLM
from reverie.minds.rules.reading.facts import facts_of
from reverie.model.thinking import Episode


@pytest.fixture(scope="module")
def judge() -> Judge:
    return Judge(MiniLM())


# The turn, and the sentence in question. No mark and no request of the tables tells these from speech.
OTHERS = [
    ("This came from my boss\n\nTeam, I am allergic to the new chairs, so please take mine.", "I am allergic"),
    (
        "my nephew is applying at the bakery and wants it less stiff\n"
        "I have worked in kitchens since I was sixteen. I live in Torvik with my aunt.",
        "I live in Torvik",
    ),
]
OWN = [
    ("can you shorten her letter later? I'm allergic to penicillin by the way, came out in hives.", "I'm allergic"),
    ("new laptop so you know nothing: I'm Davit, backend dev in Ghent. Rules: no emojis, ever.", "no emojis"),
    ("I live in Torvik with my aunt now. What's a good bus pass?", "I live in Torvik"),
    ("My doctor said I'm diabetic, so no sugar in recipes from now on.", "My doctor said"),
    ("We now leave on Monday 21 December, still through Vienna.", "We now leave"),
]


def odds(judge: Judge, turn: str, said: str) -> float:
    return judge.others([PlaceInTurn.of(turn, turn[turn.rindex(said) :])])[0]


@pytest.mark.parametrize(("turn", "said"), OTHERS)
def test_words_of_somebody_else_are_noticed_without_a_mark(judge: Judge, turn: str, said: str) -> None:
    assert odds(judge, turn, said) > 0


@pytest.mark.parametrize(("turn", "said"), OWN)
def test_the_users_own_words_stay_theirs(judge: Judge, turn: str, said: str) -> None:
    assert odds(judge, turn, said) < 0


def test_nothing_is_kept_of_a_turn_that_somebody_else_wrote(judge: Judge) -> None:
    turn = OTHERS[1][0]
    assert any("Torvik" in one.text for one in utterances(turn)), "the tables take it for speech"
    assert facts_of([Episode("e1", turn, 0.0)], judge) == []
    assert any("Torvik" in fact.quote for fact in facts_of([Episode("e2", OWN[2][0], 0.0)], judge))


def test_what_somebody_is_told_to_have_said_is_not_the_users(judge: Judge) -> None:
    said = "my sister goes I never eat after six and from now on nobody cooks with coriander here"
    assert all(fact.doubted and fact.kind != "directive" for fact in facts_of([Episode("e1", said, 0.0)], judge))


def test_talk_between_friends_is_not_asked_about(judge: Judge) -> None:
    """Between two persons each speaks for themselves; the reader has learnt from turns to an agent."""
    said = Episode("e1", OTHERS[1][0], 0.0, speaker="Mara", to_agent=False)
    assert any("Torvik" in fact.quote for fact in facts_of([said], judge))


def test_another_embedder_has_no_such_reader() -> None:
    assert AuthorshipReader.by(NoEmbedder()) is None
