"""One rule for every step that works item by item: recorded, tried again by later nights, set aside after three."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from reverie.minds.rules.reasoner import RulesReasoner
from reverie.model.memories import Memory
from reverie.store import mend, nights, records
from reverie.store.db import Database
from reverie.triggers.health import health
from tests.conftest import BACKENDS
from tests.living import Life

pytestmark = pytest.mark.parametrize("location", BACKENDS, indirect=True)
LONG = " ".join(f"Then we saw the ship number {n} leave the harbour for the {n}th port." for n in range(12))


@dataclass
class Stumbling(RulesReasoner):
    """Cannot do one task where it reads a certain word; keeps count of its stumbles."""

    task: str
    word: str = ""
    stumbles: int = 0
    well: bool = False

    def __getattribute__(self, name: str) -> Any:
        found = super().__getattribute__(name)
        if name.startswith("_") or name != super().__getattribute__("task"):
            return found
        return lambda *given: self._try(found, given)

    def _try(self, do: Callable[..., Any], given: tuple[Any, ...]) -> Any:
        if not self.well and self.word in repr(given):
            self.stumbles += 1
            raise ValueError("no idea")
        return do(*given)


def _of(life: Life, kind: str) -> list[Memory]:
    return [memory for memory in life.memories() if memory.kind == kind and not memory.stale]


def _pottery(life: Life) -> None:
    life.say("The kiln for the pottery course broke, so the glaze stayed raw.")
    life.say("At pottery the kiln works again and my glaze turned blue.", session="b")


def _moved(life: Life) -> None:
    life.say("I live in Hamburg.")
    life.next_day(30)
    life.say("I moved to Kiel.")


def _cooled(life: Life) -> None:
    life.say(LONG)
    life.reasoner.well = True
    life.sleep()
    life.reasoner.well = False
    life.next_day(14)


@dataclass(frozen=True)
class Case:
    """What is said, what the reasoner cannot do with it, and how one sees that it was done."""

    step: str
    task: str
    said: Callable[[Life], object]
    came: Callable[[Life], object]

    def begin(self, db: Database) -> tuple[Life, Stumbling]:
        life = Life.in_new_space(db)
        life.reasoner = stumbling = Stumbling(self.task)
        self.said(life)
        return life, stumbling


CASES = [
    Case("extract", "facts", lambda life: life.say("I live in Hamburg."), lambda life: _of(life, "fact")),
    Case("consolidate", "note", _pottery, lambda life: _of(life, "note")),
    Case("contradict", "clash", _moved, lambda life: records.contradictions(life.db, life.space)),
    Case(
        "profile",
        "profile",
        lambda life: life.say("I live in Hamburg. I work at Siemens. I love hiking."),
        lambda life: _of(life, "profile"),
    ),
    Case(
        "reason",
        "infer",
        lambda life: life.say("My sister Anna has a daughter, Lea. I love hiking and I live in Hamburg."),
        lambda life: _of(life, "insight"),
    ),
    Case(
        "rethink",
        "rethink",
        lambda life: life.say("Please remember that I am allergic to peanuts."),
        lambda life: "peanuts" in life.value(),
    ),
    Case(
        "summarize", "summary", _cooled, lambda life: [m for m in life.memories() if m.kind == "episode" and m.summary]
    ),
]
cases = pytest.mark.parametrize("case", CASES, ids=lambda case: case.step)


def failed_items(life: Life) -> list[tuple[str, int, bool]]:
    return [(row["step"], row["times"], bool(row["aside"])) for row in nights.failures(life.db, life.space)]


@cases
def test_an_item_that_failed_is_tried_by_the_next_night_though_it_is_no_news_any_more(case: Case, db: Database) -> None:
    life, stumbling = case.begin(db)
    night = life.sleep()
    assert not case.came(life)
    assert failed_items(life) == [(case.step, 1, False)]
    assert life.counts(night, case.step)["failed"] == 1
    stumbling.well = True
    life.sleep()
    assert case.came(life)
    assert failed_items(life) == []


@cases
def test_after_three_nights_it_is_set_aside_and_told_and_has_another_chance_when_a_person_says_so(
    case: Case, db: Database
) -> None:
    life, stumbling = case.begin(db)
    for times in (1, 2, 3):
        life.sleep()
        assert failed_items(life) == [(case.step, times, times == 3)]
    tried = stumbling.stumbles
    stumbling.well = True
    life.sleep()
    assert (stumbling.stumbles, bool(case.came(life))) == (tried, False), "set aside"
    assert "1 item set aside after three failures" in " ".join(health(db, life.space, life.now).trouble)
    assert mend.retry(db, life.space) == 1
    assert health(db, life.space, life.now).trouble == ()
    life.sleep()
    assert case.came(life)
    assert failed_items(life) == []
