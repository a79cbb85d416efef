"""The rules keep the reasoner's contract, and so do they with a model, through its real prompts and a real server."""

from collections.abc import Iterator

import pytest

from reverie.minds.llm.models import open_models
from reverie.minds.llm.reasoner import LlmReasoner
from reverie.minds.llm.spec import ModelSpec
from reverie.minds.meter import MemoryLedger
from reverie.minds.reasoner import Reasoner
from reverie.minds.rules.reasoner import RulesReasoner
from tests.support.fault_server import fault_server
from tests.support.reasoner_contract import ReasonerContract, episode


class TestRules(ReasonerContract):
    @pytest.fixture
    def reasoner(self) -> Reasoner:
        return RulesReasoner()

    def test_the_same_turn_gives_the_same_facts_every_time(self, reasoner: Reasoner) -> None:
        turn = [episode("I moved to Kiel last Friday with my sister Anna, who works at Acme. We love it.")]
        assert reasoner.facts(turn) == RulesReasoner().facts(turn)


@pytest.fixture(scope="module")
def model() -> Iterator[LlmReasoner]:
    with fault_server() as server:
        specs = [
            ModelSpec("openai:good", "sleeper", base_url=server.url, retries=0),
            ModelSpec("openai:careful", "reviewer", base_url=server.url, retries=0),
        ]
        models = open_models(specs, MemoryLedger(), environ={})
        reasoner = models.reasoner(RulesReasoner())
        assert reasoner
        yield reasoner
        models.close()


class TestLlm(ReasonerContract):
    @pytest.fixture
    def reasoner(self, model: LlmReasoner) -> Reasoner:
        return model

    def test_nothing_went_wrong_on_the_way(self, model: LlmReasoner) -> None:
        assert model.faults.counts() == {}
