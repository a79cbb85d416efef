"""mem0's paths as raw requests, in both forms; its real client is a judge (`tests/judges/mem0`)."""

from collections.abc import Iterator
from typing import Any

import pytest
from starlette.testclient import TestClient

from reverie import Reverie
from tests.support.serving import bearer, running


@pytest.fixture
def client(memory: Reverie) -> Iterator[TestClient]:
    with running(memory) as made:
        yield made


def test_the_self_hosted_form_adds_finds_changes_and_deletes(client: TestClient) -> None:
    said = [{"role": "user", "content": "The spare key is with Ana."}]
    (made,) = client.post("/memories", json={"messages": said, "user_id": "alice", "infer": False}).json()["results"]
    place = f"/memories/{made['id']}"
    assert client.get(place).json()["memory"] == "The spare key is with Ana."
    assert client.put(place, json={"text": "The spare key is with Ben."}).json() == {
        "message": "Memory updated successfully!"
    }
    assert [one["event"] for one in client.get(f"{place}/history").json()] == ["ADD", "UPDATE"]
    found = client.post("/search", json={"query": "spare key", "user_id": "alice"}).json()["results"]
    assert [(one["id"], one["memory"]) for one in found] == [(made["id"], "The spare key is with Ben.")]
    assert client.post("/search", json={"query": "spare key", "user_id": "bob"}).json() == {"results": []}
    assert len(client.get("/memories", params={"user_id": "alice"}).json()["results"]) == 1
    assert client.delete(place).status_code == 200
    assert client.get("/memories", params={"user_id": "alice"}).json() == {"results": []}
    assert "no memory" in client.get(place).json()["detail"]


def test_a_statement_that_is_deleted_is_not_found_in_the_turn_that_said_it(client: TestClient, memory: Reverie) -> None:
    said = [{"role": "user", "content": "I moved to Hamburg last week."}, {"role": "assistant", "content": "Nice."}]
    assert client.post("/v3/memories/add/", json={"messages": said, "user_id": "alice"}).json()["status"] == "PENDING"
    memory.space("alice").nap()
    asked = {"filters": {"AND": [{"user_id": "alice"}]}}
    (record,) = client.post("/v3/memories/", json=asked).json()["results"]
    assert record["memory"] == "I moved to Hamburg last week."
    client.delete(f"/v1/memories/{record['id']}/")
    assert client.post("/v3/memories/search/", json={"query": "Hamburg", **asked}).json() == {"results": []}
    assert [turn.role for turn in memory.space("alice").turns()] == ["assistant"]


def test_nobody_crosses(client: TestClient, memory: Reverie) -> None:
    (made,) = client.post("/memories", json={"messages": "Rex is my dog.", "user_id": "alice", "infer": False}).json()[
        "results"
    ]
    memory.space("bob")
    other = bearer(memory, "write", space="bob")
    place = f"/v1/memories/{made['id']}/"
    tries: list[tuple[str, str, Any]] = [
        ("GET", place, None),
        ("PUT", place, {"text": "Fido"}),
        ("DELETE", place, None),
        ("GET", f"{place}history/", None),
        ("PUT", "/v1/batch/", {"memories": [{"memory_id": made["id"], "text": "Fido"}]}),
        ("DELETE", "/v1/batch/", {"memories": [{"memory_id": made["id"]}]}),
        ("POST", "/memories", {"messages": "Fido is my dog.", "user_id": "alice"}),
        ("DELETE", "/v2/entities/user/alice/", None),
    ]
    for method, path, body in tries:
        reply = client.request(method, path, json=body, headers=other)
        assert reply.status_code == 404, (method, path, reply.text)
        assert "Rex" not in reply.text
    asked = {"filters": {"user_id": "alice"}, "query": "dog"}
    for path in ("/v3/memories/", "/v3/memories/search/"):
        assert client.post(path, json=asked, headers=other).json()["results"] == []
    assert client.delete("/memories", params={"user_id": "alice"}, headers=other).status_code == 200
    assert [one["name"] for one in client.get("/v1/entities/", headers=other).json()["results"]] == ["bob"]
    assert client.get(place).json()["memory"] == "Rex is my dog."
    reader = bearer(memory, "read")
    assert client.put(place, json={"text": "Fido"}, headers=reader).status_code == 403
    made_up = client.post(
        "/memories", json={"messages": "I am new.", "user_id": "new"}, headers=bearer(memory, "write")
    )
    assert made_up.status_code == 403
    assert not memory.has_space("new")


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ({"messages": "hello"}, "whose memory"),
        ({"messages": [], "user_id": "a"}, "no text"),
        ({"messages": 3, "user_id": "a"}, "messages"),
        ({"messages": "x", "user_id": "a", "metadata": {"trust": 4}, "infer": False}, "trust"),
    ],
)
def test_what_cannot_be_kept_is_refused_with_the_reason(client: TestClient, body: Any, said: str) -> None:
    reply = client.post("/memories", json=body)
    assert reply.status_code == 422
    assert said in reply.json()["detail"]


def test_a_filter_that_means_nobody_or_compares_by_an_unknown_word_is_refused(client: TestClient) -> None:
    for filters in ({}, {"AND": [{"created_at": {"gte": "2026-01-01"}}]}):
        assert "whose memory" in client.post("/v3/memories/", json={"filters": filters}).json()["detail"]
    client.post("/memories", json={"messages": "I like tea.", "user_id": "a", "infer": False})
    unknown = {"filters": {"user_id": "a", "created_at": {"roughly": "2026"}}}
    assert "roughly" in client.post("/v3/memories/", json=unknown).json()["detail"]
    late = {"filters": {"user_id": "a", "created_at": {"gte": "2100-01-01"}}}
    assert client.post("/v3/memories/", json=late).json()["count"] == 0
