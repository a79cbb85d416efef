"""A reasoner of a few lines: always the same, recognisable answers."""

from collections.abc import Sequence

from reverie.model.memories import Memory
from reverie.model.thinking import (
    AnswerDraft,
    BlockDraft,
    Clash,
    Episode,
    Evidence,
    FactDraft,
    InsightDraft,
    NightStory,
    NoteDraft,
    ProfileDraft,
    ProposedChange,
    QuestionContext,
    QuestionDraft,
    Verdict,
)


class PlainReasoner:
    name = "plain"

    def facts(self, episodes: Sequence[Episode]) -> list[FactDraft]:
        return [FactDraft(e.id, f"plain: {e.text}", "user", "event", e.text) for e in episodes]

    def note(self, episodes: Sequence[Episode]) -> NoteDraft | None:
        return NoteDraft("plain", "plain", tuple(e.id for e in episodes))

    def clash(self, older: Memory, newer: Memory) -> Clash:
        return Clash("none", "plain")

    def profile(self, entity: str, facts: Sequence[Memory]) -> ProfileDraft | None:
        return ProfileDraft("plain", tuple(f.id for f in facts))

    def infer(self, facts: Sequence[Memory]) -> list[InsightDraft]:
        return []

    def summary(self, text: str, sentences: int) -> str:
        return "plain"

    def questions(self, context: QuestionContext, k: int) -> list[QuestionDraft]:
        return [QuestionDraft("plain?", "plain")]

    def answer(self, question: str, evidence: Sequence[Evidence]) -> AnswerDraft | None:
        return None

    def rethink(self, block: BlockDraft, memories: Sequence[Memory]) -> BlockDraft:
        return block

    def diary(self, night: NightStory) -> str:
        return "plain"

    def review(self, change: ProposedChange) -> Verdict:
        return Verdict(False, "plain")
