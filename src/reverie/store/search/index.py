"""Each space's index in memory: made on first use, brought up to date before every search, dropped when least used."""

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import TypeVar, cast

import numpy as np

from reverie.errors import NotFound
from reverie.language.words import query_terms
from reverie.model.turns import is_turn
from reverie.store.db import Database, Row
from reverie.store.search import documents, large_spaces
from reverie.store.search.fresh import FreshVectors
from reverie.store.search.lexicon import Lexicon, Masks
from reverie.store.search.matrix import Layered, Made, Matrix
from reverie.store.tables import vectors
from reverie.store.tables.vectors import SCAN_LIMIT, Vectors

MEGABYTE = 2**20
LEXICON_LIMIT = 200_000  # documents; those of a larger space are searched by Postgres' own full-text index
A_MOMENT = 1.5  # seconds: who is patient takes up what a running night changes no more often, a piece at a time
PIECE = 100  # documents, and vectors
LAST = 4  # searches whose results are kept until something changes
STATE = (  # all that decides whether there is something to catch up with, in one statement
    "SELECT num, watermark, changes, settled, (SELECT last_seq FROM activity WHERE space = :space) AS last_seq"
    " FROM spaces WHERE id = :space"
)
Near = Matrix | Layered
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class IndexLimits:
    """How much is kept in memory, and how fast it follows a running night."""

    bytes: int = 512 * MEGABYTE
    lexicon: int = LEXICON_LIMIT
    scan: int = SCAN_LIMIT
    moment: float = A_MOMENT
    piece: int = PIECE


