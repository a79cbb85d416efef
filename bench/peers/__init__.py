"""Peers live in environments of their own and answer over a pipe, so that they cannot disturb ours, nor ours them."""

import json
import subprocess
import sys
import venv
from pathlib import Path
from types import TracebackType
from typing import Any, Self

CACHE = Path(".cache/peers")
START_SECONDS = 600


def environment(name: str, *packages: str) -> Path:
    """The Python of a virtual environment with these packages; made once."""
    home = CACHE.resolve() / name
    python = home / "bin" / "python"
    ready = home / ".ready"
    if not ready.exists():
        venv.create(home, with_pip=True)
        install = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *packages]
        subprocess.run(install, check=True, timeout=START_SECONDS)
        ready.touch()
    return python


class Worker:
    """A peer in its own process: one JSON line in, one JSON line out. It measures itself, without the pipe."""

    def __init__(self, script: str, python: Path | None = None) -> None:
        path = Path(__file__).parent / script
        self._process = subprocess.Popen(
            [str(python or sys.executable), str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def ask(self, verb: str, **given: Any) -> Any:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps({"verb": verb, **given}) + "\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError(f"the peer ended with {self._process.wait(10)}")
        return json.loads(line)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait(10)
