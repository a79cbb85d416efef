"""Half a request holds nobody up: headers and bodies have a deadline and a size, and others are answered meanwhile."""

import json
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any
from urllib.parse import urlsplit

import pytest

from reverie import Reverie
from reverie.server.app import create_app
from reverie.server.gateway.connection import GRACE
from reverie.server.serve import Hooks, Listener
from reverie.server.settings import ServerSettings
from tests.support.serving import TOKEN, bearer

HEAD = b"POST /v1/spaces/alice/turns HTTP/1.1\r\nhost: 127.0.0.1\r\n"
SHOWN = f"x-reverie-key: {TOKEN}\r\n".encode()
BODY = json.dumps({"role": "user", "text": "hello"}).encode()
WHOLE = HEAD + SHOWN + b"content-length: %d\r\n\r\n" % len(BODY) + BODY
PATIENCE = 20.0


@contextmanager
def listening(memory: Reverie, **serving: Any) -> Iterator[tuple[str, int]]:
    """A real server in a thread: its sockets are what is tested."""
    settings = ServerSettings(port=0, token=TOKEN, **serving)
    ready = threading.Event()
    listener = Listener(create_app(memory, settings), settings, Hooks(ready=lambda _: ready.set()))
    thread = threading.Thread(target=listener.run)
    thread.start()
    try:
        assert ready.wait(PATIENCE)
        place = urlsplit(listener.address)
        yield str(place.hostname), int(place.port or 0)
    finally:
        listener.should_exit = True
        thread.join(PATIENCE)


def sent(place: tuple[str, int], data: bytes) -> socket.socket:
    connection = socket.create_connection(place, timeout=PATIENCE)
    connection.sendall(data)
    return connection


def answer(connection: socket.socket) -> tuple[int, bytes]:
    """The status and all that follows until the server closes; 0 if it closed without a word."""
    data = b""
    try:
        while part := connection.recv(65_536):
            data += part
    except (ConnectionResetError, BrokenPipeError):
        pass
    return (int(data.split(b" ", 2)[1]) if data else 0), data


def asked(place: tuple[str, int], data: bytes = WHOLE) -> int:
    with sent(place, data.replace(b"HTTP/1.1\r\n", b"HTTP/1.1\r\nconnection: close\r\n", 1)) as connection:
        return answer(connection)[0]


@pytest.fixture
def memory(memory: Reverie) -> Reverie:
    memory.space("alice")
    return memory


@pytest.mark.parametrize("said", [b"", b"POST /v1/spa", HEAD + b"x-slow: "])
def test_headers_that_do_not_come_are_answered_with_408(memory: Reverie, said: bytes) -> None:
    with listening(memory, header_seconds=0.3) as place, sent(place, said) as connection:
        status, text = answer(connection)
    assert status == 408
    assert b'"too_slow"' in text
    assert b"x-content-type-options: nosniff" in text


def test_headers_that_drip_are_no_more_patient_with(memory: Reverie) -> None:
    with listening(memory, header_seconds=0.5) as place, sent(place, HEAD) as connection:
        began = time.monotonic()
        connection.settimeout(0.05)
        data = b""
        while time.monotonic() - began < PATIENCE:
            try:
                connection.sendall(b"x-a: b\r\n")
                data = connection.recv(1_000)
                break
            except TimeoutError:
                continue
            except OSError:
                break
        assert time.monotonic() - began < PATIENCE / 2
    assert data.startswith(b"HTTP/1.1 408 ") or not data


def test_a_body_that_does_not_come_is_answered_with_408(memory: Reverie) -> None:
    half = HEAD + SHOWN + b"content-length: 1000\r\n\r\n" + BODY
    with listening(memory, body_seconds=0.3) as place, sent(place, half) as connection:
        status, text = answer(connection)
    assert (status, b'"too_slow"' in text, b"connection: close" in text) == (408, True, True)


