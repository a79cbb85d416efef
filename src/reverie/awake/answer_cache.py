"""The prepared answers of each space in memory, so that the nearest are found without asking the store for them all."""

import json
import threading
from collections import Counter, OrderedDict
from collections.abc import Iterable
from dataclasses import dataclass, field
from heapq import nlargest

import numpy as np

from reverie.minds.embed import Embedder
from reverie.policy.answers.closeness import Closeness, closeness
from reverie.policy.answers.guards.reading import ReadQuestion, unpack
from reverie.store.db import Database
from reverie.store.search.matrix import Matrix, Vectors
from reverie.store.tables import answers

NEAREST = 8  # entries looked at, besides as many that read the same
MOST = 50_000  # entries held over all spaces, about 5 KB each; the least recently asked space goes first
WORDLESS = ""  # the topic of a question that has none


@dataclass
class Held:
    """The live answers of one space, as they were when last looked at."""

    dim: int
    seen: int = 0
    questions: dict[str, ReadQuestion] = field(default_factory=dict)
    lock: threading.Lock = field(default_factory=threading.Lock)
    _readings: dict[str, dict[str, None]] = field(default_factory=dict)  # "me.lives_in" -> entries, the latest last
    _topics: dict[str, set[str]] = field(default_factory=dict)  # kept only where there are no vectors
    _matrix: Matrix = field(init=False)

    def __post_init__(self) -> None:
        self._matrix = Matrix(self.dim)

    def catch_up(self, db: Database, space: str, embedder: str) -> None:
        for row in answers.changed(db, space, self.seen):
            self.seen = row["changed"]
            self.forget([row["id"]])
            if row["dropped"] is None and row["embedder"] == embedder:
                self._keep(row["id"], unpack(json.loads(row["parsed"]), row["question"]), row["vec"])

    def forget(self, ids: Iterable[str]) -> None:
        for id in ids:
            known = self.questions.pop(id, None)
            if known is None:
                continue
            self._readings.get(known.personal, {}).pop(id, None)
            for topic in known.topics or (WORDLESS,):
                self._topics.get(topic, set()).discard(id)
            self._matrix.remove(id)

    def closest(self, asked: ReadQuestion, vector: Vectors) -> list[tuple[str, Closeness]]:
        """Entries by closeness, the closest first."""
        cosines = dict(self._matrix.search(vector, NEAREST)) if self.dim else {}
        same = list(self._readings.get(asked.personal, ()))[-NEAREST:] if asked.personal else []
        ids = {*(cosines if self.dim else self._sharing_words(asked)), *same}
        found = [(id, closeness(asked, self.questions[id], cosines.get(id))) for id in ids]
        return sorted(found, key=lambda pair: (-pair[1].score, pair[0]))

    def _keep(self, id: str, question: ReadQuestion, vec: bytes | None) -> None:
        self.questions[id] = question
        if question.personal:
            self._readings.setdefault(question.personal, {})[id] = None
        if self.dim and vec:
            self._matrix.put(id, np.frombuffer(vec, np.float32))
        elif not self.dim:
            for topic in question.topics or (WORDLESS,):
                self._topics.setdefault(topic, set()).add(id)

    def _sharing_words(self, asked: ReadQuestion) -> list[str]:
        """Those with the largest share of words in common."""
        topics = asked.topics or {WORDLESS}
        shared = Counter(id for topic in topics for id in self._topics.get(topic, ()))
        return nlargest(NEAREST, shared, key=lambda id: (shared[id] / len(topics | self.questions[id].topics), id))


@dataclass
class HeldSpaces:
    """One `Held` a space, the least recently asked out."""

    embedder: Embedder
    _spaces: OrderedDict[str, Held] = field(default_factory=OrderedDict)
    _guard: threading.Lock = field(default_factory=threading.Lock)

    def of(self, space: str) -> Held:
        with self._guard:
            held = self._spaces.setdefault(space, Held(self.embedder.dim))
            self._spaces.move_to_end(space)
            entries = sum(len(one.questions) for one in self._spaces.values())
            while entries > MOST and len(self._spaces) > 1:
                _, out = self._spaces.popitem(last=False)
                entries -= len(out.questions)
            return held
