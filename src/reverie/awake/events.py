"""Small writes to the log that nobody waits for: recall events, questions asked, blocks seen."""

import threading
from collections import deque
from collections.abc import Callable

from reverie.errors import ReverieError
from reverie.store.db import Database, Transaction

Write = Callable[[Transaction], None]

WAITING = 10_000  # past this the oldest are dropped and counted: evidence, not the user's words
BATCH = 500
LINGER = 1.0  # seconds: recalls in a row share one transaction, so that appends seldom meet one
CLOSE_SECONDS = 5.0


class Events:
    """One thread with its own connection, started by the first write, ended by `close`."""

    def __init__(self, db: Database) -> None:
        self._db = db
        self._waiting: deque[Write] = deque()
        self._wake = threading.Condition()
        self._thread: threading.Thread | None = None
        self._busy = False
        self._hurry = False
        self._closing = False
        self.dropped = 0  # too many were waiting
        self.failed = 0  # the store refused them
        db.after_fork.append(self._begin_anew)

    def put(self, write: Write) -> None:
        """Never waits, never raises; after `close` it does nothing."""
        with self._wake:
            if self._closing:
                return
            if len(self._waiting) >= WAITING:
                self._waiting.popleft()
                self.dropped += 1
            self._waiting.append(write)
            if self._thread is None:
                self._thread = threading.Thread(target=self._work, name="reverie-events", daemon=True)
                self._thread.start()
            elif len(self._waiting) in (1, BATCH):  # one that lets more come is not woken by each of them
                self._wake.notify_all()

    def _begin_anew(self) -> None:
        """In a forked child: the parent writes what was waiting, and its thread is not here."""
        self._waiting, self._wake, self._thread, self._busy = deque(), threading.Condition(), None, False

    def flush(self, timeout: float = CLOSE_SECONDS) -> bool:
        """Waits until what was put is written; False if that took too long."""
        with self._wake:
            self._hurry = True
            self._wake.notify_all()
            done = self._wake.wait_for(lambda: not self._waiting and not self._busy, timeout)
            self._hurry = False
            return done

    def close(self, timeout: float = CLOSE_SECONDS) -> None:
        with self._wake:
            self._closing = True
            self._wake.notify_all()
            thread = self._thread
        if thread is not None:
            thread.join(timeout)

    def _work(self) -> None:
        while batch := self._next_batch():
            self._write(batch)
            with self._wake:
                self._busy = False
                self._wake.notify_all()

    def _next_batch(self) -> list[Write]:
        """Empty at the end."""
        with self._wake:
            self._wake.wait_for(lambda: self._waiting or self._closing)
            self._wake.wait_for(lambda: self._hurry or self._closing or len(self._waiting) >= BATCH, LINGER)
            batch = [self._waiting.popleft() for _ in range(min(BATCH, len(self._waiting)))]
            self._busy = bool(batch)
            return batch

    def _write(self, batch: list[Write]) -> None:
        try:
            with self._db.write("log") as tx:
                for write in batch:
                    write(tx)
        except ReverieError:
            self.failed += len(batch)
