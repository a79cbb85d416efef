"""What is a standing directive and what a request for this once; how directives stand in their block."""

import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest

from reverie.language.speech import utterances
from reverie.minds.embed import MiniLM, NoEmbedder
from reverie.minds.judge import Judge, SentenceInTalk
from reverie.minds.rules.directives.directives import scope_of, standing, standings
from reverie.model.memories import Memory
from reverie.policy.core.directives import arranged, same_matter
from reverie.policy.core.lifting import RuleAndSentence, lifted, may_lift
from reverie.policy.core.rewriting import BlockLine

DEV = Path(__file__).parents[2] / "bench" / "histories" / "dev"
LASTING = """
Always answer in German.
Please keep answers short, no emojis.
From now on, no small talk.
Never push to main.
Don't touch legacy/ without asking me.
always include type hints
When I ask for a recipe, give amounts in grams.
No bullet points please, ever.
I'd prefer that you never use my full name.
If you're not sure, say so instead of guessing.
Every Monday morning give me the three most urgent things.
""".strip().splitlines()
ONCE = """
Summarise this in three sentences.
Make it shorter.
Can you translate this paragraph into German?
Fix the failing test in the parser.
Write me a poem about rain, no rhymes.
Explain this error to me.
Send it to Paolo tomorrow.
I never liked mushrooms.
We always spend Christmas at my mother's.
Where do I live?
My sister moved to Lyon last week.
""".strip().splitlines()


@pytest.mark.parametrize("sentence", LASTING)
def test_what_is_meant_to_last_is_a_directive_and_says_why(sentence: str) -> None:
    assert standing(sentence).holds
    assert standing(sentence).reasons


@pytest.mark.parametrize("sentence", ONCE)
def test_a_request_or_a_story_is_none(sentence: str) -> None:
    assert not standing(sentence).holds


@pytest.mark.parametrize(
    ("turn", "held"),
    [
        (["Never use my first name.", "haha just kidding"], []),
        (["Never use emojis.", "Always cite sources.", "scratch that"], ["Never use emojis."]),
        (["never mind, I found it"], []),
        (["Forget about Marta.", "Always answer in German."], ["Always answer in German."]),
    ],
)
def test_what_is_taken_back_in_the_same_breath_is_no_directive(turn: list[str], held: list[str]) -> None:
    assert [text for text, one in zip(turn, standings(turn), strict=True) if one.holds] == held


JUDGE = Judge(MiniLM())


def held_in(said: Sequence[str], judge: Judge | None) -> list[str]:
    """The sentences of a turn that are directives."""
    in_talk = [SentenceInTalk(one, " ".join(said[:i])) for i, one in enumerate(said)]
    found = standings(said, judged=judge.sentences(in_talk) if judge is not None else ())
    return [text for text, one in zip(said, found, strict=True) if one.holds]


@pytest.mark.parametrize("judge", [None, JUDGE], ids=["words alone", "judge"])
def test_orders_for_others_decisions_and_habits_are_no_directives(judge: Judge | None) -> None:
    talk = [
        "we'll go with Postgres then",
        "I always run in the morning",
        "tell the plumber to never use the side door",
        "the landlord says no pets, ever",
        "give me three options",
    ]
    assert not [text for text in talk if held_in([text], judge)]


def test_another_embedder_leaves_the_words_to_decide() -> None:
    assert Judge.by(NoEmbedder()) is None


@pytest.mark.parametrize(("judge", "found"), [(None, 0.65), (JUDGE, 0.75)], ids=["words", "judge"])
def test_the_weights_fit_the_labelled_sentences(judge: Judge | None, found: float) -> None:
    """They were fitted to these: a change of cues without a new fit shows here."""
    held: Counter[tuple[str, bool]] = Counter()
    for line in (DEV / "directives.jsonl").read_text("utf-8").splitlines():
        row = json.loads(line)
        said = [one.text for one in utterances(row["text"])] or [row["text"]]
        held[row["label"], bool(held_in(said, judge))] += 1
    assert held["directive", True] >= found * 430
    assert held["request", True] <= 0.05 * 430


