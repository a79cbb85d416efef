"""Turns of many clients in one transaction: they share the disk's sync instead of queueing for it one by one."""

import queue
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field

from reverie.errors import StoreError
from reverie.model.turns import Appended, Draft
from reverie.reverie import Reverie
from reverie.server.errors import Overloaded
from reverie.space import Space

MOST = 64  # turns in one transaction


@dataclass
class WaitingAppend:
    """A turn that waits to be stored. Its future is set when it is on the disk, or refused."""

    find: Callable[[], Space]
    draft: Draft
    future: "Future[tuple[Appended, float]]" = field(default_factory=Future)
    space: Space | None = None

    def has_space(self) -> bool:
        """False if there is nothing to store: no such space, or nobody waits for it any more."""
        if not self.future.set_running_or_notify_cancel():
            return False
        try:
            self.space = self.find()
        except Exception as error:
            self.future.set_exception(error)
            return False
        return True

    @property
    def turn(self) -> tuple[Space, Draft]:
        assert self.space is not None
        return self.space, self.draft


class Appends:
    """One thread that takes whatever waits; alone, a turn waits for nobody."""

    def __init__(self, reverie: Reverie) -> None:
        self._reverie = reverie
        self._queue: queue.SimpleQueue[WaitingAppend | None] = queue.SimpleQueue()
        self._thread: threading.Thread | None = None
        self._closed = False

    def put(self, find: Callable[[], Space], draft: Draft) -> "Future[tuple[Appended, float]]":
        """Called by one thread, the event loop's. Answers the turn and the seconds that it took."""
        waiting = WaitingAppend(find, draft)
        if self._closed:
            waiting.future.set_exception(Overloaded("the server is stopping"))
            return waiting.future
        if self._thread is None:
            self._thread = threading.Thread(target=self._work, name="reverie-appends", daemon=True)
            self._thread.start()
        self._queue.put(waiting)
        return waiting.future

    def close(self) -> None:
        """Stores what waits, then ends."""
        self._closed = True
        if self._thread is not None:
            self._queue.put(None)
            self._thread.join()

    def _work(self) -> None:
        while (first := self._queue.get()) is not None:
            batch, ended = [first], False
            while len(batch) < MOST and not self._queue.empty():
                following = self._queue.get()
                if following is None:
                    ended = True
                    break
                batch.append(following)
            self._store(batch)
            if ended:
                return

    def _store(self, batch: Sequence[WaitingAppend]) -> None:
        began = time.perf_counter()
        known = [waiting for waiting in batch if waiting.has_space()]
        # By space, so that two servers on one Postgres lock rows in one order; a space keeps its own order.
        known.sort(key=lambda waiting: waiting.space.id if waiting.space else "")
        try:
            stored = self._reverie.append_all([waiting.turn for waiting in known])
        except StoreError as error:  # the store itself: it would refuse each of them
            for waiting in known:
                waiting.future.set_exception(error)
        except Exception:
            self._store_alone(known)
        else:
            for waiting, appended in zip(known, stored, strict=True):
                waiting.future.set_result((appended, time.perf_counter() - began))

    def _store_alone(self, batch: Sequence[WaitingAppend]) -> None:
        """One of them cannot be stored, and nothing was: each for itself, so that the others do not suffer."""
        for waiting in batch:
            began = time.perf_counter()
            try:
                (appended,) = self._reverie.append_all([waiting.turn])
            except Exception as error:
                waiting.future.set_exception(error)
            else:
                waiting.future.set_result((appended, time.perf_counter() - began))
