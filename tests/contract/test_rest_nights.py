"""Nights over HTTP: asked for, followed, read, taken back; and the sleep agent's own routes."""

import asyncio
import json
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from starlette.testclient import TestClient

from reverie import Reverie
from reverie.model.base import new_id
from reverie.model.blocks import Review
from reverie.server.rest.nights import follow, unsent
from tests.support.nights import put_review
from tests.support.serving import bearer, error_of, running

A = "/v1/spaces/alice"


@pytest.fixture
def memory(memory: Reverie) -> Reverie:
    alice = memory.space("alice")
    for n in range(3):
        alice.append("user", f"I moved to Hamburg and I like tea number {n}.", "s1")
    return memory


@pytest.fixture
def client(memory: Reverie) -> Iterator[TestClient]:
    with running(memory) as client:
        yield client


def test_sleep_is_asked_for_and_answered_at_once(client: TestClient) -> None:
    reply = client.post(f"{A}/sleep", json={"kind": "nap"})
    assert (reply.status_code, reply.json()["status"]) == (202, "requested")
    assert "reverie worker" in reply.json()["why"]  # nobody sleeps here, and that is said
    again = client.post(f"{A}/sleep")
    assert (again.status_code, again.json()["status"]) == (202, "skipped")
    assert again.json()["why"].startswith("active_run")
    listed = client.get(f"{A}/nights").json()["items"]
    assert [night["status"] for night in listed] == ["skipped", "requested"]


def test_every_gate_says_why(client: TestClient) -> None:
    told = client.get(f"{A}/sleep").json()
    assert told["sleeper"] is False
    assert {"enabled", "lease"} <= {answer["gate"] for answer in told["answers"]}
    assert all(answer["why"] for answer in told["answers"])


def test_a_night_is_read_with_its_steps_and_its_diff_and_taken_back(memory: Reverie, client: TestClient) -> None:
    night = memory.space("alice").sleep().id
    told = client.get(f"{A}/nights/{night}").json()
    assert told["night"]["status"] == "done"
    assert [step["step"] for step in told["steps"]][:2] == ["collect", "dedupe"]
    first = client.get(f"{A}/nights/{night}/diff?limit=2").json()
    rest = client.get(f"{A}/nights/{night}/diff?after={first['next']}").json()
    assert [change["n"] for change in (*first["items"], *rest["items"])][:4] == [0, 1, 2, 3]
    assert client.post(f"{A}/nights/{night}/cancel").json() == {"cancelled": False}
    assert client.post(f"{A}/nights/{night}/undo").json()["rows"]["memories"] > 0
    assert client.get(f"{A}/memories").json()["items"] == []
    twice = client.post(f"{A}/nights/{night}/undo")
    assert (twice.status_code, error_of(twice)["code"]) == (409, "conflict")
    assert client.post(f"{A}/nights/{night}/redo").json()["released"] > 0


def test_a_diff_with_vectors_in_it_can_be_read(location: str, opened: Callable[[Any], Any]) -> None:
    memory = opened(Reverie.open(location, durable=False))
    alice = memory.space("alice")
    alice.remember("The spare key is with Ana.")
    night = alice.sleep().id
    with running(memory) as client:
        assert client.get(f"{A}/nights/{night}/diff?limit=200").status_code == 200


def test_a_night_that_waits_is_cancelled(client: TestClient) -> None:
    night = client.post(f"{A}/sleep").json()["night"]
    assert client.post(f"{A}/nights/{night}/cancel").json() == {"cancelled": True}
    assert client.get(f"{A}/nights/{night}").json()["night"]["status"] == "cancelled"


def test_a_nights_events_end_when_it_is_over(memory: Reverie, client: TestClient) -> None:
    night = memory.space("alice").sleep().id
    reply = client.get(f"{A}/nights/{night}/events")
    assert reply.headers["content-type"].startswith("text/event-stream")
    events = [part.split("\ndata: ") for part in reply.text.strip().split("\n\n")]
    names = [name.removeprefix("event: ") for name, _ in events]
    assert (names[0], names[-1], set(names[1:-1])) == ("night", "end", {"step"})
    assert json.loads(events[-1][1]) == {"night": night, "status": "done"}


