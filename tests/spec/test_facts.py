"""What the rules keep of a turn: somebody's own words, with what they answer or lean on."""

import json
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from reverie.language.quoting import shown
from reverie.minds.rules.reading import cues, salience
from reverie.minds.rules.reading.facts import facts_of
from reverie.minds.rules.reading.salience import weigh
from reverie.model.base import Role
from reverie.model.thinking import Episode, FactDraft
from reverie.model.turns import Turn
from reverie.policy.care.episodes import is_to_agent

NOW = 1_793_836_800.0  # Thursday 5 November 2026
HISTORIES = Path(__file__).parents[2] / "bench" / "histories" / "dev"


def kept(text: str, *before: str, speaker: str = "user", role: str = "user") -> list[FactDraft]:
    turn = Episode("mem-1", text, NOW, speaker=speaker, role=role, before=before)
    return [draft for draft in facts_of([turn]) if draft.kind != "directive"]


def quotes(text: str, *before: str) -> list[str]:
    return [draft.quote for draft in kept(text, *before)]


WORTH_KEEPING = (
    "I'm allergic to walnuts, told the canteen as well.",
    "The hard deadline is December 11.",
    "my sister Ada moved to Faro in May",
    "We decided to stay on Postgres 16.",
    "the response time of the search service is 250 ms now",
    "The budget for the kitchen is 4,000 euros.",
    "I'm celiac.",
    "I take 20 mg of omeprazole every morning.",
    "Victor got promoted last week, so he is my boss now.",
)
NEVER = (
    "Thanks, that's great!",
    "Wow, how exciting!",
    "Where did I put the keys?",
    "What if I moved to Faro next year?",
    "If I had a million I would buy the lighthouse in Faro.",
    "Oh great, just what I needed, another outage on a Friday.",
    "ok running it now",
    "Can you write a haiku about rain?",
    "Good luck with the exam tomorrow!",
)


@pytest.mark.parametrize("text", WORTH_KEEPING)
def test_what_somebody_may_need_later_is_kept_word_for_word(text: str) -> None:
    assert quotes(text) == [text]


@pytest.mark.parametrize("text", NEVER)
def test_greetings_questions_requests_and_what_is_not_so_are_never_kept(text: str) -> None:
    assert quotes(text) == []


def test_a_sentence_that_leans_on_the_one_before_is_quoted_with_it() -> None:
    said = "My cousin Bela visited on Sunday. She's a nurse in Graz now. Anyway!"
    assert quotes(said) == ["My cousin Bela visited on Sunday. She's a nurse in Graz now."]


def test_an_answer_carries_its_question() -> None:
    (draft,) = kept("by the 18th of December", "assistant: Noted. When is the ledger due?")
    assert draft.about == "When is the ledger due?"
    assert shown(draft.quote, "Mara", NOW, draft.about, draft.when) == (
        'Mara, 5 November 2026, asked "When is the ledger due?": "by the 18th of December" (18 December 2026)'
    )


def test_code_and_pasted_mail_are_nobodys_words() -> None:
    said = "look:\n```\n# I live in Oslo with my wife\n```\n> I was born in 1980 in Porto\n\nI live in Faro since 2019."
    assert quotes(said) == ["I live in Faro since 2019."]


@pytest.mark.parametrize("between", ["> I hate her", "```\nx = 1\n```", "Sie wohnt nicht in Graz, das ist falsch."])
def test_a_quote_never_reaches_across_what_the_user_did_not_say(between: str) -> None:
    said = f"My cousin Bela visited on Sunday.\n{between}\nShe's a nurse in Graz now, since May 2024."
    assert quotes(said)
    assert not [quote for quote in quotes(said) if between in quote]


@pytest.mark.parametrize("role", ["assistant", "tool", "system"])
def test_nobody_but_the_user_tells_about_the_user(role: str) -> None:
    assert kept("I live in Faro since 2019.", speaker=role, role=role) == []


def test_the_reasons_are_kept_what_it_is_about_first() -> None:
    assert kept("My sister Ada is allergic to walnuts since May.")[0].reasons[:2] == ("who one is", "health")


@pytest.mark.parametrize("name", ["ilmari", "corwin", "delphine_kofi"])
def test_every_quote_of_a_long_history_stands_in_its_turn(name: str) -> None:
    turns = [json.loads(line) for line in (HISTORIES / f"{name}.jsonl").read_text("utf-8").splitlines()]
    told = [(turn["text"], kept(turn["text"])) for turn in turns if turn["role"] == "user"]
    assert sum(len(drafts) for _, drafts in told) > 30
    assert all(draft.quote in text for text, drafts in told for draft in drafts)


def test_no_weight_is_for_a_cue_that_is_not_in_the_table() -> None:
    known = {*cues.names(), "a name", "names", "a figure"}
    weighed = {mark.removeprefix("cue ") for mark in salience._weights() if mark.startswith("cue ")}
    assert weighed <= known


@pytest.mark.parametrize("text", ["my " * 10_000 + "sister", "I moved to Faro in May. " * 800, "and so " * 3_000])
def test_a_long_turn_costs_what_its_length_is(text: str) -> None:
    began = time.thread_time()  # of this thread alone: others may embed meanwhile
    kept(text)
    weigh(text[:2_000])
    assert time.thread_time() - began < 15.0


def test_what_friends_tell_each_other_is_no_directive() -> None:
    turn = Episode("mem-1", "Never give up on the band, and always call me before a show!", NOW, speaker="Mel")
    assert [draft.kind for draft in facts_of([turn])].count("directive") > 0
    assert not [draft for draft in facts_of([replace(turn, to_agent=False)]) if draft.kind == "directive"]


@pytest.mark.parametrize(
    ("around", "for_it"),
    [
        ((("user", "Joss"),), False),
        ((("user", "Joss"), ("assistant", None)), True),
        ((("user", "Mel"),), True),
        ((("assistant", None),), True),
        ((), True),
    ],
)
def test_a_turn_is_for_the_agent_unless_another_person_speaks_next_to_it(
    around: Sequence[tuple[Role, str | None]], for_it: bool
) -> None:
    turns = [Turn(f"t{i}", "s", i, "a", role, "x", NOW, speaker=speaker) for i, (role, speaker) in enumerate(around)]
    assert is_to_agent(Turn("t", "s", 9, "a", "user", "No emojis.", NOW, speaker="Mel"), turns) == for_it
