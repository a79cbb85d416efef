"""The real OpenTelemetry SDK keeps what Reverie tells: names and attributes of the conventions for memory."""

import json
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from anthropic.lib.tools import ToolError
from opentelemetry import trace
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import StatusCode

from reverie import Reverie, Space
from reverie.adapters.memory_tool import ReverieMemoryTool
from reverie.errors import NotFound
from reverie.telemetry import TEXTS_ASKED_FOR
from tests.support.live import live
from tests.support.provider import provider
from tests.support.serving import TOKEN
from tests.support.waiting import until

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
    """Our own spans: frameworks may have theirs around them."""
    ours = [span for span in exporter.get_finished_spans() if span.instrumentation_scope.name == "reverie"]
    return [(span.name, dict(span.attributes or {})) for span in ours]


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


def test_blocks_answers_and_what_is_put_into_a_prompt_are_spans_too(
    alice: Space, exporter: InMemorySpanExporter
) -> None:
    made = alice.blocks.create("pets", TEXT)
    alice.blocks["pets"].append("The cat is called Mog.")
    alice.blocks["pets"].delete()
    assert not alice.answer("Where is the spare key?")
    alice.for_prompt("Where is the spare key?", session="s")
    alice.briefing()
    spans = told(exporter)
    assert [name for name, _ in spans] == [
        "create_memory", "update_memory", "delete_memory", "search_memory", "search_memory", "search_memory",
    ]  # fmt: skip
    assert [named.get("gen_ai.memory.record.id") for _, named in spans[:2]] == [made.id, "pets"]
    assert spans[3][1]["gen_ai.memory.record.count"] == 0
    assert {named["gen_ai.memory.store.id"] for _, named in spans} == {alice.id}
    assert TEXT not in json.dumps(spans)


def test_a_call_of_an_adapter_is_a_span_by_its_name_around_its_verbs(
    alice: Space, exporter: InMemorySpanExporter
) -> None:
    tool: Any = ReverieMemoryTool(alice)
    tool.call({"command": "create", "path": "/memories/key.md", "file_text": TEXT})
    with pytest.raises(ToolError):
        tool.call({"command": "str_replace", "path": "/memories/key.md", "old_str": f"not {TEXT}", "new_str": "x"})
    inner, outer, failed = exporter.get_finished_spans()
    assert outer.attributes is not None
    assert outer.attributes["reverie.call"] == "memory-tool.create"
    assert (inner.name, outer.name, failed.name) == ("create_memory", "create_memory", "update_memory")
    assert inner.parent is not None
    assert inner.parent.span_id == outer.context.span_id
    assert failed.status.status_code is StatusCode.ERROR
    assert TEXT not in "".join(span.to_json() for span in (inner, outer, failed)), "nor in what an error says"


def test_what_a_server_is_asked_is_told_whichever_way_it_comes(tmp_path: Path, exporter: InMemorySpanExporter) -> None:
    """REST by its short way, mem0's and Letta's routes, and a proxied chat."""
    with Reverie.open(tmp_path, embedder="none", durable=False) as memory, provider() as upstream:
        alice = memory.space("alice")
        memory.warm()
        exporter.clear()
        with live(memory, providers={"/openai/v1": f"{upstream.url}/v1"}) as address:

            def asked(path: str, body: Any) -> list[str]:
                exporter.clear()
                headers = {"x-reverie-key": TOKEN, "content-type": "application/json", "x-reverie-space": "alice"}
                request = urllib.request.Request(address + path, json.dumps(body).encode(), headers)
                with urllib.request.urlopen(request, timeout=20) as reply:
                    reply.read()
                until(lambda: len(told(exporter)) >= (4 if "openai" in path else 1), 10)
                spans = told(exporter)
                assert {named["gen_ai.memory.store.id"] for _, named in spans} == {alice.id}
                assert TEXT not in json.dumps(spans)
                return [name for name, _ in spans]

            here = f"/v1/spaces/{alice.id}"
            assert asked(f"{here}/turns", {"role": "user", "text": TEXT}) == ["create_memory"]
            assert asked(f"{here}/recall", {"query": "spare key"}) == ["search_memory"]
            assert asked(f"{here}/context", {"query": "spare key"}) == ["search_memory"]
            assert asked("/v2/memories/search/", {"query": "spare key", "filters": {"user_id": "alice"}}) == [
                "search_memory"
            ]
            chat = {"model": "m", "messages": [{"role": "user", "content": TEXT}]}
            assert sorted(asked("/openai/v1/chat/completions", chat)) == ["create_memory"] * 2 + ["search_memory"] * 2


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