def test_only_what_has_changed_is_told_again(memory: Reverie) -> None:
    alice = memory.space("alice")
    report = alice.night(alice.sleep().id)
    told: dict[str, Any] = {}
    assert len(unsent(told, report)) == 1 + len(report.steps)
    assert unsent(told, report) == []


def test_a_paused_space_says_so_and_goes_on(client: TestClient) -> None:
    assert client.post(f"{A}/pause", json={"paused": True}).json() == {"paused": True}
    closed = [answer["gate"] for answer in client.get(f"{A}/sleep").json()["answers"] if not answer["open"]]
    assert "enabled" in closed
    client.post(f"{A}/pause", json={"paused": False})
    assert client.get(f"{A}/sleep").json()["answers"][0]["open"] is True


def test_usage_and_ledger_add_up(memory: Reverie, client: TestClient) -> None:
    memory.space("alice").sleep()
    client.post(f"{A}/recall", json={"query": "Hamburg"})
    memory.parts.events.flush()
    usage = client.get(f"{A}/usage").json()
    assert (usage["turns"], usage["unread"], usage["blocks"], usage["questions"]) == (3, 0, 3, 1)
    assert usage["memories"]["episode"] == 3
    assert client.get(f"{A}/ledger?by=model").json() == {"lines": [], "questions": 1, "cost_per_question": 0.0}


def test_the_sleep_agents_history_has_the_shape_its_clients_know(memory: Reverie, client: TestClient) -> None:
    memory.space("alice").sleep()
    [run] = client.get("/telemetry/sleep", params={"orgId": memory.org, "limit": 10}).json()["runs"]
    assert (run["status"], run["orgId"], run["tasksFailed"]) == ("completed", memory.org, 0)
    assert run["tasksCompleted"] > 0
    assert run["triggeredAt"].endswith("Z")
    assert "3 turns" in run["notes"]
    assert run["steps"]["collect"]["status"] == "completed"
    assert run["steps"]["collect"]["counts"]["turns"] == 3


def test_the_scheduler_is_run_for_every_space_with_news(memory: Reverie, client: TestClient) -> None:
    memory.space("silent")
    queued = client.post("/scheduler/run").json()
    assert (queued["status"], len(queued["runs"])) == ("queued", 1)
    again = client.post("/scheduler/run").json()
    assert (again["status"], again["runs"]) == ("skipped", [])
    assert again["message"].startswith("active_run")
    told = client.get("/metrics/scheduler").json()
    assert (told["running"], told["spaces"], told["backlog"]) == (False, 2, 3)
    assert told["runs"] == {"queued": 1, "skipped": 1}


def test_the_sleep_agents_routes_show_nothing_of_another_org_or_space(memory: Reverie) -> None:
    memory.space("alice").sleep()
    memory.space("bob")
    stranger, bob = bearer(memory.in_org("other"), "admin"), bearer(memory, "admin", space="bob")
    with running(memory, require_key=True) as client:
        for key in (stranger, bob):
            assert client.get("/telemetry/sleep", headers=key).json() == {"runs": []}
            assert client.get("/metrics/scheduler", headers=key).json()["backlog"] == 0
            assert client.post("/scheduler/run", headers=key).json()["status"] == "skipped"
        assert client.get("/telemetry/sleep", params={"orgId": memory.org}, headers=stranger).status_code == 404


def test_more_streams_than_there_is_room_for_are_told_to_come_back(memory: Reverie, client: TestClient) -> None:
    night = memory.space("alice").sleep().id
    client.app.state.server.streams = 64  # type: ignore[attr-defined]
    assert client.get(f"{A}/nights/{night}/events").status_code == 503


def test_answers_are_prepared_asked_for_and_dropped(memory: Reverie, client: TestClient) -> None:
    memory.space("carol").append("user", "I live in Hamburg.", "s1")
    carol = "/v1/spaces/carol"
    miss = client.post(f"{carol}/answer", json={"query": "Where do I live?"}).json()
    assert (miss["text"], miss["kind"]) == (None, "miss")
    assert miss["why"]
    memory.space("carol").sleep()
    prepared = client.get(f"{carol}/answers").json()["items"]
    assert prepared, "a night prepares an answer to what was asked"
    one = client.get(f"{carol}/answers/{prepared[0]['id']}").json()
    assert one == prepared[0]
    assert client.delete(f"{carol}/answers/{one['id']}").json() == {"dropped": one["id"]}
    assert one["id"] not in [answer["id"] for answer in client.get(f"{carol}/answers").json()["items"]]
    assert client.get(f"{carol}/answers/{one['id']}").json()["dropped"] == "dropped by a person"
    assert client.get(f"{carol}/answers/report").json()["live"] == len(prepared) - 1


