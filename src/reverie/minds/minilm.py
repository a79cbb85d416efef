"""The embedder inside the wheel: all-MiniLM-L6-v2 as int8 ONNX, nothing downloaded, nothing loaded before first use."""

from collections import OrderedDict
from collections.abc import Iterator, Sequence
from functools import lru_cache
from hashlib import blake2b
from pathlib import Path
from threading import Lock
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from reverie.minds.wordpiece import WordPiece
from reverie.native import onnxruntime

MODEL = Path(__file__).parent / "model"
DIM = 384
BATCH = 32
BATCH_TOKENS = 512  # with padding; larger is slower, because the numbers no longer fit into the caches
MAX_CHARS = 8_192  # far past the 256 tokens that are read, so that a huge text is not tokenized whole
CACHED_QUERIES = 2_048
REMEMBERED = 2_048  # vectors of texts that were embedded last: a night meets many of them again in its next batch


class MiniLM:
    """A text's vector does not depend on its batch, so one query, one batch and a resumed night all agree.

    One thread serves queries about as fast as two, and survives a fork.
    """

    id = "minilm-l6-v2-int8-1"  # ends in the build's number: other vectors, other id
    dim = DIM

    def __init__(self, threads: int = 1) -> None:
        self._threads = threads
        self._load_lock = Lock()
        self._batch_lock = Lock()  # batches take turns, so that memory does not grow with threads; queries never wait
        self._loaded: Encoder | None = None
        self._cached = lru_cache(CACHED_QUERIES)(self._embed_one)
        self._remembered: OrderedDict[bytes, NDArray[np.float32]] = OrderedDict()

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """None is embedded twice: not if it comes again in these texts, nor if it was among the last."""
        keys = [_key(text) for text in texts]
        known = {key: vector for key in keys if (vector := self._remembered.get(key)) is not None}
        new = {key: text for key, text in zip(keys, texts, strict=True) if key not in known}
        known |= zip(new, self._all(list(new.values())), strict=True)
        with self._load_lock:
            self._remembered.update((key, known[key]) for key in new)
            while len(self._remembered) > REMEMBERED:
                self._remembered.popitem(last=False)
        return np.array([known[key] for key in keys], np.float32).reshape(len(texts), DIM)

    def states(self, ids: Sequence[Sequence[int]]) -> tuple[NDArray[np.float32], NDArray[np.int64]]:
        """What the lower layers make of each token of some texts, one row a token, and which tokens are no padding."""
        padded, mask = _padded(ids)
        with self._batch_lock:
            return self._encoder().states(padded, mask), mask

    @property
    def pieces(self) -> WordPiece:
        return self._encoder().pieces

    def _all(self, texts: Sequence[str]) -> NDArray[np.float32]:
        vectors = np.zeros((len(texts), DIM), np.float32)
        if not texts:
            return vectors  # a night with nothing new loads no model
        encoder = self._encoder()
        ids = [encoder.pieces.ids(text[:MAX_CHARS]) for text in texts]
        for batch in batches([len(text) for text in ids]):
            with self._batch_lock:
                vectors[batch] = encoder.vectors([ids[i] for i in batch])
        return vectors

    def embed_one(self, text: str) -> NDArray[np.float32]:
        """As `embed`, for queries: the last few thousand are remembered. The vector is shared, so it is read-only."""
        return self._cached(text)

    def expect(self, queries: Sequence[str]) -> None:
        """Embedded together, then remembered."""
        self.embed(queries)

    def _embed_one(self, text: str) -> NDArray[np.float32]:
        vector: NDArray[np.float32] | None = self._remembered.get(_key(text)) if self._remembered else None
        if vector is None:
            encoder = self._encoder()
            vector = encoder.vectors([encoder.pieces.ids(text[:MAX_CHARS])])[0]
        vector.setflags(write=False)
        return vector

    def _encoder(self) -> "Encoder":
        with self._load_lock:
            if self._loaded is None:
                lower, upper = (session(MODEL / name, self._threads) for name in ("lower.onnx", "upper.onnx"))
                self._loaded = Encoder(lower, upper, WordPiece(MODEL / "wordpiece.json"))
            return self._loaded


class Encoder(NamedTuple):
    """The model, loaded; several threads may use it at once. Its layers are two graphs, because onnxruntime runs a
    graph whole: the judge asks for the lower ones alone."""

    lower: Any
    upper: Any
    pieces: WordPiece

    def states(self, padded: NDArray[np.int64], mask: NDArray[np.int64]) -> NDArray[np.float32]:
        found: NDArray[np.float32]
        (found,) = self.lower.run(["states"], {"input_ids": padded, "attention_mask": mask})
        return found

    def vectors(self, ids: Sequence[Sequence[int]]) -> NDArray[np.float32]:
        padded, mask = _padded(ids)
        found: NDArray[np.float32]
        (found,) = self.upper.run(["embedding"], {"states": self.states(padded, mask), "attention_mask": mask})
        return found


def _key(text: str) -> bytes:
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()


def session(model: Path, threads: int) -> Any:
    """A model ready to run."""
    runtime = onnxruntime()
    options = runtime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")  # idle threads leave the cores alone
    options.log_severity_level = 3
    # The model was optimised when it was built: the vectors are the same, bit for bit, a third sooner loaded.
    options.graph_optimization_level = runtime.GraphOptimizationLevel.ORT_DISABLE_ALL
    return runtime.InferenceSession(str(model), options, providers=["CPUExecutionProvider"])


def batches(lengths: Sequence[int]) -> Iterator[list[int]]:
    """Indexes grouped by length, shortest first, so that little of a batch is padding and none is too large."""
    batch: list[int] = []
    for i in sorted(range(len(lengths)), key=lengths.__getitem__):
        if batch and not _fits(len(batch) + 1, lengths[batch[0]], lengths[i]):
            yield batch
            batch = []
        batch.append(i)
    yield batch


def _fits(count: int, shortest: int, longest: int) -> bool:
    return count <= BATCH and count * longest <= BATCH_TOKENS and longest <= 1.1 * shortest + 4


def _padded(ids: Sequence[Sequence[int]]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    padded = np.zeros((len(ids), max(map(len, ids))), np.int64)
    mask = np.zeros_like(padded)
    for row, text in enumerate(ids):
        padded[row, : len(text)] = text
        mask[row, : len(text)] = 1
    return padded, mask
