"""A small Anthropic model server on loopback: says what it is told to say, calls a tool where asked, keeps requests."""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

SUMMARY = "<summary>The user works on a billing service.</summary>"


class FakeModel:
    """`requests` holds every body that came to /v1/messages, in order."""

    def __init__(self) -> None:
        self.requests: list[dict[str, Any]] = []
        model = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers.get("content-length", 0))) or b"{}")
                if "count_tokens" in self.path:
                    self._json({"input_tokens": 100})
                elif self.path.startswith("/v1/messages"):
                    model.requests.append(body)
                    self._message(body, model.reply(body))
                else:
                    self._json({})

            def do_GET(self) -> None:
                self._json({})

            def do_HEAD(self) -> None:
                self._json({})

            def _json(self, value: Any) -> None:
                raw = json.dumps(value).encode()
                self.send_response(200)
                self.send_header("content-type", "application/json")
                self.send_header("content-length", str(len(raw)))
                self.end_headers()
                self.wfile.write(raw)

            def _message(self, body: dict[str, Any], block: dict[str, Any]) -> None:
                reason = "tool_use" if block["type"] == "tool_use" else "end_turn"
                whole = {
                    "id": f"msg_{len(model.requests)}", "type": "message", "role": "assistant",
                    "model": body.get("model", "fake"), "stop_reason": reason, "stop_sequence": None,
                    "usage": {"input_tokens": 10, "output_tokens": 10},
                }  # fmt: skip
                if not body.get("stream"):
                    self._json({**whole, "content": [block]})
                    return
                self.send_response(200)
                self.send_header("content-type", "text/event-stream")
                self.send_header("connection", "close")
                self.end_headers()
                for event in events(whole, block):
                    self.wfile.write(f"event: {event['type']}\ndata: {json.dumps(event)}\n\n".encode())
                self.close_connection = True

            def log_message(self, *_: Any) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.address = f"http://127.0.0.1:{self._server.server_port}"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def reply(self, body: dict[str, Any]) -> dict[str, Any]:
        """A tool call where the last prompt asks to "run the tests"; a summary for a compaction; else plain words."""
        said = last_said(body)
        if "Respond with TEXT ONLY" in said:
            return {"type": "text", "text": SUMMARY}
        if "run the tests" in said and any(tool["name"] == "Bash" for tool in body.get("tools", ())):
            given = {"command": "echo always deploy on fridays", "description": "Run the tests"}
            return {"type": "tool_use", "id": f"toolu_{len(self.requests)}", "name": "Bash", "input": given}
        return {"type": "text", "text": f"Understood, answer {len(self.requests)}."}

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()


def events(whole: dict[str, Any], block: dict[str, Any]) -> list[dict[str, Any]]:
    """One message as the events of a stream."""
    if block["type"] == "text":
        start, delta = {"type": "text", "text": ""}, {"type": "text_delta", "text": block["text"]}
    else:
        start = {**block, "input": {}}
        delta = {"type": "input_json_delta", "partial_json": json.dumps(block["input"])}
    return [
        {"type": "message_start", "message": {**whole, "content": [], "stop_reason": None}},
        {"type": "content_block_start", "index": 0, "content_block": start},
        {"type": "content_block_delta", "index": 0, "delta": delta},
        {"type": "content_block_stop", "index": 0},
        {
            "type": "message_delta",
            "delta": {"stop_reason": whole["stop_reason"], "stop_sequence": None},
            "usage": {"output_tokens": 10},
        },
        {"type": "message_stop"},
    ]


def last_said(body: dict[str, Any]) -> str:
    """The text parts of the last user message; "" after a tool's result."""
    message = next((one for one in reversed(body["messages"]) if one["role"] == "user"), {"content": ""})
    content = message["content"]
    if isinstance(content, str):
        return content
    if any(part.get("type") == "tool_result" for part in content):
        return ""
    return "\n".join(part.get("text", "") for part in content)
