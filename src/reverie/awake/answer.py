"""A precomputed answer if one is close, fresh and trusted; else nothing, with the reason. No model is called."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from reverie.awake.answer_cache import HeldSpaces
from reverie.awake.events import Events
from reverie.awake.recall import KEPT_QUESTION, MAX_QUERY, query_hash
from reverie.awake.unread_statements import Tail, Tails
from reverie.errors import BadInput, NotFound
from reverie.minds.embed import Embedder
from reverie.model.answers import BY_A_PERSON, OF_SPACE, Answer, Answered, AnswersReport, Serving, TrackRecord
from reverie.model.base import Instant, day_of
from reverie.policy.answers.closeness import Closeness
from reverie.policy.answers.freshness import NewFact, World, check
from reverie.policy.answers.guards.compare import compare
from reverie.policy.answers.guards.reading import ReadQuestion, read, unpack
from reverie.policy.answers.serving import AnswerHit, Served, ServingLimits, decide
from reverie.policy.decision import Decision
from reverie.store.db import Database, Transaction
from reverie.store.tables import answers, recalls

LOOKS = 3  # entries that are gone from the store leave the cache, and the next nearest are looked at
UNASKED = Decision(True, "a guard refused it before")
MOST_FACTS = 200  # newer than an answer; with more, it waits for the night


@dataclass
class Ground:
    """What the store holds now about the candidates of one look: read once, and only if a guard lets one through."""

    db: Database
    space: str
    tails: Tails
    embedder: str
    candidates: Mapping[str, Answer]

    def fresh(self, answer: Answer, question: ReadQuestion) -> Decision:
        newer = [fact for at, fact in self._facts if at > answer.created_at]
        if len(newer) > MOST_FACTS:
            return Decision(False, f"more than {MOST_FACTS} facts are newer")
        versions = {ref: known.version for ref, known in self._rests.items()}
        world = World(versions, self.embedder, self._tail.since(answer.created_at), newer)
        keys = {known.key for ref, known in self._rests.items() if ref in answer.rests_on and known.key}
        return check(answer, question, world, keys)

    @cached_property
    def _oldest(self) -> Instant:
        return min(answer.created_at for answer in self.candidates.values())

    @cached_property
    def _rests(self) -> dict[str, answers.Rest]:
        return answers.rests_now(self.db, self.space, {ref for a in self.candidates.values() for ref in a.rests_on})

    @cached_property
    def _facts(self) -> list[tuple[Instant, NewFact]]:
        return answers.newer_facts(self.db, self.space, self._oldest, MOST_FACTS + 1)

    @cached_property
    def _tail(self) -> Tail:
        return self.tails.of(self.space, self._oldest)


@dataclass
class Answerer:
    db: Database
    embedder: Embedder
    events: Events
    limits: ServingLimits
    tails: Tails
    held: HeldSpaces

    def answer(self, space: str, query: str, now: Instant) -> Answered:
        """The text with its sources and age; without one, `why` says what stood in the way. The outcome is noted."""
        found = self.look(space, query, now)
        hit, asked = found.kind == "hit", _clean(query)[:KEPT_QUESTION]
        serving = Serving(asked, found.id, found.similarity, hit, found.why, found.tokens if hit else 0, now)
        self.events.put(lambda tx: _note(tx, space, serving))
        return found

    def look(self, space: str, query: str, now: Instant) -> Answered:
        """The same without a trace: for `context`, which shows a near miss to the model."""
        query = _clean(query)
        if not query.strip():
            raise BadInput("a question needs text")
        asked, vector, held = read(query), self.embedder.embed_one(query), self.held.of(space)
        found = Answered(None, "no answers are prepared for this space")
        for _ in range(LOOKS):
            with held.lock:
                held.catch_up(self.db, space, self.embedder.id)
                if not held.questions:
                    return found
                close = held.closest(asked, vector)
            found, gone = self._best(space, asked, close, now)
            if not gone:
                break
            with held.lock:
                held.forget(gone)
        return found

    def _best(
        self, space: str, asked: ReadQuestion, close: Sequence[tuple[str, Closeness]], now: Instant
    ) -> tuple[Answered, list[str]]:
        """The first that may be given, else the nearest objection; and which entries the store no longer has."""
        worth = [(id, c) for id, c in close if c.score >= self.limits.near]
        if not worth:
            best = close[0][1].score if close else 0.0
            return Answered(None, f"nothing close: {best:.2f} at best", similarity=best), []
        objection: Answered | None = None
        with self.db.snapshot():
            rows = answers.by_ids(self.db, space, [id for id, _ in worth])
            ground = Ground(self.db, space, self.tails, self.embedder.id, rows)
            for answer, near in ((rows[id], near) for id, near in worth if id in rows):
                answered = self._served(ground, asked, answer, near, now)
                if answered.kind == "hit":
                    return answered, []
                if objection is None or (answered.kind == "near" and objection.kind == "miss"):
                    objection = answered
        gone = [id for id, _ in worth if id not in rows]
        if objection is None:
            objection = Answered(None, "the nearest answer is gone")
        return objection, gone

    def _served(self, ground: Ground, asked: ReadQuestion, answer: Answer, close: Closeness, now: Instant) -> Answered:
        question = unpack(answer.parsed, answer.question)
        guarded = compare(asked, question)
        fresh = ground.fresh(answer, question) if guarded.ok else UNASKED
        hit = AnswerHit(answer, close, guarded, fresh)
        return _answered(answer, decide(hit, ground.space, now, self.limits), close, now)


def _clean(query: str) -> str:
    return query.replace("\x00", " ")[:MAX_QUERY]


def _answered(answer: Answer, served: Served, close: Closeness, now: Instant) -> Answered:
    return Answered(
        text=answer.answer if served.kind == "hit" else None,
        why=served.why,
        id=answer.id,
        question=answer.question,
        sources=answer.sources,
        age=now - answer.created_at,
        confidence=answer.confidence,
        similarity=close.score,
        kind=served.kind,
        prepared=answer.answer if served.kind == "near" else None,
        tokens=answer.tokens,
    )


def _note(tx: Transaction, space: str, serving: Serving) -> None:
    """What came of the question, and that it was asked: nights learn from both."""
    asked = tx.clean(serving.asked)
    answers.put_serving(tx, space, replace(serving, asked=asked))
    recalls.put_asked(tx, space, query_hash(asked), day_of(serving.at), asked, serving.at)


def drop(db: Database, space: str, id: str, why: str = "") -> None:
    """Never given again; a night answers the question anew only if it then has something else to say."""
    with db.write("memory") as tx:
        if not answers.drop(tx, space, id, f"{BY_A_PERSON}: {why}" if why else BY_A_PERSON):
            raise NotFound("answer", id)


def report(db: Database, space: str, now: Instant) -> AnswersReport:
    """Hit rate and wrong-hit rate, tokens asleep and saved, per predictor."""
    records = answers.records(db, space)
    own = records.pop(OF_SPACE, TrackRecord(OF_SPACE))
    found = tuple(records.values())
    new = answers.outcomes_since(db, space, int(own.state.get("row", 0)))
    tokens, cost = answers.spent_asleep(db, space)
    return AnswersReport(
        live=answers.count_live(db, space, now),
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
