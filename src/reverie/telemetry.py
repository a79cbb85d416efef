"""What nights tell, told on: one event in, a JSON line in the log and a span in the tracer out.

Counters are not kept here. Nights run in the sleeper's process, so the server reads them from the store.
"""

import json
import logging
from collections.abc import Mapping
from typing import Any, Protocol

from reverie.model.night import Progress
from reverie.policy.safety.redaction import redact

LOG = logging.getLogger("reverie.nights")
ENDED = ("done", "failed", "cancelled", "requested", "stopped")
LEVELS = {"failed": logging.WARNING, "batch": logging.DEBUG}


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

    def add_event(self, name: str, attributes: Mapping[str, Any] | None = None) -> None: ...

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
            if (span := self._open.get(key)) is not None:
                span.add_event("batch", {"held_ms": told.held_ms, "duration_ms": told.duration_ms, **told.counts})
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
    return "reverie.night" if told.what == "night" else f"reverie.step {told.step}"


def _attributes(told: Progress) -> dict[str, Any]:
    """OpenTelemetry's conventions for memory operations, and our own names beside them."""
    ours = {"reverie.night": told.night, "reverie.phase": told.phase, "reverie.step": told.step}
    return {
        "gen_ai.operation.name": "update_memory",
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
