"""A whole night by the rules, taken back: the store is what it was, also when the night had been broken off."""

import json
from pathlib import Path
from typing import Any

import pytest

from reverie.asleep.pipeline import steps_of
from reverie.asleep.runner import Runner
from reverie.asleep.step import Step
from reverie.awake.append import append
from reverie.errors import RestsOn
from reverie.model.base import DAY
from reverie.model.changes import Changes
from reverie.model.memories import Filter
from reverie.model.night import Night
from reverie.model.rhythm import Sleeping, SleepRequest
from reverie.model.turns import Draft
from reverie.store.db import Database
from reverie.store.rows import by_name
from reverie.store.tables import memories, nights, spaces
from reverie.store.undo.undo import undo
from reverie.triggers.inline import resume, sleep
from tests.support.killing import store_before_a_night
from tests.support.night_host import minds

CONTENT = (
    "memories", "sources", "edges", "contradictions", "blocks", "block_sentences", "answers", "answer_rests",
    "documents", "name_postings", "reviews",
)  # fmt: skip
MARKS = {"version", "changed", "updated_at", "row"}
LATER = (
    "I no longer work at Bosch, I moved to Airbus in Hamburg.",
    "My sister Clara moved to Porto with her two cats.",
    "I love hiking in the Alps with my friend Tom.",
    "Please remember that my daughter Mia was born on 3 May 2024.",
    "I hate coffee, I only drink green tea now.",
)


def content(db: Database) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for relation in CONTENT:
        rows: list[dict[str, Any]] = [
            {name: str(value) for name, value in by_name(row).items() if name not in MARKS}
            for row in db.rows(f"SELECT * FROM {relation}")
        ]
        found[relation] = sorted(json.dumps(row, sort_keys=True) for row in rows)
    return found


class Days:
    """Nights a day apart."""

    def __init__(self, db: Database, space: str, now: float) -> None:
        self.db, self.space, self.now = db, space, now
        self.broken: str | None = None

    def night(self) -> Night:
        self.now += DAY
        return sleep(self._runner(), self.space, SleepRequest("night", "manual", "me"), Sleeping()).night

    def goes_on(self) -> Night:
        self.broken = None
        return resume(self._runner(), self.space, "me")[-1]

    def _runner(self) -> Runner:
        return Runner(self.db, minds(self.db), clock=lambda: self.now, steps_of=self._steps)

    def _steps(self, *chosen: Any) -> tuple[Step, ...]:
        steps = steps_of(*chosen)
        return tuple(Step(s.phase, s.name, fail, s.naps) if s.name == self.broken else s for s in steps)


def fail(*_: Any) -> Changes:
    raise RuntimeError("the power went out")


@pytest.fixture
def days(location: str, db: Database) -> Days:
    space = store_before_a_night(Path(location))
    days = Days(db, space, max(night.requested_at for night in nights.listed(db, space)) + 1)
    days.goes_on()
    days.now += DAY
    for text in LATER:
        append(db, spaces.by_id(db, space), Draft("user", text, session="later", at=days.now))
    return days


def test_a_night_taken_back_leaves_the_store_as_it_was(days: Days) -> None:
    before = content(days.db)
    night = days.night()
    assert night.status == "done"
    assert content(days.db) != before
    undo(days.db, days.space, night.id, days.now)
    after = content(days.db)
    for relation in CONTENT:
        assert after[relation] == before[relation], relation


def test_a_night_that_broke_off_and_went_on_is_taken_back_whole(days: Days) -> None:
    before = content(days.db)
    days.broken = "contradict"
    assert days.night().status == "failed"
    night = days.goes_on()
    assert night.status == "done"
    undo(days.db, days.space, night.id, days.now)
    assert content(days.db) == before


def test_a_night_is_taken_back_only_after_those_that_rest_on_it(days: Days) -> None:
    first = days.night()
    record = spaces.by_id(days.db, days.space)
    append(days.db, record, Draft("user", "I no longer live in Berlin, I moved to Vienna.", at=days.now))
    append(days.db, record, Draft("user", LATER[3], session="again", at=days.now))
    second = days.night()
    with pytest.raises(RestsOn) as refused:
        undo(days.db, days.space, first.id, days.now)
    assert refused.value.data["nights"] == [second.id]
    undo(days.db, days.space, second.id, days.now)
    undo(days.db, days.space, first.id, days.now)


def test_an_undone_night_is_not_simply_done_again(days: Days) -> None:
    before = content(days.db)["memories"]
    undo(days.db, days.space, days.night().id, days.now)
    days.night()
    new = set(content(days.db)["memories"]) - set(before)
    kinds = {json.loads(row)["kind"] for row in new if json.loads(row)["session"] == "later"}
    assert kinds == {"episode"}


def told_of_the_user(days: Days) -> str:
    """The user's profile that holds now, and core memory."""
    (profile,) = (m for m in memories.listed(days.db, days.space, Filter(kinds=("profile",)), limit=9) if not m.stale)
    return "\n".join((profile.text, *(row["value"] for row in days.db.rows("SELECT value FROM blocks"))))


@pytest.mark.parametrize(("tea", "told_in"), [("I like tea", 1), ("I like tea, three cups of Assam a day.", 2)])
def test_after_an_undo_the_profile_and_core_are_made_again_from_the_next_news(
    days: Days, tea: str, told_in: int
) -> None:
    """Sleep, append, sleep, undo, append, sleep: the last words are there (a mere taste in the profile, not in core),
    the undone ones are not."""
    undo(days.db, days.space, days.night().id, days.now)
    record = spaces.by_id(days.db, days.space)
    append(days.db, record, Draft("user", tea, session="tea", at=days.now))
    assert days.night().status == "done"
    told = told_of_the_user(days)
    assert told.count(tea) == told_in
    assert "I work at Bosch now" in told
    assert "coffee" not in told


def test_what_an_undone_night_had_retired_can_be_retired_by_the_next_news(days: Days) -> None:
    before = content(days.db)["contradictions"]
    night = days.night()
    undo(days.db, days.space, night.id, days.now)
    held_back = {row["ref"] for row in days.db.rows("SELECT ref FROM suppressed")}
    old = [row["id"] for row in days.db.rows("SELECT id FROM memories WHERE kind IN ('fact', 'profile')")]
    assert old
    assert held_back.isdisjoint(old)
    assert content(days.db)["contradictions"] == before
