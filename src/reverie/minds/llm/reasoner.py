"""The reasoner that lets a model add to the rules: it decides what they leave open, and its words are checked by code.

A model chooses among people's own words, by number. What it writes itself (a title, a question, a joined line, a diary)
is kept where it stands in the lines that it was given. What the rules are sure of is never asked, and what a model
fails at is left as the rules have it.
"""

from collections.abc import Iterable, Sequence
from functools import partial
from itertools import islice
from typing import Any, TypeVar

from reverie.language.sentences import sentences as sentences_of
from reverie.minds.llm.asking import parse, sheets
from reverie.minds.llm.asking.choosing import ReadBatch
from reverie.minds.llm.asking.naming import subject_of
from reverie.minds.llm.faults import FaultCounts
from reverie.minds.llm.ladder import Ladder, ModelQuestion, ModelReply
from reverie.minds.llm.prompt_data import INSIGHTS, VERDICT, Sheet, fitting, task
from reverie.minds.pondering import by_model
from reverie.minds.rules import clash as clashes
from reverie.minds.rules import notes
from reverie.minds.rules import profile as profiles
from reverie.minds.rules.asking.answers import confirmed
from reverie.minds.rules.reasoner import RulesReasoner
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
    Sentence,
    Verdict,
)

T = TypeVar("T")
Asked = tuple[str, Sequence[Evidence]]
RECENT = 20  # facts that a model is shown to think of questions
PREMISES = 20  # facts that a model is shown to draw conclusions from
PAIRS = 20  # of facts in one call
CANDIDATES = 12  # lines of which a model says which should have the room that a profile has left
LONG_TEXT = 40  # sentences
TOGETHER = 12  # questions in one call
FORMLESS = 3  # such choices, after which a model is not asked to choose
KEPT_AHEAD = 4_000  # decisions that are remembered until they are asked for


