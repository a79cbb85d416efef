"""What the proxy costs: a request straight to a provider on loopback, and through a real server, beside the recall.

The provider answers at once and lies in a process of its own. `x-reverie-ms` says what memory took; the rest of the
difference is the proxy's own.
"""

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from http.client import HTTPConnection
from typing import Any
from urllib.parse import urlsplit

from bench.overhead import ROOT, SERVE

PROVIDER = """
import http.server, json
class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    def do_POST(self):
        self.rfile.read(int(self.headers["content-length"]))
        said = {"role": "assistant", "content": "Noted."}
        body = json.dumps({"id": "1", "choices": [{"index": 0, "message": said, "finish_reason": "stop"}]}).encode()
        head = b"HTTP/1.1 200 OK\\r\\ncontent-type: application/json\\r\\ncontent-length: %d\\r\\n\\r\\n" % len(body)
        self.wfile.write(head + body)
    def log_message(self, *_): pass
server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
print(f"http://127.0.0.1:{server.server_port}", flush=True)
server.serve_forever()
"""
GOAL_MS = 5.0
PAUSE = 0.03  # seconds: a real provider takes longer, and what is kept of a request is kept meanwhile


@contextmanager
def process(code: str, **env: str) -> Iterator[str]:
    """The address that the process prints first."""
    running = subprocess.Popen([sys.executable, "-c", code], env=env, stdout=subprocess.PIPE, text=True)
    try:
        assert running.stdout is not None
        yield running.stdout.readline().strip()
    finally:
        running.terminate()
        running.wait(20)


def caller(address: str, path: str) -> Callable[[Any], tuple[float, float]]:
    """Milliseconds of one call, and those of them that memory took."""
    place = urlsplit(address)
    connection = HTTPConnection(str(place.hostname), place.port, timeout=30)
    headers = {"content-type": "application/json", "x-reverie-space": "alice"}

    def call(body: Any) -> tuple[float, float]:
        sent, began = json.dumps(body), time.perf_counter()
        connection.request("POST", path, sent, headers)
        reply = connection.getresponse()
        reply.read()
        took = (time.perf_counter() - began) * 1e3
        assert reply.status == 200, reply.status
        return took, float(reply.headers.get("x-reverie-ms", 0))

    return call


def conversation(n: int, turns: int) -> Any:
    said = [
        {"role": role, "content": f"In week {m} I lived in town {m % 37} and drank tea number {n}. " * 4}
        for m in range(turns)
        for role in ("user", "assistant")
    ]
    return {"model": "m", "messages": [*said, {"role": "user", "content": f"Where did I live in week {n}?"}]}


def measure(rounds: int, turns: int) -> tuple[list[float], list[float], list[float]]:
    """Milliseconds straight, through the proxy without what memory took, and what memory took."""
    env = {"PYTHONPATH": str(ROOT / "src"), "REVERIE_SLEEP": "false", "REVERIE_PORT": "0", "PATH": "/usr/bin:/bin"}
    with ExitStack() as stack:
        home = stack.enter_context(tempfile.TemporaryDirectory())
        provider = stack.enter_context(process(PROVIDER))
        own = {"REVERIE_HOME": home, "REVERIE_REQUIRE_KEY": "false", "REVERIE_PROXY_OPENAI_URL": provider, "HOME": home}
        server = stack.enter_context(process(SERVE, **env, **own))
        straight, through = caller(provider, "/chat/completions"), caller(server, "/openai/v1/chat/completions")
        times = []
        for n in range(rounds):
            body = conversation(n, turns)
            times.append((straight(body), through(body)))
            time.sleep(PAUSE)
    warm = times[rounds // 10 :]
    return [s for (s, _), _ in warm], [t - m for _, (t, m) in warm], [m for _, (_, m) in warm]


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--rounds", type=int, default=200)
    rounds = options.parse_args().rounds
    good = True
    print(f"{'turns':>6} {'straight p50':>13} {'memory p50':>11} {'proxy p50':>10} {'proxy p95':>10}   (ms)")
    for turns in (0, 10, 100):
        straight, through, memory = measure(rounds, turns)
        own = sorted(t - s for t, s in zip(through, straight, strict=True))
        p50, p95 = statistics.median(own), own[int(len(own) * 0.95)]
        good = good and p50 <= GOAL_MS
        shown = (statistics.median(straight), statistics.median(memory), p50, p95)
        print(f"{turns:6} {shown[0]:13.2f} {shown[1]:11.2f} {shown[2]:10.2f} {shown[3]:10.2f}")
    print(f"goal: at most {GOAL_MS:g} ms p50 beside the recall: {'met' if good else 'MISSED'}")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
