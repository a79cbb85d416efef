"""Exchanges over HTTP with a model that takes its time: nobody else waits for it, and nothing is lost by it."""

import asyncio
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import pytest
from starlette.testclient import TestClient

from reverie import Reverie
from reverie.server.letta import exchange_runs
from reverie.server.letta.exchange import LettaExchange, TalkIn
from reverie.server.letta.streams import event_stream
from reverie.server.state import Server
from tests.support.fault_server import FaultServer, fault_server
from tests.support.serving import bearer, running
from tests.support.waiting import until

FIRST = "The"  # what the held model writes before it falls silent


@pytest.fixture
def model() -> Iterator[FaultServer]:
    with fault_server() as server:
        yield server


@pytest.fixture
def memory(location: str, model: FaultServer, opened: Callable[[Any], Any]) -> Reverie:
    settings: dict[str, Any] = {"primary_model": "openai:held", "model_base_url": model.url}
    found: Reverie = opened(Reverie.open(location, embedder="none", durable=False, **settings))
    return found


@pytest.fixture
def client(memory: Reverie) -> Iterator[TestClient]:
    with running(memory, workers=2) as client:
        yield client


def the_server(client: TestClient) -> Server:
    server: Server = client.app.state.server  # type: ignore[attr-defined]
    return server


def agent_of(client: TestClient) -> str:
    return str(client.post("/v1/agents/", json={"name": "ada"}).json()["id"])


def asked(pool: ThreadPoolExecutor, client: TestClient, agent: str, how: str = "") -> "Future[Any]":
    return pool.submit(client.post, f"/v1/agents/{agent}/messages{how}", json={"input": "Where do I live?"})


def test_who_waits_for_a_model_keeps_nobody_from_memory(client: TestClient, model: FaultServer) -> None:
    agent = agent_of(client)
    with ThreadPoolExecutor() as pool:
        waiting = [asked(pool, client, agent) for _ in range(3)]  # more than there are workers
        until(lambda: model.asked("held") == 3)
        assert client.post(f"/v1/spaces/{agent}/recall", json={"query": "home"}).status_code == 200
        assert client.get(f"/v1/spaces/{agent}/turns").json()["items"]
        assert not any(one.done() for one in waiting)
        model.stopping.set()


def test_a_server_that_stops_answers_without_the_model(client: TestClient, model: FaultServer) -> None:
    agent = agent_of(client)
    with ThreadPoolExecutor() as pool:
        waiting = asked(pool, client, agent)
        until(lambda: model.asked("held") == 1)
        the_server(client).drain(0.0)
        assert waiting.result(10).status_code == 200
    said = [turn["role"] for turn in client.get(f"/v1/spaces/{agent}/turns").json()["items"]]
    assert said == ["user", "assistant"]


def test_what_a_reader_was_shown_before_leaving_is_in_the_log(client: TestClient, memory: Reverie) -> None:
    space = memory.space("ada")
    exchange = LettaExchange(the_server(client), space, TalkIn(input="Where do I live?", stream_tokens=True))

    async def leaves_while_the_model_thinks() -> None:
        stream = event_stream(exchange)
        assert FIRST in await anext(stream)
        waiting = asyncio.ensure_future(anext(stream))
        await asyncio.sleep(0.05)
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting

    asyncio.run(leaves_while_the_model_thinks())
    the_server(client).drain(0.0)
    until(lambda: [turn.text.strip() for turn in space.turns()] == ["Where do I live?", FIRST])
    assert the_server(client).streams == 0


def test_a_run_outlives_the_server_that_answered_it(memory: Reverie, model: FaultServer) -> None:
    model.stopping.set()
    with running(memory) as client:
        agent = agent_of(client)
        run = client.post(f"/v1/agents/{agent}/messages/async", json={"input": "Where do I live?"}).json()
        assert run["status"] == "running"
    with running(memory) as client:  # the first one answered what it had begun before it ended
        found = client.get(f"/v1/runs/{run['id']}").json()
        assert (found["status"], found["agent_id"], found["created_at"]) == ("completed", agent, run["created_at"])
        assert [one["message_type"] for one in client.get(f"/v1/runs/{run['id']}/messages").json()] == [
            "assistant_message"
        ]
        assert run["id"] in [one["id"] for one in client.get("/v1/runs/").json()]


