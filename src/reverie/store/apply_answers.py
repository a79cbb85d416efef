"""Writes precomputed answers with what they rest on, and drops those that no longer hold."""

from collections.abc import Mapping

from reverie.store.answers import put_record
from reverie.store.batch import Batch
from reverie.store.rows import answer_row


def apply_answers(batch: Batch) -> None:
    for answer in batch.changes.answers:
        if not batch.known.holds(answer.sources):
            batch.tally.gone += 1
            continue
        row = {**answer_row(answer), "changed": batch.changed}
        new = batch.journal.insert("answers", row)
        if not new and (current := batch.journal.current("answers", row)) is not None:
            made_anew = current["created_at"] != row["created_at"]  # a count of its hits revives no dropped one
            kept = ("changed",) if made_anew else ("changed", "dropped")
            moved = {name: value for name, value in row.items() if name not in kept}
            batch.journal.update("answers", current, moved, changed=batch.changed)
        _rests(batch, answer.id, answer.rests_on, new=new)
    for answer_id, why in batch.changes.dropped_answers.items():
        _drop(batch, answer_id, why)
    for record in batch.changes.records:  # counters of what was served: an undone night does not unserve
        put_record(batch.tx, batch.space, record)


def _rests(batch: Batch, answer: str, rests_on: Mapping[str, int], *, new: bool) -> None:
    if not new:
        for row in batch.tx.rows("SELECT ref FROM answer_rests WHERE answer = :answer", answer=answer):
            batch.journal.delete("answer_rests", {"answer": answer, "ref": row["ref"]})
    for ref, version in rests_on.items():
        rest = {"answer": answer, "ref": ref, "version": version, "space": batch.space}
        batch.journal.insert("answer_rests", rest, quiet=new)


def _drop(batch: Batch, answer: str, why: str) -> None:
    current = batch.journal.current("answers", {"id": answer})
    if current is not None and current["space"] == batch.space:
        batch.journal.update("answers", current, {"dropped": why}, changed=batch.changed)
