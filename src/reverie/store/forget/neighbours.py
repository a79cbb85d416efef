"""What stood around a forgotten turn: its neighbours are found by its words too, and their vectors hold its meaning.

The words go at once. The vectors go as well, and the next night makes them anew without it.
"""

import re
from collections.abc import Sequence
from dataclasses import replace

from reverie.language.sentences import asks, sentences
from reverie.language.words import index_terms
from reverie.model.base import Instant
from reverie.model.turns import Turn
from reverie.policy.recall.search_keys import AFTER, BEFORE, episode_id, spoken
from reverie.policy.safety.taint import strip_recalled
from reverie.store.db import Transaction
from reverie.store.rows import turn_of
from reverie.store.tables import vectors

LONG = 1_000  # terms; a neighbour's key may hold only the beginning of a longer turn, so there it is dropped whole
FIELDS = ("body", "context", "extra")
EMBED = "embed"  # the chore of a memory that has lost its vector


def clean(tx: Transaction, space: str, turns: Sequence[str], changed: int, now: Instant) -> list[str]:
    """Takes the turns out of what is around them; answers the memories whose vectors went."""
    num = int(tx.rows("SELECT num FROM spaces WHERE id = :space", space=space)[0]["num"])
    lost, stale = set(turns), dict[str, None]()
    for id in turns:
        found = tx.row("SELECT * FROM turns WHERE space = :space AND id = :id", space=space, id=id)
        if found is None:
            continue
        turn = turn_of(found)
        before, after = _around(tx, turn)
        hidden = _Hidden(num, replace(turn, text=strip_recalled(turn.text)))
        for other in (*before, *after):
            if other not in lost:
                _clean_key(tx, space, episode_id(space, other), hidden, changed)
        stale |= dict.fromkeys(episode_id(space, other) for other in (*before[:1], *after[:1]) if other not in lost)
    return _drop_vectors(tx, space, list(stale), changed, now)


def _drop_vectors(tx: Transaction, space: str, memories: Sequence[str], changed: int, now: Instant) -> list[str]:
    here = "SELECT 1 AS yes FROM vectors WHERE space = :space AND ref = :ref AND vec IS NOT NULL"
    held = [id for id in memories if tx.rows(here, space=space, ref=id)]
    vectors.drop_vectors(tx, space, held, changed)
    tx.many(
        "INSERT INTO chores (space, memory, chore, priority, created_at)"
        " VALUES (:space, :memory, :chore, 0.5, :now) ON CONFLICT DO NOTHING",
        [{"space": space, "memory": id, "chore": EMBED, "now": now} for id in held],
    )
    return held


class _Hidden:
    """A turn's words as the keys of its neighbours hold them: all in a row, or its questions alone."""

    def __init__(self, num: int, turn: Turn) -> None:
        whole = index_terms(num, spoken(turn))
        asked = (index_terms(num, sentence) for sentence in sentences(turn.text) if asks(sentence))
        self.long = whole.count(" ") >= LONG
        self._rows = [
            re.compile(rf'(?<![^\s"]){re.escape(row)}(?![^\s"]) ?') for row in dict.fromkeys((whole, *asked)) if row
        ]

    def without(self, text: str) -> str:
        for row in self._rows:
            text = row.sub("", text)
        return text


def _around(tx: Transaction, turn: Turn) -> tuple[list[str], list[str]]:
    """The turns of its session whose keys hold it, nearest first."""
    where = "SELECT id FROM turns WHERE space = :space AND session = :session AND seq"
    key = {"space": turn.space, "session": turn.session, "seq": turn.seq}
    before = tx.rows(f"{where} < :seq ORDER BY seq DESC LIMIT :n", **key, n=AFTER)
    after = tx.rows(f"{where} > :seq ORDER BY seq LIMIT :n", **key, n=BEFORE)
    return [row["id"] for row in before], [row["id"] for row in after]


def _clean_key(tx: Transaction, space: str, ref: str, hidden: _Hidden, changed: int) -> None:
    """Also as the undo journal remembers it."""
    key = tx.row("SELECT body, context, extra FROM documents WHERE space = :space AND ref = :ref", space=space, ref=ref)
    if key is None:
        return
    held = {name: key[name] for name in FIELDS}
    kept = {name: hidden.without(text) for name, text in held.items()}
    if hidden.long:
        kept |= {"context": "", "extra": ""}
    if kept != held:
        tx.run(
            "UPDATE documents SET body = :body, context = :context, extra = :extra, changed = :changed"
            " WHERE space = :space AND ref = :ref",
            space=space,
            ref=ref,
            changed=changed,
            **kept,
        )
    _clean_journal(tx, space, ref, hidden)


def _clean_journal(tx: Transaction, space: str, ref: str, hidden: _Hidden) -> None:
    rows = tx.rows(
        "SELECT night, n, before, after FROM journal WHERE space = :space AND relation = 'documents' AND key = :ref",
        space=space,
        ref=ref,
    )
    for row in rows:
        if hidden.long:
            tx.run("DELETE FROM journal WHERE night = :night AND n = :n", night=row["night"], n=row["n"])
            continue
        texts = {name: row[name] and hidden.without(row[name]) for name in ("before", "after")}
        tx.run(
            "UPDATE journal SET before = :before, after = :after WHERE night = :night AND n = :n",
            night=row["night"],
            n=row["n"],
            **texts,
        )
