"""What nights and calls tell, told on: a JSON line in the log, a span in the tracer.

Spans have the names and attributes of OpenTelemetry's conventions for memory in generative AI. Texts are in them only
where somebody asks for that, and no secrets. Counters are not kept here: the server counts, and reads those of nights
from the store.
"""

import json
import logging
import os
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache, wraps
from typing import Any, Literal, ParamSpec, Protocol, TypeVar

from reverie.model.night import Progress
from reverie.policy.safety.redaction import redact

LOG = logging.getLogger("reverie.nights")
ENDED = ("done", "failed", "cancelled", "requested", "stopped")
LEVELS = {"failed": logging.WARNING, "batch": logging.DEBUG}
TEXTS_ASKED_FOR = "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT"
MOST_RECORDS = 20  # that a span shows, where texts are asked for
P = ParamSpec("P")
T = TypeVar("T")
Operation = Literal["create_memory", "update_memory", "upsert_memory", "search_memory", "delete_memory"]


class PlainLines(logging.Formatter):
    """One line an event, and what a traceback quotes, without secrets."""

    def format(self, record: logging.LogRecord) -> str:
        return redact(super().format(record)).text


def log_plainly() -> None:
    """What this process logs goes to stderr, one line an event, before packages choose a look of their own."""
    handler = logging.StreamHandler()
    handler.setFormatter(PlainLines("%(message)s"))
    logging.basicConfig(handlers=[handler])


class Span(Protocol):
    """The part of OpenTelemetry's span that is used."""

    def set_attribute(self, key: str, value: Any) -> None: ...

    def end(self) -> None: ...


class Tracer(Protocol):
    def start(self, name: str, attributes: Mapping[str, Any], parent: Span | None) -> Span: ...


class OpenTelemetry:
    """Spans for whoever has set up OpenTelemetry; without a configured SDK they cost next to nothing."""

    def __init__(self) -> None:
        from opentelemetry import trace

        self._trace: Any = trace
        self._tracer: Any = trace.get_tracer("reverie")

    def start(self, name: str, attributes: Mapping[str, Any], parent: Span | None) -> Span:
        context = None if parent is None else self._trace.set_span_in_context(parent)
        span: Span = self._tracer.start_span(name, context=context, attributes=dict(attributes))
        return span


def tracer() -> Tracer | None:
    """None where OpenTelemetry is not installed."""
    try:
        return OpenTelemetry()
    except ImportError:
        return None


class Telemetry:
    """A runner's `tell`. A night is a span, its steps are spans inside it, batches are events of their step."""

    def __init__(self, log: logging.Logger = LOG, tracer: Tracer | None = None) -> None:
        self._log = log
        self._tracer = tracer
        self._open: dict[str, Span] = {}

    def __call__(self, told: Progress) -> None:
        level = LEVELS.get(told.status, LEVELS.get(told.what, logging.INFO))
        if self._log.isEnabledFor(level):
            self._log.log(level, "%s", json.dumps(line(told), ensure_ascii=False))
        if self._tracer is not None:
            self._traced(self._tracer, told)

    def _traced(self, tracer: Tracer, told: Progress) -> None:
        key = told.night if told.what == "night" else f"{told.night} {told.step}"
        if told.what == "batch":
            if (step := self._open.get(key)) is not None:
                _close(tracer.start("upsert_memory", {**_attributes(told), **_batch(told)}, step), told)
        elif told.status == "running":
            parent = None if told.what == "night" else self._open.get(told.night)
            self._open[key] = tracer.start(_name(told), _attributes(told), parent)
        elif told.status in ENDED and (ended := self._open.pop(key, None)) is not None:
            _close(ended, told)
            if told.what == "night":
                self._close_steps(told)

    def _close_steps(self, told: Progress) -> None:
        """A night that was broken off in a step leaves no span open."""
        for key in [key for key in self._open if key.startswith(f"{told.night} ")]:
            self._open.pop(key).end()


def line(told: Progress) -> dict[str, Any]:
    """An event as a log holds it: names and figures, never a memory's text.

    >>> line(Progress("n", "s", "step", "done", step="tag", counts={"tagged": 2}, duration_ms=1.234))
    {'event': 'step', 'status': 'done', 'night': 'n', 'space': 's', 'step': 'tag', 'tagged': 2, 'duration_ms': 1.2}
    """
    said = {"event": told.what, "status": told.status, "night": told.night, "space": told.space}
    named = {"phase": told.phase, "step": told.step, "batch": told.batch, "why": told.why}
    figures = {"duration_ms": round(told.duration_ms, 1), "held_ms": round(told.held_ms, 1)}
    return {
        **said,
        **{name: value for name, value in named.items() if value},
        **told.counts,
        **{name: value for name, value in figures.items() if value},
    }


def _name(told: Progress) -> str:
    return "invoke_workflow night" if told.what == "night" else f"reverie.step {told.step}"


def _batch(told: Progress) -> dict[str, Any]:
    return {
        "gen_ai.memory.record.count": sum(told.counts.values()),
        "reverie.duration_ms": told.duration_ms,
        "reverie.held_ms": told.held_ms,
    }


def _attributes(told: Progress) -> dict[str, Any]:
    """OpenTelemetry's conventions for memory operations, and our own names beside them."""
    ours = {"reverie.night": told.night, "reverie.phase": told.phase, "reverie.step": told.step}
    named = {"gen_ai.workflow.name": "night"} if told.what == "night" else {}
    return {
        "gen_ai.operation.name": "upsert_memory" if told.what == "batch" else "invoke_workflow",
        **named,
        "gen_ai.provider.name": "reverie",
        "gen_ai.memory.store.id": told.space,
        **{name: value for name, value in ours.items() if value},
    }


