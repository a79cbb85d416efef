"""How a peer answers, in its own process: one JSON line in, one JSON line out. It measures itself, without the pipe."""

import base64
import json
import sys
import tempfile
import time
from array import array
from collections.abc import Callable, Iterator
from itertools import chain
from pathlib import Path
from typing import Any, Protocol

Vector = list[float]


class Peer(Protocol):
    def fill(self, ids: list[str], texts: list[str], vectors: list[Vector]) -> None:
        """Many memories at once, not measured: whatever way is quickest."""

    def add(self, id: str, text: str, vector: Vector) -> None: ...

    def search(self, text: str, vector: Vector, n: int = 10) -> list[str]:
        """The ids of the `n` best, best first."""


class Embedded:
    """An embedder that knows its texts' vectors already: embedding is measured apart."""

    def __init__(self) -> None:
        self.known: dict[str, Vector] = {}

    def __call__(self, texts: list[str]) -> list[Vector]:
        return [self.known[text] for text in texts]


def serve(make: Callable[[Path], Peer]) -> None:
    """Answers until there are no more lines, over the folder that was given, or one of its own; what is in a given
    folder is opened as it was left. The first line out says that it is open."""
    out, sys.stdout = sys.stdout, sys.stderr  # whatever a library prints must not end up between our lines
    with tempfile.TemporaryDirectory() as own:
        folder = Path(sys.argv[1] if len(sys.argv) > 1 else own)
        peer = make(folder)
        answers: Iterator[dict[str, Any]] = (_timed(peer, json.loads(line)) for line in sys.stdin)
        for answer in chain([{"open": True}], answers):
            out.write(json.dumps(answer) + "\n")
            out.flush()


def packed(vectors: Any) -> str:
    """Rows of float32 as text: a quarter of what lists of numbers take."""
    return base64.b64encode(vectors.tobytes()).decode()


def _timed(peer: Peer, asked: dict[str, Any]) -> dict[str, Any]:
    verb = getattr(peer, asked.pop("verb"))
    if "vector" in asked:
        asked["vector"] = array("f", base64.b64decode(asked["vector"])).tolist()
    else:
        asked["vectors"] = _rows(asked["vectors"], len(asked["ids"]))
    began = time.perf_counter()
    found = verb(**asked)
    return {"seconds": time.perf_counter() - began, "found": found}


def _rows(text: str, count: int) -> list[Vector]:
    values = array("f", base64.b64decode(text)).tolist()
    dim = len(values) // count
    return [values[start : start + dim] for start in range(0, len(values), dim)]
