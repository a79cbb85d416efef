"""The way between the proxy and a provider, and answers that need no provider."""

import asyncio
import json
import socket
import ssl
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from reverie.server.proxy import memory as proxy_memory
from reverie.server.proxy import upstream
from reverie.server.proxy.forward import Asked
from reverie.server.proxy.upstream import NoConnection, Upstream, origin_of, proxy_between
from reverie.server.serve import bound
from reverie.server.settings import ServerSettings
from tests.support.bare_provider import answering, request_on
from tests.support.live import live
from tests.support.proxied import World, proxied
from tests.support.serving import TOKEN
from tests.support.waiting import until

ASKED: list[Any] = [{"role": "user", "content": "Where do I live?"}]
WELCOME = {"x-reverie-answer": "precomputed"}
OK = b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok"


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    with proxied(tmp_path_factory.mktemp("answers")) as made:
        alice = made.memory.space("alice")
        alice.append("user", "I live in Hamburg.", session="a")
        assert alice.sleep().status == "done"
        yield made


@pytest.fixture(autouse=True)
def _in_time(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(proxy_memory, "DEADLINE", 10.0)
    world.provider.requests.clear()


@pytest.mark.parametrize("stream", [False, True])
def test_a_prepared_answer_is_given_where_it_is_welcome(world: World, stream: bool) -> None:
    ask, told = world.openai("alice", **WELCOME), []
    claude: Any = {"model": "m", "max_tokens": 9, "messages": ASKED}
    if stream:
        with ask.chat.completions.create(model="m", messages=ASKED, stream=True) as events:
            told.append("".join(event.choices[0].delta.content or "" for event in events))
        with ask.responses.stream(model="m", input="Where do I live?", store=False) as events:
            told.append(events.until_done().get_final_response().output_text)
        with world.anthropic("alice", **WELCOME).messages.stream(**claude) as events:
            told.append(events.get_final_text())
    else:
        raw = ask.chat.completions.with_raw_response.create(model="m", messages=ASKED)
        assert raw.headers["x-reverie-answer"] == "precomputed"
        told.append(raw.parse().choices[0].message.content)
        told.append(ask.responses.create(model="m", input="Where do I live?", store=False).output_text)
        told.append(world.anthropic("alice", **WELCOME).messages.create(**claude).content[0].text)
    assert all("I live in Hamburg" in text for text in told)
    assert world.provider.requests == []


def test_where_a_model_is_needed_or_nobody_asked_the_answer_is_live(world: World) -> None:
    ask, tool = world.openai("alice", **WELCOME), {"type": "function", "function": {"name": "look"}}
    for client, more in (
        (world.openai("alice"), {}),
        (ask, {"tools": [tool]}),
        (ask, {"response_format": {"type": "json_object"}}),
        (ask, {"n": 2}),
    ):
        raw = client.chat.completions.with_raw_response.create(model="m", messages=ASKED, **more)
        assert raw.headers["x-reverie-answer"] == "live"
    ask.responses.create(model="m", input="Where do I live?")  # the provider keeps it: the next request may name it
    assert len(world.provider.requests) == 5


def test_the_answer_to_a_prepared_question_is_not_learned(world: World) -> None:
    space = world.memory.space("alice")
    world.openai("alice", **WELCOME, **{"x-reverie-session": "once"}).chat.completions.create(model="m", messages=ASKED)
    until(lambda: [turn for turn in space.turns(limit=200) if turn.session == "once"], 10)
    assert [turn.role for turn in space.turns(limit=200) if turn.session == "once"] == ["user"]


async def asked(client: Upstream, url: str, method: str = "POST") -> tuple[int, bytes]:
    question = Asked(method, "/chat", [(b"authorization", b"Bearer sk-1")], b"" if method == "HEAD" else b"{}")
    async with client.connection(origin_of(url)) as answer:
        await answer.ask(question.message(origin_of(url)), bodiless=method == "HEAD")
        return answer.status, b"".join([part async for part in answer.pieces()])


async def all_of(*calls: tuple[str, str]) -> list[tuple[int, bytes]]:
    client = Upstream()
    try:
        return [await asked(client, url, method) for url, method in calls]
    finally:
        await client.close()


def test_a_connection_is_used_again_and_every_kind_of_body_is_read_to_its_end() -> None:
    replies = [
        b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok",
        b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1\r\no\r\n1\r\nk\r\n0\r\n\r\n",
        b"HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\n",  # to a HEAD
        b"HTTP/1.1 200 OK\r\n\r\nok",  # until the connection ends
    ]
    connections = []

    def handle(connection: socket.socket) -> None:
        connections.append(connection)
        while replies and request_on(connection):
            connection.sendall(replies.pop(0))

    with answering(handle) as port:
        url = f"http://127.0.0.1:{port}/v1"
        told = asyncio.run(all_of((url, "POST"), (url, "POST"), (url, "HEAD"), (url, "POST")))
    assert told == [(200, b"ok"), (200, b"ok"), (200, b""), (200, b"ok")]
    assert len(connections) == 1


def test_a_provider_that_speaks_no_http_or_is_not_there_is_told_apart() -> None:
    def handle(connection: socket.socket) -> None:
        request_on(connection)
        connection.sendall(b"SSH-2.0-OpenSSH\r\n")

    with answering(handle) as port, pytest.raises(upstream.AnswerBroken, match="not HTTP"):
        asyncio.run(all_of((f"http://127.0.0.1:{port}", "POST")))
    with pytest.raises(NoConnection):
        asyncio.run(all_of((f"http://127.0.0.1:{port}", "POST")))
    with pytest.raises(NoConnection):
        asyncio.run(all_of(("gopher://x", "POST")))


def test_https_goes_through_the_proxy_that_the_environment_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2"]
    name = ["-subj", "/CN=provider.test", "-addext", "subjectAltName=DNS:provider.test"]
    subprocess.run(
        [*made, *name, "-keyout", "key.pem", "-out", "cert.pem"], cwd=tmp_path, check=True, capture_output=True
    )
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(tmp_path / "cert.pem", tmp_path / "key.pem")
    heads = []

    def handle(connection: socket.socket) -> None:
        heads.append(request_on(connection))
        connection.sendall(b"HTTP/1.1 200 Connection established\r\n\r\n")
        with context.wrap_socket(connection, server_side=True) as secured:
            heads.append(request_on(secured))
            secured.sendall(OK)
            request_on(secured)

    with answering(handle) as port:
        monkeypatch.setenv("HTTPS_PROXY", f"http://me:secret@127.0.0.1:{port}")
        monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "cert.pem"))
        monkeypatch.delenv("NO_PROXY", raising=False)
        monkeypatch.delenv("no_proxy", raising=False)
        proxy_between.cache_clear()
        try:
            assert asyncio.run(all_of(("https://provider.test/v1", "POST"))) == [(200, b"ok")]
        finally:
            proxy_between.cache_clear()
    assert heads[0].startswith(b"CONNECT provider.test:443 HTTP/1.1\r\n")
    assert b"proxy-authorization: Basic bWU6c2VjcmV0" in heads[0]
    assert b"Bearer" not in heads[0], "the provider's key goes to the provider alone"
    assert heads[1].startswith(b"POST /v1/chat HTTP/1.1\r\nhost: provider.test\r\nauthorization: Bearer sk-1\r\n")


