"""The llm reasoner against every fault of its model: nothing is raised, nothing is wiped, everything is counted."""

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from typing import Any

import pytest

from reverie.errors import BudgetSpent, ModelFault, ModelUnavailable
from reverie.minds.llm.client import Call, ChatMessage, ModelUsage, complete
from reverie.minds.llm.faults import FaultCounts
from reverie.minds.llm.ladder import Ladder
from reverie.minds.llm.models import open_models
from reverie.minds.llm.prompt_data import CITY
from reverie.minds.llm.provider import ProviderClient
from reverie.minds.llm.reasoner import LlmReasoner
from reverie.minds.llm.spec import ModelSpec
from reverie.minds.meter import Budgets, MemoryLedger, Meter
from reverie.minds.rules.reasoner import RulesReasoner
from reverie.model.thinking import Episode
from reverie.policy.spending import Budget
from tests.support.fault_server import TEXT, FaultServer, fault_server
from tests.support.thinking_samples import BLOCK, EPISODES, METHODS, NEW, NOW, OWN, STORY

# The server's fault, and the kind that must be counted for it.
FAULTS = {
    "timeout": "timeout",
    "rate_limited": "rate_limited",
    "rate_limited_for_long": "rate_limited",
    "server_error": "server_error",
    "bad_key": "bad_key",
    "prompt_too_long": "prompt_too_long",
    "garbled": "garbled",
    "cut_off": "cut_off",
    "wrong_json": "bad_json",
    "wrong_shape": "bad_shape",
    "empty": "empty",
    "refusal": "refused",
    "content_filter": "refused",
}
CITING = ("facts", "note", "profile", "infer", "questions", "answer", "rethink")
WRITING = ("facts", "note", "profile", "infer", "summary", "questions", "answer", "rethink", "diary")


@pytest.fixture(scope="module")
def server() -> Iterator[FaultServer]:
    with fault_server() as running:
        yield running


class Rig:
    """A reasoner on the fault server whose waits take no time but are written down."""

    def __init__(self, server: FaultServer, model: str, budgets: Budgets | None = None, **settings: Any) -> None:
        spec = ModelSpec(f"openai:{model}", base_url=server.url, retries=1, **{"timeout": 5.0} | settings)
        self.ledger = MemoryLedger()
        self.now = 0.0
        self.waits: list[float] = []
        self.rules = RulesReasoner()
        meter = Meter(client_of(spec), self.ledger, budgets or Budgets())
        self.ladder = Ladder(meter, spec, FaultCounts(), clock=lambda: self.now, sleep=self._wait)
        self.reasoner = LlmReasoner(self.ladder, self.rules, reviewer=self.ladder)

    def _wait(self, seconds: float) -> None:
        self.waits.append(seconds)
        self.now += seconds

    def ask(self, method: str) -> Any:
        return getattr(self.reasoner, method)(*METHODS[method])

    def by_the_rules(self, method: str) -> Any:
        return getattr(self.rules, method)(*METHODS[method])


@cache
def client_of(spec: ModelSpec) -> ProviderClient:
    """A connection pool costs more to make than a test: each model's is shared."""
    return ProviderClient(spec, {})


@pytest.fixture(scope="module", autouse=True)
def _closing() -> Iterator[None]:
    yield
    client_of.cache_clear()


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("fault", FAULTS)
def test_the_rules_do_what_the_model_cannot_and_the_fault_is_counted(
    server: FaultServer, fault: str, method: str
) -> None:
    rig = Rig(server, fault, timeout=0.1 if fault == "timeout" else 5.0)
    assert rig.ask(method) == rig.by_the_rules(method)
    assert rig.reasoner.faults[FAULTS[fault]] >= 1
    assert rig.reasoner.faults["fallback"] == 1


def test_a_night_in_which_nothing_happened_is_not_worth_a_call(server: FaultServer) -> None:
    rig, quiet = Rig(server, "good"), replace(STORY, learned=())
    assert rig.reasoner.diary(quiet) == rig.rules.diary(quiet)
    assert rig.ledger.entries == {}


