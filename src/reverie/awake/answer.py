"""A precomputed answer if one is close, fresh and trusted; else nothing, with the reason. No model is called."""

import json
import threading
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from reverie.awake.events import Events
from reverie.awake.recall import day_of, query_hash
from reverie.awake.tail import Tails
from reverie.errors import BadInput
from reverie.minds.embed import Embedder
from reverie.model.answers import Answer, Answered, Serving
from reverie.model.base import Instant
from reverie.policy.closeness import Closeness, closeness
from reverie.policy.freshness import NewFact, World, check
from reverie.policy.guards import Question, compare, read
from reverie.policy.guards.reading import unpack
from reverie.policy.serving import Hit, Limits, Served, decide
from reverie.store import answers, recalls
from reverie.store.db import Database, Transaction
from reverie.store.matrix import Matrix, Vectors

NEAREST = 8  # entries looked at, besides those that read the same
SPACES = 64  # whose answers are held in memory, the least recently asked out


@dataclass
class Held:
    """The live answers of one space, as they were when last looked at."""

    dim: int
    seen: int = 0
    questions: dict[str, Question] = field(default_factory=dict)
    readings: dict[str, set[str]] = field(default_factory=dict)  # "me.lives_in" -> entries
    matrix: Matrix = field(init=False)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def __post_init__(self) -> None:
        self.matrix = Matrix(self.dim)

    def catch_up(self, db: Database, space: str, embedder: str) -> None:
        for row in answers.changed(db, space, self.seen):
            self.seen = row["changed"]
            self._forget(row["id"])
            if row["dropped"] is None and row["embedder"] == embedder:
                self._keep(row["id"], unpack(json.loads(row["parsed"]), row["question"]), row["vec"])

    def _keep(self, id: str, question: Question, vec: bytes | None) -> None:
        self.questions[id] = question
        if question.personal:
            self.readings.setdefault(question.personal, set()).add(id)
        if self.dim and vec:
            self.matrix.put(id, np.frombuffer(vec, np.float32))

    def _forget(self, id: str) -> None:
        known = self.questions.pop(id, None)
        if known is not None and known.personal:
            self.readings[known.personal].discard(id)
        self.matrix.remove(id)

    def closest(self, asked: Question, vector: Vectors, k: int = NEAREST) -> list[tuple[str, Closeness]]:
        """Entries by closeness, the closest first."""
        cosines = dict(self.matrix.search(vector, k)) if self.dim else {}
        same = self.readings.get(asked.personal, set()) if asked.personal else set()
        others = () if self.dim else self.questions
        ids = {*cosines, *same, *others}
        found = [(id, closeness(asked, self.questions[id], cosines.get(id))) for id in ids]
        return sorted(found, key=lambda pair: (-pair[1].score, pair[0]))[: k + len(same)]


@dataclass
class Answerer:
    db: Database
    embedder: Embedder
    events: Events
    limits: Limits
    tails: Tails
    _held: OrderedDict[str, Held] = field(default_factory=OrderedDict)
    _guard: threading.Lock = field(default_factory=threading.Lock)

    def answer(self, space: str, query: str, now: Instant) -> Answered:
        """The text with its sources and age; without one, `why` says what stood in the way. The outcome is noted."""
        found = self.look(space, query, now)
        hit = found.kind == "hit"
        serving = Serving(query[:1_000], found.id, found.similarity, hit, found.why, found.tokens if hit else 0, now)
        self.events.put(lambda tx: _note(tx, space, serving))
        return found

    def look(self, space: str, query: str, now: Instant) -> Answered:
        """The same without a trace: for `context`, which shows a near miss to the model."""
        if not query.strip():
            raise BadInput("a question needs text")
        asked = read(query)
        held = self._of(space)
        with held.lock:
            held.catch_up(self.db, space, self.embedder.id)
            if not held.questions:
                return Answered(None, "no answers are prepared for this space")
            close = held.closest(asked, self.embedder.embed_one(query))
        return self._best(space, asked, close, now)

    def _best(self, space: str, asked: Question, close: Sequence[tuple[str, Closeness]], now: Instant) -> Answered:
        """The first that may be given; else the nearest objection."""
        worth = [(id, c) for id, c in close if c.score >= self.limits.near]
        if not worth:
            best = close[0][1].score if close else 0.0
            return Answered(None, f"nothing close: {best:.2f} at best", similarity=best)
        objection: Answered | None = None
        with self.db.snapshot():
            rows = answers.by_ids(self.db, space, [id for id, _ in worth])
            for id, near in worth:
                if id in rows:
                    answered = self._served(space, asked, rows[id], near, now)
                    if answered.kind == "hit":
                        return answered
                    if objection is None or (answered.kind == "near" and objection.kind == "miss"):
                        objection = answered
        return objection if objection is not None else Answered(None, "the nearest answer is gone")

    def _served(self, space: str, asked: Question, answer: Answer, close: Closeness, now: Instant) -> Answered:
        question = unpack(answer.parsed, answer.question)
        guarded = compare(asked, question)
        world = World(
            answers.versions(self.db, space, answer.rests_on),
            self.embedder.id,
            self.tails.since(space, answer.created_at),
            [NewFact(s, p, id) for id, s, p, _ in answers.newer_facts(self.db, space, answer.created_at)],
        )
        fresh = check(answer, question, world, answers.keys_of(self.db, space, answer.rests_on))
        return _answered(answer, decide(Hit(answer, close, guarded, fresh), space, now, self.limits), close, now)

    def _of(self, space: str) -> Held:
        with self._guard:
            held = self._held.get(space)
            if held is None:
                held = self._held[space] = Held(self.embedder.dim)
                while len(self._held) > SPACES:
                    self._held.popitem(last=False)
            self._held.move_to_end(space)
            return held


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
    answers.put_serving(tx, space, serving)
    recalls.put_asked(tx, space, query_hash(serving.asked), day_of(serving.at), serving.asked, serving.at)
