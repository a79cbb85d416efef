"""What goes wrong between a client, the proxy and a provider: the client sees it as it would without the proxy."""

import gzip
import http.client
import json
import logging
import socket
import threading
import time
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import anthropic
import openai
import pytest

from reverie import Reverie, Space
from reverie.server.proxy import memory as proxy_memory
from reverie.server.proxy.memory import DEADLINE, LONGEST_TURN
from tests.support.bare_provider import answering, body_on
from tests.support.live import live
from tests.support.proxied import PROVIDER_KEY, World, proxied
from tests.support.serving import TOKEN
from tests.support.waiting import until

ASKED: dict[str, Any] = {"model": "m", "messages": [{"role": "user", "content": "Where is the spare key?"}]}
STREAM = b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n"
Answer = Callable[[socket.socket], object]


@pytest.fixture(autouse=True)
def _in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(proxy_memory, "DEADLINE", 10.0)


class Bare:
    """The proxy before a provider that does byte for byte what a test says."""

    def __init__(self, memory: Reverie) -> None:
        self.memory = memory
        self.bodies: list[bytes] = []
        self.answer: Answer = lambda _connection: None
        self.address = ""

    @property
    def space(self) -> Space:
        return self.memory.space("default")

    def handle(self, connection: socket.socket) -> None:
        while body := body_on(connection):
            self.bodies.append(body)
            if self.answer(connection) is False:  # and the connection ends
                return

    @contextmanager
    def asked(self, body: bytes, **headers: str) -> Iterator[http.client.HTTPResponse]:
        connection = http.client.HTTPConnection("127.0.0.1", int(self.address.rpartition(":")[2]), timeout=30)
        own = {"x-reverie-key": TOKEN, "authorization": f"Bearer {PROVIDER_KEY}", "content-type": "application/json"}
        try:
            connection.request("POST", "/openai/v1/chat/completions", body, {**own, **headers})
            with connection.getresponse() as reply:
                yield reply
        finally:
            connection.close()

    def kept(self, least: int) -> list[tuple[str, str]]:
        until(lambda: len(self.space.turns()) >= least, 10)
        return [(turn.role, turn.text) for turn in self.space.turns()]


@pytest.fixture
def bare(home: Path) -> Iterator[Bare]:
    with Reverie.open(home, embedder="none", durable=False) as memory:
        made = Bare(memory)
        with (
            answering(made.handle) as port,
            live(memory, providers={"/openai/v1": f"http://127.0.0.1:{port}/v1"}) as made.address,
        ):
            yield made


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    with proxied(tmp_path_factory.mktemp("mishaps")) as made:
        yield made


def event(text: str, reason: str | None = None) -> bytes:
    choice = {"index": 0, "delta": {"content": text}, "finish_reason": reason}
    return f"data: {json.dumps({'id': 'c1', 'choices': [choice]})}\n\n".encode()


def chunk(data: bytes) -> bytes:
    return b"%x\r\n%s\r\n" % (len(data), data)


def reply(said: bytes, *headers: bytes, status: bytes = b"200 OK") -> bytes:
    lines = (b"HTTP/1.1 " + status, b"content-type: application/json", b"content-length: %d" % len(said), *headers)
    return b"\r\n".join((*lines, b"", said))


def completion(text: str) -> bytes:
    return json.dumps({"id": "c1", "choices": [{"index": 0, "message": {"content": text}}]}).encode()


@pytest.mark.parametrize("streams", [True, False])
def test_an_answer_that_breaks_off_breaks_off_for_the_client_too(
    bare: Bare, streams: bool, caplog: pytest.LogCaptureFixture
) -> None:
    def answer(connection: socket.socket) -> bool:
        begun = STREAM + b"\r\n" + chunk(event("One two"))
        connection.sendall(begun if streams else reply(completion("One two three."))[:-20])
        return False

    bare.answer = answer
    with (
        caplog.at_level(logging.WARNING, "reverie.proxy"),
        bare.asked(json.dumps({**ASKED, "stream": streams}).encode()) as told,
        pytest.raises(http.client.IncompleteRead),
    ):
        told.read()
    assert bare.kept(2 if streams else 1)[1:] == ([("assistant", "One two")] if streams else [])
    assert "the provider broke off its answer" in caplog.text