def test_a_run_is_seen_by_whoever_may_see_its_agent(memory: Reverie, model: FaultServer) -> None:
    model.stopping.set()
    with running(memory) as client:
        run = client.post(f"/v1/agents/{agent_of(client)}/messages/async", json={"input": "Hello"}).json()["id"]
        memory.space("bob")
        for key in (bearer(memory.in_org("other"), "admin"), bearer(memory, "admin", space="bob")):
            assert client.get(f"/v1/runs/{run}", headers=key).status_code == 404
            assert run not in client.get("/v1/runs/", headers=key).text


def test_a_run_whose_server_was_killed_is_told_to_have_failed(
    location: str, opened: Callable[[Any], Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    now = time.time()
    memory: Reverie = opened(Reverie.open(location, embedder="none", durable=False, clock=lambda: now))
    with running(memory) as client:
        server = the_server(client)
        monkeypatch.setattr(server, "talk_later", lambda _call: None)  # killed before it began
        run = client.post(f"/v1/agents/{agent_of(client)}/messages/async", json={"input": "Hello"}).json()["id"]
    with running(memory) as client:
        assert client.get(f"/v1/runs/{run}").json()["status"] == "running"  # another server may be at it
        now += exchange_runs.longest(server) + 1
        found = client.get(f"/v1/runs/{run}").json()
        assert (found["status"], found["metadata"]["error"]) == ("failed", exchange_runs.LOST)
        assert [turn.text for turn in memory.space("ada").turns()] == ["Hello"]  # as it says


def test_what_was_sent_to_a_server_that_was_killed_is_in_the_log_of_the_next_once(
    memory: Reverie, monkeypatch: pytest.MonkeyPatch, model: FaultServer
) -> None:
    model.stopping.set()
    later: list[Callable[[], object]] = []
    said = [
        {"role": "user", "content": "I live in Hamburg", "name": "Ada"},
        {"role": "user", "content": "My key is sk-proj-a1B2c3D4e5F6g7H8i9J0k1L2m3N4"},
    ]
    with running(memory) as client:
        monkeypatch.setattr(the_server(client), "talk_later", later.append)  # killed before it began
        run = client.post(f"/v1/agents/{agent_of(client)}/messages/async", json={"messages": said}).json()["id"]
        kept = memory.parts.db.rows("SELECT body FROM replies WHERE key = :run", run=run)
        assert "a1B2c3D4" not in kept[0]["body"]
    space = memory.space("ada")
    for _ in range(2):
        with running(memory) as client:
            first, second = space.turns()
            assert (first.text, first.speaker) == ("I live in Hamburg", "Ada")
            assert "a1B2c3D4" not in second.text
    space.forget(first.id)
    with running(memory):
        assert [turn.id for turn in space.turns()] == [second.id]


def test_a_run_that_was_taken_for_dead_stores_nothing_twice(
    memory: Reverie, monkeypatch: pytest.MonkeyPatch, model: FaultServer
) -> None:
    model.stopping.set()
    later: list[Callable[[], object]] = []
    with running(memory) as client:
        monkeypatch.setattr(the_server(client), "talk_later", later.append)
        said = {"messages": [{"role": "user", "content": "Hello", "name": "Ada"}]}
        run = client.post(f"/v1/agents/{agent_of(client)}/messages/async", json=said).json()["id"]
        with running(memory):
            pass  # another server starts meanwhile
        later[0]()
        assert client.get(f"/v1/runs/{run}").json()["status"] == "completed"
    assert [turn.role for turn in memory.space("ada").turns()] == ["user", "assistant"]


def test_a_run_that_breaks_does_not_stay_running(
    memory: Reverie, model: FaultServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    model.stopping.set()
    monkeypatch.setattr(LettaExchange, "usage", lambda *_: 1 / 0)  # a fault that nobody foresaw
    with running(memory) as client:
        run = client.post(f"/v1/agents/{agent_of(client)}/messages/async", json={"input": "Hello"}).json()["id"]
        until(lambda: client.get(f"/v1/runs/{run}").json()["status"] == "failed")
