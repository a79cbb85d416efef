"""Watches every test: no embedder and no model is called while the calling thread holds a write transaction."""

import functools
import threading
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from reverie.minds.embed import FromFunction
from reverie.minds.llm.provider import ProviderClient
from reverie.minds.meter import Meter
from reverie.minds.minilm import MiniLM
from reverie.store import db

CALLS: tuple[tuple[type, tuple[str, ...]], ...] = (
    (FromFunction, ("embed", "embed_one")),
    (MiniLM, ("embed", "embed_one")),
    (ProviderClient, ("complete_all", "stream")),
    (Meter, ("complete_all", "stream")),
)


def writes_here() -> bool:
    """Whether this thread is in a write transaction of any store that is open. Opens no connection to find out."""
    here = threading.current_thread()
    handles = (handle for database in list(db._OPENED) for handle in list(database._handles))
    return any(handle.depth > 0 and handle.writing and handle.thread() is here for handle in handles)


@contextmanager
def watched() -> Iterator[list[str]]:
    """What was called inside a write transaction, with the way there."""
    found: list[str] = []
    before = [(kind, name, getattr(kind, name)) for kind, names in CALLS for name in names]
    for kind, name, function in before:
        setattr(kind, name, _telling(function, f"{kind.__name__}.{name}", found))
    try:
        yield found
    finally:
        for kind, name, function in before:
            setattr(kind, name, function)


def _telling(function: Any, called: str, found: list[str]) -> Any:
    @functools.wraps(function)
    def tell(*given: Any, **named: Any) -> Any:
        if writes_here():
            found.append(f"{called} inside a write transaction:\n{''.join(traceback.format_stack(limit=12))}")
        return function(*given, **named)

    return tell
