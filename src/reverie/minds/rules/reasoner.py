"""The rules behind the reasoner's protocol: one thin class, each answer in a module of its own."""

from collections.abc import Sequence

from reverie.minds.judge import Judge
from reverie.minds.pondering import by_rules
from reverie.minds.rules import blocks, centrality, clash, diary, notes, profile
from reverie.minds.rules.asking import answers, questions
from reverie.minds.rules.reading import facts
from reverie.minds.rules.undecided.turns import OpenTurn, open_turns
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


class RulesReasoner:
    """Needs no model, no key and no network, and answers the same every time."""

    name = "rules"

    def __init__(self, judge: Judge | None = None) -> None:
        self._judge = judge

    def prepare(self, **_: object) -> None:
        """Nothing: the rules think about each when it is asked."""

    def facts(self, episodes: Sequence[Episode]) -> list[FactDraft]:
        return facts.facts_of(episodes, self._judge)

    def open_turns(self, episodes: Sequence[Episode]) -> list[OpenTurn]:
        """What the rules keep of each turn, and what they leave to a model, if there is one."""
        return open_turns(episodes, self._judge)

    def note(self, episodes: Sequence[Episode], topic: str = "") -> NoteDraft | None:
        return notes.note(episodes, topic, self._judge)

    def clash(self, older: Memory, newer: Memory) -> Clash:
        return clash.clash(older, newer)

    def profile(self, entity: str, facts: Sequence[Memory]) -> ProfileDraft | None:
        return profile.profile(entity, facts)

    def infer(self, facts: Sequence[Memory]) -> list[InsightDraft]:  # noqa: ARG002
        """Nothing: what follows from quotes is for a model, or the reader, to say."""
        return []

    def ponder(self, material: Material) -> Pondered:
        return by_rules.ponder(material)

    def summary(self, text: str, sentences: int) -> str:
        return centrality.summary(text, sentences)

    def questions(self, context: QuestionContext, k: int) -> list[QuestionDraft]:
        return questions.questions(context, k)

    def answer(self, question: str, evidence: Sequence[Evidence]) -> AnswerDraft | None:
        return answers.answer(question, evidence)

    def rethink(self, block: BlockDraft, memories: Sequence[Memory]) -> BlockDraft:
        return blocks.rethink(block, memories)

    def diary(self, night: NightStory) -> str:
        return diary.diary(night)

    def review(self, change: ProposedChange) -> Verdict:
        return blocks.review(change)
