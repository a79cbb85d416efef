"""The process of one searcher: it reads the store, answers recalls one after the other, and writes nothing.

A server gives it a socket and, with every question, its vector: no searcher loads a model. Whatever goes wrong here,
the server answers that question itself, as it does without searchers.
"""

import socket
import sys
import time
from collections.abc import Sequence
from contextlib import suppress

import numpy as np
from numpy.typing import NDArray

from reverie.config import load
from reverie.model.base import Instant
from reverie.reverie import Reverie
from reverie.server.rest.recall import RECALL_REPLY, RecallIn, recall
from reverie.server.searchers.frames import Frame, frames, packed
from reverie.space import Space

Vectors = NDArray[np.float32]


class Unknown(Exception):
    """What only the server can tell."""


class GivenVectors:
    """The embedder of a searcher: it knows the vector of the question that is asked just now."""

    def __init__(self, id: str, dim: int) -> None:
        self.id = id
        self.dim = dim
        self.query: tuple[str, Vectors] = ("", np.zeros(dim, np.float32))

    def embed(self, texts: Sequence[str]) -> Vectors:
        raise Unknown(f"{len(texts)} texts")

    def embed_one(self, text: str) -> Vectors:
        if text != self.query[0] and self.dim:
            raise Unknown("the vector of another text")
        return self.query[1]

    def expect(self, queries: Sequence[str]) -> None:
        pass


class Searcher:
    def __init__(self, embedder: str, dim: int) -> None:
        self._vectors = GivenVectors(embedder, dim)
        self._now: Instant = 0.0
        self._memory = Reverie.open(
            config=load(), embedder=self._vectors, clock=lambda: self._now or time.time(), brief=True
        )

    def work(self, link: socket.socket) -> None:
        """Answers until the server closes the socket, or is gone."""
        link.sendall(packed(["ready"]))
        with self._memory:
            for frame in frames(link.recv):
                if frame.header[0] == "recall":
                    link.sendall(self._answered(frame))
                else:
                    self._take(frame)

    def _take(self, frame: Frame) -> None:
        """What the server has embedded behind appends; nothing: let go of the space's."""
        _, space, turns = frame.header
        if not turns:
            self._memory.sharing.take_fresh(space, turns)
            return
        rows = np.frombuffer(frame.blob, np.float32).reshape(-1, self._vectors.dim)
        ends = np.cumsum([many for _, _, many in turns])
        parts = np.split(rows, ends[:-1])
        held = [(ref, seq, part) for (ref, seq, _), part in zip(turns, parts, strict=True)]
        self._memory.sharing.take_fresh(space, held)

    def _answered(self, frame: Frame) -> bytes:
        number = frame.header[1]
        began = time.perf_counter()
        try:
            space, found, body = self._recalled(frame)
        except Exception:
            return packed(["unknown", number])
        return packed(["found", number, time.perf_counter() - began, space.id, found], body)

    def _recalled(self, frame: Frame) -> tuple[Space, list[tuple[str, float]], bytes]:
        _, _, org, ref, only, query, now, size = frame.header
        self._now = now
        self._vectors.query = query, np.frombuffer(frame.blob[:size], np.float32)
        asked = RecallIn.model_validate_json(frame.blob[size:])
        space = self._memory.of_org(org).find_space(ref)
        if only not in (None, space.id):
            raise Unknown("another space")
        hits = recall(space, asked, quiet=True)
        return space, [(hit.id, hit.matched) for hit in hits.hits], RECALL_REPLY.dump_json(hits)


def main(arguments: Sequence[str]) -> None:
    descriptor, embedder, dim = arguments
    link = socket.socket(fileno=int(descriptor))
    with suppress(ConnectionError, KeyboardInterrupt):  # the server is gone
        Searcher(embedder, int(dim)).work(link)


if __name__ == "__main__":
    main(sys.argv[1:])
