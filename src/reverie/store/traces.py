"""Where else a forgotten text or id has left a trace: answers, reviews, blocks and versions, journal, ledger, diary."""

from collections.abc import Callable, Iterator

from reverie.model.base import Instant
from reverie.policy.sentences import sentences
from reverie.store import spaces
from reverie.store.db import Transaction

Count = Callable[[str, int], None]
SHORT = 12  # a shorter text ("yes") is no trace of anything


OF_REF = (
    ("reviews", "DELETE FROM reviews WHERE space = :space AND (target = :ref OR evidence LIKE :like)"),
    ("journal entries", "DELETE FROM journal WHERE space = :space AND (key LIKE :like OR before LIKE :like)"),
    ("journal entries", "DELETE FROM journal WHERE space = :space AND after LIKE :like"),
    ("model responses", "UPDATE ledger SET response = NULL WHERE space = :space AND response LIKE :like"),
    ("suppressions", "DELETE FROM suppressed WHERE space = :space AND ref = :ref"),
    ("recall days", "DELETE FROM recall_days WHERE space = :space AND ref = :ref"),
    ("failures", "DELETE FROM failures WHERE space = :space AND item = :ref"),
)
OF_TEXT = (
    ("diary entries", "UPDATE diary SET text = replace(text, :text, '[…]') WHERE space = :space AND text LIKE :like"),
    ("journal entries", "DELETE FROM journal WHERE space = :space AND (before LIKE :like OR after LIKE :like)"),
    ("model responses", "UPDATE ledger SET response = NULL WHERE space = :space AND response LIKE :like"),
    ("mirrored files", "UPDATE mirror_files SET content = '' WHERE space = :space AND content LIKE :like"),
    ("replies", "DELETE FROM replies WHERE body LIKE :like AND CAST(:space AS TEXT) IS NOT NULL"),
)


def of_ref(tx: Transaction, space: str, ref: str, count: Count) -> None:
    """Everything that cites the id."""
    count("answers", _drop_answers(tx, space, ref))
    count("block sentences", _drop_sentences(tx, ref))
    for what, sql in OF_REF:
        count(what, tx.run(sql, **_used(sql, space=space, ref=ref, like=_like(ref))))


def of_text(tx: Transaction, space: str, text: str, count: Count) -> None:
    """Everything that quotes it."""
    for sentence in _quotable(text):
        like = _like(sentence)
        for what, sql in OF_TEXT:
            count(what, tx.run(sql, **_used(sql, space=space, text=sentence, like=like)))
        count("answers", _drop_quoting(tx, space, like))
        count("block versions", _scrub_versions(tx, space, sentence))


def _used(sql: str, **params: str) -> dict[str, str]:
    return {name: value for name, value in params.items() if f":{name}" in sql}


def _drop_answers(tx: Transaction, space: str, ref: str) -> int:
    rows = tx.rows("SELECT answer FROM answer_rests WHERE space = :space AND ref = :ref", space=space, ref=ref)
    return _delete_answers(tx, space, [row["answer"] for row in rows])


def _drop_quoting(tx: Transaction, space: str, like: str) -> int:
    rows = tx.rows("SELECT id FROM answers WHERE space = :s AND (answer LIKE :l OR question LIKE :l)", s=space, l=like)
    return _delete_answers(tx, space, [row["id"] for row in rows])


def _delete_answers(tx: Transaction, space: str, ids: list[str]) -> int:
    for answer in ids:
        tx.run("DELETE FROM answer_rests WHERE answer = :id", id=answer)
        tx.run("DELETE FROM answers WHERE id = :id", id=answer)
    if ids:
        spaces.next_change(tx, space)
    return len(ids)


def _drop_sentences(tx: Transaction, ref: str) -> int:
    """Block sentences that rest on it alone leave the block and its versions."""
    rows = tx.rows("SELECT block, sentence FROM block_sentences WHERE source = :ref", ref=ref)
    dropped = 0
    for row in rows:
        here = {"block": row["block"], "sentence": row["sentence"]}
        same = "block = :block AND sentence = :sentence"
        tx.run(f"DELETE FROM block_sentences WHERE {same} AND source = :ref", **here, ref=ref)
        if not tx.rows(f"SELECT 1 AS yes FROM block_sentences WHERE {same}", **here):
            _take_out(tx, row["block"], row["sentence"])
            dropped += 1
    return dropped


def _scrub_versions(tx: Transaction, space: str, sentence: str) -> int:
    rows = tx.rows(
        "SELECT b.id AS id FROM blocks b JOIN block_versions v ON v.block = b.id WHERE b.owner = :space"
        " AND v.value LIKE :like GROUP BY b.id",
        space=space,
        like=_like(sentence),
    )
    for row in rows:
        _take_out(tx, row["id"], sentence)
    return len(rows)


def _take_out(tx: Transaction, block: str, sentence: str) -> None:
    """Out of the current value as a new version, and out of every older one in place."""
    row = tx.row("SELECT value, version, updated_at FROM blocks WHERE id = :id", id=block)
    if row is None:
        return
    for version in tx.rows("SELECT version, value FROM block_versions WHERE block = :id", id=block):
        tx.run(
            "UPDATE block_versions SET value = :value WHERE block = :id AND version = :v",
            value=without(version["value"], sentence),
            id=block,
            v=version["version"],
        )
    value = without(row["value"], sentence)
    if value != row["value"]:
        _new_version(tx, block, value, row["version"] + 1, row["updated_at"])


def _new_version(tx: Transaction, block: str, value: str, version: int, at: Instant) -> None:
    tx.run("UPDATE blocks SET value = :value, version = :v WHERE id = :id", value=value, v=version, id=block)
    tx.run(
        "INSERT INTO block_versions (block, version, value, actor, reason, night, at)"
        " VALUES (:block, :version, :value, 'person', 'forgotten', NULL, :at)",
        block=block,
        version=version,
        value=value,
        at=at,
    )


def without(text: str, sentence: str) -> str:
    """The text without a sentence, and without the hole it would leave.

    >>> without("Likes tea.\\nLives in Lisbon.\\nHas a dog.", "Lives in Lisbon.")
    'Likes tea.\\nHas a dog.'
    """
    if sentence not in text:
        return text
    lines = (line.replace(sentence, "").strip() if sentence in line else line for line in text.splitlines())
    return "\n".join(line for line in lines if any(map(str.isalnum, line)))


def _quotable(text: str) -> Iterator[str]:
    for part in dict.fromkeys((text.strip(), *sentences(text))):
        if len(part) >= SHORT:
            yield part


def _like(text: str) -> str:
    return f"%{text}%"
