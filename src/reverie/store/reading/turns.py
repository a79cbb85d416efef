"""Turns as nights read them."""

from collections.abc import Sequence

from reverie.model.turns import Turn
from reverie.store.reading.base import Reading
from reverie.store.rows import turn_of
from reverie.store.tables import turns


class TurnReads(Reading):
    def turns_past(self, seq: int, *, upto: int, limit: int) -> list[Turn]:
        """Turns after a place in the sequence, in order, up to the night's own last."""
        return turns.past(self.db, self.space, seq, upto=upto, limit=limit)

    def turns(self, ids: Sequence[str]) -> dict[str, Turn]:
        return turns.by_ids(self.db, self.space, ids)

    def neighbours(self, turn: Turn, *, before: int = 2, after: int = 1) -> tuple[list[Turn], list[Turn]]:
        """The turns just before and just after it in its session, each in order."""
        where = "SELECT * FROM turns WHERE space = :space AND session = :session AND seq"
        key = {"space": self.space, "session": turn.session, "seq": turn.seq}
        earlier = self.db.rows(f"{where} < :seq ORDER BY seq DESC LIMIT :n", **key, n=before)
        later = self.db.rows(f"{where} > :seq ORDER BY seq LIMIT :n", **key, n=after)
        return [turn_of(row) for row in reversed(earlier)], [turn_of(row) for row in later]
