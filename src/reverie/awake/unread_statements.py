"""What was said since a night last read: statements that may make a prepared answer old, read once each."""

import threading
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field

from reverie.model.base import Instant
from reverie.policy.answers.freshness import UnreadStatement, said, said_between
from reverie.store.db import Database
from reverie.store.tables import direct_edits, turns

MOST = 500  # turns, or texts given, that are looked at; with more, every answer waits for the night
SPACES = 256  # whose tails are kept, the least recently asked out
FULL = UnreadStatement(frozenset(), unclear=True)


@dataclass(frozen=True, slots=True)
class Tail:
    """The unread turns of one space, and what a person gave directly, each with its moment."""

    unread: tuple[UnreadStatement, ...]
    given: tuple[tuple[Instant, tuple[UnreadStatement, ...]], ...]

    def since(self, made_at: Instant) -> list[UnreadStatement]:
        """What an answer of that moment cannot have known."""
        return [*self.unread, *(part for at, parts in self.given if at > made_at for part in parts)]


@dataclass(frozen=True, slots=True)
class UnreadTurns:
    """Turns past `floor` up to `seq`, as statements."""

    floor: int
    seq: int
    turns: int
    statements: tuple[UnreadStatement, ...]


@dataclass
class Tails:
    db: Database
    _known: OrderedDict[str, UnreadTurns] = field(default_factory=OrderedDict)
    _guard: threading.Lock = field(default_factory=threading.Lock)

    def of(self, space: str, since: Instant) -> Tail:
        """Turns that no finished night has read, and what was remembered, corrected or edited after an instant."""
        return Tail(self._unread(space), self._given(space, since))

    def _unread(self, space: str) -> tuple[UnreadStatement, ...]:
        floor = direct_edits.read_up_to(self.db, space)
        with self._guard:
            known = self._known.get(space)
        if known is None or known.floor != floor:
            known = UnreadTurns(floor, floor, 0, ())
        new = turns.past(self.db, space, known.seq, limit=MOST + 1)
        if new:
            fresh = (part for turn in new for part in said(turn.text))
            known = UnreadTurns(floor, new[-1].seq, known.turns + len(new), (*known.statements, *fresh))
        if known.turns > MOST:
            return (FULL,)
        self._keep(space, known)
        return known.statements

    def _keep(self, space: str, unread: UnreadTurns) -> None:
        with self._guard:
            self._known[space] = unread
            self._known.move_to_end(space)
            while len(self._known) > SPACES:
                self._known.popitem(last=False)

    def _given(self, space: str, since: Instant) -> tuple[tuple[Instant, tuple[UnreadStatement, ...]], ...]:
        texts = direct_edits.texts_since(self.db, space, since, MOST + 1)
        edits = direct_edits.edits_since(self.db, space, since, MOST + 1)
        if _too_many(texts) or _too_many(edits):
            return ((float("inf"), (FULL,)),)
        return (
            *((text.at, said(text.now)) for text in texts),
            *((edit.at, said_between(edit.was, edit.now)) for edit in edits),
        )


def _too_many(found: Sequence[object]) -> bool:
    return len(found) > MOST
