"""Turns and memories that an undone night drew conclusions from: nights leave them alone until a redo."""

from collections.abc import Iterable

from reverie.store.db import Transaction


def put(tx: Transaction, space: str, ref: str, night: str) -> None:
    """Suppresses a turn or memory because of an undone night."""
    tx.run(
        "INSERT INTO suppressed (space, ref, night) VALUES (:space, :ref, :night) ON CONFLICT DO NOTHING",
        space=space,
        ref=ref,
        night=night,
    )


def refs(tx: Transaction, space: str) -> frozenset[str]:
    """Everything that is suppressed in a space, by whichever night."""
    rows = tx.rows("SELECT ref FROM suppressed WHERE space = :space", space=space)
    return frozenset(row["ref"] for row in rows)


def delete_night(tx: Transaction, space: str, night: str) -> int:
    """Deletes what the undo of one night has suppressed; answers how many turns and memories."""
    return tx.run("DELETE FROM suppressed WHERE space = :space AND night = :night", space=space, night=night)


def delete_refs(tx: Transaction, space: str, refs: Iterable[str]) -> None:
    """Deletes the rows of turns and memories that were forgotten."""
    tx.many(
        "DELETE FROM suppressed WHERE space = :space AND ref = :ref", [{"space": space, "ref": ref} for ref in refs]
    )