def _close(span: Span, told: Progress) -> None:
    span.set_attribute("reverie.status", told.status)
    for name, value in told.counts.items():
        span.set_attribute(f"reverie.count.{name}", value)
    if told.status == "failed":
        span.set_attribute("error.type", told.why.split(":", 1)[0] or "error")
    span.end()


def memory_span(
    operation: Operation, query: str = "", store: Callable[[Any], str] = lambda space: str(space.id)
) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """Makes a verb of a space tell its tracer, if there is one: the operation, the space, the records.

    `query` names the argument that is looked for, if it is not the first; `store` finds the space's id.
    """

    def spanned(verb: Callable[P, T]) -> Callable[P, T]:
        @wraps(verb)
        def called(*args: P.args, **kwargs: P.kwargs) -> T:
            tracing = _tracing()
            if tracing is None:
                return verb(*args, **kwargs)
            with _current(tracing, operation, _call(operation, store(args[0]))) as span:
                if not span.is_recording():
                    return verb(*args, **kwargs)
                if query and texts_asked_for():
                    asked = kwargs.get(query, args[1] if len(args) > 1 else None)
                    span.set_attribute("gen_ai.memory.query.text", redact(str(asked or "")).text)
                return _told(span, lambda: verb(*args, **kwargs))

        return called

    return spanned


@contextmanager
def call_span(operation: Operation, store: str, name: str) -> Iterator[None]:
    """A span around a call of an adapter by its name; the verbs that it calls are spans inside."""
    tracing = _tracing()
    if tracing is None:
        yield
        return
    with _current(tracing, operation, {**_call(operation, store), "reverie.call": name}) as span:
        try:
            yield
        except Exception as error:
            _failed(span, error)
            raise


@contextmanager
def batch_span(operation: Operation, records: Iterable[str]) -> Iterator[None]:
    """A span for each space that a batch writes to; `records` has the space of each record."""
    tracing, spans = _tracing(), []
    for store, count in Counter(records).items() if tracing is not None else ():
        named = {**_call(operation, store), "gen_ai.memory.record.count": count}
        spans.append(tracing.start_span(operation, attributes=named))
    try:
        yield
    except Exception as error:
        for span in spans:
            _failed(span, error)
        raise
    finally:
        for span in spans:
            span.end()


def _current(tracing: Any, operation: str, attributes: Mapping[str, Any]) -> Any:
    """A span that verbs inside are children of. The words of an error are texts: they are not told."""
    quiet = {"record_exception": False, "set_status_on_exception": False}
    return tracing.start_as_current_span(operation, attributes=dict(attributes), **quiet)


def _failed(span: Any, error: Exception) -> None:
    from opentelemetry.trace import StatusCode

    span.set_attribute("error.type", type(error).__name__)
    span.set_status(StatusCode.ERROR)


def is_traced() -> bool:
    """Whether somebody records what verbs tell: then they are called in the process that has the tracer."""
    tracing = _tracing()
    return tracing is not None and bool(tracing.start_span("reverie").is_recording())


def _tracing() -> Any:
    """OpenTelemetry's tracer; None where nobody has loaded it: a command has no time for that."""
    return _tracer() if "opentelemetry.trace" in sys.modules else None


@cache
def _tracer() -> Any:
    from opentelemetry import trace

    return trace.get_tracer("reverie")


def _call(operation: str, store: str) -> dict[str, Any]:
    named = {"gen_ai.memory.store.id": store} if store else {}
    return {"gen_ai.operation.name": operation, "gen_ai.provider.name": "reverie", **named}


def texts_asked_for() -> bool:
    """Whether texts may stand in spans: off, unless the variable of the conventions says otherwise."""
    return os.environ.get(TEXTS_ASKED_FOR, "").strip().lower() in ("true", "1", "span_only", "span_and_event")


def _told(span: Any, call: Callable[[], T]) -> T:
    try:
        result = call()
    except Exception as error:
        _failed(span, error)
        raise
    if hasattr(result, "seen"):  # lines for a prompt: which records are in them is not told
        return result
    records = _records(result)
    if len(records) == 1 and not isinstance(result, list | tuple):
        span.set_attribute("gen_ai.memory.record.id", records[0][0])
    span.set_attribute("gen_ai.memory.record.count", len(records))
    if texts_asked_for():
        shown = [{"id": id, "content": redact(text).text} for id, text in records[:MOST_RECORDS] if text]
        span.set_attribute("gen_ai.memory.records", json.dumps(shown, ensure_ascii=False))
    return result


def _records(result: Any) -> list[tuple[str, str]]:
    """(id, text) of what a verb answers: a turn, a memory, hits, an answer with its sources, or what was forgotten."""
    if getattr(result, "id", "") is None:  # there was no answer
        return []
    found = getattr(result, "hits", result)
    if hasattr(found, "memories") and hasattr(found, "turns"):
        return [(str(id), "") for id in (*found.turns, *found.memories)]
    listed = found if isinstance(found, list | tuple) else [found]
    named = [(getattr(one, "id", None) or getattr(one, "label", None), one) for one in listed]  # a block has its label
    return [(str(id), str(getattr(one, "text", ""))) for id, one in named if id]
