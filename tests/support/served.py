"""A server as a process of its own: started, called, ended within its time."""

import json
import os
import select
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from reverie.token import find_token

ROOT = Path(__file__).parent.parent.parent
START_SECONDS = 60.0
UP = (
    "from reverie.config import load\nfrom reverie.server.serve import up\n"
    "up(load(), ready=lambda on: print(on.address, flush=True))"
)


@dataclass
class Served:
    process: "subprocess.Popen[str]"
    address: str
    token: str

    def call(self, method: str, path: str, body: Any = None) -> Any:
        data = None if body is None else json.dumps(body).encode()
        headers = {"content-type": "application/json", "x-reverie-key": self.token}
        request = urllib.request.Request(self.address + path, data, headers, method=method)
        with urllib.request.urlopen(request, timeout=20) as reply:
            return json.loads(reply.read())

    def stop(self, number: int = signal.SIGTERM) -> float:
        """Answers how many seconds it took."""
        began = time.monotonic()
        self.process.send_signal(number)
        self.process.wait(20)
        return time.monotonic() - began


@contextmanager
def served(where: Path, code: str = UP, **settings: object) -> Iterator[Served]:
    """`settings` as the environment gives them; whatever happens, the process is gone afterwards."""
    given = {f"REVERIE_{name.upper()}": str(value) for name, value in {"port": 0, **settings}.items()}
    env = {**os.environ, "PYTHONPATH": str(ROOT / "src"), **given}
    process = subprocess.Popen(
        [sys.executable, "-c", code], cwd=where, env=env, stdout=subprocess.PIPE, text=True, start_new_session=True
    )
    try:
        address = _address(process)
        home = where / str(settings.get("home", ".reverie"))
        yield Served(process, address, find_token(home) or "")
    finally:
        process.kill()
        process.wait(10)
        if process.stdout is not None:
            process.stdout.close()


def _address(process: "subprocess.Popen[str]") -> str:
    assert process.stdout is not None
    ready, _, _ = select.select([process.stdout], [], [], START_SECONDS)
    assert ready, "the server did not come up"
    line = process.stdout.readline().strip()
    assert line.startswith("http"), line
    return line
