"""An OpenAI-compatible server on loopback that answers well or fails, as the model's name in the request says."""

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from tests.support import line_models

TEXT = (
    "The user lives in Hamburg with a cat called Miez, works as a gardener on weekdays and bakes bread on Sundays "
    "with the neighbours from next door."
)


class FaultServer:
    """`requests` keeps what came in, so that a test can count what was really asked."""

    def __init__(self, write: Callable[[dict[str, Any]], tuple[str, str]] | None = None) -> None:
        self.write = write or content  # what the model writes, and why it stopped
        self.requests: list[dict[str, Any]] = []
        self.under_way = 0
        self.most_under_way = 0
        self._counting = threading.Lock()
        self.stopping = threading.Event()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}/v1"

    def asked(self, model: str) -> int:
        return sum(request["model"] == model for request in self.requests)

    def count(self, more: int) -> None:
        with self._counting:
            self.under_way += more
            self.most_under_way = max(self.most_under_way, self.under_way)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self.stopping.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join(timeout=5)

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["content-length"])))
                outer.requests.append(body)
                outer.count(1)
                try:
                    if self.path.endswith("/messages"):
                        outer._send(self, 200, json.dumps(message(body)).encode())
                    else:
                        outer.answer(self, body)
                except OSError:  # the client gave up first: for a timeout that is the point
                    self.close_connection = True
                finally:
                    outer.count(-1)

            def do_GET(self) -> None:
                outer._send(self, 200, json.dumps({"data": [{"id": "served"}]}).encode())

            def log_message(self, *args: object) -> None:
                pass

        return Handler

    def answer(self, http: BaseHTTPRequestHandler, body: dict[str, Any]) -> None:
        match body["model"]:
            case "timeout":
                self.stopping.wait(5)
            case "rate_limited":
                self._error(http, 429, {"retry-after": "0"})
            case "rate_limited_for_long":
                self._error(http, 429, {"retry-after": "3600"})
            case "server_error":
                self._error(http, 500)
            case "bad_key":
                self._error(http, 401)
            case "no_schema_mode" if body.get("response_format", {}).get("type") == "json_schema":
                self._error(http, 400)
            case "prompt_too_long":  # in llama.cpp's words
                self._error(http, 400, said="request (6031 tokens) exceeds the available context size (4096 tokens)")
            case "garbled":
                self._send(http, 200, b"<html>nginx</html>", "text/html")
            case "cut_off":
                self._cut(http, body)
            case "pausing":
                self.stopping.wait(0.2)
                self._complete(http, body, *self.write(body))
            case "slow":
                self._trickle(http, 0.05)
            case "held":
                self._trickle(http, 30)
            case _:
                self._complete(http, body, *self.write(body))

    def _complete(self, http: BaseHTTPRequestHandler, body: dict[str, Any], text: str, finish: str) -> None:
        if body.get("stream"):
            self._send(http, 200, b"".join(events(text, finish)), "text/event-stream")
        else:
            self._send(http, 200, json.dumps(completion(body, text, finish)).encode())

    def _cut(self, http: BaseHTTPRequestHandler, body: dict[str, Any]) -> None:
        whole = b"".join(events(TEXT, "stop")) if body.get("stream") else json.dumps(completion(body, TEXT)).encode()
        kind = "text/event-stream" if body.get("stream") else "application/json"
        self._send(http, 200, whole[: len(whole) // 2], kind, promised=len(whole))
        http.close_connection = True

    def _trickle(self, http: BaseHTTPRequestHandler, pause: float) -> None:
        """Word by word, as a person sees a model write."""
        http.send_response(200)
        http.send_header("content-type", "text/event-stream")
        http.end_headers()
        for event in events(TEXT, "stop"):
            http.wfile.write(event)
            if self.stopping.wait(pause):
                return

    def _error(
        self, http: BaseHTTPRequestHandler, status: int, headers: dict[str, str] | None = None, said: str = "no"
    ) -> None:
        self._send(http, status, json.dumps({"error": {"message": said, "code": status}}).encode(), headers=headers)

    def _send(
        self,
        http: BaseHTTPRequestHandler,
        status: int,
        payload: bytes,
        kind: str = "application/json",
        promised: int | None = None,
        headers: dict[str, str] | None = None,
    ) -> None:
        http.send_response(status)
        http.send_header("content-type", kind)
        http.send_header("content-length", str(len(payload) if promised is None else promised))
        for name, value in (headers or {}).items():
            http.send_header(name, value)
        http.end_headers()
        http.wfile.write(payload)


def completion(body: dict[str, Any], text: str, finish: str = "stop") -> dict[str, Any]:
    message = {"role": "assistant", "content": text}
    read = sum(len(str(m.get("content") or "")) for m in body["messages"]) // 4
    usage = {"prompt_tokens": read, "completion_tokens": len(text) // 4, "total_tokens": read + len(text) // 4}
    choice = {"index": 0, "message": message, "finish_reason": finish}
    return {"id": "c", "object": "chat.completion", "created": 0, "model": "m", "choices": [choice], "usage": usage}


def message(body: dict[str, Any]) -> dict[str, Any]:
    """The same good answer as Anthropic's API gives it, with native reasoning before it."""
    shaped = body.get("output_config", {}).get("format", {}).get("schema")
    thought = {"type": "thinking", "thinking": "Let me see.", "signature": "s"}
    said = {"type": "text", "text": '{"city": "Hamburg"}' if shaped else TEXT}
    usage = {"input_tokens": 90, "output_tokens": 20, "cache_read_input_tokens": 10, "cache_creation_input_tokens": 0}
    whole = {"id": "m", "type": "message", "role": "assistant", "model": body["model"], "content": [thought, said]}
    return whole | {"stop_reason": "end_turn", "stop_sequence": None, "usage": usage}


def events(text: str, finish: str) -> Iterator[bytes]:
    pieces = [{"content": word + " "} for word in text.split()]
    chunks: list[dict[str, Any]] = [{"index": 0, "delta": piece, "finish_reason": None} for piece in pieces]
    chunks.append({"index": 0, "delta": {}, "finish_reason": finish})
    for chunk in chunks:
        event = {"id": "c", "object": "chat.completion.chunk", "created": 0, "model": "m", "choices": [chunk]}
        yield f"data: {json.dumps(event)}\n\n".encode()
    yield b"data: [DONE]\n\n"


def content(body: dict[str, Any]) -> tuple[str, str]:
    """What the model writes, and why it stopped."""
    asked = str(body["messages"][-1]["content"])
    if ("TASK:" not in asked and "<context>" not in asked) or body["messages"][-1]["role"] != "user":
        return TEXT, "stop"
    if "TASK: answer with the city" in asked and body["model"] not in line_models.BROKEN:
        return '{"city": "Hamburg"}', "stop"
    return line_models.write(body)


@contextmanager
def fault_server(write: Callable[[dict[str, Any]], tuple[str, str]] | None = None) -> Iterator[FaultServer]:
    server = FaultServer(write)
    server.start()
    try:
        yield server
    finally:
        server.stop()
