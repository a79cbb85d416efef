"""Settings that hold money back: budgets of a space and of all, prices of the user's own, and where none is known."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from reverie import Reverie
from reverie.config import environment_of, load
from reverie.doctor.doctor import examine
from reverie.errors import BadInput, ConfigError
from reverie.model.base import DAY
from reverie.model.ledger import Entry, Purpose
from reverie.space import Space
from reverie.store.dialect.dialect import Finding
from reverie.store.tables.ledger import report
from reverie.wiring.models import specs_of
from tests.conftest import BACKENDS
from tests.support.fault_server import FaultServer, fault_server

MODEL = "openai:friend"
SPENT = Entry("call-1", Purpose("asleep", step="extract"), MODEL, "hash", at=10 * DAY, tokens_in=30, tokens_out=10)

Open = Callable[..., Reverie]


@pytest.fixture(scope="module")
def server() -> Iterator[FaultServer]:
    with fault_server(lambda _: ("Hello, friend.", "stop")) as running:
        yield running


@pytest.fixture
def remembering(location: str, server: FaultServer, opened: Callable[[Any], Any]) -> Open:
    def open_with(**settings: Any) -> Reverie:
        mind = {"primary_model": MODEL, "model_base_url": server.url, "model_answer_tokens": 50, "context_tokens": 500}
        memory: Reverie = opened(Reverie.open(location, embedder="none", durable=False, **{**mind, **settings}))
        return memory

    return open_with


def answered_by(space: Space, times: int = 1) -> list[str]:
    return [space.say(f"Hello for the {n}. time?").by for n in range(times)]


def spent(space: Space) -> int:
    return sum(line.tokens_in + line.tokens_out for line in space.costs())


@pytest.mark.parametrize("location", BACKENDS, indirect=True)
def test_a_space_stops_at_its_budget_while_another_goes_on(remembering: Open) -> None:
    probe = remembering().space("probe")
    probe.say("Hello?")
    memory = remembering(budget_space_tokens=2 * spent(probe))
    ann, ben = memory.space("ann"), memory.space("ben")
    answers = answered_by(ann, 4)
    assert (answers[0], answers[-1]) == ("model", "memory")
    assert ann.say("And now?").why.startswith("the model could not answer: this space: ")
    assert answered_by(ben) == ["model"]


@pytest.mark.parametrize("location", BACKENDS, indirect=True)
def test_a_space_may_have_a_budget_of_its_own_and_go_back_to_the_common_one(remembering: Open) -> None:
    memory = remembering(budget_space_tokens=0)
    ann, ben = memory.space("ann"), memory.space("ben")
    ann.configure(budget_space_tokens=1_000_000)
    assert (answered_by(ann), answered_by(ben)) == (["model"], ["memory"])
    ann.configure(budget_space_tokens=None)
    assert answered_by(ann) == ["memory"]


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ({"budget_space_tokens": -1}, "budget_space_tokens must be a whole number, 0 or more, not -1"),
        ({"budget_space_tokens": 0.5}, "budget_space_tokens must be a whole number"),
        ({"budget_space_cost": "much"}, "budget_space_cost must be a number, 0 or more, not 'much'"),
    ],
)
def test_a_space_cannot_have_a_budget_that_is_none(alice: Space, given: dict[str, Any], why: str) -> None:
    with pytest.raises(BadInput, match=why):
        alice.configure(**given)
    assert alice.settings == {}


def test_what_all_spaces_spend_together_stops_every_one_of_them(remembering: Open) -> None:
    probe = remembering().space("probe")
    probe.say("Hello?")
    memory = remembering(budget_total_tokens=4 * spent(probe))
    ann, ben = memory.space("ann"), memory.space("ben")
    assert answered_by(ann) == answered_by(ben) == ["model"]
    assert answered_by(ben, 3)[-1] == "memory"
    assert ann.say("And now?").why.startswith("the model could not answer: in all: ")


def test_a_price_of_ones_own_is_what_the_ledger_and_the_budgets_go_by(remembering: Open) -> None:
    ann = remembering(model_prices=f"{MODEL}=1000/10000").space("ann")
    assert answered_by(ann) == ["model"]
    (line,) = ann.costs("model")
    assert line.unpriced == 0
    assert line.cost == pytest.approx((1_000 * line.tokens_in + 10_000 * line.tokens_out) / 1e6)
    held = remembering(model_prices=f"{MODEL}=1000/10000", budget_space_cost=line.cost + 0.001).space("ann")
    assert "this space: $" in held.say("And now?").why
    free = remembering(budget_space_cost=line.cost + 0.001).space("ann")
    assert answered_by(free) == ["model"]  # without a price, dollars cannot hold it


def test_a_night_leaves_the_rest_to_the_rules_once_its_space_has_spent_all(remembering: Open) -> None:
    memory = remembering(sleeper_model=MODEL, budget_space_tokens=50)
    ann = memory.space("ann")
    ann.append("user", "I live in Hamburg.", at=1_000.0)
    night = ann.sleep("nap")
    assert night.status == "done"
    assert report(memory.parts.db, "model") == []
    assert any(step.counts.get("fault_budget_spent") for step in ann.night(night.id).steps)
    assert [fact.quote for fact in ann.all() if fact.kind == "fact"] == ["I live in Hamburg."]


@pytest.mark.parametrize(
    ("settings", "own", "why", "tomorrow"),
    [
        ({}, {"budget_space_tokens": 40}, "this space: 40 of 40 tokens spent", False),
        ({"budget_space_tokens": 40}, {}, "this space: 40 of 40 tokens spent", False),
        ({"budget_total_tokens": 40}, {}, "in all: 40 of 40 tokens spent", False),
        ({"budget_day_tokens": 40}, {}, "today: 40 of 40 tokens spent", True),
    ],
)
def test_a_space_that_waits_for_money_says_which_and_whether_time_brings_it(
    remembering: Open, settings: dict[str, Any], own: dict[str, Any], why: str, tomorrow: bool
) -> None:
    memory = remembering(sleeper_model=MODEL, clock=lambda: 10 * DAY + 5, **settings)
    ann, ben = memory.space("ann"), memory.space("ben")
    for space in (ann, ben):
        space.append("user", "hello")
        space.configure(when_spent="wait")
    ann.configure(**own)
    memory.parts.ledger.open(replace(SPENT, purpose=replace(SPENT.purpose, space=ann.id)))
    assert ann.request_sleep().why == f"budget_spent: {why}"
    answer = next(answer for answer in ann.explain_sleep().answers if answer.gate == "budget")
    assert answer.retry_at == (11 * DAY if tomorrow else None)
    assert ben.request_sleep().status == ("requested" if why.startswith("this space") else "skipped")


def budget_findings(**settings: Any) -> list[Finding]:
    config = load(env={}, user_file=Path("/nowhere")).with_values(embedder="none", sleeper_model=MODEL, **settings)
    return [finding for finding in examine(config, 10 * DAY + 5) if finding.check == "budget"]


def test_the_doctor_names_the_budget_that_is_spent(remembering: Open, location: str, server: FaultServer) -> None:
    memory = remembering()
    ann = memory.space("ann")
    memory.space("ben")
    memory.parts.ledger.open(replace(SPENT, purpose=replace(SPENT.purpose, space=ann.id)))
    common = {"home": location, "model_base_url": server.url}
    assert [f.status for f in budget_findings(**common)] == ["ok"]
    _, total = budget_findings(**common, budget_total_tokens=40)
    assert (total.status, total.said) == ("warning", "in all: 40 tokens, $0.0000; 40 of 40 tokens spent")
    assert total.next_move == "Raise `budget_total_tokens` or `budget_total_cost`."
    ann.configure(budget_space_tokens=30)
    _, space = budget_findings(**common)
    assert space.said == "ann: 40 tokens, $0.0000; 40 of 30 tokens spent"


def test_the_doctor_says_that_dollars_alone_cannot_hold_a_model_without_a_price(
    remembering: Open, location: str, server: FaultServer
) -> None:
    remembering().space("ann")
    common = {"home": location, "model_base_url": server.url}
    _, blind = budget_findings(**common, budget_total_cost=5)
    assert blind.said.endswith("`budget_total_cost` cannot hold openai:friend: no price is known")
    assert blind.next_move == "Set `budget_total_tokens`, or a price in `model_prices`."
    assert len(budget_findings(**common, budget_total_cost=5, budget_total_tokens=10_000)) == 1
    assert len(budget_findings(**common, budget_total_cost=5, model_prices=f"{MODEL}=1/2")) == 1


@pytest.mark.parametrize(
    ("name", "value", "wants"),
    [
        ("budget_space_tokens", "-1", "a whole number, 0 or more, or none, not '-1'"),
        ("budget_total_tokens", "many", "a whole number, 0 or more, or none"),
        ("budget_night_tokens", 0.5, "a whole number, 0 or more, or none"),  # cut off, it would be rules only
        ("budget_total_cost", "-0.5", "a number, 0 or more, or none"),
        ("budget_day_cost", "inf", "a number, 0 or more, or none"),
        ("budget_day_cost", True, "a number, 0 or more, or none"),
        ("model_prices", "friend=1/2", "PROVIDER:MODEL=READ/WRITE"),
        ("model_prices", "openai:friend=1", "PROVIDER:MODEL=READ/WRITE"),
        ("model_prices", "openai:friend=1/-2", "PROVIDER:MODEL=READ/WRITE"),
        ("model_prices", "openai:friend=1/2/3/4", "PROVIDER:MODEL=READ/WRITE"),
        ("model_prices", "openai:friend", "PROVIDER:MODEL=READ/WRITE"),
        ("model_calls_per_minute", "-1", "a whole number, 0 or more"),
        ("model_concurrency", "0", "a whole number, 1 or more"),
    ],
)
def test_a_value_that_cannot_be_is_refused_before_anything_runs(name: str, value: Any, wants: str) -> None:
    with pytest.raises(ConfigError) as refused:
        load({name: value}, env={}, user_file=Path("/nowhere"))
    assert refused.value.message.startswith(f"{name} must be {wants}")
    assert refused.value.message.endswith(f"not {value!r} (flag --{name.replace('_', '-')})")
    assert refused.value.next_move.startswith(f"{name}: ")


def test_budgets_come_from_a_file_and_reach_a_child_process(home: Path) -> None:
    own = home / "config.toml"
    own.write_text('budget_space_tokens = 9000\nbudget_night_tokens = "none"\nmodel_prices = "openai:a/b=1/2/0.5"\n')
    config = load({"budget_day_cost": "none", "budget_total_cost": 2.5}, env={}, cwd=home, user_file=own)
    assert [config[f"budget_{span}_tokens"] for span in ("night", "space", "total")] == [None, 9_000, None]
    assert config.origins["budget_space_tokens"] == str(own)
    child = load(env=environment_of(config), cwd=home, user_file=own)
    assert child.values == config.values


def test_the_rate_that_is_set_is_each_models() -> None:
    config = load({"sleeper_model": MODEL, "model_calls_per_minute": 3}, env={}, user_file=Path("/nowhere"))
    assert [spec.calls_per_minute for spec in specs_of(config)] == [3]
