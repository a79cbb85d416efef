"""Where `bench/ponder.py` gets a model from: a file that is served here, an endpoint, or replies that were recorded."""

import argparse
import json
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from reverie.errors import ModelFault
from reverie.minds.llm.client import Call, Client, Completion, Delta, Failure, ModelUsage
from reverie.minds.llm.provider import ProviderClient
from reverie.minds.llm.spec import ModelSpec

PORT = 8_917
PATIENCE = 120.0
ROOT = Path(__file__).parents[1]


@dataclass(slots=True)
class Recorded:
    """Replies by the hash of what was asked: read from a file, and written to one."""

    name: str
    inner: Client | None = None
    known: dict[str, Any] = field(default_factory=dict)
    record: Path | None = None

    def complete_all(self, calls: Sequence[Call]) -> list[Completion | Failure]:
        return [self._one(call) for call in calls]

    def batched(self) -> bool:
        return False

    def stream(self, call: Call) -> Iterator[Delta]:  # noqa: ARG002
        raise ModelFault("rejected", "recorded replies are not streamed")

    def _one(self, call: Call) -> Completion | Failure:
        hash = call.prompt_hash(self.name)
        if hash in self.known:
            kept = dict(self.known[hash])
            return Completion(kept.pop("text"), ModelUsage(**kept.pop("usage")), kept.pop("finish"))
        if self.inner is None:
            return ModelFault("unavailable", "no reply was recorded for this question")
        outcome = self.inner.complete_all([call])[0]
        if isinstance(outcome, Completion) and self.record is not None:
            kept = {"text": outcome.text, "usage": asdict(outcome.usage), "finish": outcome.finish}
            with self.record.open("a", encoding="utf-8") as file:
                file.write(json.dumps({"hash": hash, **kept}) + "\n")
        return outcome


@contextmanager
def opened(given: argparse.Namespace) -> Iterator[Recorded]:
    """The client that the arguments name; a server that is started here ends with it."""
    known = _read(given.replay) if given.replay else {}
    if given.record and given.record.exists():
        known |= _read(given.record)  # a run that was cut off goes on
    name = f"openai:{given.gguf.stem if given.gguf else given.model}"
    if not given.gguf and not given.endpoint:
        yield Recorded(name, None, known)
        return
    with _served(given.gguf) as local:
        spec = ModelSpec(name, base_url=given.endpoint or local, timeout=600.0)
        client = ProviderClient(spec)
        try:
            yield Recorded(name, client, known, given.record)
        finally:
            client.close()


def _read(path: Path) -> dict[str, Any]:
    rows = [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]
    return {row.pop("hash"): row for row in rows}


@contextmanager
def _served(gguf: Path | None) -> Iterator[str]:
    if gguf is None:
        yield ""
        return
    command = ["nice", sys.executable, "-m", "tests.support.local_model", str(gguf.resolve()), str(PORT)]
    quiet = subprocess.DEVNULL
    server = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=quiet, stderr=quiet)
    try:
        _wait(server)
        yield f"http://127.0.0.1:{PORT}/v1"
    finally:
        server.kill()
        server.communicate(timeout=10)


def _wait(server: "subprocess.Popen[bytes]") -> None:
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline and server.poll() is None:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{PORT}/health", timeout=1) as answer:
                if answer.status == 200:
                    return
        except (urllib.error.URLError, OSError):
            time.sleep(0.1)
    raise SystemExit("the local model's server did not come up")
