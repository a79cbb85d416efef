"""What a space has against an answer that looks right: a person's no, what probes found, what its core memory says."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from reverie.asleep import learning
from reverie.asleep.learning import same
from reverie.language.words import normalised
from reverie.model.answers import Answer, TrackRecord
from reverie.model.base import derived_id
from reverie.policy.answers import prediction
from reverie.policy.answers.freshness import UnreadStatement, at_odds, said
from reverie.policy.answers.guards.reading import ReadQuestion, read
from reverie.policy.answers.serving import NEVER, Outcome, learned_bar
from reverie.store.reader import Reader
from reverie.store.tables import answers


def answer_id(space: str, question: str) -> str:
    return derived_id("ans", space, normalised(question))


@dataclass(frozen=True, slots=True)
class Past:
    refused: Sequence[Answer]
    entries: Mapping[str, Answer]  # earlier answers to the chosen questions
    outcomes: Mapping[str, Sequence[Outcome]]
    core: Sequence[UnreadStatement]

    @staticmethod
    def of(reader: Reader, own: TrackRecord, questions: Sequence[str]) -> "Past":
        ids = [answer_id(reader.space, question) for question in questions]
        return Past(
            answers.refused(reader.db, reader.space),
            answers.by_ids(reader.db, reader.space, ids),
            learning.outcomes_of(own),
            [part for line in reader.own_lines() for part in said(line)],
        )

    def bar(self, id: str, question: ReadQuestion, text: str, max_wrong_hits: float) -> float:
        """How close a question must come to this answer; `NEVER` if it is not to be given at all."""
        if any(same(old.answer, text) and prediction.repeats(question, read(old.question)) for old in self.refused):
            return NEVER
        if at_odds(question, text, self.core):
            return NEVER
        return learned_bar(self.outcomes.get(id, ()) if self.says_the_same(id, text) else (), max_wrong_hits)

    def says_the_same(self, id: str, text: str) -> bool:
        return id in self.entries and same(self.entries[id].answer, text)

    def without_outcomes_of(self, own: TrackRecord, made: Sequence[Answer]) -> TrackRecord:
        """An answer that now says something else starts afresh."""
        new = {answer.id for answer in made if not self.says_the_same(answer.id, answer.answer)}
        kept = {id: outcomes for id, outcomes in self.outcomes.items() if id not in new}
        return replace(own, state={**own.state, "outcomes": learning.kept_outcomes(kept)})
