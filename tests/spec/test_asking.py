"""A recall's options as a table: what they let through."""

from typing import Any

import pytest

from reverie.model.hits import Asking
from reverie.model.memories import Memory
from reverie.model.turns import Turn
from reverie.policy.recall.filters import acceptance, decided_late, kinds, span

TURN = Turn("turn-1", "space", 1, "one", "user", "tea", at=50.0, metadata={"room": "kitchen"})


def fact(**fields: Any) -> Memory:
    given = {"id": "mem-1", "space": "space", "kind": "fact", "text": "tea", "sources": ("mem-1",), "created_at": 50.0}
    return Memory(**{**given, **fields})


@pytest.mark.parametrize(
    ("asking", "accepted"),
    [
        (Asking(), True),
        (Asking(kinds=("fact",)), False),
        (Asking(kinds=("turn", "fact")), True),
        (Asking(mode="raw"), True),
        (Asking(tags=("x",)), False),
        (Asking(session="one"), True),
        (Asking(session="two"), False),
        (Asking(after=50.0, before=51.0), True),
        (Asking(before=50.0), False),
        (Asking(as_of=50.0), True),
        (Asking(as_of=49.0), False),
        (Asking(metadata={"room": "kitchen"}), True),
        (Asking(metadata={"room": "hall"}), False),
    ],
)
def test_which_turns_a_recall_accepts(asking: Asking, accepted: bool) -> None:
    assert acceptance(asking)(TURN) is accepted


@pytest.mark.parametrize(
    ("memory", "asking", "accepted"),
    [
        (fact(), Asking(), True),
        (fact(), Asking(mode="raw"), False),
        (fact(), Asking(kinds=("note",)), False),
        (fact(quarantined=True), Asking(), False),
        (fact(stale=True), Asking(), False),
        (fact(stale=True), Asking(include_stale=True), True),
        (fact(stale=True), Asking(as_of=60.0), True),
        (fact(valid_until=55.0), Asking(), True),
        (fact(valid_until=55.0), Asking(as_of=54.0), True),
        (fact(valid_until=55.0), Asking(as_of=55.0), False),
        (fact(valid_from=55.0), Asking(as_of=54.0), False),
        (fact(confidence=0.4), Asking(min_confidence=0.5), False),
        (fact(tier="archive"), Asking(tiers=("hot",)), False),
        (fact(manual_tags=("x",)), Asking(tags=("x",)), True),
    ],
)
def test_which_memories_a_recall_accepts(memory: Memory, asking: Asking, accepted: bool) -> None:
    assert acceptance(asking)(memory) is accepted


def test_what_can_change_is_decided_when_it_is_read() -> None:
    assert not decided_late(Asking(session="one", after=1.0, kinds=("fact",)))
    assert all(map(decided_late, (Asking(tags=("x",)), Asking(tiers=("hot",)), Asking(as_of=1.0))))


def test_raw_mode_knows_turns_and_episodes_only() -> None:
    assert kinds(Asking(mode="raw", kinds=("episode",))) == ("episode",)
    assert kinds(Asking(kinds=("note",))) == ("note",)
    assert span(Asking(before=3.0, as_of=9.0)) == (-1e18, 3.0)
