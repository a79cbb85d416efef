"""The Letta-compatible way in, where its client has nothing to say: ids in bodies, scopes, errors, edits at once."""

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Any

import pytest
from starlette.testclient import TestClient

from reverie import Reverie
from reverie.server.letta.shared import archive_id
from tests.conftest import BACKENDS
from tests.support.serving import bearer, running
from tests.support.waiting import until

SECRET = "Marzipan"


@dataclass
class World:
    client: TestClient
    memory: Reverie
    mallory: dict[str, str]
    bob: dict[str, str]  # has a key for his own space only
    alice: str = ""
    block: str = ""

    def post(self, path: str, body: Any, **more: Any) -> Any:
        return self.client.post(path, json=body, **more)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    home = tmp_path_factory.mktemp("store")
    with Reverie.open(home, embedder="none", durable=False) as memory, running(memory) as client:
        other = memory.in_org("other")
        memory.space("bob")
        other.space("mallory")
        yield World(client, memory, bearer(other, "admin"), bearer(memory, "admin", space="bob"))


@pytest.fixture
def world(server: World) -> Iterator[World]:
    """The same server with an agent of this test's own."""
    block = {"label": "human", "value": SECRET}
    alice = server.post("/v1/agents/", {"name": "alice", "tags": [SECRET], "memory_blocks": [block]}).json()
    server.post(f"/v1/agents/{alice['id']}/archival-memory", {"text": SECRET})
    yield replace(server, alice=alice["id"], block=alice["blocks"][0]["id"])
    server.client.delete(f"/v1/agents/{alice['id']}")


def test_an_id_in_a_body_or_a_query_is_not_found_from_elsewhere(world: World) -> None:
    own = world.client.get("/v1/agents/", headers=world.mallory).json()[0]["id"]
    tries = [
        ("POST", "/v1/agents/", {"name": "x", "block_ids": [world.block]}),
        ("PATCH", f"/v1/agents/{own}", {"block_ids": [world.block]}),
        ("POST", "/v1/passages/search", {"query": SECRET, "agent_id": world.alice}),
        ("POST", "/v1/passages/search", {"query": SECRET, "archive_id": archive_id(world.alice)}),
        ("GET", f"/v1/runs/?agent_id={world.alice}", None),
        ("GET", f"/v1/archives/?agent_id={world.alice}", None),
    ]
    for method, path, body in tries:
        reply = world.client.request(method, path, json=body, headers=world.mallory)
        assert reply.status_code == 404, (path, reply.text)
        assert SECRET not in reply.text


@pytest.mark.parametrize("path", ["/v1/agents/", "/v1/blocks/", "/v1/archives/", "/v1/tags/", "/v1/runs/"])
def test_lists_hold_what_the_key_may_see(world: World, path: str) -> None:
    assert world.client.get(path).status_code == 200
    for who in (world.mallory, world.bob):
        reply = world.client.get(path, headers=who)
        assert reply.status_code == 200
        assert SECRET not in reply.text
        assert world.alice not in reply.text


def test_a_search_without_an_agent_looks_where_the_key_may(world: World) -> None:
    [found] = world.post("/v1/passages/search", {"query": SECRET}).json()
    assert found["passage"]["text"] == SECRET
    [newest] = world.post("/v1/passages/search", {}).json()
    assert newest["passage"] == found["passage"]
    for who in (world.mallory, world.bob):
        assert world.post("/v1/passages/search", {"query": SECRET}, headers=who).json() == []


def test_a_key_that_may_only_read_changes_nothing(world: World) -> None:
    reader = bearer(world.memory, "read")
    for method, path in [
        ("POST", "/v1/agents/"),
        ("POST", "/v1/blocks/"),
        ("PATCH", f"/v1/blocks/{world.block}"),
        ("POST", f"/v1/agents/{world.alice}/messages"),
        ("POST", f"/v1/agents/{world.alice}/archival-memory"),
        ("DELETE", f"/v1/agents/{world.alice}"),
    ]:
        body = {"name": "x", "label": "x", "value": "x", "input": "x", "text": "x"}
        assert world.client.request(method, path, json=body, headers=reader).status_code == 403, path


def test_an_error_is_one_detail_with_the_next_move(world: World) -> None:
    reply = world.client.patch(f"/v1/blocks/{world.block}", json={"value": "x" * 100_001})
    assert reply.status_code == 422
    assert "its limit is 100000. Shorten the text" in reply.json()["detail"]
    assert "body.label" in world.post("/v1/blocks/", {"value": "x"}).json()["detail"]
    assert "no agent" in world.client.get("/v1/agents/nobody").json()["detail"]
    broken = world.client.post("/v1/agents/import", content=b"x", headers={"content-type": "multipart/form-data"})
    assert broken.status_code in (400, 422)


def test_edits_at_once_all_stay(world: World) -> None:
    """In Letta the last of them won and the others were gone."""

    def edit(n: int) -> int:
        patched = world.client.patch(f"/v1/blocks/{world.block}", json={"value": f"value {n}"})
        other = {"system": "Be brief."} if n % 2 else {"description": "A nurse."}
        described = world.client.patch(f"/v1/agents/{world.alice}", json=other)
        return max(patched.status_code, described.status_code)

    with ThreadPoolExecutor(4) as pool:
        assert set(pool.map(edit, range(8))) == {200}
    agent = world.client.get(f"/v1/agents/{world.alice}").json()
    assert (agent["system"], agent["description"]) == ("Be brief.", "A nurse.")
    versions = world.client.get(f"/v1/blocks/{world.block}/versions").json()
    assert sorted(version["value"] for version in versions) == sorted([SECRET, *(f"value {n}" for n in range(8))])