def test_a_client_that_goes_away_in_a_stream_ends_it_at_the_provider(bare: Bare) -> None:
    ended = threading.Event()

    def answer(connection: socket.socket) -> bool:
        connection.sendall(STREAM + b"\r\n")
        try:
            for n in range(2_000):
                connection.sendall(chunk(event(f"word{n} ")))
                time.sleep(0.01)
        except OSError:
            ended.set()
        return False

    bare.answer = answer
    with bare.asked(json.dumps({**ASKED, "stream": True}).encode()) as told:
        assert told.read1(10)
    assert ended.wait(10), "nobody pays for what nobody reads"
    (asked, said) = bare.kept(2)
    assert asked == ("user", "Where is the spare key?")
    assert said[1].startswith("word0")
    assert bare.space.turns()[1].metadata == {"partial": True}


def test_a_refusal_of_the_provider_comes_with_its_headers(bare: Bare) -> None:
    body = b'{"error":{"message":"slow down","type":"rate_limit"}}'
    named = [b"retry-after: 7", b"retry-after-ms: 7000", b"x-ratelimit-remaining-requests: 0", b"x-request-id: req_1"]
    bare.answer = lambda connection: connection.sendall(reply(body, *named, status=b"429 Too Many Requests"))
    client = openai.OpenAI(base_url=f"{bare.address}/t/{TOKEN}/openai/v1", api_key=PROVIDER_KEY, max_retries=0)
    with client, pytest.raises(openai.RateLimitError, match="slow down") as refused:
        client.chat.completions.create(**ASKED)
    told = refused.value.response.headers
    assert [told[name.split(b":")[0].decode()] for name in named] == ["7", "7000", "0", "req_1"]
    assert refused.value.request_id == "req_1"
    assert bare.space.turns() == []


@pytest.mark.parametrize("large", ["picture", "text", "turns"])
def test_a_request_of_ten_megabytes_passes_whole(bare: Bare, large: str) -> None:
    question: Any = {"role": "user", "content": "Where is the spare key?"}
    picture = {"type": "image_url", "image_url": {"url": "data:image/png;base64," + "A" * 10_000_000}}
    messages: dict[str, list[Any]] = {
        "picture": [{"role": "user", "content": [{"type": "text", "text": question["content"]}, picture]}],
        "text": [{"role": "user", "content": "word " * 2_000_000}],
        "turns": [
            {"role": ("user", "assistant")[n % 2], "content": f"{n} " + "lorem " * 1_600} for n in range(1_000)
        ] + [question],
    }  # fmt: skip
    body = json.dumps({"model": "m", "messages": messages[large]}).encode()
    assert len(body) > 9_000_000
    bare.space.remember("The spare key is with Ana.")
    bare.answer = lambda connection: connection.sendall(reply(completion("Noted.")))
    with bare.asked(body) as told:
        assert (told.status, told.read()) == (200, completion("Noted."))
    ours = json.loads(bare.bodies[0])["messages"]
    theirs = messages[large]
    assert ours[:-1] == theirs[:-1]
    last, was = ours[-1]["content"], theirs[-1]["content"]
    assert last == was if isinstance(last, str) else last[0].get("text") in (was, question["content"]), large
    said = ("word " * 2_000_000)[:LONGEST_TURN].strip() if large == "text" else question["content"]
    assert bare.kept(2)[0] == ("user", said), "of what is longer than a turn may be, its beginning"


def test_what_is_larger_than_a_provider_takes_is_refused_with_the_next_move(bare: Bare) -> None:
    with bare.asked(b" " * (33 * 2**20)) as told:
        assert told.status == 413
        assert "max_body_mb" in json.loads(told.read())["error"]["message"]
    assert bare.bodies == []


@pytest.mark.parametrize("streams", [True, False])
def test_a_packed_answer_is_passed_as_it_is_and_read(bare: Bare, streams: bool) -> None:
    packing = zlib.compressobj(wbits=31)
    pieces = [
        packing.compress(event(word)) + packing.flush(zlib.Z_SYNC_FLUSH) for word in ("It ", "is ", "with ", "Ana.")
    ]
    pieces.append(packing.compress(event("", "stop") + b"data: [DONE]\n\n") + packing.flush())
    streamed = STREAM + b"content-encoding: gzip\r\n\r\n" + b"".join(map(chunk, pieces)) + b"0\r\n\r\n"
    packed = gzip.compress(completion("It is with Ana."))
    bare.answer = lambda connection: connection.sendall(
        streamed if streams else reply(packed, b"content-encoding: gzip")
    )
    asked = json.dumps({**ASKED, "stream": streams}).encode()
    with bare.asked(asked, **{"accept-encoding": "gzip, deflate, br, zstd"}) as told:
        assert told.headers["content-encoding"] == "gzip"
        assert told.read() == (b"".join(pieces) if streams else packed)
    assert bare.kept(2)[1] == ("assistant", "It is with Ana.")


