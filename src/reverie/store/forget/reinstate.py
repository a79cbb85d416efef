"""Memories that a forgotten one had ended hold again: that they ended was derived from what is forgotten."""

from collections.abc import Collection, Iterable

from reverie.model.base import Instant
from reverie.store.commit import journal
from reverie.store.db import Transaction
from reverie.store.tables import chores, memories


def reinstate(tx: Transaction, space: str, doomed: Collection[str], lost: Collection[str], now: Instant) -> int:
    """Gives memories that the doomed ones had ended their own end back, but not those `lost` too; answers how many.

    To be called while the contradictions of the doomed are still there.
    """
    losers = dict.fromkeys(loser for memory in doomed for loser in _ended_by(tx, space, memory))
    alive = [memory for memory in losers if memory not in lost and not _ended_by_others(tx, memory, lost)]
    for memory in alive:
        _restore_end(tx, memory, now)
        for row in tx.rows("SELECT source FROM sources WHERE memory = :memory", memory=memory):
            if row["source"] not in lost:
                _restore_end(tx, row["source"], now)
    return len(alive)


def _ended_by(tx: Transaction, space: str, winner: str) -> Iterable[str]:
    """The memories that a night has ended in favour of this one. What a person decided stays decided."""
    rows = tx.rows(
        "SELECT older, newer FROM contradictions WHERE space = :space AND (older = :id OR newer = :id)"
        " AND winner = :id AND status = 'auto' AND kind <> 'extends'",
        space=space,
        id=winner,
    )
    return [row["older"] if row["newer"] == winner else row["newer"] for row in rows]


def _ended_by_others(tx: Transaction, memory: str, lost: Collection[str]) -> bool:
    rows = tx.rows(
        "SELECT winner FROM contradictions WHERE (older = :memory OR newer = :memory)"
        " AND winner IS NOT NULL AND winner <> :memory AND kind <> 'extends'",
        memory=memory,
    )
    return any(row["winner"] not in lost for row in rows)


def _restore_end(tx: Transaction, memory: str, now: Instant) -> None:
    """Sets a memory back to the end it had before nights ended it, if any; the next night reads it as new."""
    entries = tx.rows(
        "SELECT j.night AS night, j.n AS n, j.before AS before FROM journal j JOIN nights g ON g.id = j.night"
        " WHERE j.relation = 'memories' AND j.key = :memory AND j.before IS NOT NULL AND j.after IS NOT NULL"
        " ORDER BY g.requested_at, g.id, j.n",
        memory=memory,
    )
    moves = [(row, before) for row in entries if "valid_until" in (before := journal.decode(row["before"]))]
    journal.delete(tx, [{"night": row["night"], "n": row["n"]} for row, _ in moves])
    memories.set_end(tx, memory, moves[0][1]["valid_until"] if moves else None)
    chores.add_read(tx, memory, now)
