"""What the mirror remembers of each file: its text as last seen, a person's own lines, and lines that they took out."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from reverie.model.base import Instant
from reverie.store.db import Database, Row, Transaction
from reverie.store.rows import dumps

_LINES = "#lines"  # a second row a file, so that a person's forget finds its text there too
OURS, THEIRS = "ours", "theirs"


@dataclass(frozen=True, slots=True)
class MirrorFile:
    """One file of the mirror as it was last seen."""

    name: str
    digest: str
    content: str
    own: tuple[str, ...] = ()  # lines that a person wrote into it
    struck: tuple[str, ...] = ()  # lines that a person took out of it
    ours: bool = True  # the mirror writes it; else it is a person's own note

    @property
    def scrubbed(self) -> bool:
        """Whether its text was deleted, because a person has forgotten something that it held."""
        return not self.content and bool(self.digest)


def files(db: Database, space: str) -> dict[str, MirrorFile]:
    rows = {row["path"]: row for row in db.rows("SELECT * FROM mirror_files WHERE space = :space", space=space)}
    return {path: _mirrored(row, rows.get(path + _LINES)) for path, row in rows.items() if not path.endswith(_LINES)}


def put(tx: Transaction, space: str, file: MirrorFile, now: Instant) -> None:
    """Stores a file as two rows: its text, and whose lines are whose."""
    digest = file.digest if file.content else ""
    _put(tx, space, file.name, digest, file.content, now)
    lines = dumps({"own": file.own, "struck": file.struck})
    _put(tx, space, file.name + _LINES, OURS if file.ours else THEIRS, lines, now)


def _put(tx: Transaction, space: str, path: str, digest: str, content: str, now: Instant) -> None:
    tx.run(
        "INSERT INTO mirror_files (space, path, digest, content, written_at)"
        " VALUES (:space, :path, :digest, :content, :now) ON CONFLICT (space, path) DO UPDATE SET"
        " digest = excluded.digest, content = excluded.content, written_at = excluded.written_at",
        space=space,
        path=path,
        digest=digest,
        content=content,
        now=now,
    )


def clear(tx: Transaction, keys: Sequence[Mapping[str, Any]]) -> None:
    """Empties the remembered text of files, each named by `space` and `path`: a person has forgotten part of it."""
    tx.many("UPDATE mirror_files SET content = '' WHERE space = :space AND path = :path", keys)


def _mirrored(row: Row, lines: Row | None) -> MirrorFile:
    kept = json.loads(lines["content"]) if lines is not None and lines["content"] else {}
    return MirrorFile(
        row["path"],
        row["digest"],
        row["content"],
        tuple(kept.get("own", ())),
        tuple(kept.get("struck", ())),
        lines is None or lines["digest"] == OURS,
    )
