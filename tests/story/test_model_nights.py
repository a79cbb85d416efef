"""Whole nights with a model, on a real store: through every fault, past a SIGKILL, within the budget."""

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from reverie.minds.llm.models import open_models
from reverie.minds.llm.spec import ModelSpec
from reverie.minds.meter import Budgets
from reverie.model.ledger import Scope
from reverie.model.night import Night
from reverie.policy.spending import Budget
from reverie.reverie import Reverie
from reverie.space import Space
from reverie.store.tables.ledger import StoreLedger
from tests.contract.test_llm import FAULTS
from tests.support.conversing import COMMAND, environment
from tests.support.fault_server import FaultServer, fault_server
from tests.support.line_models import HOSTILE
from tests.support.line_models import write as write_lines
from tests.support.local_model import local_model as local_model
from tests.support.waiting import until

SAID = (
    "I live in Hamburg with my cat Miez. Die Katze schläft gern auf dem Ofen.",
    "I work as a gardener at Planten un Blomen.",
    "I love green tea in the morning.",
    "Actually, I moved to Bonn last week.",
    "My sister Anna lives in Kiel.",
)
SPENT = ("Rent was $900 this month, food came to $350.", "The gym costs $40 and the bus pass $65.", "Mia owes me $20.")
LEASE_OVER = 200.0  # later than any lease that a dead worker holds
# What only a service has that answers at all, without the subtleties that test_llm goes through.
NIGHTLY = (*FAULTS, *HOSTILE)


CONTENT = "echo not_verbatim not_grounded not_carried unknown_ids new_url new_order bad_shape too_long empty"


@pytest.fixture(scope="module")
def server() -> Iterator[FaultServer]:
    with fault_server() as running:
        yield running


@pytest.fixture
def remembering(home: Path) -> Iterator[Callable[..., Space]]:
    opened: list[Reverie] = []

    def open_with(server: FaultServer | str | None, model: str = "good", **settings: Any) -> Space:
        if server is not None:
            settings |= {"sleeper_model": f"openai:{model}", "model_base_url": getattr(server, "url", server)}
        opened.append(Reverie.open(home, durable=False, **{"embedder": "none", **settings}))
        return opened[-1].space()

    yield open_with
    for one in opened:
        one.close()


def hear(space: Space, *said: str) -> None:
    """Some minutes ago: nights let an active user go first."""
    for text in said or SAID:
        space.append("user", text, at=time.time() - 600)


def facts(space: Space) -> set[str]:
    return {memory.text for memory in space.all() if memory.kind == "fact"}


def faults(space: Space, night: Night) -> Counter[str]:
    total: Counter[str] = Counter()
    for step in space.night(night.id).steps:
        total.update(step.counts)
    return total


def sources_hold(space: Space) -> bool:
    known = {memory.id for memory in space.all(limit=500)} | {turn.id for turn in space.turns(limit=500)}
    return all(set(memory.sources) <= known for memory in space.all(limit=500))


def test_a_night_with_a_good_model_does_what_the_rules_do_and_is_paid_for(
    server: FaultServer, remembering: Callable[..., Space]
) -> None:
    space = remembering(server)
    hear(space)
    night = space.sleep()
    assert night.status == "done"
    for quote in ("Actually, I moved to Bonn last week.", "I love green tea in the morning."):
        assert any(f': "{quote}"' in fact for fact in facts(space))
    assert sources_hold(space)
    steps = {line.key for line in space.costs("step")}
    assert "extract" in steps
    assert all(line.regime == "asleep" and line.failed == 0 for line in space.costs("step"))
    assert StoreLedger(space.parts.db).spent(Scope(night=night.id), 0.0).tokens > 0


@pytest.mark.parametrize("embedder", ["none", "minilm"])  # the bundled one brings its judge, and leaves less open
def test_a_night_over_many_turns_takes_few_tokens_and_as_many_calls_at_once_as_allowed(
    remembering: Callable[..., Space], embedder: str
) -> None:
    history = Path("bench/histories/dev/anahit.jsonl").read_text("utf-8").splitlines()
    turns = [json.loads(line) for line in history[:100]]
    with fault_server() as server:
        space = remembering(server, "pausing", model_concurrency=3, embedder=embedder)
        for turn in turns:
            at = datetime.fromisoformat(turn["at"]).timestamp()
            space.append(turn["role"], turn["text"], session=turn["session"], at=at)
        for text in SPENT:
            space.append("user", text, session="money", at=at)
        assert space.sleep().status == "done"
        spent = {line.key: line.tokens_in + line.tokens_out for line in space.costs("step")}
        assert server.most_under_way == 3
    said = sum(turn["role"] == "user" for turn in turns) + len(SPENT)
    assert 1_000 < sum(spent.values()) <= 150 * said  # a turn of the user's, its answer included
    assert 300 < spent["ponder"] <= 20 * said  # its share: one talk of five has something to work with


