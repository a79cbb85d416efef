"""Every call of an adapter under its name: a span where OpenTelemetry is, a count and a time where Prometheus is.

An adapter lives in somebody else's process: neither is loaded for this, and without them a call costs nothing more.
"""

import inspect
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache, wraps
from typing import Any, NamedTuple, ParamSpec, TypeVar, cast

from reverie.telemetry import Operation, call_span

P = ParamSpec("P")
T = TypeVar("T")
SECONDS = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0)


class Counters(NamedTuple):
    calls: Any
    seconds: Any


def told(adapter: str, operation: Operation) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """Makes a method of an adapter tell of its calls; its own name is the call's."""

    def telling(method: Callable[P, T]) -> Callable[P, T]:
        name = method.__name__.strip("_")

        @wraps(method)
        def called(*args: P.args, **kwargs: P.kwargs) -> T:
            with call(adapter, name, operation, store_of(args[0])):
                return method(*args, **kwargs)

        @wraps(method)
        async def awaited(*args: P.args, **kwargs: P.kwargs) -> Any:
            with call(adapter, name, operation, store_of(args[0])):
                return await cast(Any, method(*args, **kwargs))

        return cast(Callable[P, T], awaited) if inspect.iscoroutinefunction(method) else called

    return telling


@contextmanager
def call(adapter: str, name: str, operation: Operation, store: str) -> Iterator[None]:
    """Tells of what is done inside."""
    began, status = time.perf_counter(), "error"
    try:
        with call_span(operation, store, f"{adapter}.{name}"):
            yield
        status = "ok"
    finally:
        if (counters := _counters()) is not None:
            counters.calls.labels(adapter, name, status).inc()
            counters.seconds.labels(adapter, name).observe(time.perf_counter() - began)


def store_of(adapter: object) -> str:
    """The id of the space that an adapter is on; empty if it has one for each user."""
    known = (getattr(getattr(adapter, name, None), "id", None) for name in ("space", "_space"))
    return next((str(id) for id in known if id), "")


def _counters() -> Counters | None:
    """In the registry that a program shows by default; None where nobody has loaded Prometheus' client."""
    return _registered() if "prometheus_client" in sys.modules else None


@cache
def _registered() -> Counters:
    from prometheus_client import Counter, Histogram

    return Counters(
        Counter("reverie_calls", "Calls of adapters by name", ("surface", "name", "status")),
        Histogram("reverie_call_seconds", "Time of such a call", ("surface", "name"), buckets=SECONDS),
    )
