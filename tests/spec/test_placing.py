"""Which block a memory belongs in, and which have nothing to say there."""

from dataclasses import replace
from typing import Any

import pytest

from reverie.asleep.steps.rethink.draft import BlockRewrite
from reverie.model.base import DAY, HOUR, Trust
from reverie.model.blocks import Block
from reverie.model.memories import Memory
from reverie.policy.core.lines import LONGEST, newest_of_each, quote_list, same_matter, shown, weightiest
from reverie.policy.core.placing import block_for, says_something
from reverie.policy.core.provisional import chosen, may_enter
from reverie.policy.sleep.gates import DreamClock, enough, may_scan, rested

ALL = ("human", "learned_context", "task", "project")


def memory(kind: str = "fact", text: str = "The user lives in Kiel", **fields: Any) -> Memory:
    return Memory("m", "s", kind, text, ("t",), created_at=1.0, **fields)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("found", "labels", "block"),
    [
        (memory(subject="user", predicate="lives_in"), ALL, "human"),
        (memory(subject="user's sister"), ALL, "human"),
        (memory(subject="Anna", speaker="Anna"), ALL, "human"),
        (memory(subject="Clara"), ALL, "learned_context"),
        (memory(subject="Clara"), ("human",), "human"),
        (memory(subject="user", marks={"reasons": ["plan"]}), ALL, "task"),
        (memory(subject="user", marks={"reasons": ["plan"]}), ("human",), "human"),
        (memory(subject="user", marks={"reasons": ["decision"]}), ALL, "project"),
        (memory(subject="Clara", manual_tags=("project",)), ALL, "project"),
        (memory("insight", "My guess: they like rain"), ALL, "learned_context"),
        (memory(subject="user"), ("notes",), None),
        (memory(subject="user", marks={"provisional": "night-1"}), ALL, "learned_context"),
        (memory(subject="user", marks={"provisional": "night-1"}), ("human",), None),
        (memory(subject="user", marks={"provisional": "night-1", "promoted": "night-2"}), ALL, "human"),
    ],
)
def test_a_memory_belongs_in_one_block(found: Memory, labels: tuple[str, ...], block: str | None) -> None:
    assert block_for(found, labels) == block


@pytest.mark.parametrize(
    ("found", "has_facts", "why"),
    [
        (memory(), False, None),
        (memory("insight"), False, None),
        (memory("note"), False, "a note is written anew"),
        (memory("profile"), False, "a profile is written anew"),
        (memory("episode", "Deploys happen on Tuesdays"), True, "its facts stand for it"),
        (memory("episode", "Deploys happen on Tuesdays"), False, "a turn as such says too much"),
        (memory("episode", "Ok then", asked=True), False, None),
    ],
)
def test_facts_stand_in_core_and_turns_do_not(found: Memory, has_facts: bool, why: str | None) -> None:
    answer = says_something(found, has_facts)
    assert bool(answer) == (why is None)
    assert (why or "") in answer.why


def said(quote: str, *reasons: str, about: str = "", **fields: Any) -> Memory:
    told = {"quote": quote, "reasons": list(reasons), "about": about}
    return memory(text=f'The user, 5 November 2026: "{quote}"', trust=Trust.USER, marks=told, **fields)


