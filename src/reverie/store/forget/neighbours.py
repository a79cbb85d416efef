"""The turns before and after a forgotten one: they are found by its words too, and their vectors hold its meaning.

Its words are deleted from their documents at once. Their vectors are deleted too; the next night makes them anew.
"""

import re
from collections.abc import Sequence
from dataclasses import replace

from reverie.language.sentences import asks, sentences
from reverie.language.words import index_terms
from reverie.model.base import Instant
from reverie.model.turns import Turn
from reverie.policy.recall.search_keys import AFTER, BEFORE, episode_id, spoken, to_neighbours
from reverie.policy.safety.trust import strip_recalled
from reverie.store.commit import journal
from reverie.store.db import Transaction
from reverie.store.rows import turn_of
from reverie.store.search import documents
from reverie.store.tables import chores, vectors
from reverie.store.terms import bare

LONG = 1_000  # terms; a neighbour may hold only the beginning of a longer turn, so what it has of others goes whole


def clean(tx: Transaction, space: str, turns: Sequence[str], changed: int, now: Instant) -> list[str]:
    """Deletes the turns' words from the documents of their neighbours; answers the memories whose vectors went."""
    num = int(tx.rows("SELECT num FROM spaces WHERE id = :space", space=space)[0]["num"])
    lost, stale = set(turns), dict[str, None]()
    for id in turns:
        found = tx.row("SELECT * FROM turns WHERE space = :space AND id = :id", space=space, id=id)
        if found is None:
            continue
        turn = turn_of(found)
        before, after = _neighbours(tx, turn)
        terms = _TurnTerms(num, replace(turn, text=strip_recalled(turn.text)))
        for other in (*before, *after):
            if other not in lost:
                _clean_document(tx, space, episode_id(space, other), terms, changed)
        stale |= dict.fromkeys(episode_id(space, other) for other in (*before[:1], *after[:1]) if other not in lost)
    return _drop_vectors(tx, space, list(stale), changed, now)


def _drop_vectors(tx: Transaction, space: str, memories: Sequence[str], changed: int, now: Instant) -> list[str]:
    here = "SELECT 1 AS yes FROM vectors WHERE space = :space AND ref = :ref AND vec IS NOT NULL"
    held = [id for id in memories if tx.rows(here, space=space, ref=id)]
    vectors.drop_vectors(tx, space, held, changed)
    chores.add(tx, space, held, chores.EMBED, now)
    return held


class _TurnTerms:
    """A turn's terms as the documents of its neighbours hold them: all in a row, or those of its questions alone."""

    def __init__(self, num: int, turn: Turn) -> None:
        whole, opening = index_terms(num, spoken(turn)), index_terms(num, to_neighbours(turn))
        asked = (index_terms(num, sentence) for sentence in sentences(turn.text) if asks(sentence))
        self.long = whole.count(" ") >= LONG
        rows = dict.fromkeys((whole, opening, *asked))
        self._rows = [re.compile(rf'(?<![^\s"]){_either(row)}(?![^\s"]) ?') for row in rows if row]

    def without(self, text: str) -> str:
        for row in self._rows:
            text = row.sub("", text)
        return text


def _either(terms: str) -> str:
    """A pattern for these terms, with the space's number or without it, as older journals and newer ones have them."""
    return " ".join(rf"(?:\d+_)?{re.escape(term)}" for term in bare(terms).split())


def _neighbours(tx: Transaction, turn: Turn) -> tuple[list[str], list[str]]:
    """The turns of its session whose documents hold its terms, before it and after it, nearest first."""
    where = "SELECT id FROM turns WHERE space = :space AND session = :session AND seq"
    key = {"space": turn.space, "session": turn.session, "seq": turn.seq}
    before = tx.rows(f"{where} < :seq ORDER BY seq DESC LIMIT :n", **key, n=AFTER)
    after = tx.rows(f"{where} > :seq ORDER BY seq LIMIT :n", **key, n=BEFORE)
    return [row["id"] for row in before], [row["id"] for row in after]


def _clean_document(tx: Transaction, space: str, ref: str, terms: _TurnTerms, changed: int) -> None:
    """Deletes a turn's terms from a neighbour's document, and from what the undo journal would put back of it."""
    key = tx.row("SELECT body, context, extra FROM documents WHERE space = :space AND ref = :ref", space=space, ref=ref)
    if key is None:
        return
    held = documents.shown(key)
    left = {name: terms.without(text) for name, text in held.items()}
    if terms.long:
        left |= {"context": "", "extra": ""}
    if left != held:
        documents.replace_terms(tx, space, ref, documents.kept(tx, space, left), changed)
    _clean_journal(tx, space, ref, terms)


def _clean_journal(tx: Transaction, space: str, ref: str, terms: _TurnTerms) -> None:
    rows = tx.rows(
        "SELECT night, n, before, after FROM journal WHERE space = :space AND relation = 'documents' AND key = :ref",
        space=space,
        ref=ref,
    )
    for row in rows:
        if terms.long:
            journal.delete(tx, [{"night": row["night"], "n": row["n"]}])
            continue
        before, after = (row[name] and terms.without(row[name]) for name in ("before", "after"))
        journal.replace_texts(tx, row["night"], row["n"], before, after)
