"""Dream: the questions most likely next, answered now, with everything that the answers rest on.

First what earlier answers came to is learned (hits, probes, bars, what has gone stale); then new ones are made.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from reverie.asleep.shared.items import Attempts
from reverie.asleep.shared.recall import RECENT_FACTS, as_evidence, evidence_for
from reverie.asleep.step import Minds
from reverie.asleep.steps.anticipate import history, lessons
from reverie.asleep.steps.anticipate.history import AnswerHistory, answer_id
from reverie.asleep.steps.ponder import ready
from reverie.language.words import token_count
from reverie.model.answers import OF_SPACE, Answer, TrackRecord
from reverie.model.base import DAY, HOUR
from reverie.model.changes import Changes
from reverie.model.memories import Memory
from reverie.model.night import Night
from reverie.model.thinking import Episode, QuestionContext
from reverie.policy.answers import prediction
from reverie.policy.answers.guards.reading import pack, read
from reverie.policy.answers.prediction import AskedBefore, Candidate, Chosen
from reverie.policy.answers.serving import NEVER
from reverie.policy.core import forms
from reverie.policy.core.lines import is_lasting, reasons_of
from reverie.policy.safety.trust import min_trust
from reverie.store.reader import Reader
from reverie.store.reading import facts, log, memories, work
from reverie.store.tables import answers

REMEMBERED = 30 * DAY  # of past questions
RECENT_TURNS = 12
STEP = "anticipate"
ASK = "ask"


def anticipate(night: Night, reader: Reader, minds: Minds, cursor: str | None) -> Changes:
    if not minds.anticipating.questions or minds.search is None:
        return Changes(notes=("anticipation is off",))
    if cursor is None:
        return replace(lessons.learn(night, reader, minds), cursor=ASK)
    records = answers.records(reader, reader.space)
    judged = history.judge_payoff(reader, records, night.now)
    if not judged.pays:
        return Changes(records=(judged.record,), notes=judged.notes)
    chosen = _chosen(night, reader, minds, records)
    past = AnswerHistory.of(reader, judged.record, [one.candidate.question for one in chosen])
    attempts, made = Attempts(), list[Answer]()
    found = {one: evidence_for(night, reader, minds, one.candidate.question, one.candidate.sources) for one in chosen}
    asked = ((one.candidate, its) for one, its in found.items() if one.candidate.predictor != ready.PONDERED)
    minds.reasoner.prepare(answers=[(one.question, as_evidence(its.values())) for one, its in asked])
    for one, evidence in found.items():
        with attempts.item(answer_id(reader.space, one.candidate.question)):
            answer = _answer(night, reader, minds, one, evidence, past)
            made += [answer] if answer is not None else []
    unanswerable = len(chosen) - len(made) - len(attempts.failed)
    counts = {"considered": len(chosen), "answers": len(made), "unanswerable": unanswerable}
    own = past.without_outcomes_of(judged.record, made)
    notes = (*judged.notes, *_distrusted(records), *(f"ready for: {answer.question}" for answer in made))
    return Changes(
        answers=tuple(made),
        records=(own, *_with_answers(records, made)),
        tried=attempts.tried,
        failed=attempts.failed,
        counts=counts,
        notes=notes,
    )


def _chosen(night: Night, reader: Reader, minds: Minds, records: Mapping[str, TrackRecord]) -> list[Chosen]:
    live = answers.listed(reader, reader.space, limit=1_000)
    held = [a.question for a in live if a.expires_at > night.now + minds.anticipating.hours * HOUR / 2]
    aside = work.set_aside(reader, STEP)
    guessed = [*_recurring(night, reader, minds), *_open_and_new(night, reader, minds), *ready.candidates(reader)]
    candidates = [one for one in guessed if answer_id(reader.space, one.question) not in aside]
    return prediction.choose(candidates, records, minds.anticipating.questions, held)


def _recurring(night: Night, reader: Reader, minds: Minds) -> list[Candidate]:
    past = [
        AskedBefore(text, at, n) for text, n, at in answers.asked_since(reader, reader.space, night.now - REMEMBERED)
    ]

    def similarity(a: int, b: int) -> float | None:
        if not minds.embedder.dim:
            return None
        return float(minds.embedder.embed_one(past[a].text) @ minds.embedder.embed_one(past[b].text))

    return prediction.recurring(prediction.clusters(past, similarity, night.now))


def _open_and_new(night: Night, reader: Reader, minds: Minds) -> list[Candidate]:
    """What the reasoner asks about new facts and recent turns; a question that cites facts is one they make askable."""
    recent = {fact.id: fact for fact in _undoubted(reader, facts.current(reader, facts.latest(reader, RECENT_FACTS)))}
    turns = log.latest_turns(reader, RECENT_TURNS)
    episodes = tuple(
        Episode(turn.id, turn.text, turn.at, turn.speaker or turn.role, turn.role, turn.session, turn.trust)
        for turn in turns
    )
    context = QuestionContext(tuple(as_evidence(recent.values())), episodes, now=night.now)
    ago = {turn.id: n for n, turn in enumerate(reversed(turns))}
    candidates = []
    for draft in minds.reasoner.questions(context, 2 * minds.anticipating.questions):
        cited = [recent[ref] for ref in draft.sources if ref in recent]
        if cited:
            importance = max(fact.importance for fact in cited)
            candidates.append(prediction.askable(draft.text, importance, draft.sources, added=draft.added))
        else:
            back = min((ago[ref] for ref in draft.sources if ref in ago), default=0)
            candidates.append(prediction.left_open(draft.text, back, draft.sources))
    return candidates


def _undoubted(reader: Reader, found: Sequence[Memory]) -> list[Memory]:
    """Those that no later statement may overtake, and those that say who somebody is and name no day."""
    hinted = {edge.b for edge in memories.hints(reader, (fact.id for fact in found))}
    return [fact for fact in found if fact.id not in hinted or _says_who(fact)]


def _says_who(fact: Memory) -> bool:
    """Whether a fact says who somebody is, and names no day that may have been moved."""
    dated = fact.happened_at is not None or forms.DATED.search(fact.quote.casefold()) is not None
    return not dated and (is_lasting(fact) or "names" in reasons_of(fact))


def _answer(
    night: Night, reader: Reader, minds: Minds, chosen: Chosen, evidence: Mapping[str, Memory], past: AnswerHistory
) -> Answer | None:
    """The whole answer now. None if the evidence does not answer it, or may not."""
    question = chosen.candidate.question
    id, asked = answer_id(reader.space, question), read(question)
    if chosen.candidate.predictor == ready.PONDERED:
        draft, evidence = ready.answered(reader, chosen.candidate)
    else:
        draft = minds.reasoner.answer(question, as_evidence(evidence.values()))
    if draft is None:
        return None
    cited = [evidence[ref] for ref in draft.sources if ref in evidence]
    limits = minds.anticipating
    bar = past.bar(id, asked, draft.text, limits.max_wrong_hits)
    if not cited or bar >= NEVER:
        return None
    tokens = sum(token_count(memory.text) for memory in evidence.values()) + token_count(question + draft.text)
    return Answer(
        id=id,
        space=reader.space,
        question=question,
        answer=draft.text,
        embedder=minds.embedder.id,
        confidence=draft.confidence,
        threshold=bar,
        predictor=chosen.candidate.predictor,
        sources=tuple(memory.id for memory in cited),
        rests_on={memory.id: memory.version for memory in cited},
        trust=min_trust(memory.trust for memory in cited),
        created_at=night.now,
        expires_at=night.now + limits.hours * HOUR,
        parsed=pack(asked),
        vec=minds.embedder.embed_one(question).tobytes() if minds.embedder.dim else b"",
        tokens=tokens,
        model=minds.reasoner.name,
        night=night.id,
    )


def _with_answers(records: Mapping[str, TrackRecord], made: Sequence[Answer]) -> list[TrackRecord]:
    """The record of each predictor of these answers, with them and their tokens added."""
    grown: dict[str, TrackRecord] = {}
    for answer in made:
        known = grown.get(answer.predictor) or records.get(answer.predictor, TrackRecord(answer.predictor))
        tokens = 0 if answer.model == "rules" else answer.tokens
        grown[answer.predictor] = replace(known, made=known.made + 1, tokens=known.tokens + tokens)
    return [grown[name] for name in sorted(grown)]


def _distrusted(records: Mapping[str, TrackRecord]) -> list[str]:
    judged = ((name, prediction.dropped(record)) for name, record in sorted(records.items()) if name != OF_SPACE)
    return [f"predictor {name} makes no more questions: {verdict.why}" for name, verdict in judged if not verdict]