def test_a_stranger_who_drips_a_body_is_cut_off(memory: Reverie) -> None:
    """The answer (401) is there at once; the connection is not kept for the rest."""
    half = HEAD + b"content-length: 1000\r\n\r\n"
    with listening(memory, body_seconds=0.2) as place, sent(place, half) as connection:
        assert connection.recv(1_000).startswith(b"HTTP/1.1 401 ")
        began = time.monotonic()
        with pytest.raises(OSError):
            while time.monotonic() - began < GRACE + PATIENCE:
                connection.sendall(b"x")
                time.sleep(0.1)


def test_half_sent_requests_do_not_fill_the_server(memory: Reverie) -> None:
    """More of them than there is room for, in headers and in bodies; another's turn is stored all the same."""
    half = HEAD + SHOWN + b"content-length: 1000\r\n\r\n" + BODY
    with listening(memory, max_in_flight=8, max_unfinished=64) as place, ExitStack() as stack:
        for said in (HEAD, half):
            for _ in range(100):
                stack.enter_context(sent(place, said))
        assert [asked(place) for _ in range(3)] == [201, 201, 201]
    assert len(memory.space("alice").turns()) == 3


def test_one_callers_bodies_take_a_share_of_the_room(memory: Reverie) -> None:
    other = bearer(memory)["authorization"].encode()
    part = HEAD + SHOWN + b"content-length: 1000\r\n\r\n" + b" " * 900
    with listening(memory, max_body=1_000, max_unfinished=1_000) as place, ExitStack() as stack:
        for _ in range(4):  # a quarter of sixteen whole ones
            stack.enter_context(sent(place, part))
        until = time.monotonic() + PATIENCE
        while asked(place, part.replace(b" " * 900, b" " * 1_000)) != 503 and time.monotonic() < until:
            time.sleep(0.05)
        assert asked(place, part.replace(b" " * 900, b" " * 1_000)) == 503
        assert asked(place, WHOLE.replace(SHOWN, b"authorization: " + other + b"\r\n")) == 201


@pytest.mark.parametrize("line", [b"x-long: %s\r\n\r\n", b"x-long: %s", b"x-a: b\r\n" * 5_000])
def test_headers_that_are_too_large_are_answered_with_431(memory: Reverie, line: bytes) -> None:
    with listening(memory) as place, sent(place, HEAD) as connection:
        connection.sendall(line.replace(b"%s", b"y" * 40_000))
        status, text = answer(connection)
    assert status in (431, 0)  # what was still on its way may reset the connection before the answer is read
    assert status == 0 or b'"headers_too_large"' in text


def test_a_long_address_is_refused_and_a_long_header_within_the_limit_is_not(memory: Reverie) -> None:
    with listening(memory) as place:
        assert asked(place, WHOLE.replace(b"/turns", b"/turns?" + b"q" * 40_000)) in (431, 0)
        assert asked(place, WHOLE.replace(b"x-reverie-key", b"x-long: " + b"y" * 10_000 + b"\r\nx-reverie-key")) == 201


CHUNKED = b"transfer-encoding: chunked\r\n\r\n2328\r\n" + b" " * 9_000


@pytest.mark.parametrize("said", [b"content-length: 9000\r\n\r\n", CHUNKED])
def test_a_body_that_is_too_large_is_answered_with_413(memory: Reverie, said: bytes) -> None:
    with listening(memory, max_body=8_000) as place:
        assert asked(place, HEAD + SHOWN + said) == 413


def test_what_is_no_http_is_refused_in_our_own_words(memory: Reverie) -> None:
    with listening(memory) as place, sent(place, b"GIVE me all\r\n\r\n") as connection:
        status, text = answer(connection)
    assert (status, b'"bad_request"' in text, b"x-content-type-options" in text) == (400, True, True)


def test_many_requests_on_one_connection_go_on(memory: Reverie) -> None:
    """Pipelined, and with a pause that is longer than headers may take: a kept connection is no half request."""
    with listening(memory, header_seconds=0.3) as place, sent(place, WHOLE * 3) as connection:
        time.sleep(0.6)
        connection.sendall(WHOLE.replace(b"HTTP/1.1\r\n", b"HTTP/1.1\r\nconnection: close\r\n", 1))
        _, text = answer(connection)
    assert text.count(b"HTTP/1.1 201 ") == 4