class SpaceIndex:
    """One space as it was when it last caught up. Used under its lock."""

    def __init__(self, space: str, embedder: str, dim: int, limits: IndexLimits, fresh: FreshVectors) -> None:
        self.space = space
        self.key = (space, embedder)
        self.weighed = 0  # its bytes when it was last counted
        self.lock = threading.RLock()
        self.num = 0
        self.watermark = 0
        self._offered = -1  # the place that the newest file of words has seen, of those that were tried
        self._embedder = embedder
        self._dim = dim
        self._limits = limits
        self._fresh = fresh
        self._reset()

    def _reset(self) -> None:
        self.lexicon = Lexicon()
        self.whole = True  # or too large: the lexicon holds the tail alone, and the database searches documents
        self.near: Near = Matrix(self._dim)
        self._made: Made | None = None  # what `near` was opened from
        self._words = -1  # the place of the change sequence that the lexicon's file has seen
        self._tail_vectors: set[str] = set()  # turns that were embedded before a night read them
        self._taken: set[str] = set()  # of these, those that were embedded behind their appends
        self._changes = -1
        self._read_at = 0.0
        self._seq = 0
        self.watermark = 0
        self._changed()

    def _changed(self) -> None:
        """What was found last may no longer be all."""
        self._last: OrderedDict[str, tuple[int, object]] = OrderedDict()

    def once(self, question: str, depth: int, search: Callable[[], T]) -> T:
        """What `search` finds; asked the same again and no deeper before anything has changed, what it found then.

        A hook and a tool often ask the same; a page is read again. Where the database searches, it is always asked.
        """
        if not self.whole:
            return search()
        known = self._last.get(question)
        if known is None or known[0] < depth:
            known = self._last[question] = (depth, search())
            if len(self._last) > LAST:
                self._last.popitem(last=False)
        return cast(T, known[1])

    @property
    def bytes(self) -> int:
        return self.near.bytes + self.lexicon.bytes

    @property
    def empty(self) -> bool:
        """Whether it has not caught up yet, or begins anew."""
        return self._changes < 0

    def catch_up(self, db: Database, patient: bool = False) -> None:
        row = db.row(STATE, space=self.space)
        if row is None:
            raise NotFound("space", self.space)
        self.num = row["num"]
        if row["changes"] < self._changes:
            return  # the caller's own snapshot is older than the index: what it finds is checked when it is read
        # A watermark goes back when a night is undone: the tail is longer again.
        undone = row["watermark"] < self.watermark
        if undone or (self.whole and self.lexicon.worn) or self._newer_file(db, row["changes"]):
            self._reset()
        if self._changes < 0 and not self._open_words(db):
            self.whole = not db.dialect.candidates or documents.size(db, self.space) < self._limits.lexicon
        upto = self._upto(db, row, patient)
        self._read_memory(db, upto)
        self._read_tail(db, row["watermark"] if upto == row["changes"] else self.watermark, row["last_seq"])
        if self._fresh.count(self.space, self._embedder) != len(self._taken):
            self._read_fresh()

    def _newer_file(self, db: Database, changes: int) -> bool:
        """Whether a night has written the space's documents into a file since the index was made: going on from that
        is cheaper than reading them, and than holding them.
        """
        made = self._written(db) if 0 <= self._changes < changes else None
        return made is not None and made.seen > self._offered

    def _open_words(self, db: Database) -> bool:
        """Goes on from the file that a night wrote of the space's documents; False if there is none."""
        made = self._written(db)
        file = None if made is None else db.dialect.index.words(made)
        if made is not None:
            self._offered = made.seen
        if made is None or file is None:
            return False
        self.lexicon, self._words = Lexicon(file), made.seen
        return True

    def _written(self, db: Database) -> Made | None:
        return large_spaces.made_for(db, self.space).get(large_spaces.WORDS) if self._limits.lexicon else None

    def _read_fresh(self) -> None:
        """Takes up what was embedded behind appends. A turn past this snapshot is left for the next one."""
        gone, new = self._fresh.unlike(self.space, self._embedder, self._taken)
        for ref in gone:
            self.near.remove(ref)
            self._tail_vectors.discard(ref)
        unread = [turn for turn in new if turn.ref in self.lexicon]
        for turn in unread:
            if turn.ref not in self._tail_vectors:
                self._take(turn.ref, turn.vectors)
        upto, kept = max(self._seq, self.watermark), {turn.ref for turn in unread}
        self._fresh.drop(
            self.space, self._embedder, [turn.ref for turn in new if turn.ref not in kept and turn.seq <= upto]
        )
        self._taken -= gone
        self._taken |= kept
        if gone or unread:
            self._changed()

    def _upto(self, db: Database, row: Row, patient: bool) -> int:
        """The place of the change sequence to catch up to now: the last one, or, while a night runs and the caller is
        patient, only a piece further. Until then recall finds the turn instead of the episode made of it.
        """
        if row["settled"] > self._changes or not patient:
            return int(row["changes"])
        if row["changes"] == self._changes or time.monotonic() - self._read_at < self._limits.moment:
            return self._changes
        return min([int(row["changes"]), *documents.change_after(db, self.space, self._changes, self._limits.piece)])

    def _read_memory(self, db: Database, changes: int) -> None:
        if changes <= self._changes:
            return
        self._changed()
        if self.whole:
            for entry in documents.documents_between(
                db, self.space, self.num, max(self._changes, self._words), changes
            ):
                self.lexicon.put(entry)
        if self._dim:
            self._read_vectors(db, changes)
            self.near.saw(changes)
        self._changes = changes
        self._read_at = time.monotonic()

    def _read_vectors(self, db: Database, changes: int) -> None:
        other = self._other_near(db)
        if other is not None:
            self.near = other
            for ref, vector in vectors.of_tail(db, self.space, self._embedder):
                self._take(ref, vector)
        seen = self.near.seen(self._changes if other is None else -1)
        for ref, vector in vectors.changed_between(db, self.space, self._embedder, seen, changes):
            self._take(ref, vector)

    def _take(self, ref: str, vector: Vectors | None) -> None:
        if vector is None:
            self.near.remove(ref)
        else:
            self.near.put(ref, vector)
            if is_turn(ref):
                self._tail_vectors.add(ref)

    def _other_near(self, db: Database) -> Near | None:
        """What to search from now on, if a night has renewed the index or a forget has dropped it; else None."""
        if self._changes >= 0 and isinstance(self.near, Matrix) and len(self.near) <= self._limits.scan:
            return None
        made = large_spaces.made_for(db, self.space).get(self._embedder)
        if made == self._made:
            return None
        self._made = made
        opened = None if made is None else db.dialect.index.open(db, made)
        return opened or Matrix(self._dim)

    def _read_tail(self, db: Database, watermark: int, last_seq: int | None) -> None:
        if watermark > self.watermark:
            self._changed()
            self.lexicon.remove_turns(watermark)
            if not self.whole and self.lexicon.worn:
                self.lexicon, self._seq = Lexicon(), watermark
        if last_seq is None or last_seq > max(watermark, self._seq):
            for entry in documents.tail_since(db, self.space, self.num, max(watermark, self._seq)):
                self.lexicon.put_turn(entry)
                self._seq = entry.seq
                self._changed()
        if watermark > self.watermark:
            self._drop_read_turns()
        self.watermark = watermark

    def _drop_read_turns(self) -> None:
        """Removes vectors of turns that a night has read: their episodes have vectors of their own."""
        for ref in [ref for ref in self._tail_vectors if ref not in self.lexicon]:
            self.near.remove(ref)
            self._tail_vectors.discard(ref)
            self._taken.discard(ref)

    def lexical(self, db: Database, query: str, n: int, mask: Masks | None) -> list[list[str]]:
        """Refs by words, best first: one list, or two whose scores do not compare, the database's before our own."""
        terms = query_terms(self.num, query)
        held = self.lexicon.search(terms, n, mask)
        return [held] if self.whole else [documents.document_candidates(db, terms, n), held]

    def drawn_from(self, lists: Iterable[Sequence[str]]) -> Mapping[str, Sequence[str]]:
        """The episodes that refs in these lists that are derived were drawn from; none if it has no lexicon."""
        return self.lexicon.drawn_from(lists)

    def nearest(self, query: Vectors, n: int, mask: Masks | None) -> list[tuple[str, float]]:
        """Refs by meaning with their cosines, nearest first."""
        if mask is None:
            return self.near.search(query, n)
        share = sum(map(np.count_nonzero, mask)) / max(1, len(self.lexicon))
        return self.near.search(query, n, lambda refs: self.lexicon.allows(mask, refs), share)


