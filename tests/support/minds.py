"""A reasoner with nothing to say, for tests of what surrounds it. Anything unexpected raises."""

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


class Silent:
    def __init__(self, name: str = "rules") -> None:
        self.name = name

    def prepare(self, **_: object) -> None:
        pass

    def facts(self, episodes: Sequence[Episode]) -> list[FactDraft]:
        return []

    def note(self, episodes: Sequence[Episode], topic: str = "") -> NoteDraft | None:
        return None

    def clash(self, older: Memory, newer: Memory) -> Clash:
        return Clash("none", "nothing to say")

    def profile(self, entity: str, facts: Sequence[Memory]) -> ProfileDraft | None:
        return None

    def infer(self, facts: Sequence[Memory]) -> list[InsightDraft]:
        return []

    def ponder(self, material: Material) -> Pondered:
        return Pondered(())

    def summary(self, text: str, sentences: int) -> str:
        return text

    def questions(self, context: QuestionContext, k: int) -> list[QuestionDraft]:
        return []

    def answer(self, question: str, evidence: Sequence[Evidence]) -> AnswerDraft | None:
        return None

    def rethink(self, block: BlockDraft, memories: Sequence[Memory]) -> BlockDraft:
        return block

    def diary(self, night: NightStory) -> str:
        return "A quiet night."

    def review(self, change: ProposedChange) -> Verdict:
        return Verdict(False, "nothing to say")