def test_a_contradiction_is_read_with_both_sides(memory: Reverie, client: TestClient) -> None:
    alice = memory.space("alice")
    alice.correct(alice.remember("The door is blue.").id, "The door is red.")
    [record] = client.get(f"{A}/contradictions?status=resolved").json()["items"]
    told = client.get(f"{A}/contradictions/{record['id']}").json()
    assert [side["text"] for side in told["sides"]] == ["The door is blue.", "The door is red."]
    assert client.get(f"{A}/contradictions?status=open").json()["items"] == []
    again = client.post(f"{A}/contradictions/{record['id']}/reopen").json()
    assert (again["contradiction"]["status"], [side["stale"] for side in again["sides"]]) == ("open", [False, False])
    settled = client.post(f"{A}/contradictions/{record['id']}/resolve", json={"holds": "older"}).json()
    assert settled["contradiction"]["winner"] == record["older"]


def test_a_review_is_decided_once(memory: Reverie, client: TestClient) -> None:
    alice = memory.space("alice")
    persona = alice.blocks["persona"].read()
    proposed = Review(
        new_id("rev"), alice.id, "block", persona.id, "persona", "Is kind.", "+Is kind.", "", (), "open", 1, 0.0
    )
    put_review(memory.parts.db, proposed)
    [open_one] = client.get(f"{A}/reviews?status=open").json()["items"]
    assert client.post(f"{A}/reviews/{open_one['id']}/approve").json()["status"] == "approved"
    assert client.get(f"{A}/blocks/persona").json()["value"] == "Is kind."
    twice = client.post(f"{A}/reviews/{open_one['id']}/reject")
    assert (twice.status_code, error_of(twice)["data"]["status"]) == (409, "approved")


def test_a_memory_explains_what_it_lacks(memory: Reverie, client: TestClient) -> None:
    alice = memory.space("alice")
    alice.sleep()
    episode = client.get(f"{A}/memories?kind=episode").json()["items"][0]["id"]
    told = client.get(f"{A}/memories/{episode}/explain").json()
    assert told["counted"]["recalls"] == 0
    assert told["verdict"]["gates"]
    assert told["placement"]["tier"] == "hot"


def test_the_diary_is_paged_newest_first(memory: Reverie, client: TestClient) -> None:
    with memory.parts.db.write("memory") as tx:
        for n in range(3):
            row = {"night": f"night-{n}", "space": memory.space("alice").id, "text": f"Night {n}.", "at": 100.1 + n}
            tx.run("INSERT INTO diary (night, space, text, at) VALUES (:night, :space, :text, :at)", **row)
    first = client.get(f"{A}/diary?limit=2").json()
    rest = client.get(f"{A}/diary?limit=2&after={first['next']}").json()
    assert [entry["text"] for entry in (*first["items"], *rest["items"])] == ["Night 2.", "Night 1.", "Night 0."]
    assert rest["next"] is None


def test_a_stream_ends_when_its_space_is_deleted(memory: Reverie, client: TestClient) -> None:
    space = memory.space("gone")
    night = space.request_sleep("night").id

    async def followed() -> list[str]:
        told = []
        async for event in follow(client.app.state.server, lambda: space.night(night)):  # type: ignore[attr-defined]
            told.append(event.partition("\n")[0])
            memory.delete_space("gone")
        return told

    assert asyncio.run(followed())[:1] == ["event: night"]


def test_a_stream_ends_when_the_server_is_told_to_stop(client: TestClient) -> None:
    night = client.post(f"{A}/sleep").json()["night"]  # nobody sleeps here: it waits
    threading.Timer(0.1, setattr, (client.app.state.server, "draining", True)).start()  # type: ignore[attr-defined]
    told = client.get(f"{A}/nights/{night}/events").text
    assert told.startswith("event: night\n")
    assert "event: end" not in told
