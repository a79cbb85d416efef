"""Memory over HTTP: spaces, turns, blocks, memories; one shape of errors, cursors, idempotency keys."""

from collections.abc import Iterator
from typing import Any

import pytest
from starlette.testclient import TestClient

from reverie import Reverie
from reverie.server.openapi.descriptions import OTHERS
from tests.conftest import BACKENDS
from tests.support.serving import error_of, running

A = "/v1/spaces/alice"
TURN = {"role": "user", "text": "hello"}


@pytest.fixture
def memory(memory: Reverie) -> Reverie:
    memory.space("alice")
    return memory


@pytest.fixture
def client(memory: Reverie) -> Iterator[TestClient]:
    with running(memory) as client:
        yield client


def test_a_space_is_made_read_changed_and_listed(client: TestClient) -> None:
    made = client.post("/v1/spaces", json={"name": "bob", "settings": {"cadence_turns": 9}, "metadata": {"a": 1}})
    assert (made.status_code, made.json()["settings"]) == (201, {"cadence_turns": 9})
    by_id = client.get(f"/v1/spaces/{made.json()['id']}").json()
    assert by_id == client.get("/v1/spaces/bob").json() == made.json()
    changed = client.patch("/v1/spaces/bob", json={"name": "ben", "settings": {"cadence_turns": None}})
    assert (changed.json()["name"], changed.json()["settings"]) == ("ben", {})
    assert [space["name"] for space in client.get("/v1/spaces").json()["items"]] == ["alice", "ben"]


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity"])
def test_metadata_that_is_no_json_is_refused_and_nothing_is_stored(client: TestClient, number: str) -> None:
    metadata = f'"metadata": {{"x": {number}}}'
    for path, body in (
        ("/v1/spaces", f'{{"name": "bob", {metadata}}}'),
        (f"{A}/turns", f'{{"role": "user", "text": "hello", {metadata}}}'),
        (f"{A}/memories", f'{{"text": "hello", {metadata}}}'),
        (f"{A}/blocks", f'{{"label": "task", {metadata}}}'),
    ):
        reply = client.post(path, content=body, headers={"content-type": "application/json"})
        assert (reply.status_code, error_of(reply)["code"]) == (422, "bad_input"), path
    changed = client.patch(A, content=f"{{{metadata}}}", headers={"content-type": "application/json"})
    assert changed.status_code == 422
    assert client.get("/v1/spaces/bob").status_code == 404
    assert client.get(f"{A}/turns").json()["items"] == client.get(f"{A}/memories").json()["items"] == []


def test_a_name_that_is_taken_conflicts_and_names_the_space(client: TestClient) -> None:
    reply = client.post("/v1/spaces", json={"name": "alice"})
    assert reply.status_code == 409
    assert error_of(reply)["data"]["id"] == client.get(A).json()["id"]


def test_a_name_that_looks_like_an_id_is_a_name(client: TestClient) -> None:
    made = client.post("/v1/spaces", json={"name": "agent-smith"}).json()
    assert client.get("/v1/spaces/agent-smith").json() == made


@pytest.mark.parametrize("name", ["", " ", ".", "..", "a/b", "a\nb"])
def test_a_name_that_fits_into_no_path_is_refused(client: TestClient, name: str) -> None:
    assert client.post("/v1/spaces", json={"name": name}).status_code == 422
    assert client.patch(A, json={"name": name}).status_code == 422


@pytest.mark.parametrize("settings", [{"cadence": 3}, {"cadence_turns": "many"}, {"caps": 7}, {"cron": "x y z"}])
def test_settings_that_cannot_be_are_refused(client: TestClient, settings: Any) -> None:
    assert client.patch(f"{A}/settings", json=settings).status_code == 422
    assert client.post("/v1/spaces", json={"name": "bob", "settings": settings}).status_code == 422
    assert client.get(f"{A}/settings").json() == {}
    assert client.get("/v1/spaces/bob").status_code == 404


