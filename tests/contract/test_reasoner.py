"""The rules keep the reasoner's contract, and say the same twice."""

import pytest

from reverie.minds.reasoner import Reasoner
from reverie.minds.rules import RulesReasoner
from tests.reasoner_contract import ReasonerContract, episode


class TestRules(ReasonerContract):
    @pytest.fixture
    def reasoner(self) -> Reasoner:
        return RulesReasoner()

    def test_the_same_turn_gives_the_same_facts_every_time(self, reasoner: Reasoner) -> None:
        turn = [episode("I moved to Kiel last Friday with my sister Anna, who works at Acme. We love it.")]
        assert reasoner.facts(turn) == RulesReasoner().facts(turn)
