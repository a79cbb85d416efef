"""One event loop in one daemon thread: the core is synchronous, the providers' clients are not."""

import asyncio
import atexit
import threading
from collections.abc import Coroutine
from concurrent.futures import Future
from typing import Any, TypeVar

T = TypeVar("T")


class _Loop:
    """Begun by the first call; anew in a forked child, which has the loop but not its thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None

    def running(self) -> asyncio.AbstractEventLoop:
        with self._lock:
            if self._loop is None or not self._alive:
                self._loop = asyncio.new_event_loop()
                self._thread = threading.Thread(target=self._loop.run_forever, name="reverie-models", daemon=True)
                self._thread.start()
            return self._loop

    def stop(self) -> None:
        if self._loop is None or self._thread is None or not self._alive:
            return
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(timeout=2)
        if not self._alive:
            self._loop.close()

    @property
    def _alive(self) -> bool:
        return self._thread is not None and self._thread.is_alive()


_LOOP = _Loop()
atexit.register(_LOOP.stop)


def submit(work: Coroutine[Any, Any, T]) -> Future[T]:
    """Starts `work`; connections live as long as the loop, so calls from any thread may share them."""
    return asyncio.run_coroutine_threadsafe(work, _LOOP.running())
