"""Answers and questions without a model, as tables: what a statement answers, and what it does not."""

import pytest

from reverie.minds.rules.asking.answers import answer
from reverie.minds.rules.asking.askable import asked_of
from reverie.minds.rules.asking.questions import questions
from reverie.minds.rules.asking.replies import replied_to
from reverie.model.base import DAY
from reverie.model.thinking import Episode, Evidence, QuestionContext

NOW = 1_793_836_800.0  # 5 November 2026


def fact(
    quote: str, ago: float = 0.0, speaker: str = "user", about: str = "", happened_at: float | None = None
) -> Evidence:
    said_at = NOW - ago * DAY
    return Evidence(
        f"{speaker}: {quote}", quote, said_at, speaker, kind="fact", quote=quote, about=about, happened_at=happened_at
    )


ASKABLE = [
    ("we live in Porto now", "Where do I live?"),
    ("I moved to Hamburg last month.", "Where do I live?"),
    ("yes but realistic, i work in the bike café wed and sat", "Where do I work?"),
    ("I'm a lab tech at the university, proteomics.", "What is my job?"),
    ("Hi, my name is Ada.", "What is my name?"),
    ("I'm 46 and I have a cat.", "How old am I?"),
    ("I'm severely allergic to walnuts, told them as well", "What am I allergic to?"),
    ("And I can't have shellfish, my lips go like a balloon", "Can I have shellfish?"),
    ("my wife Jadranka is at the insurance till 6", "What is my wife's name?"),
    ("my cousin Ludwik would sleep there if he could", "Who is Ludwik?"),
    ("my boss Marloes wants me on fridays too.", "Who is my boss?"),
    ("so Ludmila is CTO from 1 sept", "Who is the CTO?"),
    ("My sister lives in Turku", "Where does my sister live?"),
    ("budget for the asado is 160,000 pesos", "What is the budget for the asado?"),
    ("retention demo is now the 24th", "When is the retention demo?"),
    ("Half term begins on the 26th of October.", "When does Half term begin?"),
    ("the grant application is due 27 March", "When is the grant application due?"),
    ("physio is thursdays at 15:00 from this week", "When is physio?"),
    ("i have to write the postmortem till friday 13th", "By when do I have to write the postmortem?"),
    ("The night train takes 22 hours", "How long does the night train take?"),
    ("we use Postgres for the ledger", "What do we use for the ledger?"),
]
NOT_ASKABLE = [
    "Nice job, Jolene!",
    "if I lived in Berlin I would cycle more",
    "I don't live in Kiel any more",
    "Where do I live?",
    "I wish I was a pilot",
    "imagine the budget is 5,000",
    "the deadline for that is end of may",
    "it is on Friday",
    "meeting is on thursdays",
    "the budget is tight",
    "she is 34",
    "my dad is in a good mood",
    "we used to live in Oslo",
    "I could be a teacher",
    "I live in hope",
    "we have 2 kids of the same age at the table",
    'he said "I live in Rome"',
    "My GP is Dr Fosse, he's retiring.",
]


@pytest.mark.parametrize(("statement", "question"), ASKABLE)
def test_a_statement_of_a_known_form_answers_its_question(statement: str, question: str) -> None:
    assert question in [asked for _, asked in asked_of(statement)]
    draft = answer(question, [fact(statement)])
    assert draft is not None
    assert draft.text.startswith(f'You said on 5 November 2026: "{statement.rstrip(".")}"')


@pytest.mark.parametrize("statement", NOT_ASKABLE)
def test_what_is_asked_imagined_denied_or_unclear_answers_nothing(statement: str) -> None:
    assert asked_of(statement) == []


@pytest.mark.parametrize(
    "question",
    [
        "Where does my sister live?",
        "Where did I live?",
        "Why do I live in Porto?",
        "Where do I work?",
        "Who lives in Porto?",
        "What is Porto?",
        "Do I like Porto?",
        "Where will I live?",
    ],
)
def test_sharing_words_is_not_answering(question: str) -> None:
    assert answer(question, [fact("we live in Porto now"), fact("Porto is lovely, my sister says")]) is None


def test_the_newest_statement_comes_first_and_the_older_one_is_told_as_earlier() -> None:
    told = answer("Where do I live?", [fact("we live in Porto", 30), fact("We moved to Lisbon.", 2)])
    assert told is not None
    assert told.text == (
        'You said on 3 November 2026: "We moved to Lisbon". Earlier, on 6 October 2026: "we live in Porto".'
    )
    assert told.sources == ("user: We moved to Lisbon.", "user: we live in Porto")


def test_several_that_hold_together_are_told_together() -> None:
    told = answer("What am I allergic to?", [fact("I'm allergic to cats", 9), fact("I'm allergic to walnuts", 2)])
    assert told is not None
    assert told.text.endswith('Also, on 27 October 2026: "I\'m allergic to cats".')


def test_what_says_the_same_again_is_told_once() -> None:
    told = answer("Where do I live?", [fact("we live in Porto", 9), fact("I live in Porto by the sea", 2)])
    assert told is not None
    assert told.sources == ("user: I live in Porto by the sea",)


def test_where_something_may_have_changed_there_is_no_answer() -> None:
    old = fact("the team meeting is tuesdays at 10", 9)
    for later in ("meeting is on thursdays from next week", "our team meeting moved, details follow"):
        assert answer("When is the team meeting?", [old, fact(later, 2)]) is None


def test_what_another_person_says_of_themselves_does_not_answer_for_the_user() -> None:
    tom = fact("I live in Rome", speaker="Tom")
    assert answer("Where do I live?", [tom]) is None
    told = answer("Where does Tom live?", [tom])
    assert told is not None
    assert told.text == 'Tom said on 5 November 2026: "I live in Rome".'


