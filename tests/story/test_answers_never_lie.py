"""No interleaving of writes, nights and reads serves an answer whose ground has changed."""

import shutil
import tempfile
from pathlib import Path

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from reverie import Reverie
from reverie.store import answers
from tests.conftest import in_memory

CITIES = ("Hamburg", "Lisbon", "Berlin", "Oslo")
FOODS = ("peanuts", "shellfish", "strawberries")


class Life(RuleBasedStateMachine):
    """A person moves, is allergic, corrects, forgets; nights and naps come at any time. The model is two variables."""

    def __init__(self) -> None:
        super().__init__()
        self.home = Path(tempfile.mkdtemp(prefix="reverie-life-", dir=in_memory()))
        self.now = 1_780_000_000.0
        self.memory = Reverie.open(self.home, embedder="none", durable=False, clock=self._clock)
        self.space = self.memory.space("alice")
        self.city: str | None = None
        self.food: str | None = None
        self.nights: list[str] = []

    def _clock(self) -> float:
        self.now += 1.0
        return self.now

    @rule(city=st.sampled_from(CITIES), moved=st.booleans())
    def lives(self, city: str, moved: bool) -> None:
        self.space.append("user", f"I moved to {city}." if moved else f"I live in {city}.")
        self.city = city

    @rule(food=st.sampled_from(FOODS))
    @precondition(lambda self: self.food is None)
    def allergic(self, food: str) -> None:
        self.space.append("user", f"I am allergic to {food}.")
        self.food = food

    @rule()
    def chatters(self) -> None:
        self.space.append("user", "What a lovely day for a walk.")

    @rule(city=st.sampled_from(CITIES))
    @precondition(lambda self: self.space.answer("Where do I live?"))
    def corrects(self, city: str) -> None:
        wrong = self.space.answer("Where do I live?").sources[0]
        self.space.correct(wrong, f"I live in {city}")
        self.city = city

    @rule()
    @precondition(lambda self: self.food is not None)
    def forgets_the_allergy(self) -> None:
        self.space.forget(query=self.food)
        self.food = None

    @rule(nap=st.booleans())
    def sleeps(self, nap: bool) -> None:
        night = self.space.nap() if nap else self.space.sleep()
        assert night.status == "done", night.error
        self.nights.append(night.id)

    @rule(hours=st.sampled_from((1, 20, 30)))
    def time_passes(self, hours: int) -> None:
        self.now += hours * 3600

    @invariant()
    def what_is_served_is_true_now(self) -> None:
        found = self.space.answer("Where do I live?")
        if found:
            assert self.city is not None
            assert self.city in str(found.text), f"{found.text} but it is {self.city}"
        found = self.space.answer("What am I allergic to?")
        if found:
            assert self.food is not None
            assert self.food in str(found.text)

    @invariant()
    def what_is_served_rests_on_what_is_there(self) -> None:
        found = self.space.explain_answer("Where do I live?")
        if found and found.id:
            entry = self.space.prepared(found.id)
            now = answers.rests_now(self.space._db, self.space.id, entry.rests_on)
            assert {ref: rest.version for ref, rest in now.items()} == entry.rests_on

    def teardown(self) -> None:
        self.memory.close()
        shutil.rmtree(self.home, ignore_errors=True)


TestAnswersNeverLie = Life.TestCase
TestAnswersNeverLie.settings = settings(
    max_examples=12,
    stateful_step_count=10,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large],
)