class LlmReasoner:
    """Each role is a ladder over one model. `primary` finds answers, `reviewer` gives second opinions; where either is
    missing the sleeper answers, and the rules alone review.
    """

    def __init__(
        self,
        sleeper: Ladder,
        rules: RulesReasoner,
        primary: Ladder | None = None,
        reviewer: Ladder | None = None,
    ) -> None:
        self.name = f"llm:{sleeper.client.name}"
        self.rules = rules
        self._sleeper = sleeper
        self._primary = primary or sleeper
        self._reviewer = reviewer
        self._formless = 0  # choices in a row that were the form's letter alone
        self._ahead: dict[Any, Any] = {}  # what was decided together, until it is asked for one by one

    @property
    def faults(self) -> FaultCounts:
        """Counts by kind; ladders that are opened together share one."""
        return self._sleeper.faults

    def prepare(
        self,
        *,
        facts: Iterable[Sequence[Episode]] = (),
        notes: Sequence[tuple[Sequence[Episode], str]] = (),
        clashes: Sequence[tuple[Memory, Memory]] = (),
        answers: Sequence[Asked] = (),
    ) -> None:
        """Decides these together: several calls at once, several decisions in a call."""
        if len(self._ahead) > KEPT_AHEAD:
            self._ahead.clear()
        self._prepare_facts(facts)
        self._prepare_notes(notes)
        self._prepare_clashes(clashes)
        self._prepare_answers(answers)

    def facts(self, episodes: Sequence[Episode]) -> list[FactDraft]:
        self._prepare_facts([episodes])
        found: list[FactDraft] = self._ahead.pop(_key(episodes))
        return found

    def _prepare_facts(self, batches: Iterable[Sequence[Episode]]) -> None:
        """As many batches as calls may be under way; none if the first is ready."""
        waiting = iter(batches)
        first = next(waiting, None)
        if first is None or _key(first) in self._ahead:
            return
        together = [first, *islice(waiting, self._sleeper.at_once - 1)]
        room = self._sleeper.spec.batch_tokens if self._formless < FORMLESS else 0
        read = [ReadBatch.of(self.rules, episodes, room) for episodes in together]
        asked: list[ModelQuestion[Any]] = []
        for batch in read:
            asked += [self._picks(sheet.sheet) for sheet in batch.sheets]
            asked += [subject_of(quote) for quote in batch.unclear]
        replies = iter(self._sleeper.ask(asked))
        for batch in read:
            picked = [self._chosen(next(replies)) for _ in batch.sheets]
            named = [self._or_nothing(next(replies)) for _ in batch.unclear]
            self._ahead[_key(batch.episodes)] = batch.drafts(picked, named, self.faults)

    def _chosen(self, reply: ModelReply[list[parse.Picked]]) -> list[parse.Picked]:
        """What a model picked; one that gives the form's letter back, time and again, is not asked for a choice."""
        if reply.failure is None:
            self._formless = self._formless + 1 if reply.partial and not reply.value else 0
        return self._or_nothing(reply) or []

    def _picks(self, sheet: Sheet) -> ModelQuestion[list[parse.Picked]]:
        words = task("facts")
        room = 16 + 14 * len(sheet.refs)
        return ModelQuestion(sheet.text, words, lambda found: parse.picks(found, sheet, words), room)

    def note(self, episodes: Sequence[Episode], topic: str = "") -> NoteDraft | None:
        self._prepare_notes([(episodes, topic)])
        found: NoteDraft | None = self._ahead.pop((_key(episodes), topic))
        return found

    def _prepare_notes(self, groups: Sequence[tuple[Sequence[Episode], str]]) -> None:
        """A note that the rules can write is theirs; of fewer than three statements nobody writes one."""
        open: list[tuple[Any, Sequence[Episode], Sheet]] = []
        for episodes, topic in groups:
            key = (_key(episodes), topic)
            if key not in self._ahead:
                self._ahead[key] = self.rules.note(episodes, topic)
                told = notes.statements(episodes) if self._ahead[key] is None else []
                if len(told) >= notes.LEAST:
                    open.append((key, episodes, sheets.numbered("statements", told)))
        replies = self._sleeper.ask([self._title(sheet) for _, _, sheet in open])
        for (key, episodes, _), reply in zip(open, replies, strict=True):
            found = self._or_nothing(reply)
            if found is not None:
                self._ahead[key] = notes.note_of(episodes, found.text, [number - 1 for number in found.lines])

    def _title(self, sheet: Sheet) -> ModelQuestion[parse.CitedText | None]:
        return ModelQuestion(sheet.text, task("note"), lambda found: parse.title(found, sheet), 48, once=True)

    def clash(self, older: Memory, newer: Memory) -> Clash:
        found = self.rules.clash(older, newer)
        if not clashes.doubtful(older, newer):
            return found
        self._prepare_clashes([(older, newer)])
        if not self._ahead.pop(("clash", older.id, newer.id)):
            return found
        return Clash("update", f"a model takes it for a change: {older.value} -> {newer.value}", clashes.LATER)

    def _prepare_clashes(self, pairs: Sequence[tuple[Memory, Memory]]) -> None:
        open = [
            (older, newer)
            for older, newer in pairs
            if ("clash", older.id, newer.id) not in self._ahead and clashes.doubtful(older, newer)
        ]
        parts = [open[i : i + PAIRS] for i in range(0, len(open), PAIRS)]
        asked = [
            ModelQuestion(sheets.pairs(part).text, task("clash"), partial(parse.updates, pairs=len(part)), 130)
            for part in parts
        ]
        for part, reply in zip(parts, self._sleeper.ask(asked), strict=True):
            updates = self._or_nothing(reply) or frozenset()
            for number, (older, newer) in enumerate(part, 1):
                self._ahead["clash", older.id, newer.id] = number in updates

    def profile(self, entity: str, facts: Sequence[Memory]) -> ProfileDraft | None:
        """The rules' first half stays; of what there is no room for, a model says what should have it."""
        draft = self.rules.profile(entity, facts)
        told = profiles.told(entity, facts)
        if draft is None or len(told) <= profiles.MOST:
            return draft
        half = profiles.MOST // 2
        sure, rest = told[:half], told[half : half + CANDIDATES]
        sheet = sheets.numbered("lines", [sheets.line(fact) for fact in rest])
        words = task("profile", entity=entity, most=profiles.MOST - len(sure))
        chosen = self._or_nothing(self._ask(sheet, words, partial(parse.numbers, sheet=sheet, most=len(sure)), 40))
        return profiles.draft([*sure, *(rest[number - 1] for number in chosen)]) if chosen else draft

    def infer(self, facts: Sequence[Memory]) -> list[InsightDraft]:
        if len(facts) < 2:
            return []  # an insight needs two premises
        sheet = sheets.memories(fitting(facts[:PREMISES], _text, self._sleeper.spec.batch_tokens))
        read = partial(parse.insights, sheet=sheet)
        asked = ModelQuestion(sheet.text, task("infer"), read, 300, INSIGHTS, once=True)
        return self._or_nothing(self._sleeper.ask([asked])[0]) or []

    def ponder(self, material: Material) -> Pondered:
        return self._or_nothing(by_model.ponder(self._sleeper, material)) or self.rules.ponder(material)

    def summary(self, text: str, sentences: int) -> str:
        """People's own sentences: the one that the rules find most central, and what a model would keep besides."""
        central = self.rules.summary(text, sentences)
        said = sentences_of(text)
        first = next((one for one in said if one in central), None)
        if sentences < 2 or len(said) < LONG_TEXT or first is None:
            return central  # of so few sentences the rules' choice is good enough
        rest = [one for one in said if one != first]
        sheet = sheets.numbered("lines", rest)
        words = task("summary", most=sentences - 1)
        chosen = self._or_nothing(self._ask(sheet, words, partial(parse.numbers, sheet=sheet, most=sentences - 1), 40))
        kept = {first, *(rest[number - 1] for number in chosen or ())}
        return " ".join(one for one in said if one in kept) if chosen else central

    def questions(self, context: QuestionContext, k: int) -> list[QuestionDraft]:
        """The rules' questions first; a model adds its own, each with the facts that answer it."""
        drafts = self.rules.questions(context, k)
        facts = fitting(context.facts[:RECENT], _evidence, self._sleeper.spec.batch_tokens)
        if len(drafts) >= k or not facts:
            return drafts
        sheet = sheets.evidence(facts)
        words = task("questions", most=k - len(drafts))
        asked = self._ask(sheet, words, partial(parse.questions, sheet=sheet, most=k), 16 + 24 * (k - len(drafts)))
        known = {draft.text.casefold() for draft in drafts}
        for one in self._or_nothing(asked) or ():
            refs = tuple(sheet.refs[number] for number in one.lines)
            if one.text.casefold() not in known and len(drafts) < k:
                drafts.append(QuestionDraft(one.text, "a model expects it", refs, added=True))
                self._ahead["answer", one.text] = refs
        return drafts

    def answer(self, question: str, evidence: Sequence[Evidence]) -> AnswerDraft | None:
        """The rules', or the statements that a model names, where their own words bear it out."""
        known = self.rules.answer(question, evidence)
        if known is not None or not evidence:
            return known
        self._prepare_answers([(question, evidence)])
        return confirmed(question, evidence, self._ahead.pop(("answer", question), ()))

    def _prepare_answers(self, asked: Sequence[Asked]) -> None:
        open = [
            (question, evidence)
            for question, evidence in asked
            if evidence and ("answer", question) not in self._ahead and self.rules.answer(question, evidence) is None
        ]
        parts = [open[i : i + TOGETHER] for i in range(0, len(open), TOGETHER)]
        read = [sheets.asked(part, self._primary.spec.batch_tokens) for part in parts]
        asks = [
            ModelQuestion(sheet.text, task("answer"), partial(parse.replies, letters=letters, sheet=sheet), 130)
            for sheet, letters in read
        ]
        replies = self._primary.ask(asks)
        for part, (_, letters), reply in zip(parts, read, replies, strict=True):
            found = self._or_nothing(reply) or {}
            for letter, (question, _) in zip(letters, part, strict=True):
                self._ahead["answer", question] = found.get(letter, ())

    def rethink(self, block: BlockDraft, memories: Sequence[Memory]) -> BlockDraft:
        """As the rules have it; where there is not room for all, a model may join lines that lose nothing by it."""
        after = self.rules.rethink(block, memories)
        whole = self.rules.rethink(BlockDraft(block.label, sheets.NO_LIMIT, block.sentences), memories)
        lines = [sentence for sentence in whole.sentences if not sentence.own and sentence.sources]
        if len(after.sentences) >= len(whole.sentences) or len(lines) < 2:
            return after
        sheet = sheets.numbered("lines", [line.text for line in lines])
        found = self._or_nothing(self._ask(sheet, task("rethink"), partial(parse.joined, sheet=sheet), 600))
        if not found:
            return after
        shorter = _with_joined(whole, lines, found)
        return self.rules.rethink(BlockDraft(block.label, block.limit, shorter, block.description), ())

    def diary(self, night: NightStory) -> str:
        if night.empty:
            return self.rules.diary(night)  # nothing happened that is worth paying for
        sheet, told = sheets.night(night)
        read = partial(parse.diary, given=sheet.given, lines=told)
        asked = ModelQuestion(sheet.text, task("diary"), read, 320, once=True)
        return self._or_nothing(self._sleeper.ask([asked])[0]) or self.rules.diary(night)

    def review(self, change: ProposedChange) -> Verdict:
        """A model may refuse what the rules approve; it never approves what they refuse."""
        verdict = self.rules.review(change)
        if not verdict.approve or self._reviewer is None:
            return verdict
        sheet = sheets.change(change)
        asked = ModelQuestion(sheet.text, task("review"), lambda found: parse.verdict(found, sheet.given), 120, VERDICT)
        return self._or_nothing(self._reviewer.ask([asked])[0]) or Verdict(False, "the reviewer could not be asked")

    def _ask(self, sheet: Sheet, words: str, read: Any, tokens: int) -> ModelReply[Any]:
        """One question whose answer is lines."""
        return self._sleeper.ask([ModelQuestion(sheet.text, words, read, tokens)])[0]

    def _or_nothing(self, reply: ModelReply[T]) -> T | None:
        """What could be used of a reply; None leaves it to the rules."""
        if reply.failure is not None:
            self.faults.add("fallback")
            return None
        return reply.value


def _with_joined(
    whole: BlockDraft, lines: Sequence[Sentence], found: Sequence[parse.CitedText]
) -> tuple[Sentence, ...]:
    """The block's sentences, each joined line in the place of the first that went into it."""
    joins = {one.lines[0]: one for one in found}
    gone = {number for one in found for number in one.lines[1:]}
    place = {id(line): number for number, line in enumerate(lines, 1)}
    after: list[Sentence] = []
    for sentence in whole.sentences:
        number = place.get(id(sentence), 0)
        if number in joins:
            rests_on = (source for n in joins[number].lines for source in lines[n - 1].sources)
            after.append(Sentence(joins[number].text, tuple(dict.fromkeys(rests_on))))
        elif number not in gone:
            after.append(sentence)
    return tuple(after)


def _key(episodes: Sequence[Episode]) -> tuple[tuple[str, str], ...]:
    return tuple((episode.id, episode.text) for episode in episodes)


def _evidence(evidence: Evidence) -> str:
    return evidence.text


def _text(memory: Memory) -> str:
    return memory.text
