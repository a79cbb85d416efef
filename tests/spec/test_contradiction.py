"""Updates, conflicts, corrections: who is retired, from when, and when nobody is."""

from dataclasses import replace

import pytest

from reverie.model.base import Trust
from reverie.model.memories import Memory
from reverie.model.thinking import Clash
from reverie.policy.truth.contradiction import resolve, since

OLD = Memory("old", "s", "fact", "The user lives in Hamburg", ("t1",), created_at=15.0, said_at=10.0, confidence=0.9)
NEW = replace(OLD, id="new", text="The user lives in Berlin", said_at=20.0, created_at=25.0)
UPDATE = Clash("update", "moved")
CONFLICT = Clash("conflict", "two homes")
CORRECTED = replace(NEW, correction=True)


@pytest.mark.parametrize(
    ("older", "newer", "clash", "expected"),
    [
        (OLD, NEW, Clash("none", "different things"), ("none", None, None, None)),
        (OLD, NEW, Clash("extends", "adds a detail"), ("auto", None, None, None)),
        # an update ends the older when the newer begins
        (OLD, NEW, UPDATE, ("auto", "new", "old", 20.0)),
        (OLD, replace(NEW, valid_from=18.0), UPDATE, ("auto", "new", "old", 18.0)),
        (replace(OLD, valid_from=19.0), replace(NEW, valid_from=18.0), UPDATE, ("auto", "new", "old", 19.0)),
        (OLD, NEW, replace(UPDATE, confidence=0.4), ("auto", "new", None, None)),  # both stay, the newer first
        # a conflict is resolved only by a clear margin, whichever side is newer
        (OLD, NEW, CONFLICT, ("open", None, None, None)),
        (replace(OLD, confidence=0.6), NEW, CONFLICT, ("open", None, None, None)),  # 0.3 is not more than 0.3
        (replace(OLD, confidence=0.59), NEW, CONFLICT, ("auto", "new", "old", 20.0)),
        (OLD, replace(NEW, confidence=0.5), CONFLICT, ("auto", "old", "new", 20.0)),
        # a correction always wins, over later words too
        (OLD, replace(CORRECTED, confidence=0.1), CONFLICT, ("auto", "new", "old", 20.0)),
        (replace(OLD, correction=True), NEW, UPDATE, ("auto", "old", "new", 20.0)),
        (replace(OLD, correction=True), CORRECTED, CONFLICT, ("auto", "new", "old", 20.0)),
        # what is less trusted ends nothing, whatever it calls itself
        (OLD, replace(NEW, trust=Trust.CONTENT, origin="web"), UPDATE, ("open", None, None, None)),
        (OLD, replace(CORRECTED, trust=Trust.CONTENT, origin="web"), CONFLICT, ("open", None, None, None)),
        (replace(OLD, trust=Trust.CONTENT), NEW, UPDATE, ("auto", "new", "old", 20.0)),
    ],
)
def test_what_follows_from_a_clash(
    older: Memory, newer: Memory, clash: Clash, expected: tuple[str, str | None, str | None, float | None]
) -> None:
    found = resolve(older, newer, clash)
    assert (found.status, found.winner, found.loser, found.valid_until) == expected
    assert found.why


@pytest.mark.parametrize(
    ("memory", "at"),
    [(NEW, 20.0), (replace(NEW, valid_from=0.0), 0.0), (replace(NEW, said_at=None), 25.0)],
)
def test_a_fact_holds_from_where_it_says_else_from_when_it_was_said(memory: Memory, at: float) -> None:
    assert since(memory) == at