@pytest.mark.parametrize(
    ("asked", "reply", "question"),
    [
        ("When is the fair, and what do you have so far?", "6 March.", "When is the fair?"),
        ("Where does your sister live?", "in Turku, since May", "Where does my sister live?"),
        ("And how many guests are at the dinner?", "86, told the caterer", "How many guests are at the dinner?"),
        ("What's your dog's name?", "Biscuit.", "What's my dog's name?"),
        ("When do you see her again?", "on 9 April", ""),
        ("When is the fair?", "I must look that up", ""),
        ("Which make is it?", "Vaillant", ""),
        ("Should I move the appointment?", "On Friday", ""),
    ],
)
def test_a_reply_answers_the_question_before_it_if_it_begins_with_what_was_asked_for(
    asked: str, reply: str, question: str
) -> None:
    assert replied_to(asked, reply) == question


def test_a_reply_is_told_with_what_was_asked() -> None:
    told = answer("When is the fair?", [fact("6 March.", about="When is the fair?")])
    assert told is not None
    assert told.text == 'Asked "When is the fair?", you said on 5 November 2026: "6 March".'


def test_each_fact_is_asked_about_once_and_a_day_that_has_passed_no_more() -> None:
    facts = (
        fact("I live in Kiel", 1),
        fact("we live in Bonn", 30),
        fact("the first board meeting is on 1 October", 60, happened_at=NOW - 35 * DAY),
        fact("the grant review is on 9 November", 2, happened_at=NOW + 4 * DAY),
    )
    drafts = questions(QuestionContext(facts, (), now=NOW), 30)
    assert [draft.text for draft in drafts] == ["Where do I live?", "When is the grant review?"]


def test_questions_that_were_asked_before_are_not_drafted_again() -> None:
    context = QuestionContext((fact("I'm Ada."), fact("I live in Kiel")), (), asked=("where do I live",))
    assert [draft.text for draft in questions(context, 5)] == ["What is my name?"]


def test_what_recent_turns_left_open_is_asked_only_where_a_fact_answers_it() -> None:
    turn = Episode("t1", "Thanks. Which paint dries fastest? Where do I live again?", NOW)
    home = Evidence("m1", "", NOW, "user", kind="fact", quote="we live in Porto now")
    asked = [draft.text for draft in questions(QuestionContext((home,), (turn,)), 5)]
    assert asked == ["Where do I live?", "Where do I live again?"]
    assert questions(QuestionContext((), (turn,)), 5) == []


@pytest.mark.parametrize(
    ("said", "asked"),
    [
        ("dele's my husband btw. paramedic.", "Who is Dele?"),
        ("Magda (childminder) collects her on my work days", "Who is Magda?"),
        ("so the new educator is Marguerite Toal. she's from Roscommon", "Who is Marguerite Toal?"),
        ("David Osei is our bookkeeper", "Who is David Osei?"),
        ("morning. i'm ilka, i write the backend", "What is my name?"),
        ("nuala here, support desk at the mill", "What is my name?"),
    ],
)
def test_whoever_is_introduced_is_asked_for(said: str, asked: str) -> None:
    told = fact(said)
    assert asked in [draft.text for draft in questions(QuestionContext((told,), (), now=NOW), 10)]
    found = answer(asked, [told])
    assert found is not None
    assert found.sources == (told.id,)


def test_what_was_told_about_somebody_is_no_question_to_prepare() -> None:
    """Heaps of quotes that name somebody were right once in 21 times."""
    facts = [fact("joojo turns 7 on sept 14", 1), fact("joojo is allergic to sesame. badly.", 3)]
    asked = [draft.text for draft in questions(QuestionContext(tuple(facts), (), now=NOW), 10)]
    assert not [question for question in asked if "tell you" in question]


def test_names_in_small_letters_are_names() -> None:
    facts = (fact("my wife ingunn is a nurse on nights"), fact("joojo is allergic to sesame"))
    asked = {draft.text for draft in questions(QuestionContext(facts, (), now=NOW), 10)}
    assert {"What is my wife's name?", "What is Joojo allergic to?"} <= asked


def test_an_answer_quotes_the_sentences_on_its_matter_alone() -> None:
    said = fact("grand again, more or less. Mam rang. Granny's party is moved to Sunday 22 November, lunch at 1")
    told = answer("When is Granny's party?", [said])
    assert told is not None
    assert "Granny's party is moved" in told.text
    assert "Mam rang" not in told.text


def test_where_somebody_comes_from_is_no_name() -> None:
    assert answer("What is my name?", [fact("I'm Portuguese, I've lived here 16 years")]) is None


@pytest.mark.parametrize(
    ("said", "questions"),
    [
        ("Olu does Bristol and Bath, Shazia Gloucester", ["What does Olu do?"]),
        ("mum's hip is on the 20th", ["When is mum's hip?"]),
        ("kitchen start is now Monday 23 November", ["When is the kitchen start?"]),
        ("I told the club I'm out, no half marathon for me in march", []),
        ("physio till end of november", []),
        ("no Priti does those", []),
        ("the woman is called Bairbre and I've to ring her", []),
    ],
)
def test_a_statement_raises_the_question_that_it_answers_and_none_else(said: str, questions: list[str]) -> None:
    assert [question for _, question in asked_of(said)] == questions


def test_a_reply_to_what_one_does_with_something_answers_nothing() -> None:
    assert replied_to("What do you do with Jennet, the child witness?", "crap. she's the whole thing isn't she") == ""
