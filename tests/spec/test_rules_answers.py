"""Answers and questions without a model, as tables."""

import pytest

from reverie.minds.rules.answers import answer
from reverie.minds.rules.questions import questions
from reverie.minds.rules.wording import sentence
from reverie.model.thinking import Episode, Evidence, QuestionContext

NOW = 1_780_000_000.0


def fact(subject: str, predicate: str, value: str, text: str = "", at: float = NOW) -> Evidence:
    told = text or sentence(subject, predicate, value)
    return Evidence(
        f"{subject}-{predicate}-{value}", told, at, kind="fact", subject=subject, predicate=predicate, value=value
    )


FACTS = (
    fact("user", "name", "Ada"),
    fact("user", "lives_in", "Bonn", at=NOW - 90_000),
    fact("user", "lives_in", "Kiel"),
    fact("user", "works_at", "Acme"),
    fact("user", "job", "engineer"),
    fact("user", "likes", "hiking"),
    fact("user", "likes", "tea"),
    fact("user", "allergic_to", "cats"),
    fact("user", "has_pet", "cat Miso"),
    fact("user", "favorite", "colour: teal"),
    fact("user", "sibling", "Anna", "The user's sister is Anna"),
    fact("Anna", "lives_in", "Rome", "Anna (the user's sister) lives in Rome"),
    fact("user", "visited", "Malta", "The user visited Malta on 7 May 2023"),
    fact("user", "plays", "chess"),
    fact("Ben", "job", "pilot"),
)
ANSWERED = [
    ("What's my name?", "Your name is Ada."),
    ("Where do I live?", "You live in Kiel."),
    ("Where do I work?", "You work at Acme."),
    ("What do I do for a living?", "You work as an engineer."),
    ("What do I like?", "You like hiking. You like tea."),
    ("What am I allergic to?", "You are allergic to cats."),
    ("Am I allergic to cats?", "You are allergic to cats."),
    ("Do I have any pets?", "You have a cat Miso."),
    ("What is my favourite colour?", "Your favourite colour is teal."),
    ("Where does Anna live?", "Anna (your sister) lives in Rome."),
    ("Where does my sister live?", "Anna (your sister) lives in Rome."),
    ("Who is Anna?", "Your sister is Anna."),
    ("What is my sister's name?", "Your sister is Anna."),
    ("When did I go to Malta?", "You visited Malta on 7 May 2023."),
    ("What is Ben's job?", "Ben works as a pilot."),
]
UNANSWERED = [
    "What is my favourite band?",
    "What is my brother's name?",
    "What's my dog's name?",
    "Am I allergic to nuts?",
    "Where does Ben live?",
    "What car do I drive?",
    "Why do I like tea?",
    "How many siblings do I have?",
    "What's the weather like?",
    "When did I go to Peru?",
]


@pytest.mark.parametrize(("question", "expected"), ANSWERED)
def test_a_fact_of_the_right_kind_answers(question: str, expected: str) -> None:
    draft = answer(question, FACTS)
    assert draft is not None
    assert draft.text == expected
    assert draft.sources


@pytest.mark.parametrize("question", UNANSWERED)
def test_a_question_that_no_fact_answers_gets_none(question: str) -> None:
    assert answer(question, FACTS) is None


def test_what_is_over_answers_only_when_nothing_else_does() -> None:
    over = fact("user", "works_at", "Acme", "The user no longer works at Acme")
    now = fact("user", "works_at", "Lidl", at=NOW - 5_000)
    assert answer("Where do I work?", [over, now]) == answer("Where do I work?", [now])
    alone = answer("Where do I work?", [over])
    assert alone is not None
    assert alone.text == "You no longer work at Acme."


def test_a_turn_is_quoted_when_it_holds_the_answer() -> None:
    turn = Evidence("t1", "We met at noon. The spare key is under the blue pot.", NOW, speaker="user")
    draft = answer("Where is the spare key?", [turn])
    assert draft is not None
    assert (draft.text, draft.sources) == ("The spare key is under the blue pot.", ("t1",))


def test_each_new_fact_is_asked_about_once_and_in_order() -> None:
    asked = [draft.text for draft in questions(QuestionContext(FACTS, ()), 30)]
    assert asked[:3] == ["What is my name?", "Where do I live?", "Where do I work?"]
    assert "Where does Anna live?" in asked
    assert len(asked) == len(set(asked))


def test_questions_that_were_asked_before_are_not_drafted_again() -> None:
    context = QuestionContext(FACTS[:2], (), asked=("where do I live",))
    assert [draft.text for draft in questions(context, 5)] == ["What is my name?"]


def test_what_recent_turns_left_open_is_asked() -> None:
    turn = Episode("t1", "Thanks. Which paint dries fastest?", NOW)
    assert [draft.text for draft in questions(QuestionContext((), (turn,)), 5)] == ["Which paint dries fastest?"]


def test_a_former_employer_does_not_answer_where_somebody_works_now() -> None:
    evidence = [
        Evidence(
            "m1",
            "The user no longer works at Brightloop",
            9.0,
            subject="user",
            predicate="works_at",
            value="Brightloop",
        ),
        Evidence("m2", "The user works at Northwind", 5.0, subject="user", predicate="works_at", value="Northwind"),
    ]
    found = answer("Where do I work?", evidence)
    assert found is not None
    assert found.text == "You work at Northwind."
