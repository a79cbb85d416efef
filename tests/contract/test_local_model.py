"""The whole path against a real server and a real, if very small, model: plumbing only, no word is judged."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from reverie.errors import ModelFault
from reverie.minds.llm.client import Call, ChatMessage, complete
from reverie.minds.llm.models import Models, open_models
from reverie.minds.llm.selection.check import check
from reverie.minds.llm.spec import ModelSpec
from reverie.minds.meter import Budgets, MemoryLedger, charged_to
from reverie.minds.rules.reasoner import RulesReasoner
from reverie.model.ledger import Purpose, Scope
from reverie.policy.spending import Budget
from tests.support.local_model import local_model as local_model
from tests.support.thinking_samples import METHODS

NIGHT = Purpose("asleep", "ann", "night-1", "extract")
HELLO = Call((ChatMessage("user", "Say hello."),), max_tokens=12)


@pytest.fixture(scope="module")
def spec(local_model: str) -> ModelSpec:
    return ModelSpec("openai:smollm2", base_url=local_model, timeout=60.0, answer_tokens=60, retries=0)


@pytest.fixture
def ledger() -> MemoryLedger:
    return MemoryLedger()


@pytest.fixture
def models(spec: ModelSpec, ledger: MemoryLedger) -> Iterator[Models]:
    opened = open_models([spec, replace(spec, role="primary")], ledger, Budgets(night=Budget(tokens=3_000)), environ={})
    yield opened
    opened.close()


def test_a_summary_is_asked_for_with_a_schema_and_nothing_is_paid_twice(models: Models, ledger: MemoryLedger) -> None:
    reasoner, resumed = models.reasoner(RulesReasoner()), models.reasoner(RulesReasoner())
    assert reasoner
    assert resumed
    with charged_to(NIGHT):
        first = reasoner.summary(*METHODS["summary"])
        paid = len(ledger.entries)
        again = resumed.summary(*METHODS["summary"])
    assert first == again != ""  # the answer, or the rules' in its place
    assert len(ledger.entries) == paid >= 1
    assert all(entry.status == "done" and entry.tokens_out > 0 for entry in ledger.entries.values())
    assert ledger.spent(Scope(night="night-1"), 0.0).tokens > 150


def test_a_stream_comes_in_pieces_and_its_tokens_are_counted(models: Models, ledger: MemoryLedger) -> None:
    client = models.primary()
    assert client is not None
    with charged_to(Purpose("awake", "ann")):
        deltas = list(client.stream(HELLO))
    assert len(deltas) > 3
    assert "".join(delta.text for delta in deltas) == deltas[-1].completion.text
    (entry,) = ledger.entries.values()
    assert (entry.purpose.regime, entry.status) == ("awake", "done")
    assert 0 < entry.tokens_out <= 12


def test_a_stream_that_its_reader_leaves_ends_the_request(models: Models, ledger: MemoryLedger) -> None:
    client = models.primary()
    assert client is not None
    stream = client.stream(replace(HELLO, max_tokens=400))
    next(stream)
    stream.close()  # type: ignore[attr-defined]
    assert [entry.fault for entry in ledger.entries.values()] == ["cut_off"]


def test_the_check_says_which_modes_work_how_fast_and_that_no_price_is_known(spec: ModelSpec) -> None:
    result = check(spec)
    assert result.works
    assert result.modes["schema"] == "works"
    assert result.best == "schema"
    assert result.seconds > 0
    assert result.tokens_per_second > 0
    assert result.price is None
    assert "price is not known" in result.why


def test_the_check_of_a_server_that_is_not_there_says_so(spec: ModelSpec) -> None:
    result = check(replace(spec, base_url="http://127.0.0.1:9/v1"))
    assert not result.works
    assert list(result.modes.values()) == ["unreachable", "not tried", "not tried"]
    assert "model_base_url" in result.why


def test_a_call_that_takes_longer_than_its_timeout_is_a_fault(spec: ModelSpec, ledger: MemoryLedger) -> None:
    slow = open_models([replace(spec, role="primary", timeout=0.05)], ledger, environ={})
    client = slow.primary()
    assert client is not None
    with pytest.raises(ModelFault) as caught:
        complete(client, replace(HELLO, max_tokens=500))
    slow.close()
    assert caught.value.kind == "timeout"