def test_a_turn_is_stored_and_read_back(client: TestClient) -> None:
    said = {**TURN, "session": "s1", "metadata": {"n": [1, None]}, "at": 1_700_000_000.5}
    reply = client.post(f"{A}/turns", json=said)
    assert (reply.status_code, reply.json()["seq"]) == (201, 1)
    turn = client.get(f"{A}/turns/{reply.json()['id']}").json()
    assert {name: turn[name] for name in said} == said


@pytest.mark.parametrize("hot", [True, False])
@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"[]",
        b"{}",
        b"\xff\xfe",
        b'{"role": "nobody", "text": "x"}',
        b'{"role": "user", "text": ""}',
        b'{"role": "user", "text": "   "}',
        b'{"role": "user", "text": "x", "more": 1}',
        b'{"role": "user", "text": "\\ud800"}',
        b'{"role": "user", "text": "x", "at": 1e400}',
        b'{"role": "user", "text": "x", "at": "soon"}',
        b'{"role": "user", "text": "x", "session": ""}',
    ],
)
def test_a_bad_turn_is_refused_in_the_one_shape_on_the_short_way_and_the_long(
    memory: Reverie, hot: bool, body: bytes
) -> None:
    with running(memory, hot=hot) as client:
        reply = client.post(f"{A}/turns", content=body, headers={"content-type": "application/json"})
        assert (reply.status_code, error_of(reply)["code"]) == (422, "bad_input")
        assert client.get(f"{A}/turns").json() == {"items": [], "next": None}


def test_the_short_way_and_the_long_way_answer_alike(memory: Reverie) -> None:
    replies = []
    for hot in (True, False):
        with running(memory, hot=hot) as client:
            replies.append(client.post(f"{A}/turns", json=TURN))
    short, long = ({**reply.json(), "id": 0, "seq": 0} for reply in replies)
    assert short == long
    assert set(replies[0].headers) == set(replies[1].headers)


@pytest.mark.parametrize("hot", [True, False])
def test_a_turn_with_an_idempotency_key_is_stored_once(memory: Reverie, hot: bool) -> None:
    with running(memory, hot=hot) as client:
        key = {"idempotency-key": "k1"}
        first = client.post(f"{A}/turns", json=TURN, headers=key)
        again = client.post(f"{A}/turns", json=TURN, headers=key)
        other = client.post(f"{A}/turns", json={**TURN, "text": "bye"}, headers=key)
        assert first.json()["id"] == again.json()["id"]
        assert again.headers["idempotency-replayed"] == "true"
        assert (other.status_code, error_of(other)["code"]) == (409, "key_reused")
        assert len(client.get(f"{A}/turns").json()["items"]) == 1


def test_any_post_with_an_idempotency_key_is_done_once_and_answered_alike(client: TestClient) -> None:
    key = {"idempotency-key": "k1"}
    first = client.post(f"{A}/memories", json={"text": "The key is with Ana."}, headers=key)
    again = client.post(f"{A}/memories", json={"text": "The key is with Ana."}, headers=key)
    assert (again.status_code, again.content) == (201, first.content)
    assert len(client.get(f"{A}/memories").json()["items"]) == 1
    reused = client.post(f"{A}/memories", json={"text": "Something else."}, headers=key)
    assert (reused.status_code, error_of(reused)["code"]) == (409, "key_reused")
    elsewhere = client.post(f"{A}/blocks", json={"label": "task"}, headers=key)
    assert elsewhere.status_code == 201


def test_an_error_is_not_kept_for_its_idempotency_key(client: TestClient) -> None:
    key = {"idempotency-key": "k1"}
    assert client.post(f"{A}/blocks/human/append", json={"text": ""}, headers=key).status_code == 422
    assert client.post(f"{A}/blocks/human/append", json={"text": "Likes tea."}, headers=key).status_code == 200


def test_turns_are_paged_by_cursor_both_ways(client: TestClient) -> None:
    client.post(f"{A}/turns/batch", json={"turns": [{**TURN, "text": f"turn {n}"} for n in range(5)]})
    for newest_first, expected in ((False, range(5)), (True, range(4, -1, -1))):
        assert walk(client, f"{A}/turns", "text", newest_first=newest_first) == [f"turn {n}" for n in expected]


