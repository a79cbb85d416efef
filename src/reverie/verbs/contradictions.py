"""What cannot both hold: read the records, decide one, take the decision back."""

from dataclasses import dataclass
from typing import Any

from reverie.errors import BadInput
from reverie.model.memories import Contradiction, Edge, Memory
from reverie.policy.contradiction import since
from reverie.store import memories, records
from reverie.store.db import Transaction
from reverie.verbs.base import Verbs

STATUSES = ("open", "auto", "resolved", "dismissed")


@dataclass(frozen=True, slots=True)
class Disagreement:
    """A record with both its sides."""

    record: Contradiction
    older: Memory
    newer: Memory


class ContradictionVerbs(Verbs):
    def contradictions(
        self, status: str | None = None, *, limit: int = 50, after: str | None = None
    ) -> list[Contradiction]:
        """Records in the order they were made: open, auto (decided by a night), resolved (by a person), dismissed."""
        if status is not None and status not in STATUSES:
            raise BadInput(f"status must be one of {', '.join(STATUSES)}, not {status!r}")
        return records.contradictions(self._db, self.id, status=status, limit=limit, after=after)

    def contradiction(self, id: str) -> Disagreement:
        record = records.contradiction(self._db, self.id, id)
        return Disagreement(record, self._side(record.older), self._side(record.newer))

    def resolve(self, id: str, winner: str | None = None) -> Contradiction:
        """Says which side holds; without one the record is dismissed: both do. Deciding again replaces it."""
        both = self.contradiction(id)
        record = both.record
        if winner not in (None, record.older, record.newer):
            raise BadInput(
                f"{winner} is no side of this contradiction",
                next_move=f"Name {record.older} or {record.newer}, or dismiss it.",
            )
        now = self._now()
        with self._db.write("memory") as tx:
            self._restore(tx, both)
            if winner is not None:
                self._end(tx, both, winner)
            status = "dismissed" if winner is None else "resolved"
            records.settle(tx, record, status=status, winner=winner, by="person", now=now)
        return records.contradiction(self._db, self.id, id)

    def reopen(self, id: str) -> Contradiction:
        """Takes a decision back: both sides hold again, and recall shows both with the flag."""
        both = self.contradiction(id)
        with self._db.write("memory") as tx:
            self._restore(tx, both)
            records.settle(tx, both.record, status="open", winner=None, by=None, now=None)
        return records.contradiction(self._db, self.id, id)

    def _side(self, memory: str) -> Memory:
        return memories.by_id(self._db, self.id, memory)

    def _restore(self, tx: Transaction, both: Disagreement) -> None:
        """What an earlier decision had ended holds again."""
        if both.record.winner is None:
            return
        loser = both.newer if both.record.winner == both.older.id else both.older
        self._edit(tx, loser, {"valid_until": None})
        records.drop_edge(tx, self.id, both.record.winner, loser.id, "supersedes")

    def _end(self, tx: Transaction, both: Disagreement, winner: str) -> None:
        loser, holds = (both.newer, both.older) if winner == both.older.id else (both.older, both.newer)
        began = loser.valid_from
        until = since(both.newer) if began is None else max(since(both.newer), began)
        self._edit(tx, loser, {"valid_until": until})
        edge = Edge(self.id, holds.id, loser.id, "supersedes", 1.0, self._now(), why="decided by a person")
        records.put_edge(tx, edge)

    def _edit(self, tx: Transaction, memory: Memory, changed: dict[str, Any]) -> None:
        """At the version it has now: the restore just before may have moved it."""
        current = memories.by_id(self._db, self.id, memory.id)
        memories.edit(tx, current, changed)
