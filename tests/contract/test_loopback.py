"""Loopback is not identity: who shows neither token nor key is nobody, wherever the request comes from."""

import os
import stat
import subprocess
import tempfile
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from reverie import Reverie
from reverie.cli.main import run
from reverie.server.gateway.responder import SAFETY
from reverie.server.settings import ServerSettings
from reverie.token import find_token, make_token
from tests.support.served import served
from tests.support.serving import HERE, TOKEN, bearer, error_of, running

TURN = {"role": "user", "text": "hello"}
PROXIES = {
    "forwarded": "for=203.0.113.9",
    "x-forwarded-for": "203.0.113.9",
    "x-forwarded-host": "memory.example",
    "x-forwarded-proto": "https",
    "x-real-ip": "203.0.113.9",
    "via": "1.1 proxy",
    "cf-connecting-ip": "203.0.113.9",
    "cf-ray": "1",
    "cdn-loop": "cloudflare",
}


@pytest.fixture
def memory(memory: Reverie) -> Reverie:
    memory.space("alice")
    return memory


@pytest.fixture
def client(memory: Reverie) -> Iterator[TestClient]:
    """Nobody's client: it brings what a test gives it."""
    with running(memory, require_key=True) as client:
        yield client


def test_on_loopback_too_the_token_is_asked_for(client: TestClient) -> None:
    reply = client.get("/v1/spaces")
    assert (reply.status_code, error_of(reply)["code"]) == (401, "no_key")
    assert "reverie connect" in error_of(reply)["next_move"]


@pytest.mark.parametrize(
    "headers",
    [
        {"x-reverie-key": TOKEN},
        {"authorization": f"Bearer {TOKEN}"},  # letta-client, openai, MCP, curl
        {"authorization": f"Token {TOKEN}"},  # mem0
        {"x-api-key": TOKEN},  # anthropic
        {"authorization": "Bearer sk-a-providers-own-key", "x-reverie-key": TOKEN},
    ],
)
def test_the_token_is_taken_where_a_client_can_carry_it(client: TestClient, headers: dict[str, str]) -> None:
    assert client.get("/v1/spaces", headers=headers).status_code == 200


def test_a_client_that_has_only_a_base_url_carries_it_in_the_path(client: TestClient, memory: Reverie) -> None:
    assert client.get(f"/t/{TOKEN}/v1/spaces").status_code == 200
    assert client.post(f"/t/{TOKEN}/v1/spaces/alice/turns", json=TURN).status_code == 201
    assert client.get("/t/rv_wrong/v1/spaces").status_code == 401
    assert client.get(f"/t/{TOKEN}").url.path.startswith("/console/")  # a browser is let in by it, too
    scoped = memory.keys.create("one", "read", space="alice").secret
    assert client.post(f"/t/{scoped}/v1/spaces/alice/turns", json=TURN).status_code == 403


def test_a_token_in_a_path_is_not_logged_nor_counted(
    memory: Reverie, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: Any, **__: Any) -> Any:
        raise RuntimeError("a fault of ours")

    with running(memory, require_key=True) as client:
        monkeypatch.setattr("reverie.server.state.Server.space", broken)
        reply = client.get(f"/t/{TOKEN}/v1/spaces/alice")
        assert (reply.status_code, TOKEN in reply.text) == (500, False)
        assert TOKEN not in client.get("/metrics", headers={"x-reverie-key": TOKEN}).text
    assert "a fault of ours" in caplog.text
    assert TOKEN not in caplog.text


@pytest.mark.parametrize("header", PROXIES)
def test_a_request_that_came_through_a_proxy_is_never_local(memory: Reverie, header: str) -> None:
    forwarded = {header: PROXIES[header]}
    with running(memory, require_key=True) as client:
        assert client.get("/v1/spaces", headers={"x-reverie-key": TOKEN, **forwarded}).status_code == 401
        assert client.get("/v1/spaces", headers={**bearer(memory), **forwarded}).status_code == 200
    with running(memory, require_key=False) as client:
        assert client.get("/v1/spaces", headers=forwarded).status_code == 401


def test_bound_to_another_address_the_token_is_for_this_machine_alone(memory: Reverie) -> None:
    with running(memory, require_key=True, host="0.0.0.0") as client:  # its peer is no loopback address
        assert client.get("/v1/spaces", headers={"x-reverie-key": TOKEN}).status_code == 401
        assert client.get("/v1/spaces").status_code == 401
        assert client.get("/v1/spaces", headers=bearer(memory)).status_code == 200


def test_an_open_server_asks_for_nothing_on_loopback(memory: Reverie) -> None:
    with running(memory, require_key=False) as client:
        assert client.get("/v1/spaces").status_code == 200
        assert client.get("/v1/spaces", headers={"authorization": "Bearer none"}).status_code == 200
    with running(memory, require_key=False, host="0.0.0.0") as client:
        assert client.get("/v1/spaces").status_code == 401


def test_the_setting_is_there_and_on(memory: Reverie) -> None:
    assert ServerSettings.of(memory.config).require_key is True
    assert ServerSettings.of(memory.config.with_values(require_key=False)).open is True


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
def test_what_another_sites_page_makes_a_browser_fetch_is_refused(memory: Reverie, site: str) -> None:
    with running(memory, require_key=False) as client:
        assert client.get("/v1/spaces", headers={"sec-fetch-site": site}).status_code == 403
        assert client.get("/docs", headers={"sec-fetch-site": site}).status_code == 200  # a link may lead to it


