"""A provider with batches, in OpenAI's shape and in Anthropic's: handed in, held until released, fetched by id."""

import json
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from tests.support.fault_server import completion
from tests.support.line_models import write


class BatchServer:
    def __init__(self) -> None:
        self.released = threading.Event()
        self.files: dict[str, str] = {}
        self.batches: dict[str, dict[str, Any]] = {}
        self.worked: list[str] = []  # the prompts of every call that was done, in a batch or alone
        self.alone = 0
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
        self._thread.start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}/v1"

    def stop(self) -> None:
        self._server.shutdown()
        self._server.server_close()

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                raw = self.rfile.read(int(self.headers["content-length"]))
                self._send(outer.post(self.path, raw))

            def do_GET(self) -> None:
                self._send(outer.get(self.path))

            def _send(self, payload: Any) -> None:
                body = payload.encode() if isinstance(payload, str) else json.dumps(payload).encode()
                self.send_response(200)
                self.send_header("content-type", "application/json")
                self.send_header("content-length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *args: object) -> None:
                pass

        return Handler

    def post(self, path: str, raw: bytes) -> Any:
        if path.endswith("/files"):
            name = f"file-{len(self.files)}"
            self.files[name] = "\n".join(re.findall(r"^\{.*\}\r?$", raw.decode(), re.M))
            return {"id": name}
        body = json.loads(raw)
        if path.endswith("/messages/batches"):
            return self._take([(one["custom_id"], one["params"]) for one in body["requests"]], {})
        if path.endswith("/batches"):
            lines = [json.loads(line) for line in self.files[body["input_file_id"]].splitlines()]
            return self._take([(one["custom_id"], one["body"]) for one in lines], body["metadata"])
        self.alone += 1
        return self._chat(body)

    def get(self, path: str) -> Any:
        if path.endswith("/results"):
            return self._results(path.split("/")[-2], self._message)
        if path.endswith("/content"):
            return self._results(path.split("/")[-2], lambda body: {"status_code": 200, "body": self._chat(body)})
        name = path.rpartition("/")[2]
        if name.startswith("batches"):
            return {"data": [self._state(one) for one in self.batches]}
        return self._state(name)

    def _take(self, calls: list[tuple[str, dict[str, Any]]], metadata: dict[str, str]) -> Any:
        name = f"batch-{len(self.batches)}"
        self.batches[name] = {"calls": calls, "metadata": metadata}
        return self._state(name)

    def _state(self, name: str) -> dict[str, Any]:
        done = self.released.is_set()
        return {
            "id": name,
            "status": "completed" if done else "in_progress",
            "processing_status": "ended" if done else "in_progress",
            "output_file_id": name if done else None,
            "metadata": self.batches[name]["metadata"],
        }

    def _results(self, name: str, reply: Any) -> str:
        key = "result" if reply == self._message else "response"
        return "\n".join(json.dumps({"custom_id": id, key: reply(body)}) for id, body in self.batches[name]["calls"])

    def _chat(self, body: dict[str, Any]) -> dict[str, Any]:
        self.worked.append(str(body["messages"]))
        return completion(body, *write({**body, "model": "good"}))

    def _message(self, body: dict[str, Any]) -> dict[str, Any]:
        self.worked.append(str(body["messages"]))
        system = {"role": "system", "content": body["system"][0]["text"]}
        text, _ = write({"model": "good", "messages": [system, *body["messages"]]})
        usage = {"input_tokens": 100, "output_tokens": 20, "cache_read_input_tokens": 10}
        content = [{"type": "text", "text": text}]
        return {"type": "succeeded", "message": {"content": content, "usage": usage, "stop_reason": "end_turn"}}


@contextmanager
def batch_server() -> Iterator[BatchServer]:
    server = BatchServer()
    try:
        yield server
    finally:
        server.stop()
