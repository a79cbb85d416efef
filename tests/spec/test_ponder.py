"""What is worked out ahead is exact, says what it rests on, and is nothing where it would be a guess."""

from fractions import Fraction
from pathlib import Path

import pytest

from bench.ponder import material
from bench.ponder_problems import LISTS, MORE_LISTS, PROBLEMS, load, right
from reverie.minds.pondering.by_model import read
from reverie.minds.pondering.by_rules import ponder
from reverie.model.hits import Hit
from reverie.model.thinking import ContextLine, Material, Thought
from reverie.policy.ponder.agreement import agreed
from reverie.policy.ponder.payoff import Figures, pays
from reverie.policy.ponder.program import run
from reverie.policy.ponder.serving import answer, instead

DEV = Path(__file__).parents[1] / "corpora" / "ponder_dev.jsonl"
OWN = DEV.with_name("ponder_prose.jsonl")


def worked(*lines: str) -> list[Thought]:
    return list(ponder(Material("text", tuple(ContextLine(line, "m") for line in lines))).thoughts)


def test_of_ten_contexts_the_rules_answer_most_questions_and_none_wrongly() -> None:
    verdicts = []
    for problem in load(DEV):
        pairs = [(thought.text, thought.value) for thought in ponder(material(problem)).thoughts]
        for question in problem.questions:
            given = answer(question.text, pairs)
            verdicts.append((given is not None, given is None or right(question, given), question.text, given))
    assert [verdict[2:] for verdict in verdicts if not verdict[1]] == []
    assert sum(verdict[0] for verdict in verdicts) >= 22


@pytest.mark.parametrize(
    "lines",
    [
        ["Some people came, others left.", "Nobody counted."],
        ["| year | id |", "|---|---|", "| 2020 | 7 |", "| 2021 | 9 |"],  # neither years nor ids add up
        ["- Rope: 3 m", "- Sand: 4 kg", "- Tape: 2"],  # three units
        ["Ann sold about 12 tickets. Bo sold nearly 9 tickets."],
        ["If Ann sold 12 tickets and Bo sold 9 tickets, we would be done."],
        ["The tour begins on 30 February 2026 and ends on 3 March 2026."],  # no such day
        ["Call 555-0199 before 17:00."],
    ],
)
def test_where_it_would_be_a_guess_nothing_is_added_up(lines: list[str]) -> None:
    assert [t.text for t in worked(*lines) if t.text.startswith(("Total", "Average", "Days from"))] == []


def test_a_total_row_is_not_counted_twice() -> None:
    texts = [t.text for t in worked("Costs:", "- Rent: $900", "- Food: $100", "- Total: $1,000")]
    assert "Total Costs: Rent $900 + Food $100 = $1,000" in texts


def test_every_thought_names_lines_that_are_there() -> None:
    for problem in load(DEV):
        count = len(problem.context.splitlines())
        for thought in ponder(material(problem)).thoughts:
            assert thought.lines
            assert all(1 <= n <= count for n in thought.lines), thought


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("total_of_pens = __import__('os')", "'__import__' is not known"),
        ("total_of_pens = pens_bought.real", "cannot be read"),
        ("total_of_pens = pens_bought * 9**9**9", "out of place"),
        ("total_of_pens = pens_bought ** 12", "up to ten"),
        ("total_of_pens = pens_bought / 0", "division by zero"),
        ("total_of_pens = pens_sold * 2", "'pens_sold' is not known"),
        ("total_of_pens = pens_bought + 77", "77 is not in the text"),
        ("hens = 12", "of nothing in the text"),
        ("total_of_pens = (pens_bought", "not closed"),
        ("pens on the table are twelve", "no assignment"),
        ("pens_bought = 12", "assigned twice"),
        ('days_of_pens = days("2026-01-01", "2026-02-01")', "not in the text"),
        ("pens_all = round(pens_bought, 10 ** 10)", "not in the text"),
    ],
)
def test_a_line_of_a_program_that_does_not_hold_is_dropped_with_its_reason(line: str, why: str) -> None:
    done = run(["pens_bought = 12 # 1", line], ["Mia bought 12 pens."])
    assert list(done.quantities) == ["pens_bought"]
    assert why in done.dropped[0]


def test_the_lines_of_a_number_are_found_by_code_whatever_a_model_cites() -> None:
    text = ["The shop opened.", "Mia bought 12 pens.", "Each pen costs 2 euros."]
    done = run(["pens_mia_bought = 12 # 1", "cost_of_pens = pens_mia_bought * 2 # 9"], text)
    assert done.quantities["cost_of_pens"].lines == (2, 3)
    assert done.quantities["cost_of_pens"].value == Fraction(24)


def test_where_two_samples_disagree_neither_is_kept() -> None:
    text = ["Mia bought 12 pens for 2 euros each."]
    one = run(["pens = 12 # 1", "cost_of_all_pens = pens * 2", "pens_left_of_pens = pens - 2"], text)
    two = run(["pens = 12 # 1", "cost_of_all_the_pens = pens + 2", "pens_left_of_pens = pens - 2"], text)
    kept, dropped = agreed([one, two])
    assert ([one.name for one in kept], dropped) == (["pens_left_of_pens"], 2)


