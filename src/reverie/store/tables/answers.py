"""Precomputed answers: what each rests on, what came of serving them, and how well each predictor guessed."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from reverie.errors import NotFound
from reverie.model.answers import BY_A_PERSON, Answer, Serving, TrackRecord
from reverie.model.base import Instant
from reverie.policy.answers.freshness import NewFact, said
from reverie.store.db import Database, Reads, Row, Transaction
from reverie.store.rows import answer_of, dumps, insertion
from reverie.store.tables.spaces import next_change


def changed(db: Database, space: str, seen: int, limit: int = 20_000) -> Sequence[Row]:
    """Rows that a cache has not seen yet, dropped ones too, in the order they changed."""
    return db.rows(
        "SELECT id, question, parsed, vec, embedder, dropped, changed FROM answers"
        " WHERE space = :space AND changed > :seen ORDER BY changed LIMIT :limit",
        space=space,
        seen=seen,
        limit=limit,
    )


def by_ids(db: Reads, space: str, ids: Iterable[str]) -> dict[str, Answer]:
    wanted = list(ids)
    rests = _rests(db, wanted)
    rows = db.each("SELECT * FROM answers WHERE space = :space AND id IN (:keys)", wanted, space=space)
    return {row["id"]: answer_of(row, rests.get(row["id"], {})) for row in rows}


def by_id(db: Database, space: str, answer: str) -> Answer:
    found = by_ids(db, space, [answer])
    if answer not in found:
        raise NotFound("answer", answer)
    return found[answer]


def listed(db: Reads, space: str, *, live: bool = True, limit: int = 50, after: str | None = None) -> list[Answer]:
    """Newest first; `after` is the id of the last one seen."""
    start = db.row("SELECT created_at, id FROM answers WHERE space = :space AND id = :id", space=space, id=after or "")
    rows = db.rows(
        "SELECT * FROM answers WHERE space = :space AND (created_at < :at OR (created_at = :at AND id < :id))"
        + (" AND dropped IS NULL" if live else "")
        + " ORDER BY created_at DESC, id DESC LIMIT :limit",
        space=space,
        at=start["created_at"] if start else 1e18,
        id=start["id"] if start else "",
        limit=limit,
    )
    rests = _rests(db, [row["id"] for row in rows])
    return [answer_of(row, rests.get(row["id"], {})) for row in rows]


def refused(db: Reads, space: str, limit: int = 500) -> list[Answer]:
    """Those that a person dropped, the latest first."""
    rows = db.rows(
        "SELECT * FROM answers WHERE space = :space AND dropped LIKE :person ORDER BY changed DESC, id LIMIT :limit",
        space=space,
        person=f"{BY_A_PERSON}%",
        limit=limit,
    )
    return [answer_of(row, {}) for row in rows]


def drop(tx: Transaction, space: str, answer: str, why: str) -> bool:
    """Marks an answer as dropped, because a person does not want it given; False if there is none of that id."""
    return bool(
        tx.run(
            "UPDATE answers SET dropped = :why, changed = :changed WHERE space = :space AND id = :id",
            why=tx.clean(why),
            changed=next_change(tx, space),
            space=space,
            id=answer,
        )
    )


def drop_citing(tx: Transaction, memory: str, changed: int) -> None:
    """Drops the answers that rest on a memory which an undo takes away."""
    tx.run(
        "UPDATE answers SET dropped = 'what it rests on was undone', changed = :changed WHERE dropped IS NULL"
        " AND id IN (SELECT answer FROM answer_rests WHERE ref = :id)",
        changed=changed,
        id=memory,
    )


def delete(tx: Transaction, ids: Iterable[str]) -> None:
    """Deletes answers with what they rest on."""
    for answer in ids:
        delete_rests(tx, answer)
        tx.run("DELETE FROM answers WHERE id = :id", id=answer)


def delete_rests(tx: Transaction, answer: str) -> None:
    """Deletes what an answer rests on, once the answer itself is gone."""
    tx.run("DELETE FROM answer_rests WHERE answer = :id", id=answer)


def move_rests(tx: Transaction, ref: str, old: int, new: int) -> None:
    """Answers that rest on one version of a memory or block rest on another: an undo has made the text the same."""
    tx.run("UPDATE answer_rests SET version = :new WHERE ref = :ref AND version = :old", new=new, ref=ref, old=old)


@dataclass(frozen=True, slots=True)
class Rest:
    """A memory that an answer rests on, as it is now; `key` is (subject, predicate) of a fact."""

    version: int
    key: tuple[str, str] | None


def rests_now(db: Reads, space: str, refs: Iterable[str]) -> dict[str, Rest]:
    """Each of these memories as it is now; one that is gone is left out."""
    rows = db.each(
        "SELECT id, version, subject, predicate FROM memories WHERE space = :space AND id IN (:keys)", refs, space=space
    )
    return {
        row["id"]: Rest(row["version"], (row["subject"] or "", row["predicate"]) if row["predicate"] else None)
        for row in rows
    }


def newer_facts(db: Reads, space: str, since: Instant, limit: int) -> list[tuple[Instant, NewFact]]:
    """Facts made after an instant, corrections among them, newest first, each after its moment."""
    rows = db.rows(
        "SELECT id, subject, predicate, text, marks, created_at FROM memories WHERE space = :space"
        " AND kind = 'fact' AND created_at > :since ORDER BY created_at DESC, id LIMIT :limit",
        space=space,
        since=since,
        limit=limit,
    )
    return [(row["created_at"], _new_fact(row)) for row in rows]


def _new_fact(row: Row) -> NewFact:
    quote = json.loads(row["marks"] or "{}").get("quote")
    return NewFact(row["subject"] or "", row["predicate"] or "", row["id"], said(quote or row["text"]))


def put_serving(tx: Transaction, space: str, serving: Serving) -> None:
    tx.run(
        "INSERT INTO servings (space, answer, asked, similarity, served, why, tokens, at)"
        " VALUES (:space, :answer, :asked, :similarity, :served, :why, :tokens, :at)",
        space=space,
        answer=serving.answer,
        asked=serving.asked,
        similarity=serving.similarity,
        served=int(serving.served),
        why=serving.why,
        tokens=serving.tokens,
        at=serving.at,
    )


def delete_servings(tx: Transaction, space: str, before: Instant) -> int:
    """Deletes what came of questions before a moment; answers how many."""
    return tx.run("DELETE FROM servings WHERE space = :space AND at < :before", space=space, before=before)


def clear_servings(tx: Transaction, space: str) -> None:
    """Deletes what came of every question of a space."""
    tx.run("DELETE FROM servings WHERE space = :space", space=space)


def servings(db: Reads, space: str, after: int = 0, limit: int = 1_000) -> list[Serving]:
    """What came of questions, in their order, after a row of the log."""
    rows = db.rows(
        "SELECT * FROM servings WHERE space = :space AND row > :after ORDER BY row LIMIT :limit",
        space=space,
        after=after,
        limit=limit,
    )
    return [
        Serving(
            row["asked"], row["answer"], row["similarity"], bool(row["served"]), row["why"], row["tokens"], row["at"],
            row["row"],
        )
        for row in rows
    ]  # fmt: skip


def asked_since(db: Reads, space: str, since: Instant, limit: int = 2_000) -> list[tuple[str, int, Instant]]:
    """(text, times, last time) of past questions, latest first."""
    rows = db.rows(
        "SELECT text, sum(times) AS times, max(last_at) AS last_at FROM asked"
        " WHERE space = :space AND last_at > :since GROUP BY text ORDER BY max(last_at) DESC, text LIMIT :limit",
        space=space,
        since=since,
        limit=limit,
    )
    return [(row["text"], int(row["times"]), row["last_at"]) for row in rows]


def count_live(db: Database, space: str, now: Instant) -> int:
    where = "space = :space AND dropped IS NULL AND expires_at > :now"
    return int(db.value(f"SELECT count(*) AS n FROM answers WHERE {where}", space=space, now=now))


@dataclass(frozen=True, slots=True)
class Outcomes:
    """How many questions were asked, how many were answered from the cache, and how many tokens that saved."""

    asked: int
    hits: int
    saved: int


def outcomes_since(db: Database, space: str, row: int) -> Outcomes:
    """What came of the questions after a row of the log: those that no night has learned from yet."""
    found = db.row(
        "SELECT count(*) AS asked, coalesce(sum(served), 0) AS hits,"
        " coalesce(sum(CASE WHEN served = 1 THEN tokens ELSE 0 END), 0) AS saved"
        " FROM servings WHERE space = :space AND row > :row",
        space=space,
        row=row,
    )
    assert found is not None
    return Outcomes(int(found["asked"]), int(found["hits"]), int(found["saved"]))


def spent_asleep(db: Reads, space: str) -> tuple[int, float]:
    """What anticipation has spent on models in this space: tokens, money."""
    found = db.row(
        "SELECT coalesce(sum(tokens_in + tokens_out), 0) AS tokens, coalesce(sum(cost), 0) AS cost FROM ledger"
        " WHERE space = :space AND step = 'anticipate'",
        space=space,
    )
    assert found is not None
    return int(found["tokens"]), float(found["cost"])


def records(db: Reads, space: str) -> dict[str, TrackRecord]:
    """What each predictor has guessed so far and how often it was right, by its name."""
    rows = db.rows("SELECT * FROM predictors WHERE space = :space ORDER BY predictor", space=space)
    return {row["predictor"]: _record(row) for row in rows}


def put_record(tx: Transaction, space: str, record: TrackRecord) -> None:
    values: Mapping[str, Any] = {
        "space": space,
        "predictor": record.predictor,
        "made": record.made,
        "hits": record.hits,
        "wrong": record.wrong,
        "probes": record.probes,
        "tokens": record.tokens,
        "saved": record.saved,
        "state": dumps(dict(record.state)),
    }
    tx.run(
        f"{insertion('predictors', values)}"
        " ON CONFLICT (space, predictor) DO UPDATE SET made = excluded.made, hits = excluded.hits,"
        " wrong = excluded.wrong, probes = excluded.probes, tokens = excluded.tokens, saved = excluded.saved,"
        " state = excluded.state",
        **values,
    )


def _record(row: Row) -> TrackRecord:
    return TrackRecord(
        row["predictor"],
        row["made"],
        row["hits"],
        row["probes"],
        row["wrong"],
        row["tokens"],
        row["saved"],
        json.loads(row["state"]),
    )


def _rests(db: Reads, answers: Iterable[str]) -> dict[str, dict[str, int]]:
    found: dict[str, dict[str, int]] = {}
    for row in db.each("SELECT answer, ref, version FROM answer_rests WHERE answer IN (:keys)", answers):
        found.setdefault(row["answer"], {})[row["ref"]] = row["version"]
    return found