def walk(client: TestClient, path: str, field: str, **query: Any) -> list[str]:
    """Every page of two, to the end."""
    found: list[str] = []
    after: str | None = None
    for _ in range(10):
        page = client.get(path, params={**query, "limit": 2, **({"after": after} if after else {})}).json()
        found.extend(item[field] for item in page["items"])
        after = page["next"]
        if after is None:
            return found
    raise AssertionError("the list has no end")


def test_all_lists_are_paged_to_their_end(client: TestClient) -> None:
    for n in range(4):
        client.post("/v1/spaces", json={"name": f"space {n}"})
        client.post(f"{A}/memories", json={"text": f"memory {n}"})
        client.post(f"{A}/turns", json={**TURN, "session": f"session {n}"})
        client.post("/v1/keys", json={"name": f"key {n}"})
    assert walk(client, "/v1/spaces", "name") == ["alice", *(f"space {n}" for n in range(4))]
    assert walk(client, f"{A}/memories", "text") == [f"memory {n}" for n in range(4)]
    assert walk(client, f"{A}/sessions", "session") == [f"session {n}" for n in range(4)]
    assert walk(client, "/v1/keys", "name") == [f"key {n}" for n in range(4)]


@pytest.mark.parametrize("path", ["/v1/spaces", f"{A}/turns", f"{A}/memories"])
def test_a_cursor_that_names_nothing_is_not_taken_for_the_beginning(client: TestClient, path: str) -> None:
    assert client.get(path, params={"after": "agent-nothing"}).status_code == 404


def test_a_session_ends_once_even_if_its_name_has_slashes(client: TestClient) -> None:
    client.post(f"{A}/turns", json={**TURN, "session": "a/b"})
    assert [client.post(f"{A}/sessions/a/b/end").json() for _ in range(2)] == [{"ended": True}, {"ended": False}]


def test_a_block_is_edited_with_its_version_in_hand(client: TestClient) -> None:
    client.post(f"{A}/blocks/human/append", json={"text": "Lives in Lisbon."})
    written = client.post(f"{A}/blocks/human/replace", json={"old": "Lisbon", "new": "Hamburg"}).json()
    assert (written["status"], written["version"], written["value"]) == ("written", 3, "Lives in Hamburg.")
    stale = client.patch(f"{A}/blocks/human", json={"value": "x"}, headers={"if-match": '"2"'})
    assert (stale.status_code, error_of(stale)["data"]["value"]) == (409, "Lives in Hamburg.")
    fresh = client.patch(f"{A}/blocks/human", json={"value": "Lives in Bremen."}, headers={"if-match": '"3"'})
    assert fresh.json()["version"] == 4
    assert [v["version"] for v in client.get(f"{A}/blocks/human/history").json()["items"]] == [1, 2, 3, 4]
    assert "+Lives in Hamburg." in client.get(f"{A}/blocks/human/diff?older=2&newer=3").json()["diff"]
    assert client.post(f"{A}/blocks/human/restore", json={"version": 2}).json()["value"] == "Lives in Lisbon."


def test_a_blocks_limit_holds(client: TestClient) -> None:
    client.post(f"{A}/blocks", json={"label": "task", "value": "x" * 9, "limit": 10})
    refused = client.patch(f"{A}/blocks/task", json={"value": "y" * 11})
    assert (refused.status_code, error_of(refused)["data"]) == (422, {"label": "task", "size": 11, "limit": 10})
    assert client.post(f"{A}/blocks/task/append", json={"text": "more"}).json()["status"] == "deferred"


def test_a_block_is_shared_and_only_its_owner_takes_it_away(client: TestClient) -> None:
    client.post("/v1/spaces", json={"name": "bob"})
    block = client.post(f"{A}/blocks", json={"label": "project", "value": "Move house."}).json()
    shared = client.post("/v1/spaces/bob/blocks/attach", json={"block": block["id"]}).json()
    assert "project" in [item["label"] for item in shared["items"]]
    assert client.get(f"/v1/spaces/bob/blocks/{block['id']}").json()["value"] == "Move house."
    assert client.delete("/v1/spaces/bob/blocks/project").status_code == 403
    client.post("/v1/spaces/bob/blocks/detach", json={"block": block["id"]})
    assert client.get("/v1/spaces/bob/blocks/project").status_code == 404
    assert client.delete(f"{A}/blocks/project").status_code == 200


