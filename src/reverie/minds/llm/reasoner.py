"""The reasoner that asks a model, checks what it says, and lets the rules do what the model could not."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import TypeVar

from reverie.minds.llm import parse, prompt_data
from reverie.minds.llm.client import Schema
from reverie.minds.llm.faults import FaultCounts
from reverie.minds.llm.ladder import Ladder, ModelQuestion, ModelReply
from reverie.minds.llm.prompt_data import (
    Sheet,
    batches,
    clipped,
    day,
    episode_record,
    evidence_record,
    fitting,
    memory_record,
    prompt,
    quote_record,
)
from reverie.minds.llm.validate import GivenRecords, ParsedAnswer
from reverie.minds.pondering import by_model
from reverie.minds.reasoner import Reasoner
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

T = TypeVar("T")
RECENT = 40  # facts that a model is shown to think of questions
Read = Callable[[parse.Found, GivenRecords], ParsedAnswer[T]]


class LlmReasoner:
    """Each role is a ladder over one model. `primary` writes answers, `reviewer` gives second opinions; where either
    is missing the sleeper answers, and the rules review. Without a `fallback`, what fails is raised.
    """

    def __init__(
        self,
        sleeper: Ladder,
        fallback: Reasoner | None = None,
        primary: Ladder | None = None,
        reviewer: Ladder | None = None,
    ) -> None:
        self.name = f"llm:{sleeper.client.name}"
        self.fallback = fallback
        self._sleeper = sleeper
        self._primary = primary or sleeper
        self._reviewer = reviewer

    @property
    def faults(self) -> FaultCounts:
        """Counts by kind; ladders that are opened together share one."""
        return self._sleeper.faults

    def facts(self, episodes: Sequence[Episode]) -> list[FactDraft]:
        said = [episode for episode in episodes if episode.text.strip()]
        chunks = list(batches(said, _seen, self._sleeper.spec.batch_tokens))
        replies = self._sleeper.ask([self._facts_question(chunk) for chunk in chunks])
        return [draft for chunk, reply in zip(chunks, replies, strict=True) for draft in self._facts_of(chunk, reply)]

    def note(self, episodes: Sequence[Episode], topic: str = "") -> NoteDraft | None:
        if not episodes:
            return None
        sheet = Sheet()
        read = fitting(episodes, _seen, self._sleeper.spec.batch_tokens)
        sheet.add("episodes", [episode_record(sheet, episode) for episode in read])
        reply = self._ask("note", sheet, prompt_data.NOTE, parse.note)
        return self._or_rules(reply, lambda rules: rules.note(episodes, topic))

    def clash(self, older: Memory, newer: Memory) -> Clash:
        sheet = Sheet()
        sheet.add("older", [memory_record(sheet, older)]).add("newer", [memory_record(sheet, newer)])
        reply = self._ask("clash", sheet, prompt_data.CLASH, parse.clash)
        return self._or_rules(reply, lambda rules: rules.clash(older, newer))

    def profile(self, entity: str, facts: Sequence[Memory]) -> ProfileDraft | None:
        if not facts:
            return None
        sheet = Sheet().add("about", [{"entity": entity}])
        read = fitting(facts, _text, self._sleeper.spec.batch_tokens)
        sheet.add("facts", [memory_record(sheet, fact) for fact in read])
        reply = self._ask("profile", sheet, prompt_data.PROFILE, parse.profile)
        return self._or_rules(reply, lambda rules: rules.profile(entity, facts))

    def infer(self, facts: Sequence[Memory]) -> list[InsightDraft]:
        if len(facts) < 2:
            return []  # an insight needs two premises
        sheet = Sheet()
        read = fitting(facts, _text, self._sleeper.spec.batch_tokens)
        sheet.add("facts", [memory_record(sheet, fact) for fact in read])
        reply = self._ask("infer", sheet, prompt_data.INSIGHTS, parse.insights)
        return self._or_rules(reply, lambda rules: rules.infer(facts))

    def ponder(self, material: Material) -> Pondered:
        reply = by_model.ponder(self._sleeper, material)
        return self._or_rules(reply, lambda rules: rules.ponder(material))

    def summary(self, text: str, sentences: int) -> str:
        if not text.strip() or sentences < 1:
            return ""
        sheet = Sheet().add("text", [{"sentences": sentences, "text": clipped(text)}])
        reply = self._ask("summary", sheet, prompt_data.TEXT, partial(parse.summary, most=sentences, longest=len(text)))
        return self._or_rules(reply, lambda rules: rules.summary(text, sentences))

    def questions(self, context: QuestionContext, k: int) -> list[QuestionDraft]:
        if k < 1 or not (context.facts or context.turns):
            return []
        sheet = Sheet().add("wanted", [{"count": k}])
        half = self._sleeper.spec.batch_tokens // 2
        facts = fitting(context.facts[:RECENT], _evidence, half)
        sheet.add("facts", [evidence_record(sheet, fact) for fact in facts])
        turns = fitting(context.turns[::-1], _seen, half)[::-1]  # the latest
        sheet.add("turns", [episode_record(sheet, turn) for turn in turns])
        sheet.add("asked", [{"text": clipped(question)} for question in context.asked])
        reply = self._ask("questions", sheet, prompt_data.QUESTIONS, partial(parse.questions, most=k))
        return self._or_rules(reply, lambda rules: rules.questions(context, k))

    def answer(self, question: str, evidence: Sequence[Evidence]) -> AnswerDraft | None:
        if not evidence:
            return None  # nothing to answer from, and nothing worth paying for
        sheet = Sheet().add("question", [{"text": clipped(question)}])
        read = fitting(evidence, _evidence, self._primary.spec.batch_tokens)
        sheet.add("evidence", [evidence_record(sheet, one) for one in read])
        reply = self._ask("answer", sheet, prompt_data.ANSWER, parse.answer, self._primary)
        return self._or_rules(reply, lambda rules: rules.answer(question, evidence))

    def rethink(self, block: BlockDraft, memories: Sequence[Memory]) -> BlockDraft:
        sheet = Sheet().add("block", [{"label": block.label, "about": block.description, "limit": block.limit}])
        standing = {sheet.handle("s", f"sentence-{n}"): sentence for n, sentence in enumerate(block.sentences)}
        shown = [{"id": handle, "text": s.text, "own": s.own} for handle, s in standing.items()]
        sheet.add("sentences", shown)
        sheet.add("memories", [memory_record(sheet, memory) for memory in memories])
        read = partial(parse.block, old=block, standing=standing)
        reply = self._ask("rethink", sheet, prompt_data.SENTENCES, read)
        return self._or_rules(reply, lambda rules: rules.rethink(block, memories))

    def diary(self, night: NightStory) -> str:
        if night.empty and self.fallback is not None:
            return self.fallback.diary(night)  # nothing happened that is worth paying for
        sheet = Sheet().add("night", [{"date": day(night.began_at), "kind": night.kind}])
        sheet.add("learned", [quote_record(quote) for quote in night.learned])
        for name, pairs in (("changed", night.changed), ("open", night.open)):
            sheet.add(name, [{"older": quote_record(a), "newer": quote_record(b)} for a, b in pairs])
        sheet.add("directives", [quote_record(quote) for quote in night.directives])
        sheet.add("core", [{"text": clipped(line)} for line in night.core])
        reply = self._ask("diary", sheet, prompt_data.TEXT, parse.diary)
        return self._or_rules(reply, lambda rules: rules.diary(night))

    def review(self, change: ProposedChange) -> Verdict:
        if not change.after.strip():
            return Verdict(False, f"nothing would be left of block {change.label!r}")
        if self._reviewer is None and self.fallback is not None:
            return self.fallback.review(change)
        sheet = Sheet().add("change", [{"label": change.label, "before": change.before, "after": change.after}])
        sheet.add("evidence", [evidence_record(sheet, one) for one in change.evidence])
        reply = self._ask("review", sheet, prompt_data.VERDICT, parse.verdict, self._reviewer)
        return self._or_rules(reply, lambda rules: rules.review(change))

    def _facts_question(self, episodes: Sequence[Episode]) -> ModelQuestion[list[FactDraft]]:
        sheet = Sheet()
        sheet.add("episodes", [episode_record(sheet, episode) for episode in episodes])
        read = partial(parse.facts, said={episode.id: episode for episode in episodes})
        return self._question("facts", sheet, prompt_data.FACTS, read, self._sleeper)

    def _facts_of(self, episodes: Sequence[Episode], reply: ModelReply[list[FactDraft]]) -> list[FactDraft]:
        """What the rules keep, and what the model found besides: it adds to them and takes nothing away."""
        if self.fallback is None or reply.value is None:
            return self._or_rules(reply, lambda rules: rules.facts(episodes))
        kept = self.fallback.facts(episodes)
        known = {(draft.source, draft.quote) for draft in kept}
        return kept + [
            draft
            for draft in reply.value
            if not any(draft.source == source and (draft.quote in q or q in draft.quote) for source, q in known)
        ]

    def _ask(
        self, task: str, sheet: Sheet, schema: Schema, read: Read[T], ladder: Ladder | None = None
    ) -> ModelReply[T]:  # fmt: skip
        ladder = ladder or self._sleeper
        return ladder.ask([self._question(task, sheet, schema, read, ladder)])[0]

    def _question(self, task: str, sheet: Sheet, schema: Schema, read: Read[T], ladder: Ladder) -> ModelQuestion[T]:
        given = sheet.given
        return ModelQuestion(
            prompt(task), sheet.text, schema, lambda found: read(found, given), ladder.spec.answer_tokens
        )

    def _or_rules(self, reply: ModelReply[T], do: Callable[[Reasoner], T]) -> T:
        if reply.failure is None:
            return reply.value  # type: ignore[return-value]  # None is an answer too, where T allows it
        if self.fallback is None:
            raise reply.failure
        self.faults.add("fallback")
        return do(self.fallback)


def _seen(episode: Episode) -> str:
    return " ".join((*episode.before, episode.text))


def _evidence(evidence: Evidence) -> str:
    return evidence.text


def _text(memory: Memory) -> str:
    return memory.text
