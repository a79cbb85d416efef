"""One rule for every step that works item by item: recorded, tried again by later nights, set aside after three."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import pytest

from reverie import Reverie
from reverie.asleep.runner import Runner
from reverie.asleep.shared.items import Attempts
from reverie.asleep.step import BATCH, Minds
from reverie.errors import StoreBusy
from reverie.minds.embed import NoEmbedder
from reverie.minds.rules.reasoner import RulesReasoner
from reverie.model.answers import Anticipating
from reverie.model.memories import Memory
from reverie.model.night import Progress
from reverie.model.rhythm import Sleeping, SleepRequest
from reverie.model.thinking import InsightDraft
from reverie.store.db import Database
from reverie.store.forget import forget
from reverie.store.tables import contradictions, failures
from reverie.triggers.health import health
from reverie.triggers.inline import resume, sleep
from tests.conftest import BACKENDS
from tests.support.living import Life

pytestmark = pytest.mark.parametrize("location", BACKENDS, indirect=True)
COLOURS = ("red", "green", "blue", "white", "black", "grey", "brown", "yellow", "pink", "orange", "golden", "old")
LONG = " ".join(f"The {colour} ship leaves the harbour then." for colour in COLOURS)


@dataclass
class Stumbling(RulesReasoner):
    """Cannot do one task where it reads a certain word; keeps count of its stumbles."""

    task: str
    word: str = ""
    stumbles: int = 0
    well: bool = False

    def __post_init__(self) -> None:
        super().__init__()

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

    def infer(self, facts: Sequence[Memory]) -> list[InsightDraft]:
        """What a model might conclude; the rules conclude nothing."""
        return [InsightDraft("One follows from the other", "deduction", tuple(fact.id for fact in facts[:2]), 0.9)]


def _of(life: Life, kind: str) -> list[Memory]:
    return [memory for memory in life.memories() if memory.kind == kind and not memory.stale]


def _pottery(life: Life) -> None:
    life.say("We fired my vase in the kiln with Sunneva on Monday, and the kiln broke.")
    life.say("Sunneva got a new kiln for 400 euros.", session="b")
    life.say("I told Sunneva that the kiln needs 400 volts.", session="c")
    life.say("Sunneva sold her old kiln to the school.", session="d")


def _of_me(life: Life) -> None:
    for text in ("I live in Hamburg.", "I work at Siemens.", "I have a dog named Rex."):
        life.say(text)


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
    Case("contradict", "clash", _moved, lambda life: contradictions.listed(life.db, life.space)),
    Case(
        "profile",
        "profile",
        _of_me,
        lambda life: _of(life, "profile"),
    ),
    Case(
        "reason",
        "infer",
        _of_me,
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
    return [(row["step"], row["times"], bool(row["aside"])) for row in failures.listed(life.db, life.space)]


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
    assert failures.retry(db, life.space) == 1
    assert health(db, life.space, life.now).trouble == ()
    life.sleep()
    assert case.came(life)
    assert failed_items(life) == []


def test_the_report_names_what_failed_why_and_what_becomes_of_it(db: Database) -> None:
    life, _ = CASES[3].begin(db)
    said = [life.sleep().told["profile"] for _ in range(3)]
    assert said[0] == ["user failed 1 time, to be tried again: ValueError: no idea"]
    assert said[2] == ["user failed 3 times, set aside: ValueError: no idea"]
    assert health(db, life.space, life.now).trouble == (
        "1 item set aside after three failures (profile user: ValueError: no idea)",
    )


def test_the_others_go_on_and_their_success_is_not_taken_for_its_own(db: Database) -> None:
    life = Life.in_new_space(db)
    life.reasoner = Stumbling("profile", word="Anna")
    life.say("My sister Anna lives in Kiel. My sister Anna works at Siemens. My sister Anna is allergic to nuts.")
    life.say("I live in Hamburg. I work at Bosch. I have a dog named Rex.")
    life.sleep()
    failing = [row["item"] for row in failures.listed(db, life.space) if row["step"] == "profile"]
    assert "Anna" in failing
    life.say(
        "My friend Tom lives in Ulm. My friend Tom works at Bosch. My friend Tom is allergic to nuts.", session="b"
    )
    life.sleep()
    assert "Tom" in {profile.subject for profile in _of(life, "profile")}
    assert ("profile", 2, False) in failed_items(life)


def test_more_items_than_a_batch_holds_are_each_tried_once_a_night(db: Database) -> None:
    life = Life.in_new_space(db)
    life.reasoner = stumbling = Stumbling("facts", word="live")
    for n in range(2 * BATCH + 1):
        life.say(f"I live in house number {n} of the town.", session=f"s{n}")
    for times in (1, 2):
        life.sleep()
        assert failed_items(life) == [("extract", times, False)] * (2 * BATCH + 1)
    stumbling.well = True
    life.sleep()
    assert failed_items(life) == []


def test_a_night_that_stops_between_two_tries_goes_on_with_the_next_item(db: Database) -> None:
    life = Life.in_new_space(db)
    life.reasoner = Stumbling("facts", word="live")
    for n in range(BATCH + 1):
        life.say(f"I live in house number {n} of the town.", session=f"s{n}")
    life.sleep()
    told: list[Progress] = []
    run = Runner(db, Minds(life.reasoner, NoEmbedder()), told.append, clock=lambda: life.now)
    twice = Runner(db, run.minds, told.append, lambda: _batches(told, "extract") == 2, lambda: life.now)
    assert sleep(twice, life.space, SleepRequest("night", "manual", "me"), Sleeping()).night.status == "requested"
    assert sorted(times for _, times, _ in failed_items(life)) == [1] + [2] * BATCH
    assert [night.status for night in resume(run, life.space, "me")] == ["done"]
    assert {times for _, times, _ in failed_items(life)} == {2}


def _batches(told: list[Progress], step: str) -> int:
    return sum((one.what, one.step) == ("batch", step) for one in told)


def test_what_there_is_nothing_left_to_do_for_leaves_no_record(db: Database) -> None:
    life, stumbling = CASES[3].begin(db)
    life.sleep()
    forget.forget(db, life.space, memories=[fact.id for fact in _of(life, "fact")], now=life.now)
    tried = stumbling.stumbles
    life.sleep()
    assert (failed_items(life), stumbling.stumbles) == ([], tried)


def test_a_topic_that_failed_is_the_same_item_when_it_has_grown(db: Database) -> None:
    life, _ = CASES[1].begin(db)
    life.sleep()
    life.next_day(-1)
    life.say("We sold the old kiln to Sunneva's brother.", session="c")  # said before the others
    life.next_day(1)
    life.sleep()
    assert failed_items(life) == [("consolidate", 2, False)]


def test_a_busy_store_is_no_item_s_fault(location: str) -> None:
    attempts = Attempts()
    with pytest.raises(StoreBusy), attempts.item(location):
        raise StoreBusy("locked")
    assert attempts.failed == ()


def test_a_question_that_could_not_be_answered_is_tried_by_the_next_nap(
    location: str, opened: Callable[[Any], Any]
) -> None:
    memory: Reverie = opened(Reverie.open(location, embedder="none", durable=False))
    stumbling = Stumbling("answer", word="Where do I live?")
    memory.parts.minds = replace(memory.parts.minds, reasoner=stumbling)
    space = memory.space("alice")
    space.append("user", "I live in Hamburg and I work at Siemens.", session="a")
    assert space.sleep().status == "done"
    assert "Where do I live?" not in {answer.question for answer in space.answers(limit=100)}
    assert [row["step"] for row in failures.listed(memory.parts.db, space.id)] == ["anticipate"]
    assert space.answers(limit=100), "the other questions have their answers"
    assert health(memory.parts.db, space.id, time.time()).failing == 1
    stumbling.well = True
    assert space.nap().status == "done"
    assert "Where do I live?" in {answer.question for answer in space.answers(limit=100)}
    assert failures.listed(memory.parts.db, space.id) == []


def test_a_probe_that_cannot_be_made_is_counted_and_the_nap_goes_on(
    location: str, opened: Callable[[Any], Any]
) -> None:
    memory: Reverie = opened(Reverie.open(location, embedder="none", durable=False))
    stumbling = Stumbling("answer", well=True)
    looking_ahead = Anticipating(probed=1.0)
    memory.parts.minds = replace(memory.parts.minds, reasoner=stumbling, anticipating=looking_ahead)
    space = memory.space("alice")
    space.append("user", "I live in Hamburg.", session="a")
    space.sleep()
    assert space.answer("Where do I live?")
    assert space.parts.events.flush()
    stumbling.well = False
    nap = space.nap()
    assert (nap.status, nap.counts["hits"], nap.counts["probes_failed"]) == ("done", 1, 1)


def test_a_block_that_a_full_night_could_not_think_over_is_thought_over_by_the_next(db: Database) -> None:
    life, stumbling = CASES[5].begin(db)
    stumbling.well = True
    life.sleep()
    stumbling.well = False
    life.next_day(8)
    life.sleep()
    assert failed_items(life) == [("rethink", 1, False)], "once a week every block is thought over"
    life.sleep()
    assert failed_items(life) == [("rethink", 2, False)], "though nothing new waits for it"
    stumbling.well = True
    life.sleep()
    assert failed_items(life) == []