def test_a_memory_is_corrected_pinned_and_tagged(client: TestClient) -> None:
    id = client.post(f"{A}/memories", json={"text": "The key is with Ana.", "tags": ["keys"]}).json()["id"]
    assert client.post(f"{A}/memories/{id}/pin").json()["pinned"] is True
    assert client.delete(f"{A}/memories/{id}/pin").json()["pinned"] is False
    assert client.post(f"{A}/memories/{id}/tags", json={"tags": ["home"]}).json()["manual_tags"] == ["keys", "home"]
    assert client.delete(f"{A}/memories/{id}/tags?tag=keys").json()["manual_tags"] == ["home"]
    assert client.patch(f"{A}/memories/{id}", json={"metadata": {"room": "hall"}}).json()["metadata"] == {
        "room": "hall"
    }
    right = client.post(f"{A}/memories/{id}/correct", json={"text": "The key is with Ben."})
    assert (right.status_code, right.json()["confidence"]) == (201, 1.0)
    assert client.get(f"{A}/memories/{id}").json()["stale"] is True
    assert client.get(f"{A}/memories/{id}/links").json()["items"][0]["relation"] == "supersedes"
    assert [m["id"] for m in client.get(f"{A}/memories/{id}/derived").json()["items"]] == [id, right.json()["id"]]


def test_memories_are_listed_by_kind_tag_and_time(client: TestClient) -> None:
    client.post(f"{A}/memories", json={"text": "One.", "tags": ["a", "b"], "at": 1_000})
    client.post(f"{A}/memories", json={"text": "Two.", "tags": ["a"], "at": 2_000})
    for query, found in (
        ("tag=a", ["One.", "Two."]),
        ("tag=a&tag=b", ["One."]),
        ("kind=fact", []),
        ("kind=fact&kind=episode", ["One.", "Two."]),
        ("said_after=1500", ["Two."]),
        ("said_before=1500", ["One."]),
    ):
        assert [m["text"] for m in client.get(f"{A}/memories?{query}").json()["items"]] == found, query


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [("GET", "/v1/nothing", 404), ("PUT", "/v1/spaces", 405), ("GET", "/v1/spaces/nobody", 404)],
)
def test_what_is_not_there_is_answered_in_the_one_shape(
    client: TestClient, method: str, path: str, status: int
) -> None:
    reply = client.request(method, path)
    assert reply.status_code == status
    assert error_of(reply)["next_move"]


def test_an_unexpected_fault_tells_nothing_of_itself(memory: Reverie, client: TestClient) -> None:
    memory.parts.clock = lambda: 1 / 0
    reply = client.post(f"{A}/blocks/human/append", json={"text": "x"})
    assert (reply.status_code, error_of(reply)["code"]) == (500, "error")
    assert "division" not in reply.text


def test_each_answer_says_how_long_library_and_server_took(client: TestClient) -> None:
    timing = client.post(f"{A}/turns", json=TURN).headers["server-timing"]
    assert timing.startswith("library;dur=")
    assert "server;dur=" in timing


def test_requests_are_counted_by_their_pattern_never_by_their_path(client: TestClient) -> None:
    client.post(f"{A}/turns", json=TURN)
    client.get(f"{A}/turns")
    client.get("/v1/nothing/at/all")
    text = client.get("/metrics").text
    assert 'method="POST",route="/v1/spaces/{space}/turns",status="201"} 1.0' in text
    assert 'method="GET",route="/v1/spaces/{space}/turns",status="200"} 1.0' in text
    assert 'route="unmatched",status="404"} 1.0' in text
    assert "alice" not in text


