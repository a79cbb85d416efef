"""Lives that a state machine leads: people move, correct, forget, edit and sleep, and no answer may lie about it."""

import shutil
import tempfile
from dataclasses import replace
from itertools import count
from pathlib import Path

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from reverie import Reverie
from reverie.errors import RestsOn
from reverie.model.answers import Answered
from reverie.model.rhythm import SleepRequest
from reverie.space import Space
from reverie.store.tables import answers
from reverie.triggers import inline
from tests.conftest import in_memory

CITIES = ("Hamburg", "Lisbon", "Berlin", "Oslo")
FOODS = ("peanuts", "shellfish", "strawberries")
HOME, ALLERGY = "Where do I live?", "What am I allergic to?"


class Person:
    """What is true of one person, and the space that should know it."""

    def __init__(self, space: Space) -> None:
        self.space = space
        self.city: str | None = None
        self.food: str | None = None
        self.nights: list[str] = []
        self.said: set[str] = set()

    def home(self) -> Answered:
        return self.space.answer(HOME)


class Truth(RuleBasedStateMachine):
    """Two people in one store. Nights and naps come at any time, and some are broken off or taken back."""

    def __init__(self) -> None:
        super().__init__()
        self.home = Path(tempfile.mkdtemp(prefix="reverie-life-", dir=in_memory()))
        self.now = 1_780_000_000.0
        self.memory = Reverie.open(self.home, embedder="none", durable=False, clock=self._clock)
        self.people = [Person(self.memory.space(name)) for name in ("alice", "bob")]

    def _clock(self) -> float:
        self.now += 1.0
        return self.now

    who = st.sampled_from((0, 0, 0, 1))

    @rule(who=who, city=st.sampled_from(CITIES), how=st.sampled_from(("I moved to {}.", "I live in {}.")))
    def lives(self, who: int, city: str, how: str) -> None:
        person, text = self.people[who], how.format(city)
        person.space.append("user", text)
        person.city = city

    @rule(who=who, city=st.sampled_from(CITIES))
    def remembers(self, who: int, city: str) -> None:
        person, text = self.people[who], f"I live in {city} now."
        if text not in person.said:
            person.said.add(text)
            person.space.remember(text)
            person.city = city

    @rule(who=who, city=st.sampled_from(CITIES))
    def edits_the_block(self, who: int, city: str) -> None:
        person = self.people[who]
        person.space.blocks["human"].set(f"Lives in {city}.")
        person.city = city

    @rule(who=who, food=st.sampled_from(FOODS))
    def allergic(self, who: int, food: str) -> None:
        person = self.people[who]
        if person.food is None:
            person.space.append("user", f"I am allergic to {food}.")
            person.food = food

    @rule(who=who)
    def chatters(self, who: int) -> None:
        self.people[who].space.append("user", "What a lovely day for a walk.")

    @rule(who=who, city=st.sampled_from(CITIES))
    def corrects(self, who: int, city: str) -> None:
        person = self.people[who]
        if wrong := person.home():
            person.space.correct(wrong.sources[0], f"I live in {city}")
            person.city = city

    @rule(who=who)
    def forgets_the_allergy(self, who: int) -> None:
        person = self.people[who]
        if person.food is not None:
            person.space.forget(query=person.food)
            person.food = None

    @rule(who=who, nap=st.booleans())
    def sleeps(self, who: int, nap: bool) -> None:
        person = self.people[who]
        night = person.space.nap() if nap else person.space.sleep()
        assert night.status == "done", night.error
        person.nights.append(night.id)

    @rule(who=who, batches=st.integers(1, 12))
    def sleeps_and_is_woken(self, who: int, batches: int) -> None:
        """The night stops at a batch boundary; the next one goes on from there."""
        woken_after(self.people[who].space, batches)

    @rule(who=who)
    @precondition(lambda self: any(person.nights for person in self.people))
    def takes_a_night_back(self, who: int) -> None:
        person = self.people[who]
        if person.nights:
            try:
                person.space.undo(person.nights.pop())
            except RestsOn:
                return

    @rule(hours=st.sampled_from((1, 20, 30)))
    def time_passes(self, hours: int) -> None:
        self.now += hours * 3600

    @invariant()
    def what_is_served_is_true_now(self) -> None:
        for person in self.people:
            if found := person.home():
                assert person.city is not None
                newest, *_ = str(found.text).split(" Earlier, ")
                assert person.city in newest, f"{found.text} but it is {person.city}"
            if found := person.space.answer(ALLERGY):
                assert person.food is not None
                assert person.food in str(found.text)

    @invariant()
    def what_is_served_rests_on_what_is_there(self) -> None:
        for person in self.people:
            found = person.space.explain_answer(HOME)
            if found and found.id:
                entry = person.space.prepared(found.id)
                now = answers.rests_now(person.space.parts.db, person.space.id, entry.rests_on)
                assert {ref: rest.version for ref, rest in now.items()} == entry.rests_on

    def teardown(self) -> None:
        self.memory.close()
        shutil.rmtree(self.home, ignore_errors=True)


def woken_after(space: Space, batches: int) -> None:
    left = count(batches, -1)
    runner = replace(space.parts.runner(), stopping=lambda: next(left) <= 0)
    inline.sleep(runner, space.id, SleepRequest("night", "manual", "woken"), space.sleeping)


def lived(examples: int, steps: int) -> settings:
    return settings(
        max_examples=examples,
        stateful_step_count=steps,
        deadline=None,
        derandomize=True,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large],
    )
