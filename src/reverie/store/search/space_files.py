"""Files of spaces on SQLite that are too large to be read at every start: their vectors, and their words.

Nights make them and write them again once enough has changed; a forget or an undo writes them again without what is
gone. They may be missing at any time: whoever is about to search the space makes them first, or, where that cannot be,
reads its tables.
"""

import hashlib
import secrets
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from reverie.errors import ReverieError, extra_needed
from reverie.language.calendar import counted
from reverie.native import int8_products
from reverie.store.db import Database, Transaction
from reverie.store.dialect.dialect import Finding, VectorIndex, Writes
from reverie.store.files import mapped
from reverie.store.files.pruned import HeldFile, vectors_without, words_without
from reverie.store.search import documents, large_spaces, lexicon_file
from reverie.store.search.flat import SCANNED, Flat, FlatFile, flat_path
from reverie.store.search.large_spaces import WORDS
from reverie.store.search.lexicon import IndexEntry
from reverie.store.search.lexicon_file import LexiconFile, lexicon_path
from reverie.store.search.matrix import Layered, Made
from reverie.store.tables import vectors
from reverie.store.terms import unnumbered

BATCH = 4_000  # vectors that are read and added at a time
WORTH_IT = 10  # a file is written again once a tenth of it has changed: until then that is held in memory
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

    def make_missing(self, db: Database, space: str, embedder: str) -> None:
        """Of a space that would take a process long to read. Where nothing can be written, it is read after all."""
        if db.inside("memory"):
            return
        known = large_spaces.made_for(db, space)
        with suppress(OSError, ReverieError):
            words = known.get(WORDS)
            if (words is None or self.words(words) is None) and documents.many(db, space, FROM):
                self._tend_words(db, space, FROM)
            near = known.get(embedder)
            if (near is None or self.open(db, near) is None) and self._worth_making(db, space, embedder):
                self._tend(db, space, embedder, None)

    def _worth_making(self, db: Database, space: str, embedder: str) -> bool:
        return (
            int8_products() is not None
            and vectors.many(db, space, FROM)
            and (space, embedder) in large_spaces.large(db, FROM, space)
        )

    def held(self, db: Database, space: str) -> list[HeldFile]:
        found = []
        for key, made in large_spaces.made_for(db, space).items():
            path = (lexicon_path if key == WORDS else flat_path)(self.folder, made.relation)
            usable = self.words(made) if key == WORDS else self.open(db, made)  # an older version's file is not
            with suppress(OSError):
                found += [] if usable is None else [HeldFile(key, made, mapped.opened(path))]
        return found

    def renew(self, db: Database, space: str, held: Sequence[HeldFile]) -> None:
        """In a fraction of the time that making them anew takes. A file that has lost most of its content is not."""
        if db.inside("memory"):
            return
        for file in held:
            if file.key not in large_spaces.made_for(db, space):
                with suppress(OSError):
                    self._renew(db, space, file)

    def _renew(self, db: Database, space: str, file: HeldFile) -> None:
        key, seen, relation = file.key, file.made.seen, self._relation(space, file.key, _changes(db, space))
        forgotten = _forgotten(db, space)
        now = documents.changes(db, space) if key == WORDS else vectors.changes(db, space, key)
        refs = file.refs
        out = [ref for ref in dict.fromkeys(refs) if now.get(ref, seen + 1) > seen]
        if 2 * len(out) > len(refs):
            return
        if key == WORDS:
            path, content = lexicon_path, words_without(file.content, out, [ref for ref in out if ref not in now])
        else:
            path, content = flat_path, vectors_without(file.content, out)
        mapped.save(path(self.folder, relation), *content)
        made = Made(relation, file.made.dim, seen)
        self._name(db, space, key, made, lambda tx: _forgotten(tx, space) == forgotten)

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
        relation = self._relation(space, embedder, changes)
        with suppress(FileNotFoundError):  # a forget has taken it away meanwhile
            file.save(self.folder, relation)
            made = Made(relation, dim, changes)
            self._name(
                db, space, embedder, made, lambda tx: not any(ref in file for ref in _gone_since(tx, space, changes))
            )
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
        relation, num = self._relation(space, WORDS, changes), _number(db, space)
        with suppress(FileNotFoundError):  # as above
            lexicon_file.written(self.folder, relation, _all_documents(db, space, num, changes), num)
            made = Made(relation, 0, changes)
            self._name(db, space, WORDS, made, lambda tx: _forgotten(tx, space) == forgotten)

    def _relation(self, space: str, key: str, changes: int) -> str:
        """A name that no other file has: two processes may make the same one at the same time."""
        return f"{_prefix(space, key)}.{changes}.{secrets.token_hex(3)}"

    def _name(self, db: Database, space: str, key: str, made: Made, holds: Callable[[Transaction], bool]) -> None:
        """Names a file that was written in `near`, if it still holds what it may hold and the space is there; deletes
        the one before it, and what killed processes have left. Under the lock: nobody's newer file is deleted."""
        path = (lexicon_path if key == WORDS else flat_path)(self.folder, made.relation)
        with db.write("memory", durable=False) as tx:
            there = tx.rows("SELECT 1 AS yes FROM spaces WHERE id = :space", space=space)
            if there and path.exists() and holds(tx):
                large_spaces.mark(tx, space, key, made)
            now = large_spaces.made_for(tx, space).get(key)
            unlink(self.folder, _prefix(space, key), keep=now and now.relation)


def _prefix(space: str, key: str) -> str:
    """What the names of a space's files for this key begin with."""
    return f"{space}.{WORDS if key == WORDS else hashlib.blake2b(key.encode(), digest_size=6).hexdigest()}"


def unlink(folder: Path, prefix: str, *, keep: str | None = None) -> None:
    """Deletes the files whose name begins so, but `keep`: those of earlier nights, and what a killed one has left."""
    for path in folder.glob(f"{prefix}.*"):
        if keep is None or not path.name.startswith(f"{keep}."):
            path.unlink(missing_ok=True)


def _follow(db: Database, space: str, embedder: str, file: Flat, seen: int) -> int:
    """Adds what has changed after the place `seen`, without turns: a night soon makes episodes of them."""
    taken, place = 0, (seen + 1, "")
    while rows := vectors.after(db, space, place, BATCH):
        refs, blobs, others = vectors.kept(rows, embedder, file.dim)
        file.put_kept(refs, blobs)
        file.put(list(vectors.usable(others, embedder)))
        taken, place = taken + len(rows), (rows[-1]["changed"], rows[-1]["ref"])
    return taken


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


def _number(db: Database, space: str) -> int:
    return int(db.value("SELECT num FROM spaces WHERE id = :space", space=space))


def _all_documents(db: Database, space: str, num: int, upto: int) -> Iterator[IndexEntry]:
    """All documents up to a place of the change sequence, some thousands at a time, without the space's number."""
    seen = -1
    while seen < upto:
        part = min([upto, *documents.change_after(db, space, seen, documents.AT_ONCE)])
        yield from documents.documents_between(db, space, num, seen, part, terms=unnumbered)
        seen = part
