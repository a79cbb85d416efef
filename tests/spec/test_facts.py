"""What the rules keep of a turn: somebody's own words, with what they answer or lean on."""

import json
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from reverie.language.quoting import by_itself, shown, words_before
from reverie.minds.judge import Judge
from reverie.minds.minilm import MiniLM
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


def line(text: str, *before: str) -> str:
    """The one fact of a turn as it is shown, without its speaker and day; empty if there is none."""
    turn = Episode("mem-1", text, NOW, before=before[-2:], earlier=before[:-2])
    told = [draft for draft in facts_of([turn]) if draft.kind != "directive"]
    found = [shown(d.quote, "user", NOW, d.about, d.when, d.on, talk=d.talk) for d in told]
    assert len(found) < 2
    return "".join(found).removeprefix("The user, 5 November 2026").removeprefix(", ").removeprefix(": ")


SPANS = (
    "lotte is allergic to celery. badly. the pen is in the red bag by the door",
    "the school asked am I coming back. I said yes, half days, from the 13th of April.",
    "about the queue, i changed my mind: rabbit loses messages. we go with nats",
    "Oh, the choir. I changed my mind. Not before Easter. I'll go back in September.",
)


@pytest.mark.parametrize("text", SPANS)
def test_a_short_turn_whose_sentences_lean_on_each_other_is_one_quote(text: str) -> None:
    assert quotes(text) == [text]


def test_facts_that_stand_alone_stay_apart() -> None:
    said = "My sister Ada is a nurse in Faro. My brother Tom is allergic to walnuts and carries a pen."
    assert len(quotes(said)) == 2


LEADS = (
    (
        ("assistant: Back to the survey with two instruments. Thinning to what?",),
        "every 5th, so 428 points",
        'asked "Back to the survey with two instruments. Thinning to what?": "every 5th, so 428 points"',
    ),
    (
        ("user: my mother makes the best jollof, don't tell anybody", "assistant: Your secret is safe."),
        "she lives in kumasi and calls every sunday at 2",
        '"she lives in kumasi and calls every sunday at 2" [before it, the user: "my mother makes the best jollof, '
        'don\'t tell anybody"; the assistant: "Your secret is safe."]',
    ),
    (
        ("user: mum's coming here instead, her doctor allows it", "assistant: Good. How long does she stay?"),
        "two weeks from the 28th, in our spare room",
        'after their "mum\'s coming here instead, her doctor allows it", asked "How long does she stay?": '
        '"two weeks from the 28th, in our spare room"',
    ),
    (
        ("assistant: 4.2.2 was pulled this morning because of battery drain.",),
        "so we stay at 4.2.1 because of that",
        '"so we stay at 4.2.1 because of that" '
        '[before it, the assistant: "4.2.2 was pulled this morning because of battery drain."]',
    ),
    (
        ("assistant: Is Tama your son?",),
        "yep. he turns 4 in june",
        'asked "Is Tama your son?": "yep. he turns 4 in june" (June 2027)',
    ),
)


def among_friends(text: str, *before: str) -> list[FactDraft]:
    turn = Episode("mem-1", text, NOW, speaker="Ada", role="user", before=before, to_agent=False)
    return facts_of([turn])


def test_a_few_words_stand_behind_all_that_they_take_up() -> None:
    mine = "user: the exam is moved to saturday 7 november"
    (fact,) = kept(
        "same place. 9.00 start, be there 8.15 with ID.", mine, "assistant: I noted it. Same place and time?"
    )
    assert (fact.on, fact.about) == ("the exam is moved to saturday 7 november", "Same place and time?")
    (other,) = kept("btw my sister Ada moved to Faro in May", mine, "assistant: I noted it. Same place and time?")
    assert (other.on, other.told) == ("", "")


def test_a_short_turn_is_quoted_whole_and_the_talk_stands_behind_it() -> None:
    said = "hiring. we need a backend engineer in Faro, Noor is drowning. two are left: Tomás Vidal and Kasia Wrona"
    mine = ("user: the board wants my plan for the autumn", "assistant: What is on it?")
    (fact,) = kept(said, *mine)
    assert fact.quote == said
    (other,) = kept("my husband Fraser faints at needles, so I inject it", *mine)
    assert (other.about, other.on) == ("", "")
    assert other.talk == 'the user: "the board wants my plan for the autumn"; the assistant: "What is on it?"'
    whole = shown(other.quote, "user", NOW, talk=other.talk)
    assert by_itself(whole, other.quote) == shown(other.quote, "user", NOW)
    assert words_before(whole, other.quote) == ["the board wants my plan for the autumn", "What is on it?"]


