"""Fresh turns are embedded behind the acknowledgement of their append, so that meaning finds them before any night.

One thread with little to do: it waits until nobody appends, takes the newest turns first, and holds their vectors in
memory. While turns come faster than it can follow it does a few a second and leaves the rest to words, and to nights.
"""

import threading
import time
from collections.abc import Sequence

from reverie.minds.embed import Embedder
from reverie.model.turns import Turn
from reverie.policy.recall.search_keys import vector_texts
from reverie.store.db import Database
from reverie.store.search import documents
from reverie.store.search.fresh import FreshTurn, FreshVectors
from reverie.store.tables import spaces, turns

QUIET = 0.05  # seconds without an append, after which it begins
PATIENCE = 1.0  # seconds that it waits for quiet at most
A_FEW = 4  # turns that it embeds where it never became quiet
AT_ONCE = 16  # and where it did, before it looks again whether somebody appends
WINDOW = 256  # newest turns of a space that are embedded; older unread ones are found by words
CLOSE_SECONDS = 5.0


class TailEmbedder:
    """Started by the first turn, ended by `close`. What it has made lies in `fresh`."""

    def __init__(self, db: Database, embedder: Embedder, fresh: FreshVectors) -> None:
        self._db = db
        self._embedder = embedder
        self._fresh = fresh
        self._begin_anew()
        db.after_fork.append(self._begin_anew)

    def _begin_anew(self) -> None:
        """Also in a forked child, where the parent's thread is not."""
        self._wanted: dict[str, None] = {}
        self._wake = threading.Condition()
        self._thread: threading.Thread | None = None
        self._asked_at = 0.0
        self._busy = False
        self._idle = False
        self._closing = False
        self.failed = 0  # rounds that failed in the store or the embedder

    def want(self, space: str) -> None:
        """Says that a space has turns to embed. Never waits, never raises; after `close` it does nothing."""
        with self._wake:
            if self._closing:
                return
            self._wanted[space] = None
            self._asked_at = time.monotonic()
            if self._thread is None:
                self._thread = threading.Thread(target=self._work, name="reverie-fresh-vectors", daemon=True)
                self._thread.start()
            elif self._idle:  # one that waits for quiet is not woken by every append
                self._wake.notify_all()

    def settle(self, timeout: float = CLOSE_SECONDS) -> bool:
        """Waits until everything asked for is embedded; False if that took too long."""
        with self._wake:
            return self._wake.wait_for(lambda: not self._wanted and not self._busy, timeout)

    def close(self, timeout: float = CLOSE_SECONDS) -> None:
        with self._wake:
            self._closing = True
            self._wake.notify_all()
            thread = self._thread
        if thread is not None:
            thread.join(timeout)

    def _work(self) -> None:
        while (asked := self._next()) is not None:
            space, most = asked
            try:
                rest = self._embed(space, most)
            except Exception:  # an embedder may be anybody's code: its turns wait for the night, the thread goes on
                self.failed += 1
                rest = False
            with self._wake:
                self._busy = False
                if rest and not self._closing:
                    self._wanted.setdefault(space)
                self._wake.notify_all()

    def _next(self) -> tuple[str, int] | None:
        """A space, and how many turns to embed now; None at the end."""
        with self._wake:
            self._idle = True
            self._wake.wait_for(lambda: self._wanted or self._closing)
            self._idle = False
            until = time.monotonic() + PATIENCE
            while not self._closing and (now := time.monotonic()) < min(until, self._asked_at + QUIET):
                self._wake.wait(min(until, self._asked_at + QUIET) - now)
            if self._closing:
                return None
            quiet = time.monotonic() >= self._asked_at + QUIET
            space = next(iter(self._wanted))
            del self._wanted[space]
            self._busy = True
            return space, AT_ONCE if quiet else A_FEW

    def _embed(self, space: str, most: int) -> bool:
        """Embeds the newest turns that have no vector; whether there are more of them."""
        embedder, cleared = self._embedder, self._fresh.cleared(space)
        watermark = spaces.by_id(self._db, space).watermark
        past = [turn.ref for turn in self._fresh.of(space, embedder.id) if turn.seq <= watermark]
        self._fresh.drop(space, embedder.id, past)
        held = {turn.ref for turn in self._fresh.of(space, embedder.id)}
        waiting = documents.unembedded_tail(self._db, space, embedder.id, WINDOW if most > A_FEW else 2 * A_FEW)
        missing = [id for id in waiting if id not in held]
        now = missing[:most]
        read = turns.by_ids(self._db, space, now)
        pairs = [(read[id], documents.just_before(self._db, read[id])) for id in now if id in read]
        self._fresh.put(space, embedder.id, embedded_turns(embedder, pairs), cleared)
        return len(missing) > len(now)


def embedded_turns(embedder: Embedder, pairs: Sequence[tuple[Turn, Sequence[Turn]]]) -> list[FreshTurn]:
    """The vectors of turns, each given with what was said before it."""
    texts = [vector_texts(turn, before) for turn, before in pairs]
    rows = embedder.embed([text for its in texts for text in its])
    made, start = [], 0
    for (turn, _), its in zip(pairs, texts, strict=True):
        made.append(FreshTurn(turn.id, turn.seq, rows[start : start + len(its)]))
        start += len(its)
    return made
