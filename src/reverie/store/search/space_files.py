"""Files of spaces on SQLite that are too large to be read at every start: their vectors, and their words.

Nights make them and write them again once enough has changed. They may be gone at any time: then the space is read
from its tables, and the next night makes them anew.
"""

import hashlib
from collections.abc import Iterator, Sequence
from pathlib import Path

from reverie.errors import extra_needed
from reverie.language.calendar import counted
from reverie.native import int8_products
from reverie.store.db import Database, Transaction
from reverie.store.dialect.dialect import Finding, VectorIndex, Writes
from reverie.store.search import documents, large_spaces, lexicon_file
from reverie.store.search.flat import SCANNED, Flat, FlatFile
from reverie.store.search.large_spaces import WORDS
from reverie.store.search.lexicon import IndexEntry
from reverie.store.search.lexicon_file import LexiconFile
from reverie.store.search.matrix import Layered, Made
from reverie.store.tables import vectors

BATCH = 1_000  # vectors that are read and added at a time
WORTH_IT = 10  # a file is written again once a tenth of it has changed: until then that is held in memory
MANY = 200_000  # documents that no process should read into memory
FROM = 5_000  # vectors, and documents: a space that takes a tenth of a second to read has files


class SpaceFiles(VectorIndex[Database]):
    """A file for each large space and embedder, and one of its words.

    Without numkong none is made of vectors, and large spaces are scanned.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.scanned = SCANNED

    def open(self, _db: Database, made: Made) -> Layered | None:
        return FlatFile.open(self.folder, made) if int8_products() else None

    def words(self, made: Made) -> LexiconFile | None:
        return LexiconFile.open(self.folder, made.relation)

    def tend(self, db: Database, space: str, limit: int) -> int:
        if db.inside("memory"):
            return 0
        self._tend_words(db, space, min(limit, FROM))
        if int8_products() is None:
            return 0
        known = {key: made for key, made in large_spaces.made_for(db, space).items() if key != WORDS}
        limit = min(limit, FROM)
        wanted = dict.fromkeys([*known, *(embedder for _, embedder in large_spaces.large(db, limit, space))])
        return sum(self._tend(db, space, embedder, known.get(embedder)) for embedder in wanted)

    def replace_words(self, db: Database, space: str) -> None:
        """Not for the next night: to read so many documents into memory would take a recall many seconds."""
        if not db.inside("memory"):
            self._tend_words(db, space, MANY)

    def forget(self, db: Database, tx: Writes, space: str, refs: Sequence[str]) -> None:
        """A vector cannot be erased from a file, so the whole file goes."""
        if refs:
            self.drop(db, tx, space)

    def drop(self, _db: Database, tx: Writes, space: str) -> None:
        large_spaces.unmark(tx, space)
        unlink(self.folder, space)

    def check(self, db: Database) -> Finding:
        waiting = large_spaces.unserved(db)
        if int8_products() is not None or not waiting:
            said = "searched by a scan, and large spaces by a file that nights keep"
            return Finding(
                "vectors", "ok", said + (f"; the next night makes it: {counted(waiting, 'space')}" if waiting else "")
            )
        said = f"every search scans its space's vectors in memory; too large for that: {counted(waiting, 'space')}"
        return Finding("vectors", "warning", said, extra_needed("index"))

    def _tend(self, db: Database, space: str, embedder: str, made: Made | None) -> int:
        """Makes the file, or writes it again if enough has changed; answers how many vectors were taken up."""
        dim = vectors.dim(db, space, embedder)
        if dim is None:
            return 0
        if made is not None and vectors.changed_since(db, space, made.seen) * WORTH_IT < self._size(db, made):
            return 0
        changes, file, seen = _changes(db, space), Flat(dim, self.scanned), -1
        if made is not None and made.dim == dim and file.load(self.folder, made):
            seen = made.seen
        taken = _follow(db, space, embedder, file, seen)
        prefix = f"{space}.{hashlib.blake2b(embedder.encode(), digest_size=6).hexdigest()}"
        _publish(db, self.folder, space, embedder, file, Made(f"{prefix}.{changes}", dim, changes))
        now = large_spaces.made_for(db, space).get(embedder)
        unlink(self.folder, prefix, keep=now and now.relation)
        return taken

    def _size(self, db: Database, made: Made) -> int:
        """How many vectors a file holds; 0 if a part of it is missing or torn."""
        opened = self.open(db, made)
        return len(opened) if isinstance(opened, FlatFile) else 0

    def _tend_words(self, db: Database, space: str, limit: int) -> None:
        """Makes the file of a space's documents, or writes it again if enough has changed."""
        made = large_spaces.made_for(db, space).get(WORDS)
        file = None if made is None else self.words(made)
        if made is not None and file is not None:
            if documents.changed_since(db, space, made.seen) * WORTH_IT < file.size:
                return
        elif documents.size(db, space) <= limit:
            return
        changes, forgotten = _changes(db, space), _forgotten(db, space)
        prefix = f"{space}.{WORDS}"
        relation = f"{prefix}.{changes}"
        lexicon_file.written(self.folder, relation, _all_documents(db, space, changes))
        with db.write("memory") as tx:
            there = tx.rows("SELECT 1 AS yes FROM spaces WHERE id = :space", space=space)
            if there and _forgotten(tx, space) == forgotten:
                large_spaces.mark(tx, space, WORDS, Made(relation, 0, changes))
        now = large_spaces.made_for(db, space).get(WORDS)
        unlink(self.folder, prefix, keep=now and now.relation)


