"""What the document promises is what the routes hold: types, methods, keys, names; an error has written nothing."""

import keyword
from collections.abc import Iterator
from typing import Any

import pytest
from starlette.testclient import TestClient

from reverie import Reverie, Space
from tests.support.serving import error_of, running

ALICE = "/v1/spaces/alice"
TURN = {"role": "user", "text": "I moved to Hamburg."}


@pytest.fixture
def client(memory: Reverie, alice: Space) -> Iterator[TestClient]:
    with running(memory) as made:
        yield made


@pytest.mark.parametrize("hot", [True, False], ids=["the short way", "the framework's"])
@pytest.mark.parametrize(
    ("path", "body", "at"),
    [
        ("turns", {**TURN, "at": False}, "at"),
        ("turns", {**TURN, "at": "12"}, "at"),
        ("turns", {**TURN, "text": 3}, "text"),
        ("turns", {**TURN, "metadata": []}, "metadata"),
        ("turns/batch", {"turns": [TURN, {**TURN, "at": True}]}, "turns.1.at"),
        ("recall", {"query": "x", "k": "3"}, "k"),
        ("recall", {"query": "x", "k": True}, "k"),
        ("recall", {"query": "x", "explain": "yes"}, "explain"),
        ("recall", {"query": "x", "tags": [1]}, "tags.0"),
        ("context", {"query": "x", "budget": 1.5}, "budget"),
        ("memories", {"text": "x", "at": False}, "at"),
        ("forget", {"everything": 1}, "everything"),
        ("pause", {"paused": "false"}, "paused"),
    ],
)
def test_a_value_of_another_type_is_refused(
    memory: Reverie, alice: Space, path: str, body: Any, at: str, hot: bool
) -> None:
    with running(memory, hot=hot) as client:
        reply = client.post(f"{ALICE}/{path}", json=body)
    assert reply.status_code == 422, reply.text
    assert error_of(reply)["data"]["faults"][0]["at"] == f"body.{at}"
    assert (alice.turns(), alice.all()) == ([], [])


def test_whole_numbers_and_lists_are_what_json_has(client: TestClient, alice: Space) -> None:
    assert client.post(f"{ALICE}/turns", json={**TURN, "at": 12}).status_code == 201
    asked = {"query": "Hamburg", "kinds": ["turn"], "tags": [], "tiers": ["hot"], "min_confidence": 0}
    assert client.post(f"{ALICE}/recall", json=asked).status_code == 200
    assert client.post(f"{ALICE}/forget", json={"ids": [alice.turns()[0].id]}).status_code == 200


def test_a_batch_is_stored_whole_or_not_at_all(client: TestClient, alice: Space) -> None:
    alice.append("user", "Hello.", key="taken")
    turns = [{**TURN, "key": "one"}, {**TURN, "key": "taken"}]
    assert client.post(f"{ALICE}/turns/batch", json={"turns": turns}).status_code == 409
    assert [turn.text for turn in alice.turns()] == ["Hello."]


@pytest.mark.parametrize(
    ("path", "methods"),
    [
        (f"{ALICE}/turns", "GET, POST, OPTIONS"),
        (ALICE, "GET, PATCH, DELETE, OPTIONS"),
        (f"{ALICE}/memories/mem-1/pin", "POST, DELETE, OPTIONS"),
    ],
)
def test_options_names_every_method_of_a_path(client: TestClient, path: str, methods: str) -> None:
    reply = client.options(path)
    assert (reply.status_code, reply.headers["allow"]) == (204, methods)
    wrong = client.put(path, json={})
    assert (wrong.status_code, wrong.headers["allow"]) == (405, methods)
    assert client.options("/nowhere").status_code == 404


def test_the_document_says_where_the_key_goes_and_what_everything_means(client: TestClient) -> None:
    document = client.get("/openapi.json").json()
    assert set(document["components"]["securitySchemes"]) == {"bearer", "key"}
    assert document["security"] == [{"bearer": []}, {"key": []}]
    assert document["paths"]["/livez"]["get"]["security"] == []
    operations = [one for methods in document["paths"].values() for one in methods.values()]
    names = [one["operationId"] for one in operations]
    assert len(names) == len(set(names))
    assert [name for name in names if not name.isidentifier() or keyword.iskeyword(name) or "__" in name] == []
    silent = [
        f"{noun}.{name}"
        for noun, schema in document["components"]["schemas"].items()
        for name, property in schema.get("properties", {}).items()
        if not property.get("description")
    ]
    silent += [one["name"] for each in operations for one in each.get("parameters", ()) if not one.get("description")]
    assert silent == []