def test_a_stale_write_is_told_that_trying_again_is_of_no_use(world: World) -> None:
    path, stale = f"/v1/blocks/{world.block}", {"if-match": "7"}
    reply = world.client.patch(path, json={"value": "x"}, headers=stale)
    assert (reply.status_code, reply.headers["x-should-retry"]) == (409, "false")
    assert world.client.get(path).json()["value"] == SECRET
    assert world.client.patch(path, json={"limit": 50}, headers=stale).status_code == 409


def test_a_label_is_taken_once_in_an_agent(world: World) -> None:
    other = world.post("/v1/blocks/", {"label": "human", "value": ""}).json()["id"]
    reply = world.client.patch(f"/v1/agents/{world.alice}/core-memory/blocks/attach/{other}")
    assert reply.status_code == 409
    note = world.post("/v1/blocks/", {"label": "note", "value": ""}).json()["id"]
    world.client.patch(f"/v1/agents/{world.alice}/core-memory/blocks/attach/{note}")
    assert world.client.patch(f"/v1/blocks/{note}", json={"label": "human"}).status_code == 409


def test_a_file_of_two_agents_shares_their_block_again(world: World) -> None:
    block = {"id": "block-0", "label": "team", "value": "We ship on Fridays."}
    agents = [{"id": f"agent-{n}", "name": f"member {n}", "block_ids": ["block-0"]} for n in range(2)]
    file = {"agents": agents, "blocks": [block]}
    sent = {"file": ("team.af", json.dumps(file).encode())}
    ids = world.client.post("/v1/agents/import", files=sent).json()["agent_ids"]
    shown = [world.client.get(f"/v1/agents/{id}/core-memory/blocks").json()[0]["id"] for id in ids]
    assert len(ids) == 2
    assert shown[0] == shown[1]


def test_an_agent_that_cannot_be_filled_is_not_left_half_made(world: World) -> None:
    def names() -> list[str]:
        return [agent["name"] for agent in world.client.get("/v1/agents/").json()]

    before = names()
    messages = [{"role": "user", "content": "Hello"}, {"role": "user"}]
    assert world.post("/v1/agents/", {"name": "half", "initial_message_sequence": messages}).status_code == 422
    file = {"agents": [{"id": "a", "name": "half"}], "reverie": {"passages": [{"text": "Hello"}, {"text": " "}]}}
    assert world.client.post("/v1/agents/import", files={"file": json.dumps(file).encode()}).status_code == 422
    assert names() == before


def test_what_is_no_night_is_not_cancelled(world: World) -> None:
    reply = world.post(f"/v1/agents/{world.alice}/messages/cancel", {"run_ids": ["run-1"]})
    assert reply.json() == {"run-1": "failed"}


def test_nothing_is_kept_of_an_agent_that_is_deleted(world: World) -> None:
    agent = world.post("/v1/agents/", {"name": "eve"}).json()["id"]
    key = {"idempotency-key": "k"}
    world.post(f"/v1/agents/{agent}/archival-memory", {"text": SECRET}, headers=key)
    world.post("/v1/spaces/eve/memories", {"text": SECRET}, headers=key)
    run = world.post(f"/v1/agents/{agent}/messages/async", {"input": SECRET}).json()["id"]
    until(lambda: world.client.get(f"/v1/runs/{run}").json()["status"] == "completed")
    world.client.delete(f"/v1/agents/{agent}")
    assert world.client.get(f"/v1/runs/{run}").status_code == 404
    assert world.memory.parts.db.rows("SELECT key FROM replies") == []


@pytest.mark.parametrize("location", BACKENDS, indirect=True)
def test_an_agents_life_is_the_same_on_both_backends(location: str) -> None:
    with Reverie.open(location, embedder="none", durable=False) as memory, running(memory) as client:

        def call(method: str, path: str, body: Any = None, **more: Any) -> Any:
            reply = client.request(method, path, json=body, **more)
            assert reply.status_code == 200, (path, reply.text)
            return reply.json()

        blocks = [{"label": "human", "value": "Name: Ada"}]
        at = f"/v1/agents/{call('POST', '/v1/agents/', {'enable_sleeptime': True, 'memory_blocks': blocks})['id']}"
        shared = call("POST", "/v1/blocks/", {"label": "team", "value": "one"})["id"]
        call("PATCH", f"{at}/core-memory/blocks/attach/{shared}")
        call("PATCH", f"/v1/blocks/{shared}", {"value": "two", "limit": 5}, headers={"if-match": "1"})
        assert [block["value"] for block in call("PATCH", at, {"block_ids": [shared]})["blocks"]] == ["two"]
        call("POST", f"{at}/archival-memory", {"text": "The key is with Ana.", "tags": ["k"]})
        assert call("GET", f"{at}/archival-memory/search?query=key&tags=k")["count"] == 1
        replies = [call("POST", f"{at}/messages", {"input": f"I am fine {n}"}) for n in range(5)]
        assert [len(reply["usage"]["run_ids"]) for reply in replies] == [0, 0, 0, 0, 1]
        assert call("GET", "/v1/runs/?active=true")[0]["id"] == replies[-1]["usage"]["run_ids"][0]
        exported = {"file": ("a.af", client.get(f"{at}/export").content)}
        [copy] = call("POST", "/v1/agents/import", files=exported)["agent_ids"]
        assert len(call("GET", f"/v1/agents/{copy}/messages?limit=7")) == 7
        call("DELETE", at)
