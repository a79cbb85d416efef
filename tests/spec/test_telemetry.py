"""One event in, a log line and a span out."""

import json
import logging
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import pytest

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
    events: list[str] = field(default_factory=list)
    ended: int = 0

    def set_attribute(self, key: str, value: Any) -> None:
        self.attributes[key] = value

    def add_event(self, name: str, attributes: Mapping[str, Any] | None = None) -> None:
        self.events.append(name)

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
    telemetry = Telemetry()
    for told in NIGHT:
        telemetry(told)
    lines = [json.loads(record.message) for record in caplog.records]
    assert len(lines) == len(NIGHT)
    assert lines[2] == {
        "event": "batch", "status": "done", "night": "n", "space": "s", "phase": "light", "step": "tag", "batch": 1,
        "tagged": 3, "held_ms": 4.0,
    }  # fmt: skip
    assert [record.levelname for record in caplog.records][-2:] == ["WARNING", "WARNING"]


def test_a_night_is_a_span_with_its_steps_inside() -> None:
    fake = FakeTracer()
    telemetry = Telemetry(tracer=fake)
    for told in NIGHT:
        telemetry(told)
    night, tag, extract = fake.spans
    assert [span.ended for span in fake.spans] == [1, 1, 1]
    assert (tag.parent, extract.parent, tag.events) == (night, night, ["batch"])
    assert tag.attributes["gen_ai.memory.store.id"] == "s"
    assert tag.attributes["gen_ai.operation.name"] == "update_memory"
    assert tag.attributes["reverie.count.tagged"] == 3
    assert extract.attributes["error.type"] == "ValueError"


def test_a_night_that_stops_inside_a_step_leaves_no_span_open() -> None:
    fake = FakeTracer()
    telemetry = Telemetry(tracer=fake)
    for told in (*NIGHT[:2], Progress("n", "s", "night", "requested", why="stopped")):
        telemetry(told)
    assert [span.ended for span in fake.spans] == [1, 1]


def test_real_spans_can_be_started_without_any_setup() -> None:
    found = tracer()
    if found is None:
        pytest.skip("OpenTelemetry is not installed")
    telemetry = Telemetry(tracer=found)
    for told in NIGHT:
        telemetry(told)