@pytest.mark.parametrize("fault", NIGHTLY)
def test_every_fault_leaves_a_night_that_is_done_a_memory_that_is_whole_and_a_count(
    server: FaultServer, remembering: Callable[..., Space], fault: str
) -> None:
    space = remembering(server, fault, model_timeout=0.1 if fault == "timeout" else 5.0)
    space.blocks["human"].append("Call me Lou.")
    hear(space)
    night = space.sleep()
    assert night.status == "done"
    assert all(step.status == "done" for step in space.night(night.id).steps)
    assert "Call me Lou." in space.blocks["human"].value
    assert len(facts(space)) >= 3
    assert sources_hold(space)
    counted = faults(space, night)
    assert fault == "greedy" or any(counted[f"fault_{kind}"] for kind in FAULTS.get(fault, CONTENT).split())
    assert "https://evil.example" not in str(space.all(limit=500))


def test_a_budget_of_zero_calls_nobody_and_a_small_one_is_kept(
    server: FaultServer, remembering: Callable[..., Space]
) -> None:
    space = remembering(server, budget_night_tokens=0)
    hear(space)
    before = server.asked("good")
    first = space.sleep()
    assert first.status == "done"
    assert server.asked("good") == before
    assert faults(space, first)["fault_budget_spent"] >= 1
    assert len(facts(space)) >= 3
    poor = remembering(server, budget_night_tokens=900)
    hear(poor, "I bought a red bicycle yesterday. Das Rad steht im Keller.")
    second = poor.sleep()
    spent = StoreLedger(poor.parts.db).spent(Scope(night=second.id), 0.0).tokens
    assert second.status == "done"
    assert 300 < spent <= 900  # estimates by task: the budget is used, and kept


def test_a_missing_key_is_counted_and_the_rules_do_the_night(remembering: Callable[..., Space]) -> None:
    space = remembering(None, sleeper_model="anthropic:claude-haiku-4-5")
    hear(space)
    night = space.sleep()
    assert night.status == "done"
    assert faults(space, night)["fault_model_unavailable"] >= 1
    assert len(facts(space)) >= 3
    assert space.costs() == []  # nobody was called, so nothing is in the ledger


def test_a_person_who_talks_to_a_model_without_a_key_pays_nothing(remembering: Callable[..., Space]) -> None:
    space = remembering(None, primary_model="anthropic:claude-haiku-4-5")
    reply = space.say("Where do I live?")
    assert (reply.by, reply.model_calls) == ("memory", 0)
    assert "ANTHROPIC_API_KEY" in reply.why
    assert space.costs() == []


def thinking(model: str, url: str, **more: object) -> dict[str, object]:
    """Settings of a night that asks one question at a time."""
    return {"sleeper_model": f"openai:{model}", "model_base_url": url, "model_concurrency": 1, **more}


def sleep_in_a_child(home: Path, settings: Mapping[str, object]) -> "subprocess.Popen[bytes]":
    """`reverie sleep`, as a person calls it."""
    env = environment(home, {"home": home, "durable": False, **settings})
    return subprocess.Popen([sys.executable, "-c", COMMAND, "sleep", "--json"], env=env, stdout=subprocess.DEVNULL)


@contextmanager
def resumed(home: Path, settings: Mapping[str, object]) -> Iterator[Reverie]:
    """The same store and model after the dead worker's lease has run out."""
    later: dict[str, Any] = {"clock": lambda: time.time() + LEASE_OVER, "durable": False, **settings}
    with Reverie.open(home, embedder="none", **later) as memory:
        yield memory


def calls_in(memory: Reverie) -> dict[str, list[str]]:
    """The prompts of the ledger by the status of their calls."""
    found: dict[str, list[str]] = {"open": [], "done": [], "failed": []}
    for row in memory.parts.db.rows("SELECT prompt_hash, status FROM ledger ORDER BY at"):
        found[row["status"]].append(row["prompt_hash"])
    return found


