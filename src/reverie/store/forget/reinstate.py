"""What held before a forgotten memory ended it holds again: an end rests on what was said, like everything derived."""

from collections.abc import Collection, Iterable

from reverie.model.base import Instant
from reverie.store.commit import journal
from reverie.store.db import Transaction
from reverie.store.tables import chores, memories


def revive(tx: Transaction, space: str, doomed: Collection[str], now: Instant) -> int:
    """To be called while the records of the doomed are still there; answers how many memories hold again."""
    losers = dict.fromkeys(loser for memory in doomed for loser in _ended_by(tx, space, memory))
    alive = [memory for memory in losers if memory not in doomed and not _ended_by_others(tx, memory, doomed)]
    for memory in alive:
        _hold_again(tx, memory, now)
        for row in tx.rows("SELECT source FROM sources WHERE memory = :memory", memory=memory):
            if row["source"] not in doomed:
                _hold_again(tx, row["source"], now)
    return len(alive)


def _ended_by(tx: Transaction, space: str, winner: str) -> Iterable[str]:
    """What a night ended in its favour. What a person decided stays decided."""
    rows = tx.rows(
        "SELECT older, newer FROM contradictions WHERE space = :space AND (older = :id OR newer = :id)"
        " AND winner = :id AND status = 'auto' AND kind <> 'extends'",
        space=space,
        id=winner,
    )
    return [row["older"] if row["newer"] == winner else row["newer"] for row in rows]


def _ended_by_others(tx: Transaction, memory: str, doomed: Collection[str]) -> bool:
    rows = tx.rows(
        "SELECT winner FROM contradictions WHERE (older = :memory OR newer = :memory)"
        " AND winner IS NOT NULL AND winner <> :memory AND kind <> 'extends'",
        memory=memory,
    )
    return any(row["winner"] not in doomed for row in rows)


def _hold_again(tx: Transaction, memory: str, now: Instant) -> None:
    """Back to the end it had by itself, if any; the next night reads it as if it were new."""
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