def unlink(folder: Path, prefix: str, *, keep: str | None = None) -> None:
    """Deletes the files whose name begins so, but `keep`: those of earlier nights, and what a killed one has left."""
    for path in folder.glob(f"{prefix}.*"):
        if keep is None or not path.name.startswith(f"{keep}."):
            path.unlink(missing_ok=True)


def _follow(db: Database, space: str, embedder: str, file: Flat, seen: int) -> int:
    """Adds what has changed after the place `seen`, without turns: a night soon makes episodes of them."""
    taken, place = 0, (seen + 1, "")
    while rows := vectors.after(db, space, place, BATCH):
        file.put(list(vectors.usable(rows, embedder)))
        taken, place = taken + len(rows), (rows[-1]["changed"], rows[-1]["ref"])
    return taken


def _publish(db: Database, folder: Path, space: str, embedder: str, file: Flat, made: Made) -> None:
    """Saves the file and names it in `near`; not if the space, or a vector in it, was deleted meanwhile."""
    unlink(folder, made.relation)  # what a killed night has left
    file.save(folder, made.relation)
    with db.write("memory") as tx:
        there = tx.rows("SELECT 1 AS yes FROM spaces WHERE id = :space", space=space)
        if there and not any(ref in file for ref in _gone_since(tx, space, made.seen)):
            large_spaces.mark(tx, space, embedder, made)


def _gone_since(tx: Transaction, space: str, seen: int) -> list[str]:
    rows = tx.rows(
        "SELECT ref FROM vectors WHERE space = :space AND changed > :seen AND vec IS NULL", space=space, seen=seen
    )
    return [row["ref"] for row in rows]


def _changes(db: Database, space: str) -> int:
    return int(db.value("SELECT changes FROM spaces WHERE id = :space", space=space))


def _forgotten(rows: Database | Transaction, space: str) -> int:
    """How many turns and memories of a space were ever forgotten."""
    return int(rows.rows("SELECT count(*) AS n FROM tombstones WHERE space = :space", space=space)[0]["n"])


def _all_documents(db: Database, space: str, upto: int) -> Iterator[IndexEntry]:
    """All documents up to a place of the change sequence, some thousands at a time."""
    num, seen = int(db.value("SELECT num FROM spaces WHERE id = :space", space=space)), -1
    while seen < upto:
        part = min([upto, *documents.change_after(db, space, seen, documents.AT_ONCE)])
        yield from documents.documents_between(db, space, num, seen, part)
        seen = part