@pytest.mark.parametrize("method", CITING)
def test_an_answer_that_cites_what_does_not_exist_is_not_used(server: FaultServer, method: str) -> None:
    rig = Rig(server, "unknown_ids")
    assert rig.ask(method) == rig.by_the_rules(method)
    assert rig.reasoner.faults["unknown_ids"] == 2  # asked twice, one rung down


@pytest.mark.parametrize(
    ("model", "kind"), [("new_url", "new_url"), ("new_order", "new_order"), ("oversized", "too_long")]
)
@pytest.mark.parametrize("method", WRITING)
def test_an_answer_that_brings_in_addresses_orders_or_no_end_is_not_used(
    server: FaultServer, model: str, kind: str, method: str
) -> None:
    rig = Rig(server, model)
    assert rig.ask(method) == rig.by_the_rules(method)
    assert rig.reasoner.faults[kind] >= 1


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("model", ["good", "fenced", "no_schema_mode"])
def test_a_well_formed_answer_is_used_on_every_rung(server: FaultServer, model: str, method: str) -> None:
    rig = Rig(server, model)
    answer = rig.ask(method)
    assert answer
    assert TEXT in str(answer) or "it was said" in str(answer) or method == "facts"
    assert rig.reasoner.faults["fallback"] == 0


def test_a_server_without_schema_mode_is_asked_for_it_only_once(server: FaultServer) -> None:
    rig = Rig(server, "no_schema_mode")
    rig.ask("note")
    before = server.asked("no_schema_mode")
    rig.ask("note")
    rig.ask("clash")
    assert rig.ladder.mode == "object"
    assert server.asked("no_schema_mode") == before + 1  # the note was replayed, the clash is new


PASSED_OVER = Episode("mem-9", "Hm, the kettle sings.", NOW)


@pytest.mark.parametrize("model", ["good", "fenced", "no_schema_mode"])
def test_a_model_adds_the_quotes_that_the_rules_passed_over(server: FaultServer, model: str) -> None:
    rig = Rig(server, model)
    assert rig.rules.facts([PASSED_OVER]) == []
    assert [draft.quote for draft in rig.reasoner.facts([PASSED_OVER])] == ["Hm, the kettle sings."]


def test_what_is_whole_in_a_cut_answer_is_kept_beside_what_the_rules_keep(server: FaultServer) -> None:
    rig = Rig(server, "half")
    drafts = rig.reasoner.facts([PASSED_OVER, *EPISODES])
    assert [draft.quote for draft in drafts if draft.source == "mem-9"] == ["Hm, the kettle sings."]
    assert [draft for draft in drafts if draft.source != "mem-9"] == rig.rules.facts(EPISODES)
    assert rig.reasoner.faults.counts() == {"too_long": 1}


def test_a_persons_own_sentence_survives_a_model_that_leaves_it_out(server: FaultServer) -> None:
    rewritten = Rig(server, "good").reasoner.rethink(BLOCK, (NEW,))
    assert OWN in rewritten.sentences
    assert TEXT in [sentence.text for sentence in rewritten.sentences]


def test_episodes_go_out_in_batches_of_limited_size(server: FaultServer) -> None:
    rig = Rig(server, "good", batch_tokens=24, concurrency=2)
    episodes = [Episode(f"mem-{n}", f"I live in Hamburg and grow {n} tomatoes.", NOW) for n in range(6)]
    before = server.asked("good")
    drafts = rig.reasoner.facts(episodes)
    assert server.asked("good") == before + 3
    assert drafts == rig.rules.facts(episodes)  # which found all that the model found


def test_a_retry_after_is_waited_for(server: FaultServer) -> None:
    rig = Rig(server, "rate_limited")
    rig.ask("note")
    assert rig.waits == []  # "retry-after: 0"
    slow = Rig(server, "server_error")
    slow.ask("note")
    assert slow.waits == [0.5]


def test_a_retry_after_longer_than_our_patience_rests_the_model_at_once(server: FaultServer) -> None:
    rig = Rig(server, "rate_limited_for_long")
    before = server.asked("rate_limited_for_long")
    rig.ask("note")
    rig.ask("clash")
    assert server.asked("rate_limited_for_long") == before + 1
    assert rig.reasoner.faults["circuit_open"] == 1
    assert rig.waits == []