@pytest.mark.parametrize(
    ("found", "why"),
    [
        (said("I'm celiac, told the canteen as well", "health"), "health"),
        (said("my brother Onni lives in Lempäälä", "home", "people"), "people"),
        (said("im lachlan, dad of three in hobart"), "identity"),
        (said("tilda is 9, bram is 6 and fen is 11 months."), "people"),
        (said("has to be under 250 before the pilot", "constraint", "plan", "a figure"), "constraint"),
        (said("i just can't stop", "constraint"), "states nothing"),
        (said("left the gloves at my sister's", "people", "event"), "states nothing"),
        (said("fatigue 7, pain 5", "health", "a figure"), "states nothing"),
        (said("ok they move it to the 20th of May to be safe", "plan", happened_at=30 * DAY), "leans on"),
        (said("the release is on the 24th of May", "plan", happened_at=30 * DAY), "deadline"),
        (said("our budget for ci is 1800 eur a month", "a figure"), "how things are"),
        (said("my sister Truus thinks we are mad, she's a nurse in Kiel", "people"), "what somebody thinks"),
        (said("my wife Linh thinks we are mad", "people"), "people"),
        (said("I'm vegan btw lol", "who one is", "health"), "who one is"),
        (said("i might move to the flat in May, my flat is cold", "home"), "unsure"),
        (said("Anselm decided to honour them", "decision", importance=0.9), "does not say what was decided"),
        (said("excess is 400 euros", "a figure"), "does not say of what"),
        (said("Mara is my boss, can you write to her?", "people"), "a question or a request"),
        (said("she's a nurse at TAYS", "work", "a name", about="Is Aino your partner?"), "work"),
        (said("she's a nurse at TAYS", "work"), "leans on"),
        (
            said("yes, the limit is 5 of them", "constraint", about="Do you want to do this one yourself?"),
            "needs the talk",
        ),
        (said("i must go at 2 today, dentist", "constraint"), "of the moment"),
        (said("we went for a walk", "event"), "states nothing"),
        (replace(said("I'm celiac", "health"), trust=Trust.CONTENT), "not the user's own words"),
        (said("the exam is on Monday", "plan", said_at=DAY, happened_at=2 * DAY), "no longer holds"),
        (said("I'm celiac", "health", valid_until=DAY), "no longer holds"),
        (said("word " * 90, "health"), "too long"),
    ],
)
def test_what_may_stand_in_core_before_anybody_needed_it(found: Memory, why: str) -> None:
    assert why in may_enter(found, now=9 * DAY).why


@pytest.mark.parametrize(
    ("before", "after", "one_line"),
    [
        ("prednisolone 15 mg each morning", "prednisolone goes down to 10 mg", True),
        ("prednisolone 15 mg each morning", "folic acid 5 mg on Saturdays", False),
        ("the release is on the 24th of May", "release moved to the 29th of May", True),
        ("the release is on the 24th of May", "the exam moved to the 29th of May", False),
        ("the release is on the 24th of May", "the second release is on the 3rd of June", False),
    ],
)
def test_a_new_dose_or_day_takes_the_line_of_the_old_one(before: str, after: str, one_line: bool) -> None:
    older, newer = said(before, said_at=DAY), said(after, said_at=2 * DAY)
    assert same_matter(older, newer) == one_line


def test_a_long_quote_is_cut_after_a_sentence() -> None:
    long = "I run the bakery in Porto. " + "We bake a hundred loaves a night and sell them by noon. " * 5
    line = shown(said(long.strip(), "work"))
    assert line.startswith('- 5 November 2026: "I run the bakery in Porto. We bake')
    assert line.endswith('by noon."')
    assert len(line) < LONGEST + 20


@pytest.mark.parametrize(
    ("clock", "hours", "time", "throttle"),
    [
        (DreamClock(), 100, True, True),
        (DreamClock(dreamt_at=90 * HOUR), 100, False, True),
        (DreamClock(dreamt_at=76 * HOUR), 100, True, True),
        (DreamClock(scanned_at=99.9 * HOUR), 100, True, False),
        (DreamClock(scanned_at=99 * HOUR), 100, True, True),
    ],
)
def test_a_dream_waits_for_a_day_and_between_looks(clock: DreamClock, hours: float, time: bool, throttle: bool) -> None:
    assert (bool(rested(clock, hours * HOUR)), bool(may_scan(clock, hours * HOUR))) == (time, throttle)
    assert (bool(enough(4)), bool(enough(5))) == (False, True)


def test_an_allergy_stands_in_core_whatever_is_said_around_it() -> None:
    quote = "well he did not press it. ugh, a root canal this afternoon. on the form: I'm allergic to penicillin"
    assert may_enter(said(quote, "health"), 2 * DAY)


def test_a_line_that_nobody_understands_alone_stays_out_of_core() -> None:
    quote = "the switch is on the 22nd"
    marks = {"quote": quote, "alone": 2.0, "leans": -0.5, "news": 0.2}
    said = memory(text=quote, trust=Trust.USER, marks=marks)
    assert may_enter(said, 0.0)
    unclear = replace(said, marks={**said.marks, "leans": 0.6})
    assert not may_enter(unclear, 0.0)
    assert may_enter(replace(unclear, marks={**unclear.marks, "introduced": '9 May 2026: "we leave Zammad"'}), 0.0)


