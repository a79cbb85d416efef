"""A person's forget: the only thing that deletes, and it reaches everything that was derived.

Memory first, then the log; tombstones say which turns must go, so that a crash in between is finished at the next open.
"""

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from reverie.model.base import Instant
from reverie.model.turns import is_turn
from reverie.store.db import Database, Transaction, batches
from reverie.store.forget import neighbours, reinstate, traces
from reverie.store.rows import unpack
from reverie.store.search import documents
from reverie.store.tables import spaces, vectors

# A fact or an episode that another source says too stands on; prose made of several is made anew by the next night.
RESTS_ON_OTHERS = ("episode", "fact")
PART = 100  # turns a transaction of the log: an append waits for no more than that
BY_MEMORY = ("mentions", "keywords", "bands", "chores")


@dataclass
class Forgotten:
    """What went, by table; texts are kept only until every trace of them has been looked for."""

    counts: dict[str, int] = field(default_factory=dict)
    texts: list[str] = field(default_factory=list)

    def count(self, what: str, n: int) -> None:
        if n:
            self.counts[what] = self.counts.get(what, 0) + n


def forget(
    db: Database, space: str, *, memories: Iterable[str] = (), turns: Iterable[str] = (), now: Instant
) -> dict[str, int]:
    """Deletes memories and turns of one space, and whatever rests on them alone. Answers how many rows went."""
    gone = Forgotten()
    here = db.each("SELECT id FROM turns WHERE space = :space AND id IN (:keys)", turns, space=space)
    wanted_turns = [row["id"] for row in here]
    with db.write("memory") as tx:
        doomed = _closure(tx, space, [*memories, *wanted_turns])
        _bury(tx, space, [*doomed, *wanted_turns], now)
        _texts_of_turns(tx, wanted_turns, gone)
        gone.count("memories that hold again", reinstate.revive(tx, space, set(doomed), now))
        _delete_memories(tx, space, doomed, gone)
        changed = spaces.next_change(tx, space)
        vectors.drop_vectors(tx, space, [*doomed, *wanted_turns], changed)
        stale = neighbours.clean(tx, space, wanted_turns, changed, now)
        db.dialect.index.forget(db, tx, space, [*doomed, *stale])
        traces.remove(tx, space, traces.ForgottenTexts((*doomed, *wanted_turns), gone.texts), gone.count)
    _take_out(db, space)
    db.dialect.purge(db)
    gone.count("turns", len(wanted_turns))
    return gone.counts


def finish(db: Database) -> None:
    """After a crash: the second half of every forget that was cut off."""
    if _take_out(db):
        db.dialect.purge(db)


def _take_out(db: Database, space: str | None = None) -> bool:
    """Takes every turn that has a tombstone out of the log; False if there is none."""
    where = "" if space is None else " AND t.space = :space"
    params = {} if space is None else {"space": space}
    rows = db.rows(
        f"SELECT t.id AS id, t.space AS space FROM tombstones g JOIN turns t ON t.id = g.ref"
        f" WHERE g.what = 'turn'{where}",
        **params,
    )
    for part in batches(rows, PART):
        with db.write("log") as tx:
            for gone in {row["space"] for row in part}:
                tx.run("DELETE FROM asked WHERE space = :space", space=gone)
                tx.run("DELETE FROM servings WHERE space = :space", space=gone)
            for row in part:
                tx.run("DELETE FROM recall_events WHERE space = :space AND ref = :id", space=row["space"], id=row["id"])
                tx.run("DELETE FROM turns WHERE id = :id", id=row["id"])
        if len(part) == PART:
            time.sleep(tx.held_ms / 1000)  # as long as it was held, the lock is free for whoever waits
    return bool(rows)


def _closure(tx: Transaction, space: str, start: Sequence[str]) -> list[str]:
    """The named memories and everything derived, except what other sources still say."""
    doomed: dict[str, None] = {ref: None for ref in start if not is_turn(ref)}
    lost, edge = set(start), list(start)
    while edge:
        source = edge.pop()
        rows = tx.rows(
            "SELECT m.id AS id, m.kind AS kind FROM sources s JOIN memories m ON m.id = s.memory"
            " WHERE s.space = :space AND s.source = :source",
            space=space,
            source=source,
        )
        for row in rows:
            if row["id"] in doomed:
                continue
            if row["kind"] in RESTS_ON_OTHERS and _others(tx, row["id"], lost):
                tx.run("DELETE FROM sources WHERE memory = :m AND source = :s", m=row["id"], s=source)
                _look_again(tx, row["id"])
            else:
                doomed[row["id"]] = None
                lost.add(row["id"])
                edge.append(row["id"])
    here = "SELECT 1 AS yes FROM memories WHERE id = :id AND space = :space"
    return [ref for ref in doomed if tx.rows(here, id=ref, space=space)]


def _others(tx: Transaction, memory: str, lost: set[str]) -> bool:
    rows = tx.rows("SELECT source FROM sources WHERE memory = :memory", memory=memory)
    return any(row["source"] not in lost and row["source"] != memory for row in rows)


def _look_again(tx: Transaction, memory: str) -> None:
    """The next night reconsiders it, as if it were new."""
    tx.run(
        "UPDATE memories SET last_tagged_at = NULL, last_linked_at = NULL, version = version + 1 WHERE id = :id",
        id=memory,
    )


def _bury(tx: Transaction, space: str, refs: Iterable[str], now: Instant) -> None:
    tx.many(
        "INSERT INTO tombstones (space, ref, what, at) VALUES (:space, :ref, :what, :at)"
        " ON CONFLICT (space, ref) DO NOTHING",
        [{"space": space, "ref": ref, "what": "turn" if is_turn(ref) else "memory", "at": now} for ref in refs],
    )


def _texts_of_turns(tx: Transaction, turns: Iterable[str], gone: Forgotten) -> None:
    for turn in turns:
        gone.texts.extend(row["text"] for row in tx.rows("SELECT text FROM turns WHERE id = :id", id=turn))


def _delete_memories(tx: Transaction, space: str, doomed: Sequence[str], gone: Forgotten) -> None:
    lost = set(doomed)
    for memory in doomed:
        rows = tx.rows("SELECT text, packed FROM memories WHERE id = :id", id=memory)
        gone.texts.extend(row["text"] if row["packed"] is None else unpack(row["packed"]) for row in rows)
        _remaining_sources(tx, memory, lost)
        for relation in BY_MEMORY:
            tx.run(f"DELETE FROM {relation} WHERE memory = :id", id=memory)
        tx.run("DELETE FROM sources WHERE memory = :id OR source = :id", id=memory)
        gone.count("edges", tx.run("DELETE FROM edges WHERE a = :id OR b = :id", id=memory))
        gone.count("contradictions", tx.run("DELETE FROM contradictions WHERE older=:id OR newer=:id", id=memory))
        tx.run("DELETE FROM recall_days WHERE space = :space AND ref = :id", space=space, id=memory)
        gone.count("memories", tx.run("DELETE FROM memories WHERE id = :id", id=memory))
    documents.drop_documents(tx, space, doomed)


def _remaining_sources(tx: Transaction, memory: str, lost: set[str]) -> None:
    """What prose also rested on is looked at again, so that the next night makes it anew without the forgotten part."""
    for row in tx.rows("SELECT source FROM sources WHERE memory = :id", id=memory):
        if row["source"] not in lost and row["source"] != memory:
            _look_again(tx, row["source"])