def test_each_rule_of_a_list_is_a_directive_of_its_own() -> None:
    said = "some ground rules:\n- never run migrations without asking me first\n- no emojis in commits, ever.\nplease."
    turn, judge = Episode("mem-1", said, NOW), Judge(MiniLM())
    found = [draft.quote for draft in facts_of([turn], judge) if draft.kind == "directive"]
    assert found == ["never run migrations without asking me first", "no emojis in commits, ever."]


def test_where_nobody_reads_whose_words_they_are_only_the_first_line_is_surely_the_users() -> None:
    said = "I live in Bremen.\nI am allergic to nuts.\nNever deploy on Fridays."
    found = {fact.quote: fact for fact in facts_of([Episode("mem-1", said, NOW)])}
    assert "directive" not in {fact.kind for fact in found.values()}
    assert [quote for quote, fact in found.items() if not fact.doubted] == ["I live in Bremen."]


def test_what_a_friend_asked_stands_before_the_answer_and_praise_does_not() -> None:
    asked = "Bea: Wow, that window is lovely! What inspired it?"
    (fact,) = among_friends("Thanks! I made it for the church in Faro, to show my own journey as a nurse.", asked)
    assert fact.quote == "I made it for the church in Faro, to show my own journey as a nurse."
    assert f"{fact.told} {fact.about}".endswith("What inspired it?")


def test_a_quote_does_not_end_before_what_takes_it_back() -> None:
    said = "Last weekend our city held a parade in Faro. I missed it because of my leg."
    assert any("I missed it" in draft.quote for draft in among_friends(said))


@pytest.mark.parametrize("praise", ["Keep it up!", "Remember, just do it!", "And remember, I'm always here for you."])
def test_cheering_asks_for_nothing_to_be_remembered(praise: str) -> None:
    said = f"Your dance studio is doing well in Faro. {praise}"
    assert not any(draft.asked for draft in among_friends(said))
    assert not any(draft.asked for draft in kept("My new flat is in Faro. Keep it up!"))
    assert any(draft.asked for draft in kept("My new flat is in Faro. Keep that in mind, please."))


@pytest.mark.parametrize(
    ("text", "before"),
    [
        ("B, over 49 999", "assistant: What must she do? A) refuse it B) report it C) nothing"),
        ("mail to Gearóid: the papers are attached, sorry I'm late", ""),
        ("chart please, load time per day last week in Faro", ""),
    ],
)
def test_answers_to_a_quiz_and_texts_to_be_written_are_no_facts(text: str, before: str) -> None:
    assert quotes(text, *([before] if before else [])) == []


def test_what_feels_like_yesterday_was_not_then() -> None:
    assert [draft.when for draft in kept("My sister Ada got married in Faro, it feels like just yesterday.")] == [""]


def test_whom_a_pronoun_means_is_not_guessed() -> None:
    talk = ("user: Sinéad told me to rest the tendon", "assistant: Sensible.", "user: yes", "assistant: Good night.")
    assert quotes("she wants to see me again on the 18th", *talk) == []


@pytest.mark.parametrize(("before", "text", "expected"), LEADS)
def test_what_a_quote_leans_on_is_named_before_it(before: tuple[str, ...], text: str, expected: str) -> None:
    assert line(text, *before) == expected


@pytest.mark.parametrize(
    "before",
    [
        "assistant: Here is the mail:\n\nDear Mr Pettifer,\n\nIs your heating working at the moment?\n\nDelphine",
        'assistant: You could write: "Is your heating working at the moment?"',
        "assistant: Ask the doctor:\n1. Why now?\n2. Is your heating working at the moment?",
    ],
)
def test_a_question_in_a_text_that_was_drafted_is_not_asked(before: str) -> None:
    assert "asked" not in line("my brother Tom in Carlisle is 81 and lives alone", before)
    assert not line("since 2019, both of them", before)


@pytest.mark.parametrize("text", ["she moved to Faro in May", "he is allergic to walnuts", "it's now December 18"])
def test_what_nobody_can_understand_is_no_fact(text: str) -> None:
    assert kept(text) == []


def test_what_one_is_asked_to_remember_may_stand_just_before() -> None:
    (draft,) = kept("The code of the gate is 4711. Remember that for me.")
    assert draft.quote.startswith("The code of the gate is 4711.")
    assert draft.asked


OF_THE_MOMENT = (
    ("which library do we use for the boarding pass now", ""),
    ("yes, run 0087 on prod", "assistant: Do I have your yes?"),
    ("2.0/4 = 0.5, x 2.13 = 1.07", "assistant: Try the interval of the mean."),
    ("1 mean 2 half 3 because sigma is unknown", "assistant: (1) What is it? (2) How much? (3) Why t, not normal?"),
)


@pytest.mark.parametrize(("text", "before"), OF_THE_MOMENT)
def test_questions_assents_sums_and_exercises_are_no_facts(text: str, before: str) -> None:
    assert quotes(text, *([before] if before else [])) == []


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
    assert sum(len(drafts) for _, drafts in told) > 20
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