def read(quote: str, alone: float, **marks: Any) -> Memory:
    """A statement of the user's that a judge has read."""
    return memory(text=quote, trust=Trust.USER, marks={"quote": quote, "alone": alone, "leans": -2.0, **marks})


def test_what_stands_now_after_it_was_something_else_enters_core_before_what_was_only_said() -> None:
    quote = "the booking fee is 3.5 percent instead of the 4 that we had"
    assert may_enter(read(quote, 0.5, news=0.2), 0.0)
    assert not may_enter(read(quote, 0.5), 0.0)


def test_what_tells_nothing_by_itself_stays_out_of_core_however_new_it_is() -> None:
    assert not may_enter(read("eyes so-so, swallow fine, 7 out of 10, and 3 for the arms", -0.6, news=1.0), 0.0)


def test_health_enters_with_less_and_what_somebody_is_allergic_to_always() -> None:
    assert may_enter(read("he's got asthma and it's always worse in autumn", -0.3), 0.0)
    assert not may_enter(read("something it can't eat. right, match is on", -1.2), 0.0)
    assert may_enter(read("mattis is allergic to cashews, they want me to look at the wrapper", -2.0), 0.0)


def test_what_a_later_statement_may_overtake_leaves_core_unless_it_is_of_health() -> None:
    rent, allergy = read("our rent is 640 each from november on", 1.2), read("I'm allergic to egg", 1.2)
    rent, allergy = replace(rent, id="rent"), replace(allergy, id="allergy")
    assert [one.id for one in chosen([rent, allergy], [], 500, 1.0)] == ["allergy", "rent"]
    assert [one.id for one in chosen([rent, allergy], [], 500, 1.0, {"rent", "allergy"})] == ["allergy"]


def test_a_dose_that_may_have_changed_leaves_core_though_it_is_of_health() -> None:
    dose = read("they put it up, propantheline 15 mg three times a day", 2.0)
    assert chosen([dose], [], 500, 1.0) == [dose]
    assert chosen([dose], [], 500, 1.0, {dose.id}) == []


def test_what_leaves_core_after_a_part_of_it_ended_keeps_all_its_words_in_the_archive() -> None:
    whole = memory(text="x", trust=Trust.USER, marks={"quote": "swims on fridays. says so", "provisional": "night"})
    cut = replace(whole, marks={**whole.marks, "quote": "[…] says so"})
    block = Block(id="b", org="o", label="learned_context", value="")
    rewrite = BlockRewrite(block, [], {cut.id: cut}, frozenset(), [], [], 1.0, stored={whole.id: whole})
    assert rewrite.let_go == [whole]


def test_what_began_on_a_day_goes_on_after_it() -> None:
    began = replace(read("stats is thursday 9 to 11 from the 21st on", 2.0, news=0.5), happened_at=20 * DAY)
    exam = replace(read("the stats exam is on the 21st, nine o'clock", 2.0, news=0.5), happened_at=20 * DAY)
    assert (bool(may_enter(began, 30 * DAY)), bool(may_enter(exam, 30 * DAY))) == (True, False)


def test_a_part_of_a_quote_stands_with_the_question_that_its_first_words_answer() -> None:
    quote = "yes, mondays 9:15 from now on. so tomorrow, yes"
    marks = {"quote": quote, "line": "yes, mondays 9:15 from now on.", "about": "Has the physio moved?"}
    line = shown(memory(text=quote, said_at=1_793_836_800.0, marks=marks))
    assert line == '- 5 November 2026, asked "Has the physio moved?": "yes, mondays 9:15 from now on."'
    later = shown(memory(text=quote, said_at=1_793_836_800.0, marks={**marks, "line": "so tomorrow, yes"}))
    assert later == '- 5 November 2026: "so tomorrow, yes"'


def test_what_is_one_a_matter_already_need_not_be_compared_again() -> None:
    told = (
        "I live in Kiel by the harbour",
        "I am allergic to walnuts",
        "so I live in Kiel by the harbour now",
        "tea is nice",
    )
    facts = [
        replace(memory(text=text, subject="user"), id=f"m{n}", created_at=float(n), marks={"quote": text})
        for n, text in enumerate(told)
    ]
    apart = newest_of_each(facts)
    assert newest_of_each(apart) == apart
    assert weightiest(apart, 2) == quote_list(facts, 2)