def test_an_answer_in_an_encoding_that_nobody_asked_for_is_passed_and_not_kept(bare: Bare) -> None:
    """Only what can be read is asked for; a provider that sends Brotli all the same is not in the client's way."""
    packed = b"\x8b\x02\x80Noted.\x03"
    bare.answer = lambda connection: connection.sendall(reply(packed, b"content-encoding: br"))
    with bare.asked(json.dumps(ASKED).encode(), **{"accept-encoding": "br"}) as told:
        assert (told.headers["content-encoding"], told.read()) == ("br", packed)
    assert bare.kept(1) == [("user", "Where is the spare key?")]


def test_a_packed_request_passes_byte_for_byte(bare: Bare) -> None:
    bare.answer = lambda connection: connection.sendall(reply(completion("Noted.")))
    packed = gzip.compress(json.dumps(ASKED).encode())
    with bare.asked(packed, **{"content-encoding": "gzip"}) as told:
        assert told.read() == completion("Noted.")
    assert bare.bodies == [packed]


@pytest.mark.parametrize("how", ["slow", "down"])
def test_memory_that_is_slow_or_down_costs_a_request_no_more_than_its_deadline(
    world: World, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    def broken(*_args: Any, **_more: Any) -> Any:
        if how == "slow":
            time.sleep(1)
        raise OSError("no store")

    monkeypatch.setattr(Space, "for_prompt", broken)
    monkeypatch.setattr(proxy_memory, "DEADLINE", DEADLINE)
    took = []
    for n in range(5):
        client = world.openai(f"{how} {n}")
        raw = client.chat.completions.with_raw_response.create(**ASKED)
        assert raw.headers["x-reverie-memory"] == "skipped"
        took.append(float(raw.headers["x-reverie-ms"]))
    assert min(took) < 1_000 * DEADLINE + 10, took  # of five: the machine may be busy, memory may not


@pytest.mark.parametrize(
    ("base", "error", "move"),
    [
        ("/openai/v1", openai.AuthenticationError, "Put the token into the base URL"),
        ("/t/rv_wrong/openai/v1", openai.AuthenticationError, "`reverie connect` prints the line"),
        ("/t/mine/openai/v1", openai.AuthenticationError, "Put the token into the base URL"),
        (f"/t/{TOKEN}/openai", openai.NotFoundError, "ends in `/openai/v1`"),
        (f"/t/{TOKEN}/v1", openai.NotFoundError, "ends in `/openai/v1`"),
        (f"/t/{TOKEN}", openai.NotFoundError, "ends in `/openai/v1`"),
        ("/v1", openai.AuthenticationError, "Put the token into the base URL"),
    ],
)
def test_a_wrong_base_url_or_token_is_told_with_the_next_move(
    world: World, base: str, error: type[openai.APIError], move: str
) -> None:
    client = openai.OpenAI(base_url=world.address + base, api_key=PROVIDER_KEY, max_retries=0)
    with client, pytest.raises(error) as refused:
        client.chat.completions.create(**ASKED)
    assert move in str(refused.value)


def test_an_anthropic_client_is_told_its_base_url_too(world: World) -> None:
    for base in (f"/t/{TOKEN}", f"/t/{TOKEN}/claude"):
        with (
            anthropic.Anthropic(base_url=world.address + base, api_key=PROVIDER_KEY, max_retries=0) as client,
            pytest.raises(anthropic.APIStatusError, match="ends in `/anthropic`"),
        ):
            client.messages.create(max_tokens=9, **ASKED)


def test_a_provider_that_is_down_is_told_by_the_setting_that_names_it(home: Path) -> None:
    with (
        Reverie.open(home, embedder="none", durable=False) as memory,
        live(memory, providers={"/openai/v1": "http://127.0.0.1:9/v1"}) as address,
        openai.OpenAI(base_url=f"{address}/t/{TOKEN}/openai/v1", api_key="sk-1", max_retries=0) as client,
        pytest.raises(openai.InternalServerError, match="proxy_openai_url"),
    ):
        client.chat.completions.create(**ASKED)
