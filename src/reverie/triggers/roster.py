"""A worker's place among the others: what it says of itself, who else lives, which spaces are its own."""

import os
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace

from reverie.errors import ReverieError
from reverie.model.base import Instant
from reverie.model.night import Progress, WorkerRecord
from reverie.policy.sleep.placement import slot_of, slots_of
from reverie.store.db import Database
from reverie.store.tables import workers

BEAT = 30.0  # seconds
SPOKEN = 1.0  # seconds between two notes about steps: a short night has a dozen


def worker_name() -> str:
    """By host and process: two machines may have a process of the same number."""
    return f"{socket.gethostname()}-{os.getpid()}"


@dataclass
class Roster:
    """Keeps this worker's row, and looks who else lives."""

    db: Database
    clock: Callable[[], Instant]
    me: WorkerRecord
    slots: frozenset[int] = frozenset()
    _noted: Instant = 0.0
    _guard: threading.Lock = field(default_factory=threading.Lock)

    @classmethod
    def of(cls, db: Database, clock: Callable[[], Instant], *, version: str, engine: str, name: str = "") -> "Roster":
        now = clock()
        me = WorkerRecord(
            name or worker_name(), socket.gethostname(), os.getpid(), version, engine, now, now, since=now
        )
        return cls(db, clock, me)

    @contextmanager
    def listed(self) -> Iterator[None]:
        """In the table from now on, with a beat from beside the work; out of it at the end."""
        done = threading.Event()

        def beat() -> None:
            while not done.wait(BEAT):
                with suppress(ReverieError):  # busy or away for a moment
                    self.say()

        self.say()
        threading.Thread(target=beat, name="reverie-roster", daemon=True).start()
        try:
            yield
        finally:
            done.set()
            with suppress(ReverieError), self.db.write("memory") as tx:
                workers.leave(tx, self.me.name, self.clock())

    def say(self, **now_doing: str) -> None:
        """Writes this worker's row, with what it works on from now on."""
        with self._guard:
            now = self.clock()
            moved = now_doing.get("space", self.me.space) != self.me.space
            since = now if moved else self.me.since
            self.me = replace(self.me, heard_at=now, since=since, **now_doing)  # type: ignore[arg-type]
            self._noted = now
            with self.db.write("memory") as tx:
                workers.say(tx, self.me)

    def heard(self, told: Progress) -> None:
        """Notes what a night tells; never more than once a second, but for its beginning and its end."""
        with suppress(ReverieError):
            if told.what == "night":
                self.say(space=told.space if told.status == "running" else "", step="")
            elif told.what == "step" and told.status == "running" and self.clock() - self._noted >= SPOKEN:
                self.say(space=told.space, step=told.step)

    def look(self) -> bool:
        """Looks who lives; whether this worker's slots are others than before."""
        names = workers.living(self.db, self.clock())
        slots = slots_of({*names, self.me.name})[self.me.name]
        changed, self.slots = slots != self.slots, slots
        return changed

    def mine(self, space: str) -> bool:
        """Whether this worker is the one that sleeps for a space."""
        return slot_of(space) in self.slots
