"""Which pairs of facts clash, as a table: when unsure, both stay."""

import pytest

from reverie.minds.rules.clash import clash, rivals
from reverie.model.memories import Memory

DAY = 86_400.0


def fact(
    predicate: str, value: str, day: float = 0.0, subject: str = "user", text: str = "", **marks: object
) -> Memory:
    exclusive = predicate in ("lives_in", "works_at", "job", "favorite", "birthday", "age", "partner", "phone", "from")
    return Memory(
        id=f"{predicate}-{value}-{day}", space="s", kind="fact", text=text or f"{subject} {predicate} {value}",
        sources=("t",), created_at=day * DAY, said_at=day * DAY, subject=subject, predicate=predicate, value=value,
        metadata={"exclusive": exclusive, **marks},
    )  # fmt: skip


CASES = [
    ("moved", fact("lives_in", "Kiel"), fact("lives_in", "Bonn", 9, cue="moved"), "update"),
    ("later, no cue", fact("lives_in", "Kiel"), fact("lives_in", "Bonn", 9), "update"),
    ("minutes later, no cue", fact("lives_in", "Kiel"), fact("lives_in", "Bonn", 0.01), "conflict"),
    ("a city in a country", fact("lives_in", "Kiel"), fact("lives_in", "Germany", 9), "extends"),
    ("said again", fact("lives_in", "Kiel"), fact("lives_in", "Kiel", 9), "none"),
    ("another person", fact("lives_in", "Kiel"), fact("lives_in", "Bonn", 9, subject="Anna", cue="moved"), "none"),
    ("over", fact("works_at", "Acme"), fact("works_at", "Acme", 3, negated=True, cue="left"), "update"),
    ("another one over", fact("works_at", "Acme"), fact("works_at", "Lidl", 3, negated=True, cue="used to"), "none"),
    ("a second job", fact("works_at", "Acme"), fact("works_at", "Lidl", 30, cue="also"), "none"),
    ("tea and coffee", fact("likes", "tea"), fact("likes", "coffee", 3), "none"),
    ("likes, dislikes", fact("likes", "tea"), fact("dislikes", "tea", 3), "conflict"),
    ("changed their mind", fact("likes", "tea"), fact("dislikes", "tea", 3, cue="actually"), "update"),
    ("dislikes something else", fact("likes", "tea"), fact("dislikes", "tea ceremonies", 3, cue="now"), "none"),
    ("replaced", fact("uses", "MySQL"), fact("uses", "Postgres", 3, cue="switched", replaces="MySQL"), "update"),
    ("another replaced", fact("uses", "Redis"), fact("uses", "Postgres", 3, cue="switched", replaces="MySQL"), "none"),
    ("two birthdays", fact("birthday", "4 May"), fact("birthday", "9 May", 300), "conflict"),
    ("a year older", fact("age", "33"), fact("age", "34", 300), "update"),
    ("younger", fact("age", "34"), fact("age", "33", 300), "conflict"),
    ("promoted", fact("job", "engineer"), fact("job", "senior engineer", 300, cue="promoted"), "update"),
    ("favourites of two things", fact("favorite", "fruit: fig"), fact("favorite", "colour: red", 9), "none"),
    ("a new favourite", fact("favorite", "fruit: fig"), fact("favorite", "fruit: plum", 9), "update"),
    ("another partner, no word why", fact("partner", "Ida"), fact("partner", "Eve", 9), "conflict"),
    ("vegetarian, then vegan", fact("diet", "vegetarian"), fact("diet", "vegan", 9), "none"),
    ("retired", fact("works_at", "Acme"), fact("job", "retired", 9, cue="retired"), "update"),
    (
        "cancelled",
        fact("plans", "visit Japan in May"),
        fact("plans", "Japan", negated=True, cue="cancelled"),
        "update",
    ),
    ("decided against", fact("decided", "buy a house"), fact("decided", "not buy a house", 9), "update"),
    ("without a value", fact("likes", ""), fact("likes", "tea", 9), "none"),
]


@pytest.mark.parametrize(("older", "newer", "kind"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_how_two_facts_stand_to_each_other(older: Memory, newer: Memory, kind: str) -> None:
    verdict = clash(older, newer)
    assert verdict.kind == kind
    assert verdict.why


def test_two_persons_of_one_name_never_clash() -> None:
    brother = fact("lives_in", "Leeds", subject="Tom", text="Tom (the user's brother) lives in Leeds")
    boss = fact("lives_in", "York", 9, subject="Tom", text="Tom (the user's boss) lives in York", cue="moved")
    assert clash(brother, boss).kind == "none"


def test_a_moved_deadline_is_an_update_only_of_the_same_deadline() -> None:
    report = fact("deadline", "Friday", text="The user's deadline for the report is Friday")
    later = fact("deadline", "Monday", 1, text="The user's deadline for the report is Monday", cue="now")
    taxes = fact("deadline", "Monday", 1, text="The user's deadline for the taxes is Monday", cue="now")
    assert clash(report, later).kind == "update"
    assert clash(report, taxes).kind == "none"


@pytest.mark.parametrize("predicate", ["likes", "dislikes", "works_at", "job", "lives_in"])
def test_a_predicate_is_its_own_rival(predicate: str) -> None:
    assert predicate in rivals(predicate)