@pytest.mark.parametrize(
    ("quote", "scope"),
    [
        ("never edit anything under legacy/ without asking", "legacy/"),
        ("config/production.yaml is only changed by me", "config/production.yaml"),
        ("in the billing repo use tabs", "billing repo"),
        ("keep answers short", ""),
    ],
)
def test_the_scope_is_the_path_or_project_that_is_named(quote: str, scope: str) -> None:
    assert scope_of(quote) == scope


def said(text: str, day: int = 0) -> Memory:
    return Memory(text, "alice", "directive", text, ("turn-1",), created_at=day * 86_400.0)


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("always answer in German", "answer in English again", True),
        ("keep answers short", "longer answers please", True),
        ("no emojis", "emojis are fine again", False),  # in doubt both stand
        ("call me Jo", "Call me Josephine", True),
        ("answer in German", "write to Marek in French", False),
        ("keep answers short", "no nuts in recipes", False),
        ("never push to main", "never push to main again", True),
    ],
)
def test_two_directives_are_on_one_matter_only_if_that_is_sure(one: str, other: str, same: bool) -> None:
    assert same_matter(said(one), said(other)) is same


def test_own_lines_stay_first_and_one_line_a_matter_follows() -> None:
    own = [BlockLine("Mine.")]
    given = [said("answer in German", 1), said("never push to main", 2), said("answer in English", 3)]
    whole = arranged(own, given, 1_000)
    assert [line.text.partition(" (")[0] for line in whole.lines] == [
        "Mine.", "- answer in English", "- never push to main",
    ]  # fmt: skip
    tight = arranged(own, given, len(whole.text) - 1)
    assert [memory.text for memory in tight.left_out] == ["never push to main"]
    nothing = arranged(own, given, 5)
    assert ([line.text for line in nothing.lines], len(nothing.left_out)) == (["Mine."], 2)


@pytest.mark.parametrize("judge", [None, JUDGE], ids=["words alone", "judge"])
def test_what_is_for_tonight_alone_takes_the_wish_before_it_along(judge: Judge | None) -> None:
    said = ["don't start with hotlines.", "only tonight, just keep me company and don't fix anything"]
    assert held_in(said, judge) == []


BLOCKS = "so write with one thing per line and a gap between, i cant follow a block"
NORMAL = "so you can write like a normal person again, bundles of sentences, no kaleidoscope any more"


def test_a_reader_of_two_finds_what_a_directive_changes_in_other_words() -> None:
    assert lifted([RuleAndSentence(BLOCKS, NORMAL, 0.31, 3.8, True)], is_rule=True) == [0]
    assert lifted([RuleAndSentence(BLOCKS, NORMAL, 0.31, -3.8, True)], is_rule=True) == []
    assert lifted([RuleAndSentence(BLOCKS, NORMAL, 0.15, 3.8, True)], is_rule=True) == []  # on something else


def test_a_mere_statement_has_to_be_surer_than_a_rule_to_end_one() -> None:
    pair = [RuleAndSentence("send me to bethan", "it is colette again, not bethan", 0.45, 1.0, True)]
    assert (lifted(pair, is_rule=True), lifted(pair)) == ([0], [])


def test_a_sentence_ends_the_rule_it_is_about_and_not_its_neighbours() -> None:
    said = "you can stop with the list at the beginning now"
    rules = [
        RuleAndSentence("at the start of each session list what i left open", said, 0.6, 3.0, True),
        RuleAndSentence("start every code block with its file", said, 0.4, 4.0, True),
    ]
    assert lifted(rules) == [0]


@pytest.mark.parametrize(
    ("said", "may"),
    [
        ("sundays are like any day now", True),
        ("this once you may use an exclamation mark", False),
        ("short answers today please", False),
        ("are sundays still off?", False),
    ],
)
def test_what_is_asked_or_said_of_this_once_ends_no_directive(said: str, may: bool) -> None:
    assert may_lift(said) is may
