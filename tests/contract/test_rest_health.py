"""Whether it lives, whether it is ready, and whether anybody sleeps."""

import re
import time
from pathlib import Path

import pytest

from reverie import Reverie
from reverie.store import gauges
from reverie.store.tables import rhythm
from tests.conftest import BACKENDS
from tests.support.serving import running


@pytest.mark.parametrize("location", BACKENDS, indirect=True)
def test_the_stores_figures_are_counted_alike_on_both_backends(memory: Reverie) -> None:
    alice, bob = memory.space("alice"), memory.space("bob")
    alice.append("user", "I live in Hamburg.", at=100.0)
    alice.nap()
    bob.append("user", "Hello.", at=200.0)
    bob.append("user", "Hello again.", at=300.0)
    with memory.parts.db.write("memory") as tx:
        rhythm.say_alive(tx, "sleeper-1", 400.0)
    found = gauges.read(memory.parts.db, time.time())
    assert (found.spaces, found.unread_turns, found.oldest_unread_at) == (2, 2, 200.0)
    assert (found.nights, found.leases, found.failing_spaces) == ({"done": 1}, 0, 0)
    assert found.step_seconds["collect"] > 0
    assert (found.tokens, found.sleeper_seen_at) == ({"asleep": 0, "awake": 0}, 400.0)


def test_a_server_about_to_stop_is_not_ready_and_still_answers(memory: Reverie) -> None:
    with running(memory) as client:
        assert client.get("/readyz").json()["status"] == "ok"
        client.app.state.server.draining = True  # type: ignore[attr-defined]
        reply = client.get("/readyz")
        assert (reply.status_code, reply.json()["why"]) == (503, "the server is stopping")
        assert client.get("/livez").status_code == 200
        assert client.get("/v1/spaces").status_code == 200


def test_turns_that_wait_too_long_are_said_to(memory: Reverie) -> None:
    memory.space("alice").append("user", "Hello.", at=time.time() - 2 * 86_400)
    with running(memory) as client:
        reply = client.get("/readyz")
        assert (reply.status_code, reply.json()["status"]) == (200, "degraded")
        assert "is a sleeper running?" in reply.json()["why"]


def test_nights_that_keep_failing_are_said_to(memory: Reverie) -> None:
    alice = memory.space("alice")
    with memory.parts.db.write("memory") as tx:
        for _ in range(3):
            rhythm.failed(tx, alice.id, 100.0)
    with running(memory) as client:
        assert "keep failing" in client.get("/readyz").json()["why"]
        assert "reverie_failing_spaces 1.0" in client.get("/metrics").text


def test_prometheus_is_told_of_nights_that_ran_elsewhere(memory: Reverie) -> None:
    memory.space("alice").append("user", "I live in Hamburg.")
    memory.space("alice").nap()
    with running(memory) as client:
        text = client.get("/metrics").text
    assert 'reverie_nights{status="done"} 1.0' in text
    assert "reverie_unread_turns 0.0" in text
    assert "reverie_sleeper_silence_seconds -1.0" in text


def test_the_alert_rules_name_metrics_that_there_are(memory: Reverie) -> None:
    rules = (Path(__file__).parent.parent.parent / "deploy" / "alerts.yml").read_text("utf-8")
    with running(memory) as client:
        memory.space("alice")
        client.post("/v1/spaces/alice/turns", json={"role": "user", "text": "Hello."})
        text = client.get("/metrics").text
    named = set(re.findall(r"reverie_\w+", rules))
    assert len(named) > 4
    assert {name for name in named if f"{name}{{" not in text and f"{name} " not in text} == set()
