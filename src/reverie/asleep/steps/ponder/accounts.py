"""What thinking ahead came to in a space: from the ledger, the insights, and the questions that found them."""

from collections import Counter

from reverie.language.words import token_count
from reverie.model.base import DAY, Instant
from reverie.model.memories import Memory, PonderReport
from reverie.policy.decision import Decision
from reverie.policy.ponder.payoff import Figures, pays
from reverie.store.db import Reads
from reverie.store.tables import memories, studies

WINDOW = 28 * DAY  # what lies further back says nothing about now; a space that did not pay is then tried again
MOST = 2_000  # insights that are looked at


def judged(db: Reads, space: str, now: Instant) -> Decision:
    """Whether a model may ponder in this space: judged by what it came to in the last four weeks."""
    return pays(figures(db, space, now - WINDOW, by_model=True))


def figures(db: Reads, space: str, since: Instant, *, by_model: bool = False) -> Figures:
    """Contexts, questions and tokens since a moment. What a question saves is the raw text that it need not read."""
    found = [memory for memory in studies.pondered(db, space, limit=MOST) if memory.created_at > since]
    tokens, _ = studies.spent(db, space, since)
    if by_model and not tokens:
        return Figures()
    asked = studies.served(db, space, [memory.id for memory in found], since)
    saved = sum(n * _saving(db, space, memory) for memory in found if (n := asked.get(memory.id)))
    questions = studies.questions(db, space, [memory.id for memory in found], since)
    return Figures(len({memory.session for memory in found}), questions, tokens, saved)


def report(db: Reads, space: str, now: Instant) -> PonderReport:
    """What thinking ahead came to, over the last four weeks."""
    found = studies.pondered(db, space, limit=MOST)
    came = figures(db, space, now - WINDOW)
    verdict = judged(db, space, now)
    tokens, cost = studies.spent(db, space, now - WINDOW)
    return PonderReport(
        studies=len(studies.listed(db, space, limit=10_000)),
        contexts=len({memory.session for memory in found}),
        insights=len(found),
        by_kind=dict(Counter(str(memory.marks["insight"]) for memory in found)),
        questions=came.questions,
        tokens_asleep=tokens,
        cost_asleep=cost,
        tokens_saved=came.tokens_saved,
        off=None if verdict else verdict.why,
    )


def _saving(db: Reads, space: str, memory: Memory) -> int:
    """Tokens of the passages that an insight stands for, less its own."""
    rested = memories.by_ids(db, space, memory.sources).values()
    return max(0, sum(token_count(one.text) for one in rested) - token_count(memory.text))
