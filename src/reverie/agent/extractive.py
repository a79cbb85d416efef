"""Answers without a model: what the rules can answer from memory, else the memories themselves, and it says so."""

from collections.abc import Sequence

from reverie.agent.tools import line
from reverie.minds.reasoner import Reasoner
from reverie.model.hits import Hit
from reverie.model.thinking import Evidence
from reverie.policy.safety.taint import strip_recalled

NOTHING = "I find nothing about that in memory."
SHOWN = 3
RELEVANT = 0.3  # below that, quoting a memory says more about the search than about the question


def answer_from(question: str, hits: Sequence[Hit], reasoner: Reasoner) -> str:
    """What memory itself had answered before is no source: it would quote itself for ever."""
    hits = [hit for hit in hits if strip_recalled(hit.text)]
    draft = reasoner.answer(question, [_evidence(hit) for hit in hits])
    if draft is not None:
        return draft.text
    near = [hit for hit in hits if hit.relevance >= RELEVANT][:SHOWN]
    if not near:
        return NOTHING
    return "\n".join(["From memory:", *(f"- {line(hit)}" for hit in near)])


def _evidence(hit: Hit) -> Evidence:
    return Evidence(
        hit.id, hit.text, hit.said_at, speaker=hit.speaker or "", score=hit.relevance, trust=hit.trust, kind=hit.kind
    )
