"""What a store needs that was put together from rows: a space for every log, and sequences past what was read."""

from reverie.model.base import Instant
from reverie.store.db import Database
from reverie.store.tables import spaces, turns


def add_lost_spaces(db: Database, org: str, now: Instant) -> list[str]:
    """Makes the spaces that have turns and are not known; answers their ids. Their names are lost."""
    rows = db.rows(
        "SELECT DISTINCT t.space AS space FROM turns t LEFT JOIN spaces s ON s.id = t.space WHERE s.id IS NULL"
    )
    lost = [str(row["space"]) for row in rows]
    for space in lost:
        with db.write("memory") as tx:
            spaces.recover(tx, spaces.org_named(db, org, now), space, _number(db, space), now)
    return lost


def _number(db: Database, space: str) -> int:
    """The number that the terms of a space's turns carry; a free one if none of them has terms."""
    words = db.value("SELECT words FROM turns WHERE space = :space AND words <> '' LIMIT 1", space=space)
    number = str(words or "").partition("_")[0]
    taken = db.value("SELECT coalesce(max(num), 0) AS n FROM spaces")
    return int(number) if number.isdigit() else int(taken) + 1


def raise_sequences(db: Database) -> dict[str, int]:
    """Lets each space's log go on after what was read and what is there; how many turns are missing, by its name."""
    rows = db.rows(
        "SELECT s.id AS id, s.name AS name, s.watermark AS watermark, coalesce(a.last_seq, 0) AS last,"
        " coalesce((SELECT max(t.seq) FROM turns t WHERE t.space = s.id), 0) AS seq"
        " FROM spaces s LEFT JOIN activity a ON a.space = s.id"
    )
    behind = [row for row in rows if row["last"] < max(row["watermark"], row["seq"])]
    with db.write("log") as tx:
        for row in behind:
            turns.raise_sequence(tx, row["id"], max(row["watermark"], row["seq"]))
    return {row["name"]: row["watermark"] - row["last"] for row in behind if row["watermark"] > row["last"]}
