"""Which block a memory belongs in, and which have nothing to say there."""

from typing import Any

import pytest

from reverie.model.base import HOUR
from reverie.model.memories import Memory
from reverie.policy.core.placing import block_for, says_something
from reverie.policy.sleep.gates import DreamClock, enough, may_scan, rested

ALL = ("human", "learned_context", "task", "project")


def memory(kind: str = "fact", text: str = "The user lives in Kiel", **fields: Any) -> Memory:
    return Memory("m", "s", kind, text, ("t",), created_at=1.0, **fields)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("found", "labels", "block"),
    [
        (memory(subject="user", predicate="lives_in"), ALL, "human"),
        (memory(subject="user's sister"), ALL, "human"),
        (memory(subject="Clara"), ALL, "learned_context"),
        (memory(subject="Clara"), ("human",), "human"),
        (memory(subject="user", predicate="plans"), ALL, "task"),
        (memory(subject="user", predicate="plans"), ("human",), "human"),
        (memory(subject="user", predicate="decided"), ALL, "project"),
        (memory(subject="Clara", manual_tags=("project",)), ALL, "project"),
        (memory("episode", "My bike is red"), ALL, "human"),
        (memory("episode", "Deploys happen on Tuesdays"), ALL, "learned_context"),
        (memory("insight", "My guess: they like rain"), ALL, "learned_context"),
        (memory(subject="user"), ("notes",), None),
    ],
)
def test_a_memory_belongs_in_one_block(found: Memory, labels: tuple[str, ...], block: str | None) -> None:
    assert block_for(found, labels) == block


@pytest.mark.parametrize(
    ("found", "has_facts", "relevance", "why"),
    [
        (memory(), False, 0.0, None),
        (memory("insight"), False, 0.0, None),
        (memory("note"), False, 1.0, "a note is written anew"),
        (memory("profile"), False, 1.0, "a profile is written anew"),
        (memory(metadata={"negated": True}), False, 1.0, "says only what has ended"),
        (memory("episode", "Deploys happen on Tuesdays"), True, 1.0, "its facts stand for it"),
        (memory("episode", "Deploys happen on Tuesdays"), False, 0.9, None),
        (memory("episode", "Deploys happen on Tuesdays"), False, 0.7, "mean relevance 0.70"),
        (memory("episode", "When do deploys happen?"), False, 1.0, "a question states nothing"),
        (memory("episode", "Ok then"), False, 1.0, "too short"),
        (memory("episode", "word " * 80), False, 1.0, "400 characters"),
        (memory("episode", "Ok then", asked=True), False, 0.0, None),
    ],
)
def test_raw_words_are_held_to_more_than_facts(
    found: Memory, has_facts: bool, relevance: float, why: str | None
) -> None:
    answer = says_something(found, has_facts, relevance)
    assert bool(answer) == (why is None)
    assert (why or "") in answer.why


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
