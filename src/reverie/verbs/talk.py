"""Talking to a space: the primary agent, and what models have cost."""

from typing import TYPE_CHECKING

from reverie.model.base import Instant
from reverie.verbs.answers import AnswerVerbs
from reverie.verbs.blocks import BlockVerbs
from reverie.verbs.memories import MemoryVerbs
from reverie.verbs.recall import RecallVerbs
from reverie.verbs.turns import TurnVerbs

if TYPE_CHECKING:
    from reverie.agent.primary import AgentReply, PrimaryAgent
    from reverie.model.ledger import Line
    from reverie.store.tables.ledger import By


class TalkVerbs(TurnVerbs, RecallVerbs, AnswerVerbs, BlockVerbs, MemoryVerbs):
    def agent(self) -> "PrimaryAgent":
        """Who answers a person: with the primary model if one is set, else from memory alone."""
        from reverie.agent.primary import PrimaryAgent

        models = self.parts.models
        return PrimaryAgent(
            space=self,
            reasoner=self.parts.rules,
            client=models.primary() if models else None,
            precomputed=self.answer,
            context_tokens=self.parts.config["context_tokens"],
            answer_tokens=self.parts.config["model_answer_tokens"],
        )

    def say(self, text: str, session: str = "default") -> "AgentReply":
        """One turn of a conversation: both sides are in the log when it returns."""
        return self.agent().say(text, session)

    def costs(self, by: "By" = "day", since: Instant = 0.0) -> "list[Line]":
        """What models have cost this space, awake and asleep apart."""
        from reverie.store.tables import ledger

        return ledger.report(self._db, by, self.id, since)

    def questions_asked(self, since: Instant = 0.0) -> int:
        """How many questions this space was asked since then: what the cost is spread over."""
        from reverie.store.tables import ledger

        return ledger.queries(self._db, self.id, since)
