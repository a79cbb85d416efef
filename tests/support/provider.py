"""A provider on loopback that speaks OpenAI's and Anthropic's APIs, and keeps every request as it came in."""

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

USAGE = {"prompt_tokens": 9, "completion_tokens": 3, "total_tokens": 12}
MODEL = "fake-1"


@dataclass(frozen=True)
class Received:
    method: str
    path: str
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


class FakeProvider:
    """`said` makes an answer from a request: a text, or {"name": …, "input": …} for a call of a tool."""

    def __init__(self, said: Callable[[Any], Any] = lambda _request: "Noted.") -> None:
        self.said = said
        self.requests: list[Received] = []
        self.break_off = False  # streams end in their middle
        self.status = 200
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._server.daemon_threads = True
        threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def conversations(self, name: str = "messages") -> list[list[Any]]:
        """What each request told the model, in order."""
        return [one.json[name] for one in self.requests if one.method == "POST"]

    def stop(self) -> None:
        self._server.shutdown()
        self._server.server_close()

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        outer = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                self._take()
                self._json(
                    {"object": "list", "data": [{"id": MODEL, "object": "model", "created": 0, "owned_by": "me"}]}
                )

            def do_POST(self) -> None:
                asked = self._take().json
                if outer.status != 200:
                    self._json({"error": {"message": "try later", "type": "rate_limit"}}, outer.status)
                elif self.route.endswith("/count_tokens"):
                    self._json({"input_tokens": len(json.dumps(asked["messages"])) // 4})
                elif asked.get("stream"):
                    self._events(list(streamed(self.route, asked, outer.said(asked))))
                else:
                    self._json(whole(self.route, asked, outer.said(asked)))

            @property
            def route(self) -> str:
                return self.path.partition("?")[0]

            def _take(self) -> Received:
                body = self.rfile.read(int(self.headers.get("content-length", 0)))
                headers = {name.lower(): value for name, value in self.headers.items()}
                outer.requests.append(Received(self.command, self.path, headers, body))
                return outer.requests[-1]

            def _json(self, value: Any, status: int = 200) -> None:
                body = json.dumps(value).encode()
                self.send_response(status)
                self.send_header("content-type", "application/json")
                self.send_header("content-length", str(len(body)))
                self.send_header("x-provider", "fake")
                self.end_headers()
                self.wfile.write(body)

            def _events(self, events: list[tuple[str, Any]]) -> None:
                self.send_response(200)
                self.send_header("content-type", "text/event-stream")
                self.send_header("transfer-encoding", "chunked")
                self.end_headers()
                for name, value in events[: len(events) // 2] if outer.break_off else events:
                    data = value if isinstance(value, str) else json.dumps(value)
                    line = (f"event: {name}\n" if name else "") + f"data: {data}\n\n"
                    self.wfile.write(f"{len(line.encode()):x}\r\n".encode() + line.encode() + b"\r\n")
                    self.wfile.flush()
                if outer.break_off:
                    self.close_connection = True
                else:
                    self.wfile.write(b"0\r\n\r\n")

            def log_message(self, *_: Any) -> None: ...

        return Handler


def whole(path: str, asked: Any, said: Any) -> Any:
    if path.endswith("/messages"):
        return anthropic_message(anthropic_parts(asked, said), said)
    if path.endswith("/responses"):
        return response(said, len(json.dumps(asked)))
    message: dict[str, Any] = {"role": "assistant", "content": said if isinstance(said, str) else None}
    if not isinstance(said, str):
        message["tool_calls"] = [chat_call(said)]
    choice = {"index": 0, "message": message, "finish_reason": "stop" if isinstance(said, str) else "tool_calls"}
    return {"id": "c1", "object": "chat.completion", "created": 1, "model": MODEL, "choices": [choice], "usage": USAGE}


def chat_call(said: Any) -> Any:
    called = {"name": said["name"], "arguments": json.dumps(said["input"])}
    return {"id": said.get("id", "call_1"), "type": "function", "function": called}


def anthropic_parts(asked: Any, said: Any) -> list[Any]:
    thought = [{"type": "thinking", "thinking": "hm", "signature": "c2ln"}] if asked.get("thinking") else []
    if isinstance(said, str):
        return [*thought, {"type": "text", "text": said}]
    return [
        *thought,
        {"type": "tool_use", "id": said.get("id", "toolu_1"), "name": said["name"], "input": said["input"]},
    ]


def anthropic_message(parts: list[Any], said: Any) -> Any:
    reason = "end_turn" if isinstance(said, str) else "tool_use"
    about = {"id": "msg_1", "type": "message", "role": "assistant", "model": MODEL}
    usage = {"input_tokens": 9, "output_tokens": 3}
    return {**about, "content": parts, "stop_reason": reason, "stop_sequence": None, "usage": usage}


def response(said: Any, number: int) -> Any:
    if isinstance(said, str):
        text = {"type": "output_text", "text": said, "annotations": []}
        item = {"type": "message", "id": "m1", "status": "completed", "role": "assistant", "content": [text]}
    else:
        named = {"name": said["name"], "arguments": json.dumps(said["input"])}
        item = {
            "type": "function_call",
            "id": "f1",
            "call_id": said.get("id", "call_1"),
            "status": "completed",
            **named,
        }
    about = {"id": f"resp_{number}", "object": "response", "created_at": 1, "model": MODEL, "status": "completed"}
    options = {"parallel_tool_calls": True, "tool_choice": "auto", "tools": []}
    return {**about, "output": [item], **options}


def streamed(path: str, asked: Any, said: Any) -> Iterator[tuple[str, Any]]:
    text = said if isinstance(said, str) else ""
    pieces = [text[n : n + 5] for n in range(0, len(text), 5)]
    if path.endswith("/messages"):
        yield from anthropic_events(asked, said, pieces)
    elif path.endswith("/responses"):
        made = response(said, len(json.dumps(asked)))
        yield "response.created", {"type": "response.created", "response": {**made, "output": []}, "sequence_number": 0}
        place = {"item_id": "m1", "output_index": 0, "content_index": 0, "sequence_number": 1}
        begun = {**made["output"][0], "content": [], "status": "in_progress"}
        yield "", {"type": "response.output_item.added", "output_index": 0, "sequence_number": 1, "item": begun}
        empty = {"type": "output_text", "text": "", "annotations": []}
        yield "", {"type": "response.content_part.added", "part": empty, **place}
        for piece in pieces:
            yield "", {"type": "response.output_text.delta", "delta": piece, "logprobs": [], **place}
        yield "response.completed", {"type": "response.completed", "response": made, "sequence_number": 99}
    else:
        about = {"id": "c1", "object": "chat.completion.chunk", "created": 1, "model": MODEL}
        deltas: list[Any] = [{"role": "assistant", "content": piece} for piece in pieces]
        if not isinstance(said, str):
            deltas = [{"role": "assistant", "tool_calls": [{"index": 0, **chat_call(said)}]}]
        for delta in deltas:
            yield "", {**about, "choices": [{"index": 0, "delta": delta, "finish_reason": None}]}
        reason = "stop" if isinstance(said, str) else "tool_calls"
        yield "", {**about, "choices": [{"index": 0, "delta": {}, "finish_reason": reason}]}
        yield "", "[DONE]"


def anthropic_events(asked: Any, said: Any, pieces: list[str]) -> Iterator[tuple[str, Any]]:
    parts = anthropic_parts(asked, said)
    yield "message_start", {"type": "message_start", "message": {**anthropic_message([], said), "stop_reason": None}}
    for n, part in enumerate(parts):
        empty = {"text": {**part, "text": ""}, "tool_use": {**part, "input": {}}, "thinking": {**part, "thinking": ""}}
        yield "content_block_start", {"type": "content_block_start", "index": n, "content_block": empty[part["type"]]}
        for delta in deltas_of(part, pieces):
            yield "content_block_delta", {"type": "content_block_delta", "index": n, "delta": delta}
        yield "content_block_stop", {"type": "content_block_stop", "index": n}
    ended = {"stop_reason": anthropic_message([], said)["stop_reason"], "stop_sequence": None}
    yield "message_delta", {"type": "message_delta", "delta": ended, "usage": {"output_tokens": 3}}
    yield "message_stop", {"type": "message_stop"}


def deltas_of(part: Any, pieces: list[str]) -> list[Any]:
    if part["type"] == "text":
        return [{"type": "text_delta", "text": piece} for piece in pieces]
    if part["type"] == "thinking":
        return [{"type": "thinking_delta", "thinking": "hm"}, {"type": "signature_delta", "signature": "c2ln"}]
    return [{"type": "input_json_delta", "partial_json": json.dumps(part["input"])}]


@contextmanager
def provider(said: Callable[[Any], Any] = lambda _request: "Noted.") -> Iterator[FakeProvider]:
    made = FakeProvider(said)
    try:
        yield made
    finally:
        made.stop()
