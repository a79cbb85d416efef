"""The real OpenTelemetry SDK keeps what Reverie tells: names and attributes of the conventions for memory."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from opentelemetry import trace
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from reverie import Reverie, Space
from reverie.errors import NotFound
from reverie.telemetry import TEXTS_ASKED_FOR

TEXT = "The spare key is with Ana."


@pytest.fixture(scope="module")
def exporter() -> InMemorySpanExporter:
    kept = InMemorySpanExporter()
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(kept))
    trace.set_tracer_provider(provider)
    return kept


@pytest.fixture
def alice(tmp_path: Path, exporter: InMemorySpanExporter) -> Iterator[Space]:
    exporter.clear()
    with Reverie.open(tmp_path, embedder="none", durable=False) as memory:
        yield memory.space("alice")


def told(exporter: InMemorySpanExporter) -> list[tuple[str, dict[str, Any]]]:
    return [(span.name, dict(span.attributes or {})) for span in exporter.get_finished_spans()]


def test_every_verb_is_a_span_with_its_store_and_records(alice: Space, exporter: InMemorySpanExporter) -> None:
    turn = alice.append("user", "I moved to Hamburg.")
    note = alice.remember(TEXT)
    hits = alice.recall("spare key")
    alice.context("spare key")
    right = alice.correct(note.id, "The spare key is with Ben.")
    alice.forget(turn.id)
    with pytest.raises(NotFound):
        alice.correct("mem-nothing", "x y z")
    spans = told(exporter)
    assert [name for name, _ in spans] == [
        "create_memory", "create_memory", "search_memory", "search_memory", "update_memory", "delete_memory",
        "update_memory",
    ]  # fmt: skip
    assert {named["gen_ai.memory.store.id"] for _, named in spans} == {alice.id}
    assert all(named["gen_ai.operation.name"] == name for name, named in spans)
    assert [named.get("gen_ai.memory.record.id") for _, named in spans[:2]] == [turn.id, note.id]
    assert spans[2][1]["gen_ai.memory.record.count"] == len(hits)
    assert spans[4][1]["gen_ai.memory.record.id"] == right.id
    assert spans[6][1]["error.type"] == "NotFound"
    assert TEXT not in json.dumps(spans), "no text unless it is asked for"


def test_texts_are_told_where_they_are_asked_for(
    alice: Space, exporter: InMemorySpanExporter, monkeypatch: pytest.MonkeyPatch
) -> None:
    alice.remember(TEXT)
    monkeypatch.setenv(TEXTS_ASKED_FOR, "true")
    alice.recall("spare key")
    _, named = told(exporter)[-1]
    assert named["gen_ai.memory.query.text"] == "spare key"
    assert json.loads(named["gen_ai.memory.records"])[0]["content"] == TEXT


def test_a_night_is_a_workflow_with_its_steps_and_writes_inside(alice: Space, exporter: InMemorySpanExporter) -> None:
    alice.append("user", "I moved to Hamburg last week.")
    alice.nap()
    spans = {span.name: span for span in exporter.get_finished_spans()}
    night, step, write = (spans[name] for name in ("invoke_workflow night", "reverie.step extract", "upsert_memory"))
    assert step.parent is not None
    assert step.parent.span_id == night.context.span_id
    assert write.attributes is not None
    assert write.attributes["gen_ai.memory.store.id"] == alice.id
