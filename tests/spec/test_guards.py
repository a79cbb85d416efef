"""What must not differ before one question's answer is given to another; and what may."""

import json
from pathlib import Path

import pytest

from reverie.minds.embed import MiniLM
from reverie.policy.closeness import closeness
from reverie.policy.guards import compare, pack, read, unpack
from reverie.policy.serving import starting_bar

CORPORA = Path(__file__).parents[1] / "corpora"

APART = [
    # asked, cached, the guard that objects
    ("Is page 12 mine?", "Is page 21 mine?", "numbers"),
    ("Did I run ten miles?", "Did I run twelve miles?", "numbers"),
    ("What did I plan for May?", "What did I plan for June?", "dates"),
    ("What am I doing next week?", "What am I doing this week?", "dates"),
    ("How many miles is it?", "How many kilometres is it?", "units"),
    ("Is a flat for $900 cheap?", "Is a flat for €900 cheap?", "units"),
    ("Which foods can I eat?", "Which foods can't I eat?", "negation"),
    ("Where does Anna shop?", "Where does Maria shop?", "entities"),
    ("Where did I live?", "Where do I live?", "tense"),
    ("Who took care of my cat?", "Who takes care of my cat?", "tense"),
    ("Where will I work?", "Where do I work?", "tense"),
    ("Do you like dogs?", "Do I like dogs?", "speaker"),
    ("Did he call me?", "Did she call me?", "speaker"),
    ("When was I in Rome?", "Why was I in Rome?", "question"),
    ("Who did I see in Rome?", "What did I see in Rome?", "question"),
    ("What time is my exam?", "What day is my exam?", "question"),
    ("Who is my older brother?", "Who is my younger brother?", "comparison"),
    ("Is tea better than coffee?", "Is coffee better than tea?", "direction"),
    ("How far is it from Bonn to Trier?", "How far is it from Trier to Bonn?", "direction"),
    ("Did I buy the shares?", "Did I sell the shares?", "content"),
    ("Was I happy with the room?", "Was I unhappy with the room?", "content"),
    ("Should I eat nuts?", "Can I eat nuts?", "modality"),
    ("Do I have to work on Sunday?", "Do I work on Sunday?", "modality"),
    ("Did Tom call Anna?", "Did Anna call Tom?", "roles"),
    ("Did my boss thank me?", "Did I thank my boss?", "roles"),
    ("Who did I invite to dinner?", "Who invited me to dinner?", "roles"),
    ("Do girls like shy boys?", "Do boys like shy girls?", "order"),
    ("What are the pros and cons of tea?", "What are the pros of tea?", "joined"),
    ("Is it Acme Corp In Ulm Main Hall Now?", "Is it Acme Corp In Bonn Main Hall Now?", "capitals"),
    ("What is this insect?", "What is this insect?", "leaning"),
    ("Which film is best, and why?", "Which film is best?", "also"),
    ("What are some nice films?", "What are some of my nice films?", "owner"),
    ("Who is my sister's husband?", "Who is my husband's sister?", "owners"),
    ("What do I work on?", "What do I work as?", "reading"),
]

TOGETHER = [
    ("Where do I live?", "What's my address again?"),
    ("When was I born?", "Could you tell me my date of birth?"),
    ("Who is my boss?", "What's my manager's name?"),
    ("How can I boil an egg?", "What is the best way to boil an egg?"),
    ("What are 1,500 metres?", "What are 1500 meters?"),
    ("When is my flight?", "What time is my flight?"),
    ("Is Zoë in NYC?", "is Zoe in New York City?"),
    ("What do Russians celebrate?", "What do people in Russia celebrate?"),
    ("What is the difference between rock and pop?", "What is the difference between pop and rock?"),
    ("What am I doing tomorrow?", "What will I do tomorrow?"),
    ("Whats my rent", "What is my rent?"),
]

READINGS = [
    ("hey, can you remind me where my home is?", "me.lives_in"),
    ("Where does Anna live?", "anna.lives_in"),
    ("Who do I report to?", "my boss.name"),
    ("What did I name my dog?", "my dog.name"),
    ("Which food do I like best?", "me.favorite:food"),
    ("When was my sister born?", "my sister.birthday"),
    ("What is my best friend's job?", "my best friend.job"),
    ("Where did I live?", ""),  # the past is another question
    ("Where could I live?", ""),
    ("Where do you and I live?", ""),  # not plain whose
    ("What does my sister call me?", ""),
    ("What is the capital of France?", ""),
]


def rows(name: str) -> list[dict[str, str]]:
    return [json.loads(line) for line in (CORPORA / f"{name}.jsonl").read_text().splitlines()]


@pytest.mark.parametrize(("asked", "cached", "guard"), APART)
def test_questions_that_differ_in_one_thing_are_kept_apart_by_its_guard(asked: str, cached: str, guard: str) -> None:
    guarded = compare(read(asked), read(cached))
    assert not guarded.ok
    assert guarded.why
    assert guarded.parts[guard]
    assert compare(read(cached), read(asked)).ok is (guard == "also")  # a fuller answer may serve the shorter question


@pytest.mark.parametrize(("asked", "cached"), TOGETHER)
def test_questions_that_ask_the_same_pass_every_guard(asked: str, cached: str) -> None:
    guarded = compare(read(asked), read(cached))
    assert guarded.ok, guarded.why
    assert guarded.why == ""


@pytest.mark.parametrize(("text", "reading"), READINGS)
def test_a_personal_question_is_read_as_whose_and_what(text: str, reading: str) -> None:
    assert read(text).personal == reading


@pytest.mark.parametrize("text", ["", "?", "   ", "...", "’", "1", "💡?", "'s", "no", "a" * 5_000])
def test_any_text_at_all_can_be_read_and_compared(text: str) -> None:
    question = read(text)
    assert unpack(pack(question), text) == question
    assert compare(question, read("Where do I live?")).parts


def test_a_packed_question_survives_json() -> None:
    question = read("Is it 5 km from Bonn to my sister's house, or more than that?")
    assert unpack(json.loads(json.dumps(pack(question))), question.text) == question


def test_a_form_of_an_older_version_is_read_again() -> None:
    assert unpack({"version": 0, "kind": "place"}, "Who is my boss?") == read("Who is my boss?")


@pytest.fixture(scope="module")
def embedder() -> MiniLM:
    return MiniLM()


def _hits(embedder: MiniLM, pairs: list[dict[str, str]], max_wrong_hits: float) -> list[dict[str, str]]:
    bar = starting_bar(max_wrong_hits)
    texts = [text for pair in pairs for text in (pair["asked"], pair["cached"])]
    vectors = embedder.embed(texts)
    found = []
    for pair, asked, cached in zip(pairs, vectors[::2], vectors[1::2], strict=True):
        a, c = read(pair["asked"]), read(pair["cached"])
        if compare(a, c).ok and closeness(a, c, float(asked @ cached)).score >= bar:
            found.append(pair)
    return found


def test_at_most_one_in_a_hundred_hard_negatives_is_hit(embedder: MiniLM) -> None:
    pairs = rows("hard_negatives")
    assert len(pairs) >= 300
    for target in (0.02, 0.05):
        wrong = _hits(embedder, pairs, target)
        assert len(wrong) <= 0.01 * len(pairs), wrong


def test_most_plain_paraphrases_of_personal_questions_are_hit_at_the_default_target(embedder: MiniLM) -> None:
    pairs = rows("paraphrases")
    assert len(pairs) >= 200
    assert len(_hits(embedder, pairs, 0.02)) >= 0.7 * len(pairs)
