"""Two memories that cannot both hold: read, settled by a person, and opened again."""

from typing import Literal

from reverie.model.memories import Contradiction, Memory
from reverie.store.db import Transaction
from reverie.store.tables import contradictions, memories
from reverie.verbs.base import Verbs

Side = Literal["older", "newer", "both"]


class ContradictionVerbs(Verbs):
    def contradictions(
        self, *, status: str | None = None, limit: int = 50, after: str | None = None
    ) -> list[Contradiction]:
        """Oldest first; `status` is open, auto (settled by a night), resolved (by a person) or dismissed."""
        return contradictions.listed(self._db, self.id, status=status, limit=limit, after=after)

    def contradiction(self, id: str) -> Contradiction:
        """One record: both sides, the evidence, and who settled it."""
        return contradictions.by_id(self._db, self.id, id)

    def resolve(self, id: str, holds: Side) -> Contradiction:
        """A person's word: the older holds, the newer holds, or both do. The last word counts; nothing is deleted."""
        from reverie.policy.truth.contradiction import since

        record = self.contradiction(id)
        older, newer = self._sides(record)
        with self._db.write("memory") as tx:
            if holds == "both":
                self._revive(tx, older, newer)
                contradictions.settle(tx, record, status="dismissed", winner=None, by="person", now=self._now())
            else:
                winner, loser = (older, newer) if holds == "older" else (newer, older)
                self._revive(tx, winner)
                memories.edit(tx, loser, {"valid_until": max(since(winner), since(loser))})
                contradictions.settle(tx, record, status="resolved", winner=winner.id, by="person", now=self._now())
        return self.contradiction(id)

    def reopen(self, id: str) -> Contradiction:
        """Both hold again, and the record waits for a decision."""
        record = self.contradiction(id)
        with self._db.write("memory") as tx:
            self._revive(tx, *self._sides(record))
            contradictions.settle(tx, record, status="open", winner=None, by=None, now=None)
        return self.contradiction(id)

    def _sides(self, record: Contradiction) -> tuple[Memory, Memory]:
        return memories.by_id(self._db, self.id, record.older), memories.by_id(self._db, self.id, record.newer)

    @staticmethod
    def _revive(tx: Transaction, *sides: Memory) -> None:
        for memory in sides:
            if memory.valid_until is not None or memory.stale:
                memories.edit(tx, memory, {"valid_until": None, "stale": False})
