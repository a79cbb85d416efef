"""Nobody in: keys, scopes, places, limits."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from starlette.testclient import TestClient

from reverie import Reverie
from reverie.errors import ConfigError
from reverie.server.errors import TooManyRequests
from reverie.server.gateway.auth import check_start
from reverie.server.gateway.limits import Rate
from reverie.server.settings import ServerSettings
from tests.support.serving import HERE, bearer, error_of, running

TURN = {"role": "user", "text": "hello"}


@pytest.fixture
def memory(memory: Reverie) -> Reverie:
    memory.space("alice")
    memory.space("bob")
    return memory


@pytest.fixture
def client(memory: Reverie) -> Iterator[TestClient]:
    with running(memory, require_key=True) as client:
        yield client


def test_a_server_that_others_can_reach_does_not_start_without_a_key(memory: Reverie) -> None:
    with pytest.raises(ConfigError, match="no API key"):
        check_start(memory, ServerSettings(host="0.0.0.0"))
    memory.keys.create("first")
    check_start(memory, ServerSettings(host="0.0.0.0"))


def test_without_a_key_the_answer_says_what_to_send(client: TestClient) -> None:
    reply = client.get("/v1/spaces")
    assert (reply.status_code, reply.headers["www-authenticate"]) == (401, "Bearer")
    assert error_of(reply)["code"] == "no_key"


@pytest.mark.parametrize("path", ["/livez", "/readyz", "/docs", "/openapi.json"])
def test_health_and_documents_need_no_key(client: TestClient, path: str) -> None:
    assert client.get(path).status_code == 200


def test_metrics_need_a_key_where_the_server_needs_one(memory: Reverie, client: TestClient) -> None:
    assert client.get("/metrics").status_code == 401
    assert b"reverie_http_requests_total" in client.get("/metrics", headers=bearer(memory, "read")).content


def test_an_unknown_key_is_refused(client: TestClient) -> None:
    assert client.get("/v1/spaces", headers={"authorization": "Bearer rv_nonsense"}).status_code == 401


@pytest.mark.parametrize(
    ("verbs", "method", "path", "body", "status"),
    [
        ("read", "GET", "/v1/spaces/alice/turns", None, 200),
        ("read", "POST", "/v1/spaces/alice/turns", TURN, 403),
        ("read", "POST", "/v1/spaces/alice/memories", {"text": "x"}, 403),
        ("write", "POST", "/v1/spaces/alice/turns", TURN, 201),
        ("write", "POST", "/v1/spaces", {"name": "carol"}, 403),
        ("write", "POST", "/v1/keys", {"name": "mine"}, 403),
        ("write", "PATCH", "/v1/spaces/alice/settings", {"idle_seconds": 5}, 200),
        ("write", "PATCH", "/v1/spaces/alice/settings", {"budget_space_cost": 1_000}, 403),
        ("admin", "PATCH", "/v1/spaces/alice/settings", {"budget_space_cost": 1_000}, 200),
        ("admin", "POST", "/v1/spaces", {"name": "carol"}, 201),
        ("admin", "POST", "/v1/keys", {"name": "mine"}, 201),
    ],
)
def test_a_key_may_do_what_its_verbs_say(
    memory: Reverie, client: TestClient, verbs: str, method: str, path: str, body: Any, status: int
) -> None:
    assert client.request(method, path, json=body, headers=bearer(memory, verbs)).status_code == status


def test_a_key_for_one_space_sees_no_other(memory: Reverie, client: TestClient) -> None:
    key = bearer(memory, "admin", space="alice")
    assert client.get("/v1/spaces/alice", headers=key).status_code == 200
    assert client.get("/v1/spaces/bob", headers=key).status_code == 404
    assert [space["name"] for space in client.get("/v1/spaces", headers=key).json()["items"]] == ["alice"]
    assert client.post("/v1/keys", json={"name": "wider"}, headers=key).status_code == 403


def test_a_key_made_for_a_space_over_http_is_for_that_space(memory: Reverie, client: TestClient) -> None:
    made = client.post("/v1/spaces/alice/keys", json={"name": "a"}, headers=bearer(memory, "admin")).json()
    key = {"authorization": f"Bearer {made['secret']}"}
    assert client.post("/v1/spaces/alice/turns", json=TURN, headers=key).status_code == 201
    assert client.post("/v1/spaces/bob/turns", json=TURN, headers=key).status_code == 404


def test_a_revoked_key_no_longer_works(memory: Reverie, client: TestClient) -> None:
    key, admin = bearer(memory), bearer(memory, "admin")
    assert client.get("/v1/spaces", headers=key).status_code == 200
    [id] = [known.id for known in memory.keys.list() if "admin" not in known.verbs]
    revoked = client.delete(f"/v1/keys/{id}", headers=admin)
    assert revoked.json()["revoked_at"] is not None
    reply = client.get("/v1/spaces", headers=key)
    assert (reply.status_code, error_of(reply)["message"]) == (401, "this key has been revoked")


def test_an_expired_key_no_longer_works(location: str, opened: Callable[[Any], Any]) -> None:
    now = [1_000.0]
    memory = opened(Reverie.open(location, embedder="none", durable=False, clock=lambda: now[0]))
    key = bearer(memory, days=1)
    with running(memory, require_key=True) as client:
        assert client.get("/v1/spaces", headers=key).status_code == 200
        now[0] += 86_401
        assert client.get("/v1/spaces", headers=key).status_code == 401


def test_only_the_hash_of_a_key_is_stored(memory: Reverie) -> None:
    secret = memory.keys.create("mine").secret
    [row] = memory.parts.db.rows("SELECT * FROM keys")
    assert all(secret not in str(value) for value in row)


def test_a_key_is_revoked_by_its_own_org_only(memory: Reverie) -> None:
    made = memory.keys.create("mine")
    with pytest.raises(Exception, match="no key"):
        memory.in_org("other").keys.revoke(made.key.id)


@pytest.mark.parametrize("host", ["evil.example", "evil.example:8283", "127.0.0.1.evil.example", "", "["])
def test_a_page_that_rebinds_its_name_to_loopback_is_refused(memory: Reverie, host: str) -> None:
    with running(memory) as client:
        assert client.get("/v1/spaces", headers={"host": host}).status_code == 403


@pytest.mark.parametrize(
    ("origin", "status"),
    [
        ("https://evil.example", 403),
        ("null", 403),
        ("http://[", 403),
        ("", 403),
        ("http://localhost:8283", 403),  # another name of this machine is another site
        ("http://127.0.0.1:3000", 403),
        ("file://127.0.0.1:8283", 403),
        (HERE, 200),
    ],
)
def test_pages_of_other_sites_may_not_call(memory: Reverie, origin: str, status: int) -> None:
    with running(memory) as client:
        reply = client.get("/v1/spaces", headers={"origin": origin})
    assert reply.status_code == status
    assert "access-control-allow-origin" not in reply.headers


def test_blanks_around_a_header_do_not_matter(memory: Reverie, client: TestClient) -> None:
    key = bearer(memory)
    assert client.get("/v1/spaces", headers={"authorization": key["authorization"] + "  "}).status_code == 200


def test_a_large_body_is_refused(memory: Reverie) -> None:
    with running(memory, max_body=1_000) as client:
        reply = client.post("/v1/spaces/alice/turns", json={"role": "user", "text": "x" * 2_000})
        unsaid = client.post("/v1/spaces/alice/memories", content=(part for part in [b"x" * 800] * 3))
    assert (reply.status_code, unsaid.status_code) == (413, 413)
    assert error_of(reply)["data"]["limit"] == 1_000


def test_one_keys_rate_is_bounded_and_the_answer_says_when_to_come_back(memory: Reverie) -> None:
    with running(memory, require_key=True, requests_per_minute=6) as client:
        key, other = bearer(memory), bearer(memory)
        replies = [client.get("/v1/spaces", headers=key) for _ in range(3)]
        assert [reply.status_code for reply in replies] == [200, 429, 429]
        assert 1 <= int(replies[-1].headers["retry-after"]) <= 10
        assert client.get("/v1/spaces", headers=other).status_code == 200


def test_a_bucket_fills_again() -> None:
    now = [0.0]
    rate = Rate(60, clock=lambda: now[0])
    for _ in range(10):
        rate.take("key")
    with pytest.raises(TooManyRequests):
        rate.take("key")
    now[0] += 1.0
    rate.take("key")


def test_more_requests_than_there_is_room_for_are_told_to_come_back(memory: Reverie) -> None:
    with running(memory, max_in_flight=0) as client:
        reply = client.get("/v1/spaces")
    assert (reply.status_code, reply.headers["retry-after"], error_of(reply)["code"]) == (503, "1", "overloaded")
