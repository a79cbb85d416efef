"""The protocol behind every thinking step. `rules` keeps it without a model, `llm` with any."""

from collections.abc import Iterable, Sequence
from typing import Protocol

from reverie.model.memories import Memory
from reverie.model.thinking import (
    AnswerDraft,
    BlockDraft,
    Clash,
    Episode,
    Evidence,
    FactDraft,
    InsightDraft,
    Material,
    NightStory,
    NoteDraft,
    Pondered,
    ProfileDraft,
    ProposedChange,
    QuestionContext,
    QuestionDraft,
    Verdict,
)


class Reasoner(Protocol):
    """Drafts only: a reasoner writes nothing, and each draft cites ids that it was given.

    `None` or an empty list is a good answer. Raises `ModelError` or `BudgetSpent` when it cannot answer at all.
    """

    name: str  # "rules", or "llm:provider:model"

    def prepare(
        self,
        *,
        facts: Iterable[Sequence[Episode]] = (),
        notes: Sequence[tuple[Sequence[Episode], str]] = (),
        clashes: Sequence[tuple[Memory, Memory]] = (),
        answers: Sequence[tuple[str, Sequence[Evidence]]] = (),
    ) -> None:
        """Says what will be asked one by one, so that a model may be asked together. Of `facts` no more batches are
        taken than are thought about at once.
        """
        ...

    def facts(self, episodes: Sequence[Episode]) -> list[FactDraft]: ...

    def note(self, episodes: Sequence[Episode], topic: str = "") -> NoteDraft | None: ...

    def clash(self, older: Memory, newer: Memory) -> Clash: ...

    def profile(self, entity: str, facts: Sequence[Memory]) -> ProfileDraft | None: ...

    def infer(self, facts: Sequence[Memory]) -> list[InsightDraft]: ...

    def ponder(self, material: Material) -> Pondered: ...

    def summary(self, text: str, sentences: int) -> str: ...

    def questions(self, context: QuestionContext, k: int) -> list[QuestionDraft]: ...

    def answer(self, question: str, evidence: Sequence[Evidence]) -> AnswerDraft | None: ...

    def rethink(self, block: BlockDraft, memories: Sequence[Memory]) -> BlockDraft: ...

    def diary(self, night: NightStory) -> str: ...

    def review(self, change: ProposedChange) -> Verdict: ...
