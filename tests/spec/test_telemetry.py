"""One event in, a log line and a span out."""

import json
import logging
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import pytest

from reverie import Space, telemetry
from reverie.model.night import Progress
from reverie.telemetry import Telemetry, tracer

NIGHT = (
    Progress("n", "s", "night", "running"),
    Progress("n", "s", "step", "running", phase="light", step="tag"),
    Progress("n", "s", "batch", "done", phase="light", step="tag", batch=1, counts={"tagged": 3}, held_ms=4.0),
    Progress("n", "s", "step", "done", phase="light", step="tag", counts={"tagged": 3}, duration_ms=12.0),
    Progress("n", "s", "step", "running", phase="light", step="extract"),
    Progress("n", "s", "step", "failed", phase="light", step="extract", why="ValueError: no sense"),
    Progress("n", "s", "night", "failed", why="extract: ValueError: no sense"),
)


@dataclass
class FakeSpan:
    name: str
    attributes: dict[str, Any]
    parent: Any
    ended: int = 0

    def set_attribute(self, key: str, value: Any) -> None:
        self.attributes[key] = value

    def end(self) -> None:
        self.ended += 1


class FakeTracer:
    def __init__(self) -> None:
        self.spans: list[FakeSpan] = []

    def start(self, name: str, attributes: Mapping[str, Any], parent: Any) -> FakeSpan:
        self.spans.append(FakeSpan(name, dict(attributes), parent))
        return self.spans[-1]


def test_every_event_is_one_line_of_json(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG, "reverie.nights")
    telling = Telemetry()
    for told in NIGHT:
        telling(told)
    lines = [json.loads(record.message) for record in caplog.records]
    assert len(lines) == len(NIGHT)
    assert lines[2] == {
        "event": "batch", "status": "done", "night": "n", "space": "s", "phase": "light", "step": "tag", "batch": 1,
        "tagged": 3, "held_ms": 4.0,
    }  # fmt: skip
    assert [record.levelname for record in caplog.records][-2:] == ["WARNING", "WARNING"]


def test_a_night_is_a_span_with_its_steps_inside() -> None:
    fake = FakeTracer()
    telling = Telemetry(tracer=fake)
    for told in NIGHT:
        telling(told)
    night, tag, batch, extract = fake.spans
    assert [span.ended for span in fake.spans] == [1, 1, 1, 1]
    assert (tag.parent, extract.parent, batch.parent) == (night, night, tag)
    assert (night.name, night.attributes["gen_ai.operation.name"]) == ("invoke_workflow night", "invoke_workflow")
    assert (batch.name, batch.attributes["gen_ai.memory.record.count"]) == ("upsert_memory", 3)
    assert tag.attributes["gen_ai.memory.store.id"] == "s"
    assert tag.attributes["reverie.count.tagged"] == 3
    assert extract.attributes["error.type"] == "ValueError"


def test_a_night_that_stops_inside_a_step_leaves_no_span_open() -> None:
    fake = FakeTracer()
    telling = Telemetry(tracer=fake)
    for told in (*NIGHT[:2], Progress("n", "s", "night", "requested", why="stopped")):
        telling(told)
    assert [span.ended for span in fake.spans] == [1, 1]


def test_real_spans_can_be_started_without_any_setup() -> None:
    found = tracer()
    if found is None:
        pytest.skip("OpenTelemetry is not installed")
    telling = Telemetry(tracer=found)
    for told in NIGHT:
        telling(told)


class Recording:
    """A span that records, as the SDK's does."""

    def __init__(self, name: str, attributes: dict[str, Any]) -> None:
        self.name, self.attributes = name, dict(attributes)

    def is_recording(self) -> bool:
        return True

    def set_attribute(self, key: str, value: Any) -> None:
        self.attributes[key] = value


@pytest.fixture
def spans(monkeypatch: pytest.MonkeyPatch) -> list[Recording]:
    """What verbs tell from here on."""
    told: list[Recording] = []

    class Tracing:
        @contextmanager
        def start_as_current_span(self, name: str, attributes: dict[str, Any], **_: bool) -> Iterator[Recording]:
            told.append(Recording(name, attributes))
            yield told[-1]

    monkeypatch.setattr(telemetry, "_tracing", Tracing)
    return told


def test_a_verb_tells_its_operation_its_space_and_its_records_and_no_text(spans: list[Recording], alice: Space) -> None:
    note = alice.remember("The spare key is with Ana.")
    alice.recall("spare key")
    alice.forget(note.id)
    assert [span.name for span in spans] == ["create_memory", "search_memory", "delete_memory"]
    assert {span.attributes["gen_ai.memory.store.id"] for span in spans} == {alice.id}
    assert spans[0].attributes["gen_ai.memory.record.id"] == note.id
    assert [span.attributes["gen_ai.memory.record.count"] for span in spans] == [1, 1, 1]
    assert "Ana" not in str([span.attributes for span in spans])


def test_where_texts_are_asked_for_a_span_shows_them_without_secrets(
    monkeypatch: pytest.MonkeyPatch, spans: list[Recording], alice: Space
) -> None:
    monkeypatch.setenv(telemetry.TEXTS_ASKED_FOR, "true")
    secret = "sk-proj-" + "aB3dE5fG7hJ9kL1mN2pQ4rS6tU8vW0xY"
    alice.remember(f"The key of the pump is {secret}, Ana has it.")
    alice.recall(f"whose key is {secret}?")
    told = str([span.attributes for span in spans])
    assert "Ana has it" in told
    assert "whose key is" in told
    assert secret not in told