def test_two_hosts_are_one_too_many(client: TestClient) -> None:
    hosts = [("host", "127.0.0.1:8283"), ("host", "evil.example"), ("x-reverie-key", TOKEN)]
    assert client.get("/v1/spaces", headers=hosts).status_code == 403


@pytest.mark.parametrize("origin", [HERE, "https://evil.example", "null"])
def test_no_page_is_ever_told_that_it_may_read(client: TestClient, origin: str) -> None:
    wanted = {"access-control-request-method": "POST", "access-control-request-headers": "x-reverie-key"}
    for method in ("OPTIONS", "GET", "POST"):
        reply = client.request(method, "/v1/spaces", headers={**wanted, "origin": origin, "x-reverie-key": TOKEN})
        assert [name for name in reply.headers if name.startswith("access-control-")] == []


@pytest.mark.parametrize("name", [name.decode() for name, _ in SAFETY])
def test_every_answer_carries_the_security_headers(client: TestClient, name: str) -> None:
    own = {"x-reverie-key": TOKEN}
    replies = [
        client.get("/livez"),
        client.get("/docs"),
        client.get("/nope", headers=own),
        client.get("/v1/spaces"),  # 401
        client.get("/v1/spaces", headers={**own, "host": "evil.example"}),
        client.post("/v1/spaces/alice/turns", json=TURN, headers=own),
        client.post("/v1/spaces/alice/turns", json={}, headers=own),
        client.post("/v1/agents/nobody/messages", json={}, headers=own),
        client.post("/mcp/", json={}, headers=own),
        client.put("/v1/spaces", headers=own),
    ]
    assert [reply.request.url for reply in replies if name not in reply.headers] == []
    assert [len(reply.headers.get_list(name)) for reply in replies] == [1] * len(replies)


def test_the_headers_say_no_to_frames_sniffing_scripts_and_caches(client: TestClient) -> None:
    headers = client.get("/livez").headers
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["x-frame-options"] == "DENY"
    assert headers["referrer-policy"] == "no-referrer"
    assert headers["cross-origin-resource-policy"] == headers["cross-origin-opener-policy"] == "same-origin"
    assert "default-src 'none'" in headers["content-security-policy"]
    assert headers["cache-control"] == "no-store"
    assert "script" not in client.get("/docs").headers["content-security-policy"]
    assert "server" not in headers


def test_a_token_is_made_once_and_found_by_its_owner(tmp_path: Path) -> None:
    home = tmp_path / "home"
    assert find_token(home) is None
    token = make_token(home)
    assert token == make_token(home) == find_token(home)
    assert (len(token) > 40, token.startswith("rv_")) == (True, True)
    assert stat.S_IMODE((home / "token").stat().st_mode) == 0o600
    (home / "token").chmod(0o644)  # somebody may have read it
    assert make_token(home) != token
    (home / "token").unlink()
    (home / "token").symlink_to("/etc/hostname")
    assert find_token(home) is None


def test_connect_prints_what_to_copy(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for words in (["connect", "--port", "9000"], ["connect", "--token"]):
        with pytest.raises(SystemExit) as end:
            run(["--home", str(tmp_path / "home"), "--embedder", "none", *words])
        assert end.value.code == 0
    token = find_token(tmp_path / "home")
    said = capsys.readouterr().out
    assert token is not None
    assert f'Letta(base_url="http://127.0.0.1:9000", api_key="{token}")' in said
    assert f"http://127.0.0.1:9000/t/{token}" in said
    assert said.splitlines()[-1] == token


def test_connect_says_where_the_running_server_really_listens(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with served(tmp_path, embedder="none", durable=False) as server:
        with pytest.raises(SystemExit):
            run(["--home", str(tmp_path / ".reverie"), "--embedder", "none", "connect"])
        assert f'OpenAI(base_url="{server.address}/t/{server.token}/openai/v1")' in capsys.readouterr().out
    with pytest.raises(SystemExit):
        run(["--home", str(tmp_path / ".reverie"), "--embedder", "none", "connect"])
    assert "http://127.0.0.1:8283/t/" in capsys.readouterr().out, "no server runs: where one will listen"


@pytest.fixture
def reachable() -> Iterator[Path]:
    """A directory that everybody may walk through, as /home is."""
    with tempfile.TemporaryDirectory(prefix="reverie-everybody-") as folder:
        os.chmod(folder, 0o755)
        yield Path(folder)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become another user")
def test_another_user_of_the_machine_is_refused_and_cannot_read_the_home(reachable: Path) -> None:
    """`reverie up` as one user, curl as another."""

    def as_nobody(*command: str) -> "subprocess.CompletedProcess[str]":
        return subprocess.run(
            command, user=65534, group=65534, extra_groups=[], capture_output=True, text=True, timeout=30, check=False
        )

    old = os.umask(0)
    try:
        with served(reachable, embedder="none", durable=False) as up:
            up.call("POST", "/v1/spaces", {"name": "alice"})
            status = ["curl", "-s", "-o", "/dev/null", "-w", "%{http_code}"]
            assert as_nobody(*status, f"{up.address}/v1/spaces").stdout == "401"
            assert as_nobody(*status, f"{up.address}/livez").stdout == "200"  # it does reach the port
            home = reachable / ".reverie"
            assert as_nobody("ls", str(reachable)).returncode == 0
            for command in (["ls", str(home)], ["cat", str(home / "token")], ["cat", str(home / "memory.db")]):
                assert as_nobody(*command).returncode != 0
            own = urllib.request.Request(f"{up.address}/v1/spaces", headers={"x-reverie-key": up.token})
            with urllib.request.urlopen(own, timeout=20) as reply:
                assert reply.status == 200
            up.stop()
    finally:
        os.umask(old)