def test_every_route_is_documented_with_an_example_and_its_errors(client: TestClient) -> None:
    document = client.get("/openapi.json").json()
    for path, operations in document["paths"].items():
        for method, operation in operations.items():
            replies = operation["responses"]
            good = [reply for status, reply in replies.items() if status[0] == "2"]
            shown = [
                reply.get("content", {}).get("application/json", {"example": True}).get("example") for reply in good
            ]
            assert shown, (method, path)
            others = set(operation.get("tags", ())) & OTHERS.keys()  # their own documents show what they answer
            assert others or all(example is not None for example in shown), (method, path, good)
            assert {"401", "403", "404", "422", "429", "503"} <= set(replies), (method, path)
            assert operation.get("description") or operation.get("summary"), (method, path)


def test_the_documentation_page_loads_nothing_from_elsewhere(client: TestClient) -> None:
    page = client.get("/docs").text
    assert "/v1/spaces/{space}/turns" in page
    assert "src=" not in page
    assert "http" not in page


@pytest.mark.parametrize("hot", [True, False])
def test_what_was_said_a_moment_ago_is_recalled_and_stands_in_the_context(memory: Reverie, hot: bool) -> None:
    with running(memory, hot=hot) as client:
        id = client.post(f"{A}/turns", json={**TURN, "text": "I moved to Hamburg", "session": "s1"}).json()["id"]
        [hit] = client.post(f"{A}/recall", json={"query": "hamburg", "explain": True}).json()["hits"]
        assert (hit["id"], hit["kind"], hit["sources"]) == (id, "turn", [id])
        assert hit["parts"]
        context = client.post(f"{A}/context", json={"query": "hamburg", "budget": 500}).json()
        assert "I moved to Hamburg" in context["text"]
        assert 0 < context["tokens"] <= 500
        assert client.post(f"{A}/context", json={}).status_code == 200


@pytest.mark.parametrize("hot", [True, False])
@pytest.mark.parametrize(
    "body", [{}, {"query": ""}, {"query": "  "}, {"query": "x", "k": 0}, {"query": "x", "after": 2, "before": 1}]
)
def test_a_bad_question_is_refused(memory: Reverie, hot: bool, body: Any) -> None:
    with running(memory, hot=hot) as client:
        assert error_of(client.post(f"{A}/recall", json=body))["code"] == "bad_input"


@pytest.mark.parametrize("query", ['"', "*", "NEAR(", "--", "a AND", "🦊 狐", "'; DROP TABLE turns"])
def test_a_question_may_hold_anything(client: TestClient, query: str) -> None:
    assert client.post(f"{A}/recall", json={"query": query}).status_code == 200


def test_what_is_forgotten_is_gone_and_a_dry_run_takes_nothing(client: TestClient) -> None:
    id = client.post(f"{A}/memories", json={"text": "The key is with Ana."}).json()["id"]
    assert client.post(f"{A}/forget", json={"query": "Ana", "dry_run": True}).json()["memories"] == [id]
    assert client.get(f"{A}/memories/{id}").status_code == 200
    assert client.delete(f"{A}/memories/{id}").json()["memories"] == [id]
    assert client.get(f"{A}/memories/{id}").status_code == 404
    assert client.post(f"{A}/forget", json={}).status_code == 422


def test_a_space_goes_out_and_comes_in_as_lines(client: TestClient) -> None:
    client.post(f"{A}/turns", json=TURN)
    lines = client.get(f"{A}/export")
    assert lines.headers["content-type"].startswith("application/x-ndjson")
    made = client.post("/v1/spaces/import?name=copy", content=lines.content)
    assert made.status_code == 201, made.text
    assert [turn["text"] for turn in client.get("/v1/spaces/copy/turns").json()["items"]] == ["hello"]
    assert client.delete("/v1/spaces/copy").json()["name"] == "copy"
    assert client.get("/v1/spaces/copy").status_code == 404
    assert client.post("/v1/spaces/import?name=bad", content=b"nonsense").status_code == 422


@pytest.mark.parametrize("location", BACKENDS, indirect=True)
@pytest.mark.parametrize("path", [f"{A}/turns?session=%00", "/v1/spaces/%00", f"{A}/memories?tag=%00&subject=%00"])
def test_a_zero_byte_is_refused_or_found_nowhere_on_both_backends(memory: Reverie, path: str) -> None:
    with running(memory) as client:
        assert client.get(path).status_code in (200, 404, 422)
