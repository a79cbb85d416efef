"""A lease is kept while a model thinks for long: a thread that does nothing but renew it."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from reverie.errors import LeaseLost, StoreError
from reverie.model.base import Instant
from reverie.model.night import Lease
from reverie.store import leases
from reverie.store.db import Database

EVERY = leases.SECONDS / 4


@contextmanager
def beating(db: Database, lease: Lease, clock: Callable[[], Instant], every: float = EVERY) -> Iterator[None]:
    """Within it the lease stays in force. A lost one is left for the next commit to find."""
    over = threading.Event()

    def beat() -> None:
        while not over.wait(every):
            try:
                leases.renew(db, lease, clock())
            except LeaseLost:
                return
            except StoreError:
                continue  # busy now; the next beat comes long before the lease ends

    thread = threading.Thread(target=beat, name="reverie-heartbeat", daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join(10)