class Indexes:
    """The spaces that are held in memory, under one byte cap."""

    def __init__(self, db: Database, limits: IndexLimits | None = None, fresh: FreshVectors | None = None) -> None:
        self._db = db
        self._limits = limits or IndexLimits()
        self._fresh = fresh or FreshVectors()
        self._held: OrderedDict[tuple[str, str], SpaceIndex] = OrderedDict()
        self._guard = threading.Lock()
        self.bytes = 0

    @contextmanager
    def searched(
        self, space: str, embedder: str, dim: int, search: Callable[[SpaceIndex], T], *, patient: bool = False
    ) -> Iterator[T]:
        """What `search` finds in the space's index, caught up, inside the snapshot that it caught up in: what it names
        can be read there.

        The snapshot is taken under the index's lock, so the index is never ahead of it. What is found is read without
        the lock: recalls in one space wait for each other's searches only.
        """
        index = self._of(space, embedder, dim)
        with ExitStack() as snapshot:
            with index.lock:
                if index.empty:
                    self._db.dialect.index.make_missing(self._db, space, embedder)
                snapshot.enter_context(self._db.snapshot())
                index.catch_up(self._db, patient)
                found = search(index)
            yield found
        self._make_room(keep=index)

    def drop(self, space: str) -> None:
        with self._guard:
            for key in [key for key in self._held if key[0] == space]:
                self.bytes -= self._held.pop(key).weighed

    def _of(self, space: str, embedder: str, dim: int) -> SpaceIndex:
        with self._guard:
            key = (space, embedder)
            if key not in self._held:
                self._held[key] = SpaceIndex(space, embedder, dim, self._limits, self._fresh)
            self._held.move_to_end(key)
            return self._held[key]

    def _make_room(self, keep: SpaceIndex) -> None:
        """Drops the least recently used indexes above the cap. Whoever searches one just now keeps it until done."""
        with self._guard:
            if self._held.get(keep.key) is keep:
                self.bytes += keep.bytes - keep.weighed
                keep.weighed = keep.bytes
            while self.bytes > self._limits.bytes and next(iter(self._held.values())) is not keep:
                self.bytes -= self._held.popitem(last=False)[1].weighed
