"""What was said since a night last read: statements that may make a prepared answer old, read once each."""

import threading
from collections import OrderedDict
from dataclasses import dataclass, field

from reverie.model.base import Instant
from reverie.policy.freshness import Said, said
from reverie.store import answers, spaces, turns
from reverie.store.db import Database

MOST = 500  # turns past the watermark that are looked at; with more, every answer waits for the night
KEPT = 20_000
FULL = Said(frozenset(), unclear=True)


@dataclass
class Tails:
    db: Database
    _read: OrderedDict[str, tuple[Said, ...]] = field(default_factory=OrderedDict)
    _guard: threading.Lock = field(default_factory=threading.Lock)

    def since(self, space: str, made_at: Instant) -> list[Said]:
        """Statements no night has read: turns past the watermark, and what a person gave after the answer was made."""
        record = spaces.by_id(self.db, space)
        fresh = turns.past(self.db, space, record.watermark, limit=MOST + 1)
        if len(fresh) > MOST:
            return [FULL]
        given = answers.given_since(self.db, space, made_at)
        statements = [part for turn in fresh for part in self._said(turn.id, turn.text)]
        return [*statements, *(part for text, _ in given for part in said(text))]

    def _said(self, id: str, text: str) -> tuple[Said, ...]:
        with self._guard:
            known = self._read.get(id)
        if known is None:
            known = said(text)
            with self._guard:
                self._read[id] = known
                while len(self._read) > KEPT:
                    self._read.popitem(last=False)
        return known
