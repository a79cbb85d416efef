"""One event loop in one daemon thread: the core is synchronous, the providers' clients are not."""

import asyncio
import atexit
import threading
from collections.abc import Coroutine
from concurrent.futures import Future
from typing import Any, TypeVar

T = TypeVar("T")

_lock = threading.Lock()
_loop: asyncio.AbstractEventLoop | None = None
_thread: threading.Thread | None = None


def submit(work: Coroutine[Any, Any, T]) -> Future[T]:
    """Start `work` on the loop; connections live as long as the loop, so calls from any thread may share them."""
    return asyncio.run_coroutine_threadsafe(work, _running())


def _running() -> asyncio.AbstractEventLoop:
    global _loop, _thread
    with _lock:
        if _loop is None or _thread is None or not _thread.is_alive():  # a forked child has the loop but no thread
            _loop = asyncio.new_event_loop()
            _thread = threading.Thread(target=_loop.run_forever, name="reverie-models", daemon=True)
            _thread.start()
        return _loop


def _stop() -> None:
    if _loop is None or _thread is None or not _thread.is_alive():
        return
    _loop.call_soon_threadsafe(_loop.stop)
    _thread.join(timeout=2)
    if not _thread.is_alive():
        _loop.close()


atexit.register(_stop)
