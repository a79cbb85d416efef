"""What a person or an agent wrote directly since a moment: memories given, facts corrected, blocks edited.

A reading over several tables, for answers that must not miss what no night has read yet.
"""

from dataclasses import dataclass

from reverie.model.base import Instant
from reverie.store.db import Database, Reads
from reverie.store.tables import spaces


@dataclass(frozen=True, slots=True)
class DirectEdit:
    """A text that no night wrote, with its moment; for a block also the text that it replaced."""

    at: Instant
    now: str
    was: str = ""


def read_up_to(db: Database, space: str) -> int:
    """The place in the log up to which a finished night has read.

    That is not the watermark: it moves with a night's first step, long before the last step has read those turns.
    """
    done = db.value(
        "SELECT upto FROM nights WHERE space = :space AND status = 'done' ORDER BY requested_at DESC, id LIMIT 1",
        space=space,
    )
    return min(spaces.by_id(db, space).watermark, int(done or 0))


def texts_since(db: Reads, space: str, since: Instant, limit: int) -> list[DirectEdit]:
    """Episodes and facts that were given directly after a moment, oldest first."""
    rows = db.rows(
        "SELECT text, created_at FROM memories WHERE space = :space AND kind IN ('episode', 'fact')"
        " AND created_at > :since AND night IS NULL AND excluded IS NULL ORDER BY created_at LIMIT :limit",
        space=space,
        since=since,
        limit=limit,
    )
    return [DirectEdit(row["created_at"], row["text"]) for row in rows]


def edits_since(db: Database, space: str, since: Instant, limit: int) -> list[DirectEdit]:
    """Block versions that no night wrote after a moment, oldest first, each with the text before it."""
    rows = db.rows(
        "SELECT v.at AS at, v.value AS now, coalesce(p.value, '') AS was FROM attachments a"
        " JOIN blocks b ON b.id = a.block AND b.updated_at > :since"
        " JOIN block_versions v ON v.block = b.id AND v.at > :since AND v.night IS NULL"
        " LEFT JOIN block_versions p ON p.block = v.block AND p.version = v.version - 1"
        " WHERE a.space = :space ORDER BY v.at LIMIT :limit",
        space=space,
        since=since,
        limit=limit,
    )
    return [DirectEdit(row["at"], row["now"], row["was"]) for row in rows]
