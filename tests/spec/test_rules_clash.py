"""Which pairs of facts clash, as a table: an older one is ended only where the newer says so in so many words."""

import pytest

from reverie.minds.rules.clash import LATER, SAID, clash
from reverie.model.memories import Memory

DAY = 86_400.0
MANY = ("likes", "dislikes", "allergic_to")


def fact(
    predicate: str,
    value: str,
    day: float = 0.0,
    subject: str = "user",
    *,
    speaker: str = "user",
    happened_at: float | None = None,
    **marks: object,
) -> Memory:
    return Memory(
        id=f"{predicate}-{value}-{day}", space="s", kind="fact", text=f"{subject} {predicate} {value}",
        sources=("t",), created_at=day * DAY, said_at=day * DAY, subject=subject, predicate=predicate, value=value,
        speaker=speaker, happened_at=happened_at,
        marks={"exclusive": predicate not in MANY, **marks},
    )  # fmt: skip


CASES = [
    ("moved", fact("lives_in", "Kiel"), fact("lives_in", "Bonn", 9, cue="moved to"), "update", SAID),
    (
        "moved, but more was said",
        fact("lives_in", "Kiel", quote="I live in Kiel and work at Acme"),
        fact("lives_in", "Bonn", 9, cue="moved to"),
        "update",
        LATER,
    ),
    ("later, no cue", fact("lives_in", "Kiel"), fact("lives_in", "Bonn", 9), "update", LATER),
    ("a city in a country", fact("lives_in", "Kiel"), fact("lives_in", "Germany", 9), "none", 1.0),
    ("said again", fact("lives_in", "Kiel"), fact("lives_in", "Kiel", 9), "none", 1.0),
    ("somebody else's", fact("lives_in", "Kiel"), fact("lives_in", "Bonn", 9, subject="Anna", cue="moved"), "none", 1),
    ("by somebody else", fact("rent", "870"), fact("rent", "990", 9, speaker="Anna", cue="now"), "conflict", 0.6),
    ("over", fact("works_at", "Acme"), fact("works_at", "Acme", 3, negated=True, cue="no longer"), "update", SAID),
    ("another one over", fact("works_at", "Acme"), fact("works_at", "Lidl", 3, negated=True), "none", 1.0),
    ("a story", fact("works_at", "Acme", 90), fact("works_at", "Lidl", 99, cue="quit", happened_at=9 * DAY), "none", 1),
    ("tea and coffee", fact("likes", "tea"), fact("likes", "coffee", 3), "none", 1.0),
    ("likes, dislikes", fact("likes", "tea"), fact("dislikes", "tea", 3), "conflict", 0.6),
    ("changed their mind", fact("likes", "tea"), fact("dislikes", "tea", 3, cue="no longer"), "update", SAID),
    ("dislikes another", fact("likes", "tea"), fact("dislikes", "tea ceremonies", 3, cue="is now"), "none", 1.0),
    ("replaced", fact("port", "80", subject="web"), fact("port", "81", 3, "web", cue="is now"), "update", SAID),
    ("another replaced", fact("port", "80"), fact("port", "81", 3, cue="is now", replaces="90"), "update", LATER),
    ("other things", fact("port", "80", subject="web"), fact("port", "81", 3, "api", cue="is now"), "none", 1.0),
    ("two birthdays", fact("birthday", "4 May"), fact("birthday", "9 May", 300), "conflict", 0.6),
    ("a moved deadline", fact("deadline", "4 May"), fact("deadline", "9 May", 3, cue="extended"), "update", SAID),
    ("without a value", fact("likes", ""), fact("likes", "tea", 9), "none", 1.0),
]


@pytest.mark.parametrize(
    ("older", "newer", "kind", "sure"), [case[1:] for case in CASES], ids=[case[0] for case in CASES]
)
def test_how_two_facts_stand_to_each_other(older: Memory, newer: Memory, kind: str, sure: float) -> None:
    verdict = clash(older, newer)
    assert (verdict.kind, verdict.confidence) == (kind, sure), verdict.why
