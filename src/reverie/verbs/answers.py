"""Answers before the question: ask for one, see what is prepared and what came of it."""

from dataclasses import dataclass

from reverie.errors import NotFound
from reverie.model.answers import BY_A_PERSON, OF_SPACE, Answer, Answered, TrackRecord
from reverie.store.tables import answers
from reverie.verbs.base import Verbs


@dataclass(frozen=True, slots=True)
class AnswersReport:
    """What anticipation came to in a space."""

    live: int
    asked: int
    hits: int
    probes: int
    wrong: int
    tokens_asleep: int
    cost_asleep: float
    tokens_saved: int
    predictors: tuple[TrackRecord, ...]
    off: str | None  # why anticipation is off here

    @property
    def hit_rate(self) -> float:
        return self.hits / self.asked if self.asked else 0.0

    @property
    def wrong_hit_rate(self) -> float:
        return self.wrong / self.probes if self.probes else 0.0

    @property
    def tokens_per_query(self) -> float:
        """What anticipation costs, spread over the questions asked; below zero where hits saved more."""
        return (self.tokens_asleep - self.tokens_saved) / self.asked if self.asked else 0.0


class AnswerVerbs(Verbs):
    def answer(self, query: str) -> Answered:
        """A precomputed answer with its sources and age, or nothing (falsy) with the reason in `why`."""
        return self.parts.answerer.answer(self.id, query, self._now())

    def answers(self, *, live: bool = True, limit: int = 50, after: str | None = None) -> list[Answer]:
        """What is prepared, newest first."""
        return answers.listed(self._db, self.id, live=live, limit=limit, after=after)

    def prepared(self, id: str) -> Answer:
        """One prepared answer, with what it rests on."""
        return answers.by_id(self._db, self.id, id)

    def explain_answer(self, query: str) -> Answered:
        """What `answer` would say and why, without leaving a trace."""
        return self.parts.answerer.look(self.id, query, self._now())

    def drop_answer(self, id: str, why: str = "") -> None:
        """Never given again; a night answers the question anew only if it then has something else to say."""
        with self._db.write("memory") as tx:
            if not answers.drop(tx, self.id, id, f"{BY_A_PERSON}: {why}" if why else BY_A_PERSON):
                raise NotFound("answer", id)

    def answers_report(self) -> AnswersReport:
        """Hit rate and wrong-hit rate, tokens asleep and saved, per predictor."""
        records = answers.records(self._db, self.id)
        own = records.pop(OF_SPACE, TrackRecord(OF_SPACE))
        found = tuple(records.values())
        new = answers.outcomes_since(self._db, self.id, int(own.state.get("row", 0)))
        tokens, cost = answers.spent_asleep(self._db, self.id)
        return AnswersReport(
            live=answers.count_live(self._db, self.id, self._now()),
            asked=int(own.state.get("asked", 0)) + new.asked,
            hits=sum(record.hits for record in found) + new.hits,
            probes=sum(record.probes for record in found),
            wrong=sum(record.wrong for record in found),
            tokens_asleep=tokens,
            cost_asleep=cost,
            tokens_saved=sum(record.saved for record in found) + new.saved,
            predictors=found,
            off=own.state.get("why") if "off_since" in own.state else None,
        )
