"""What would change a memory's outcome."""

import pytest

from reverie.model.base import DAY
from reverie.model.memories import Memory
from reverie.policy.core.hints import would_change
from reverie.policy.core.promotion import RecallCounts, judge
from reverie.policy.decision import Decision

YES, NO = Decision(True, "the user said it"), Decision(False, "content from web")
FACT = Memory("m", "s", "fact", "The user lives in Kiel", ("t",), created_at=1.0, said_at=1.0)
ENOUGH = RecallCounts(recalls=3, queries=3, days=2, relevance=0.8, span_days=1, last_at=0.0, tags=2)


@pytest.mark.parametrize(
    ("counted", "reach", "first"),
    [
        (ENOUGH, YES, None),
        (RecallCounts(), YES, "3 more recalls, or the user saying it again in 3 more sessions"),
        (
            RecallCounts(recalls=3, queries=1, days=2, relevance=1.0),
            YES,
            "being found by 1 more question in other words",
        ),
        (RecallCounts(recalls=3, queries=2, days=1, relevance=1.0), YES, "being asked for on 1 more day"),
        (RecallCounts(10, 5, 1, 1.0, 0, DAY, 6), YES, "being asked for on 1 more day"),
        (ENOUGH, NO, "nothing by use alone: content from web"),
    ],
)
def test_each_gate_says_what_it_waits_for(counted: RecallCounts, reach: Decision, first: str | None) -> None:
    told = would_change(judge(FACT, counted, reach, DAY), counted, DAY)
    assert (told[0] if told else None) == first


def test_a_low_score_says_for_how_long_recalls_must_go_on() -> None:
    faint = RecallCounts(recalls=3, queries=2, days=2, relevance=0.1, span_days=1, last_at=0.0)
    told = would_change(judge(FACT, faint, YES, DAY), faint, DAY)
    assert told[0].startswith("a score of 0.6: about ")
    assert told[0].endswith(" on days of their own")