def test_an_echo_of_the_prompt_and_a_statement_without_ground_are_dropped_and_counted() -> None:
    context = Material("d", (ContextLine("Mia keeps 14 hens and sells 5 eggs a week.", "m"),))
    lines = ["hens_in_the_coop = 14", "eggs_sold = 5", "eggs_in_weeks = eggs_sold * 2"]
    said = ["relation | Mia keeps hens # 1", "consequence | Carl will get rich # 1", "nonsense"]
    found = read({"program": lines, "statements": said}, context)
    assert found.value is not None
    assert [one.name for one in found.value.worked.derived] == ["eggs_in_weeks"]
    assert [one.text for one in found.value.statements] == ["Mia keeps hens"]
    assert sorted(found.dropped) == ["echo", "ungrounded", "ungrounded"]


def hit(id: str, kind: str, text: str, session: str | None) -> Hit:
    return Hit(id, kind, text, 1.0, 1.0, (), 0.0, session=session)  # type: ignore[arg-type]


def test_a_context_shows_what_was_worked_out_instead_of_the_raw_text_only_where_it_covers_the_question() -> None:
    raw = hit("raw", "episode", "| tea | 3 |", "study:shop")
    other = hit("talk", "episode", "I like tea", "s1")
    total = hit("total", "insight", "Total tea (shop): 3 + 4 = 7", "study:shop")
    rank = hit("rank", "insight", "Ranking by tea (shop), highest first: 1. A (4)", "study:shop")
    hits = [raw, total, other, rank]
    assert [one.id for one in instead(hits, "What is the total of tea?")] == ["total", "talk"]
    assert [one.id for one in instead(hits, "Who likes tea?")] == ["raw", "talk"]


def test_a_model_ponders_until_it_has_not_paid_for_five_contexts() -> None:
    assert pays(Figures(contexts=4, tokens_asleep=10_000))
    assert not pays(Figures(contexts=5, tokens_asleep=10_000))
    assert pays(Figures(contexts=5, questions=9, tokens_asleep=10_000, tokens_saved=2_500))


@pytest.mark.parametrize("problems", [PROBLEMS, OWN, LISTS, MORE_LISTS])
def test_the_rules_answer_no_question_wrongly_that_they_cannot_work_out(problems: Path) -> None:
    """Prose as people write it, mostly beyond the rules, and lists by another hand: then there is no answer."""
    wrong = []
    for problem in load(problems):
        found = [(thought.text, thought.value) for thought in ponder(material(problem)).thoughts]
        given = ((question, answer(question.text, found)) for question in problem.questions)
        wrong += [(problem.id, question.text, said) for question, said in given if said and not right(question, said)]
    assert wrong == []


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("How many points were scored last week in all?", "30 points"),  # a total, though "last" stands in it
        ("How many points better was Ann's week than Bo's?", "10 points"),
        ("What is the highest score on the list?", "Ann (20 points)"),
        ("Who won on Monday?", None),
    ],
)
def test_a_question_is_answered_by_what_it_asks_for_and_not_by_a_word_in_it(question: str, said: str | None) -> None:
    found = worked("Scores of last week:", "- Ann: 20 points", "- Bo: 10 points")
    given = answer(question, [(thought.text, thought.value) for thought in found])
    assert given == said


def test_rows_over_rounds_or_months_are_added_up_and_dates_are_set_against_each_other() -> None:
    found = worked("| team | round 1 | round 2 |", "|---|---|---|", "| Owls | 8 | 6 |", "| Foxes | 7 | 9 |")
    pairs = [(thought.text, thought.value) for thought in found]
    assert answer("How many points did the Foxes score in all?", pairs) == "16"
    dates = worked("Deadlines:", "- Draft: 1 March 2027", "- Review: 15 March 2027", "- Print: 1 April 2027")
    pairs = [(thought.text, thought.value) for thought in dates]
    assert answer("How many days lie between the draft and the review?", pairs) == "14 days"
    unlike = worked("| tea | sold | price ($) |", "|---|---|---|", "| Sencha | 12 | 4.50 |", "| Assam | 8 | 3.00 |")
    assert not [thought for thought in unlike if thought.text.startswith("Total of each")]


def test_a_quantity_whose_name_says_nothing_of_the_text_is_told_by_its_parts() -> None:
    text = ["The bell costs 12,000 pounds to recast, the scaffolding 1,850, and 420 were paid."]
    lines = ["bell = 12000", "scaffolding = 1850", "napoleon = bell + scaffolding", "waterloo = 420 * 2"]
    done = run([*lines, "wellington = napoleon - bell"], text)
    assert [(one.words, one.shown) for one in done.derived] == [("Total of bell + scaffolding", "13,850")]
    assert done.dropped == ["waterloo: of nothing in the text", "wellington: of nothing in the text"]


def test_a_name_that_says_an_operation_is_worked_out_by_one() -> None:
    text = ["Mia bought 12 pens for 2 euros each and sold 5 pens."]
    lines = ["pens_bought = 12", "pens_sold = 5", "total_pens = pens_bought - pens_sold"]
    done = run([*lines, "pens_left = pens_bought - pens_sold"], text)
    assert [one.name for one in done.derived] == ["pens_left"]