def test_nobody_pays_for_an_answer_whose_reader_has_gone(world: World) -> None:
    gone = threading.Event()

    def handle(connection: socket.socket) -> None:
        request_on(connection)
        if not connection.recv(1):  # the model thinks; the connection ends before it has spoken
            gone.set()

    with answering(handle) as port:
        body = json.dumps({"model": "m", "messages": ASKED}).encode()
        head = f"POST /openai/v1/chat/completions HTTP/1.1\r\nhost: localhost\r\nx-reverie-key: {TOKEN}\r\n"
        with live(world.memory, providers={"/openai/v1": f"http://127.0.0.1:{port}"}) as address:
            place = ("127.0.0.1", int(address.rpartition(":")[2]))
            with socket.create_connection(place) as client:
                client.sendall(f"{head}content-length: {len(body)}\r\n\r\n".encode() + body)
            assert gone.wait(20)


def test_a_server_sends_small_pieces_at_once() -> None:
    """Without it an answer in two pieces waits 40 ms for a receipt of the first."""

    async def accepted() -> int:
        told: asyncio.Future[int] = asyncio.get_running_loop().create_future()

        async def handle(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            told.set_result(writer.get_extra_info("socket").getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))
            writer.close()

        with bound(ServerSettings(port=0)) as listening:
            async with await asyncio.start_server(handle, sock=listening) as server:
                port = server.sockets[0].getsockname()[1]
                _, writer = await asyncio.open_connection("127.0.0.1", port)
                found = await told
                writer.close()
                await writer.wait_closed()
        return found

    assert asyncio.run(accepted()) != 0