@pytest.mark.parametrize("fatal", [3, *(pytest.param(n, marks=pytest.mark.torture) for n in (1, 2, 4))])
def test_a_night_killed_in_the_middle_of_a_call_is_resumed_without_paying_twice(home: Path, fatal: int) -> None:
    child: subprocess.Popen[bytes] | None = None
    calls: list[str] = []
    started = threading.Event()

    def write(body: dict[str, Any]) -> tuple[str, str]:
        calls.append(str(body["messages"]))
        if len(calls) == fatal:
            started.wait(10)
            assert child is not None
            os.kill(child.pid, signal.SIGKILL)
            child.wait(10)
        return write_lines(body)

    with fault_server(write) as server:
        with Reverie.open(home, embedder="none", durable=False) as memory:
            hear(memory.space())
        child = sleep_in_a_child(home, thinking("good", server.url))
        started.set()
        assert child.wait(60) == -signal.SIGKILL
        with resumed(home, thinking("good", server.url)) as memory:
            assert memory.space().sleep().status == "done"
            assert len(facts(memory.space())) >= 3
            paid = calls_in(memory)
    assert len(paid["done"]) == len(set(paid["done"]))
    assert len(paid["open"]) == 1  # the call that died under way, at its estimate
    assert set(paid["open"]) <= set(paid["done"])  # and was made anew
    assert len(calls) == len(paid["done"]) + 1


@pytest.mark.slow
@pytest.mark.parametrize(
    ("said", "budget"),
    [
        pytest.param(SAID[:1], 2_500, marks=pytest.mark.timeout(300)),
        pytest.param(SAID, 200_000, marks=[pytest.mark.torture, pytest.mark.timeout(3600)]),
    ],
)
def test_a_whole_night_on_a_real_small_model_is_killed_and_resumed_without_paying_twice(
    home: Path, local_model: str, said: tuple[str, ...], budget: int
) -> None:
    settings = thinking("smollm2", local_model, model_answer_tokens=40, budget_night_tokens=budget)
    with Reverie.open(home, embedder="none", durable=False) as memory:
        hear(memory.space(), *said)
        child = sleep_in_a_child(home, settings)
        until(lambda: calls_in(memory)["done"] and calls_in(memory)["open"], 120)
        child.kill()
        assert child.wait(10) == -signal.SIGKILL
        before = calls_in(memory)
    with resumed(home, settings) as memory:
        night = memory.space().sleep()
        paid, largest, nights = calls_in(memory), largest_call(memory), memory.space().nights()
        assert (night.status, len(facts(memory.space())) >= 1) == ("done", True)
    assert (len(before["done"]), len(before["open"])) == (1, 1)
    assert before["done"] == paid["done"][:1]  # what was paid is kept
    assert paid["open"] == before["open"]  # what died under way counts with its estimate
    assert set(paid["open"]) <= set(paid["done"])  # and was asked anew
    assert len(paid["done"]) == len(set(paid["done"]))  # nothing was paid twice
    assert sum(night.tokens for night in nights) > 0
    assert all(night.tokens <= budget + largest for night in nights)


def largest_call(memory: Reverie) -> int:
    return int(memory.parts.db.value("SELECT max(tokens_in + tokens_out) FROM ledger"))


@pytest.mark.slow
def test_a_nap_on_a_real_small_model_keeps_its_budget_and_is_accounted_for(home: Path, local_model: str) -> None:
    """One call fits the budget; so small a model gives no use of it, so the second try is one that the rules do."""
    with Reverie.open(home, embedder="none", durable=False) as memory:
        small = ModelSpec("openai:smollm2", base_url=local_model, answer_tokens=40, retries=0)
        budgets = Budgets(night=Budget(tokens=1_100))
        memory.parts.models = open_models([small], memory.parts.ledger, budgets, environ={})
        space = memory.space()
        hear(space, SAID[0])
        nap = space.nap()
        assert nap.status == "done"
        assert len(facts(space)) >= 1  # its own, or the rules'
        (line,) = space.costs("model")
        memory.parts.models.close()
    assert (line.regime, line.failed, line.unpriced) == ("asleep", 0, line.calls)
    assert line.calls in (1, 2)  # for the facts and, if the budget still allows, for the questions they make askable
    assert 300 < nap.tokens == line.tokens_in + line.tokens_out <= 1_100
