"""Earlier answers: what speaks against giving one again, and whether answering ahead of the question pays at all."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from reverie.asleep.steps.anticipate import lessons
from reverie.asleep.steps.anticipate.lessons import same
from reverie.language.words import normalised
from reverie.model.answers import OF_SPACE, Answer, TrackRecord
from reverie.model.base import JSON, Instant, derived_id
from reverie.policy.answers import prediction
from reverie.policy.answers.freshness import UnreadStatement, at_odds, said
from reverie.policy.answers.guards.reading import ReadQuestion, read
from reverie.policy.answers.prediction import WINDOW, AnswerUsage, pays
from reverie.policy.answers.serving import NEVER, Outcome, learned_bar
from reverie.policy.decision import Decision
from reverie.store.reader import Reader
from reverie.store.reading import core
from reverie.store.tables import answers


def answer_id(space: str, question: str) -> str:
    """One entry for a question, however it is spaced and capitalised."""
    return derived_id("ans", space, normalised(question))


@dataclass(frozen=True, slots=True)
class AnswerHistory:
    """What a space has against an answer, however right it looks."""

    refused: Sequence[Answer]  # by a person
    entries: Mapping[str, Answer]  # earlier answers to the chosen questions
    outcomes: Mapping[str, Sequence[Outcome]]
    own_lines: Sequence[UnreadStatement]  # what persons wrote in blocks

    @staticmethod
    def of(reader: Reader, own: TrackRecord, questions: Sequence[str]) -> "AnswerHistory":
        ids = [answer_id(reader.space, question) for question in questions]
        return AnswerHistory(
            answers.refused(reader, reader.space),
            answers.by_ids(reader, reader.space, ids),
            lessons.outcomes_of(own),
            [part for line in core.own_lines(reader) for part in said(line)],
        )

    def bar(self, id: str, question: ReadQuestion, text: str, max_wrong_hits: float) -> float:
        """How close a question must come to this answer; `NEVER` if it is not to be given at all."""
        if any(same(old.answer, text) and prediction.repeats(question, read(old.question)) for old in self.refused):
            return NEVER
        if at_odds(question, text, self.own_lines):
            return NEVER
        return learned_bar(self.outcomes.get(id, ()) if self.says_the_same(id, text) else (), max_wrong_hits)

    def says_the_same(self, id: str, text: str) -> bool:
        return id in self.entries and same(self.entries[id].answer, text)

    def without_outcomes_of(self, own: TrackRecord, made: Sequence[Answer]) -> TrackRecord:
        """An answer that now says something else starts afresh."""
        new = {answer.id for answer in made if not self.says_the_same(answer.id, answer.answer)}
        kept = {id: outcomes for id, outcomes in self.outcomes.items() if id not in new}
        return replace(own, state={**own.state, "outcomes": lessons.kept_outcomes(kept)})


@dataclass(frozen=True, slots=True)
class PayoffVerdict:
    """Whether a space is worth answering ahead for, with what its record and the night's report say of it."""

    pays: Decision
    record: TrackRecord  # of the space, as it is from now on
    notes: tuple[str, ...]


def judge_payoff(reader: Reader, records: Mapping[str, TrackRecord], now: Instant) -> PayoffVerdict:
    own = records.get(OF_SPACE, TrackRecord(OF_SPACE))
    totals = _totals(reader, records)
    window: Mapping[str, float] = own.state.get("window", {"at": now})
    since = {name: int(total - window.get(name, 0)) for name, total in totals.items()}
    off = own.state.get("off_since")
    verdict = pays(AnswerUsage(**since, off_since=off), now)
    if not verdict:
        return _off(own, verdict, now)
    again = off is not None
    if again or now - window["at"] >= WINDOW:
        window = {**totals, "at": now}  # judged by what comes from here on
    on = {name: value for name, value in own.state.items() if name not in ("off_since", "why")}
    notes = (f"anticipation is on again: {verdict.why}",) if again else ()
    return PayoffVerdict(verdict, replace(own, state={**on, "window": dict(window)}), notes)


def _off(own: TrackRecord, verdict: Decision, now: Instant) -> PayoffVerdict:
    """Says so, and remembers since when and why."""
    first: Mapping[str, JSON] = {"off_since": now, "why": verdict.why}
    state = {**first, **own.state}
    return PayoffVerdict(verdict, replace(own, state=state), (f"anticipation is off: {verdict.why}",))


def _totals(reader: Reader, records: Mapping[str, TrackRecord]) -> dict[str, int]:
    """All predictors of the space together, with what the step has spent on models."""
    own = records.get(OF_SPACE, TrackRecord(OF_SPACE))
    others = [record for name, record in records.items() if name != OF_SPACE]
    return {
        "made": sum(record.made for record in others),
        "asked": int(own.state.get("asked", 0)),
        "hits": sum(record.hits for record in others),
        "wrong": sum(record.wrong for record in others),
        "tokens_asleep": answers.spent_asleep(reader, reader.space)[0],
        "tokens_saved": sum(record.saved for record in others),
    }