def test_after_four_outages_in_a_row_nobody_is_asked_until_a_minute_has_passed(server: FaultServer) -> None:
    rig = Rig(server, "server_error")
    before = server.asked("server_error")
    for method in ("note", "clash", "profile", "infer"):
        rig.ask(method)
    assert server.asked("server_error") == before + 4
    rig.now += 61
    rig.ask("summary")
    assert server.asked("server_error") == before + 5  # one call tries, and the rest goes on
    assert rig.reasoner.faults["fallback"] == 5


def test_calls_start_no_faster_than_the_rate_limit(server: FaultServer) -> None:
    rig = Rig(server, "good", batch_tokens=1, calls_per_minute=2)
    episodes = [Episode(f"mem-{n}", f"I live in house number {n}.", NOW) for n in range(5)]
    assert len(rig.reasoner.facts(episodes)) == 5
    assert rig.waits == [60.0, 60.0]
    assert len(rig.reasoner.facts(episodes)) == 5
    assert rig.waits == [60.0, 60.0]  # what is replayed reaches no server


def test_roles_of_one_model_share_its_rate(server: FaultServer) -> None:
    sleeper = ModelSpec("openai:good", base_url=server.url, calls_per_minute=1)
    specs = [sleeper, replace(sleeper, role="primary"), replace(sleeper, name="openai:other", role="reviewer")]
    models = open_models(specs, MemoryLedger(), environ={})
    pacers = [ladder._pacer for ladder in models.ladders(FaultCounts()).values()]
    models.close()
    assert pacers[0] is pacers[1]
    assert pacers[0] is not pacers[2]


def test_a_spent_budget_leaves_the_work_to_the_rules_and_says_so(server: FaultServer) -> None:
    rig = Rig(server, "good", Budgets(total=Budget(tokens=0)))
    before = server.asked("good")
    for method in METHODS:
        assert rig.ask(method) == rig.by_the_rules(method)
    assert server.asked("good") == before
    assert rig.reasoner.faults["budget_spent"] == len(METHODS)


def test_without_rules_to_fall_back_on_the_failure_is_raised(server: FaultServer) -> None:
    rig = Rig(server, "server_error")
    rig.reasoner.fallback = None
    with pytest.raises(ModelFault) as caught:
        rig.ask("note")
    assert caught.value.kind == "server_error"
    poor = Rig(server, "good", Budgets(day=Budget(tokens=10)))
    poor.reasoner.fallback = None
    with pytest.raises(BudgetSpent, match="today: "):
        poor.ask("note")


def test_an_error_shows_neither_the_key_nor_what_was_sent(server: FaultServer) -> None:
    client = ProviderClient(
        ModelSpec("openai:bad_key", base_url=server.url, api_key_env="KEY"), {"KEY": "sk-very-secret"}
    )
    ladder = Ladder(client, ModelSpec("openai:bad_key"), FaultCounts())
    reply = ladder.ask([LlmReasoner(ladder)._facts_question(EPISODES)])[0]
    client.close()
    assert reply.failure is not None
    assert str(reply.failure) == "openai:bad_key: HTTP 401"


def test_anthropic_speaks_another_protocol_and_gives_the_same_values(server: FaultServer) -> None:
    spec = ModelSpec("anthropic:claude-haiku-4-5", base_url=server.url.removesuffix("/v1"), api_key_env="KEY")
    client = ProviderClient(spec, {"KEY": "sk-ant"})
    completion = complete(client, Call((ChatMessage("user", "Where?"),), 50, "schema", CITY))
    client.close()
    assert (completion.text, completion.thinking) == ('{"city": "Hamburg"}', "Let me see.")
    assert completion.usage == ModelUsage(tokens_in=100, tokens_out=20, tokens_cached=10)


def test_a_missing_key_is_named_before_anything_is_sent() -> None:
    with pytest.raises(ModelUnavailable) as caught:
        ProviderClient(ModelSpec("anthropic:claude-haiku-4-5"), {})
    assert "ANTHROPIC_API_KEY" in caught.value.next_move


def test_a_missing_package_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "httpx2", None)
    with pytest.raises(ModelUnavailable) as caught:
        ProviderClient(ModelSpec("openai:gpt-5-mini"), {"OPENAI_API_KEY": "x"})
    assert "reverie[llm]" in caught.value.next_move
